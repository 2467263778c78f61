"""What a route takes in its query string: known names only, each once, each within its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from starlette.requests import Request

from errdex.web.refusal import Refusal

MAX_QUERY_CHARACTERS = 4_000


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One query parameter of a route."""

    name: str
    kind: Literal["string", "integer"] = "string"
    description: str
    is_required: bool = False
    minimum: int | None = None
    maximum: int | None = None
    default: int | None = None
    max_characters: int = MAX_QUERY_CHARACTERS

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its value."""
        if self.kind == "integer":
            bounds = {"minimum": self.minimum, "maximum": self.maximum, "default": self.default}
            return {"type": "integer", **{key: value for key, value in bounds.items() if value is not None}}
        rules: dict[str, Any] = {"type": "string", "maxLength": self.max_characters}
        return rules | ({"minLength": 1, "pattern": r"\S"} if self.is_required else {})


def read(request: Request, known: Sequence[Parameter]) -> Mapping[str, Any]:
    """Return the request's parameters by name, absent ones as their default.

    Raises:
        Refusal: one is unknown, repeated, missing or out of bounds (400).
    """
    given: dict[str, str] = {}
    names = {parameter.name for parameter in known}
    for name, value in request.query_params.multi_items():
        if name not in names:
            allowed = ", ".join(sorted(names)) or "none"
            raise Refusal(
                400,
                f"Unknown parameter {name[:80]!r}.",
                f"This address takes: {allowed}.",
                slug="unknown-parameter",
            )
        if name in given:
            raise Refusal(400, f"The parameter {name!r} is given twice.", slug="repeated-parameter")
        given[name] = value
    return {parameter.name: _value(parameter, given.get(parameter.name)) for parameter in known}


def _value(parameter: Parameter, text: str | None) -> Any:
    if text is None or (parameter.is_required and not text.strip()):
        if parameter.is_required:
            raise Refusal(
                400, f"The parameter {parameter.name!r} is missing or empty.", slug="missing-parameter"
            )
        return parameter.default
    if parameter.kind == "integer":
        return _integer(parameter, text)
    if len(text) > parameter.max_characters:
        raise Refusal(
            400,
            f"The parameter {parameter.name!r} is longer than {parameter.max_characters} characters.",
            "POST long texts to /api/explain.",
            slug="parameter-too-long",
        )
    return text


def _integer(parameter: Parameter, text: str) -> int:
    number = int(text) if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12 else None
    low, high = parameter.minimum, parameter.maximum
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        raise Refusal(
            400,
            f"The parameter {parameter.name!r} must be a whole number from {low} to {high}, not {text[:40]!r}.",
            slug="parameter-out-of-range",
        )
    return number
