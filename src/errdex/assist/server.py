"""One request to a model's server, through pydantic-ai: what comes back, or which fault it was.

pydantic-ai and its clients take a second to import and are an extra: nothing of them is loaded before a
connection is opened. Every request is one HTTP request: waiting and trying again are `run`'s, so that
each one stands on the bill.
"""

from __future__ import annotations

import math
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec

from errdex.assist.bill import Usage
from errdex.assist.faults import AssistMissingError, MalformedReplyError, RequestError, ServerRefusedError
from errdex.assist.prompt import Prompt
from errdex.assist.reply import reply_schema

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.profiles import ModelProfile

Protocol = Literal["openai", "anthropic"]
_RETRYABLE_STATUS = frozenset({408, 409, 425, 429})
_NONE = Usage()
_REASON_CHARACTERS = 300


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model is asked, and how."""

    model: str
    protocol: Protocol = "openai"
    base_url: str | None = None
    """None is the protocol's own public address."""
    key: str | None = None
    timeout_s: float = 120.0
    """For one request."""
    output_tokens: int = 1_500
    """What an answer may have, at most."""


class Answer(msgspec.Struct, frozen=True):
    """What a server answered."""

    text: str
    usage: Usage | None
    """None where the server does not say."""
    is_cut: bool
    """Whether it ended at the limit of tokens, not by itself."""


class Connection:
    """A model's server, ready to be asked. Used as an asynchronous context manager, which closes its sockets."""

    def __init__(self, server: Server) -> None:
        """Load the client.

        Raises:
            AssistMissingError: the extra is not installed.
            ServerRefusedError: the client itself will not ask such a model.
        """
        self._server = server
        try:
            self._errors = import_module("pydantic_ai.exceptions")
            self._direct = import_module("pydantic_ai.direct")
            self._model = _model(server)
        except ModuleNotFoundError as error:
            raise AssistMissingError(error.name or str(error)) from error
        self._messages = import_module("pydantic_ai.messages")
        self._parameters = _parameters()

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._model.__aexit__(kind, error, trace)

    async def ask(self, prompt: Prompt) -> Answer:
        """Send one request.

        Raises:
            RequestError: no answer came, or none that can be read.
        """
        errors = self._errors
        question = self._messages.ModelRequest.user_text_prompt(prompt.text, instructions=prompt.instructions)
        settings = {
            "max_tokens": self._server.output_tokens,
            "timeout": self._server.timeout_s,
            "max_retries": 0,
            "temperature": 0.0,
        }
        try:
            response = await self._direct.model_request(
                self._model, [question], model_settings=settings, model_request_parameters=self._parameters
            )
        except errors.ModelAPIError as error:
            raise self._fault(error) from error
        except errors.ContentFilterError as error:
            raise RequestError("the server's content filter refused it", "record", usage=None) from error
        except errors.UserError as error:
            raise ServerRefusedError(self._server.model, _shortened(str(error))) from error
        except errors.UnexpectedModelBehavior as error:
            raise MalformedReplyError(f"not an answer: {_shortened(error.message)}", None) from error
        return _answer(response)

    def _fault(self, error: ModelAPIError) -> RequestError:
        """Return what an error of the client means for the run."""
        errors = self._errors
        reason = _shortened(error.message)
        said = _usage_in(error)
        status = getattr(error, "status_code", None)
        if isinstance(error, errors.ModelTimeoutError | errors.ModelRequestTimeout):
            return RequestError(f"no answer within {self._server.timeout_s:g} s", "again", usage=said)
        if isinstance(error, errors.ModelConnectionError):
            never_sent = getattr(error, "phase", None) in {"pool", "connect"}
            return RequestError(
                f"the connection failed: {reason}", "again", usage=_NONE if never_sent else said
            )
        if status is None:
            return MalformedReplyError(f"not an answer: {reason}", said)
        spent = (
            said or _NONE
        )  # a request that is refused with a status is not billed, unless the server says so
        if isinstance(
            error,
            errors.ModelQuotaExceededError | errors.ModelAuthenticationError | errors.ModelNotFoundError,
        ):
            return RequestError(reason, "run", usage=spent)
        may_pass = status >= 500 or status in _RETRYABLE_STATUS
        if getattr(error, "provider_retry_hint", None) is False or not may_pass:
            return RequestError(reason, "record", usage=spent)
        return RequestError(reason, "again", retry_after_s=_seconds(error.retry_after), usage=spent)


def _model(server: Server) -> Model:
    """Return pydantic-ai's model; whether it takes a schema is the server's to say, not a list of known names'."""
    profile: ModelProfile = {"supports_json_schema_output": True}
    if server.protocol == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415 - an extra, and slow to load
        from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - as above

        there = AnthropicProvider(api_key=server.key or "none", base_url=server.base_url)
        return AnthropicModel(server.model, provider=there, profile=profile)
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - as above
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415 - as above

    here = OpenAIProvider(api_key=server.key or "none", base_url=server.base_url)
    return OpenAIChatModel(server.model, provider=here, profile=profile)


def _parameters() -> Any:
    """Return what asks for an answer in our schema."""
    models = import_module("pydantic_ai.models")
    form = models.OutputObjectDefinition(json_schema=reply_schema(), name="help")
    return models.ModelRequestParameters(output_mode="native", output_object=form)


def _answer(response: ModelResponse) -> Answer:
    used = Usage(response.usage.input_tokens, response.usage.output_tokens)
    return Answer(response.text or "", used if used.tokens else None, response.finish_reason == "length")


def _usage_in(error: ModelAPIError) -> Usage | None:
    """Return the tokens that the body of an HTTP error speaks of; None if it does not.

    The clients keep only the body's `error`: the whole is with the response that they raised for.
    """
    response: Any = getattr(error.__cause__, "response", None)
    try:
        found = response.json().get("usage")
        sent = found.get("prompt_tokens", found.get("input_tokens"))
        made = found.get("completion_tokens", found.get("output_tokens", 0))
    except (AttributeError, ValueError):  # no response, no JSON, no object: as a stranger's server has it
        return None
    if isinstance(sent, int) and isinstance(made, int) and min(sent, made) >= 0:
        return Usage(sent, made)
    return None


def _seconds(asked: float | None) -> float | None:
    return asked if asked is not None and math.isfinite(asked) else None


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _REASON_CHARACTERS else words[: _REASON_CHARACTERS - 1] + "…"
