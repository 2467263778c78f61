"""What can go wrong between us and a model's server, and what follows from it."""

from __future__ import annotations

from typing import Literal

from errdex.assist.bill import Usage
from errdex.errors import AssistError

Scope = Literal["again", "record", "run"]
"""`again`: the same request may succeed later; `record`: this one never will; `run`: none will."""


class RequestError(Exception):
    """One request did not bring an answer. Never leaves the run: it becomes a line of the bill and of the report."""

    def __init__(
        self,
        reason: str,
        scope: Scope,
        *,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
    ) -> None:
        """Hold the facts.

        Args:
            reason: One clause, for a person.
            scope: Whom it concerns.
            retry_after_s: How long the server asks to be left alone.
            usage: Tokens that the server says it took, zeros where it refused before taking any; None where it
                may have worked on the request and we cannot know.
        """
        super().__init__(reason)
        self.reason, self.scope, self.retry_after_s, self.usage = reason, scope, retry_after_s, usage


class MalformedReplyError(RequestError):
    """The server answered, but not in the form that was asked for."""

    def __init__(self, reason: str, usage: Usage | None) -> None:
        super().__init__(reason, "again", usage=usage)


class AssistMissingError(AssistError):
    """The extra that talks to models is not installed."""

    slug = "assist-not-installed"

    def __init__(self, missing: str) -> None:
        super().__init__(missing)
        self.missing = missing
        self.problem = f"Help by a model needs the extra [assist] ({missing} is not installed)."
        self.hint = "Install it: `pip install 'errdex[assist]'`."


class ServerRefusedError(AssistError):
    """The model's server refuses everything we may send."""

    slug = "model-server-refused"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(model, reason)
        self.model, self.reason = model, reason
        self.problem = f"The server of the model {model!r} refuses: {reason}."
        self.hint = (
            "Check --model, --base-url and the key in ERRDEX_ASSIST_KEY. What was answered before is kept."
        )


class PrivateCodeError(AssistError):
    """Code that may be private would have left the machine."""

    slug = "private-code-not-sent"

    def __init__(self, coordinate: str, where: str) -> None:
        super().__init__(coordinate, where)
        self.coordinate, self.where = coordinate, where
        self.problem = f"{coordinate!r} may be private code: nothing of it was sent."
        self.hint = f"If it may leave this machine, say so once for the catalog {where}: --allow-private."


class PriceUnknownError(AssistError):
    """A budget in money was set for a model whose price nobody knows."""

    slug = "price-unknown"

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self.model = model
        self.problem = f"The price of the model {model!r} is not known, so a budget in money cannot be kept."
        self.hint = "Name it: --price IN,OUT (US dollars for a million tokens), or use --max-tokens."


class KeyMissingError(AssistError):
    """A vendor's own address is to be asked, and no key is there."""

    slug = "key-missing"

    def __init__(self, model: str, variables: tuple[str, ...]) -> None:
        super().__init__(model, variables)
        self.model, self.variables = model, variables
        self.problem = f"There is no key to ask the model {model!r} with."
        self.hint = f"Set {' or '.join(variables)}, or name a server of your own: --base-url URL."
