"""Words: a message under construction, and how pieces of it are joined."""

from __future__ import annotations

from typing import Literal

from errdex.model.site import Hole, MessageTemplate

Form = Literal["literal", "fstring", "percent", "format", "concat", "join", "mixed"]
Origin = Literal["inline", "variable", "constant", "class", "table", "helper", "argument"]

MAX_WORDINGS = 16
"""Wordings kept of one site: enough for every message table seen, and a bound for products of conditionals."""


class Words:
    """One wording: literals and holes in order, as the source writes it, and where it was found."""

    __slots__ = ("form", "origin", "parts", "written")

    def __init__(self, parts: list[str | Hole], written: str, form: Form, origin: Origin = "inline") -> None:
        self.parts = parts
        self.written = written
        self.form: Form = form
        self.origin: Origin = origin

    @property
    def has_literal(self) -> bool:
        """Whether any text of its own stands in it."""
        return any(isinstance(part, str) and part.strip() for part in self.parts)

    @property
    def is_plain(self) -> bool:
        """Whether it has no hole."""
        return not any(isinstance(part, Hole) for part in self.parts)

    @property
    def plain_text(self) -> str:
        """The literal text, holes left out."""
        return "".join(part for part in self.parts if isinstance(part, str))

    def moved(self, origin: Origin) -> Words:
        """Return the same words with another origin, unless they already come from further away."""
        return Words(self.parts, self.written, self.form, origin if self.origin == "inline" else self.origin)

    def template(self) -> MessageTemplate:
        """Return the finished template."""
        return MessageTemplate(
            parts=tuple(merged(self.parts)), written=self.written, form=self.form, origin=self.origin
        )


def merged(parts: list[str | Hole]) -> list[str | Hole]:
    """Return `parts` without empty literals and with neighbouring literals joined."""
    result: list[str | Hole] = []
    for part in parts:
        if isinstance(part, str):
            if not part:
                continue
            if result and isinstance(result[-1], str):
                result[-1] += part
                continue
        result.append(part)
    return result


def literal(text: str) -> Words:
    """Return the words of a plain string."""
    return Words([text], text, "literal")


def hole_words(expression: str, conversion: Literal["", "s", "r", "a"] = "") -> Words:
    """Return words that are one hole, written as an f-string would write it."""
    shown = f"{{{expression}!{conversion}}}" if conversion in {"r", "a"} else f"{{{expression}}}"
    hole = Hole(expression=expression, written=shown, conversion=conversion)
    return Words([hole], shown, "concat")


def joined(pieces: list[Words], form: Form) -> Words:
    """Return the words of several pieces said one after the other."""
    parts: list[str | Hole] = []
    origin: Origin = "inline"
    forms: set[str] = set()
    for piece in pieces:
        parts.extend(piece.parts)
        if piece.has_literal:
            forms.add(piece.form)
            if piece.origin != "inline":
                origin = piece.origin
    forms.discard("literal")
    forms.discard("concat")
    whole: Form = "literal" if not forms and all(piece.is_plain for piece in pieces) else form
    if forms - {form}:
        whole = "mixed"
    return Words(parts, "".join(piece.written for piece in pieces), whole, origin)


def templates_of(words: list[Words]) -> tuple[MessageTemplate, ...]:
    """Return wordings as templates, each once, those without any literal left out."""
    made: dict[str, MessageTemplate] = {}
    for one in words:
        if one.has_literal:
            template = one.template()
            made.setdefault(template.written, template)
    return tuple(made.values())


def product(choices: list[list[Words]], form: Form) -> list[Words]:
    """Return every way to say the pieces in order, at most `MAX_WORDINGS`."""
    rows: list[list[Words]] = [[]]
    for choice in choices:
        rows = [[*row, words] for row in rows for words in choice][:MAX_WORDINGS]
    return [joined(row, form) for row in rows]
