"""The shape of a message: its literals in order, and how a message fits them.

A template's holes are written `{expression}`, literal braces doubled
(`MessageTemplate.text`). Its shape forgets the expressions: the literals,
joined by `HOLE`. Templates that differ in expressions only share a shape, and
the index stores each shape once. Matching is an ordered search for the
literals: linear in the message, and no pattern is ever built from data.
"""

from __future__ import annotations

from typing import NamedTuple

HOLE = "\x00"
_QUOTES = "'\""


class Template(NamedTuple):
    """A template's text, taken apart: one literal more than holes, literals may be empty."""

    literals: tuple[str, ...]
    holes: tuple[str, ...]

    @property
    def shape(self) -> str:
        """The literals joined by `HOLE`; neighbouring holes count as one, white space at both ends as none."""
        parts = [self.literals[0]]
        last = len(self.literals) - 1
        for number, literal in enumerate(self.literals[1:], start=1):
            if literal or number == last:
                parts.append(literal)
        return HOLE.join(parts).strip()


def parse_template(text: str) -> Template:
    """Take a template's text apart. Text that is not well-formed counts as literal from there on."""
    literals: list[str] = []
    holes: list[str] = []
    literal = ""
    at = 0
    while at < len(text):
        start = _next_brace(text, at)
        literal += text[at:start]
        if start == len(text):
            break
        if text[start : start + 2] in {"{{", "}}"}:
            literal += text[start]
            at = start + 2
            continue
        end = _hole_end(text, start) if text[start] == "{" else -1
        if end < 0:
            literal += text[start]
            at = start + 1
            continue
        literals.append(literal.replace(HOLE, " "))
        holes.append(text[start + 1 : end])
        literal = ""
        at = end + 1
    literals.append(literal.replace(HOLE, " "))
    return Template(tuple(literals), tuple(holes))


def _next_brace(text: str, at: int) -> int:
    opening, closing = text.find("{", at), text.find("}", at)
    found = [place for place in (opening, closing) if place >= 0]
    return min(found, default=len(text))


def _hole_end(text: str, start: int) -> int:
    """Return where the hole opened at `start` closes, or -1; braces in nested brackets and strings are skipped."""
    depth = 0
    quote = ""
    for at in range(start, len(text)):
        character = text[at]
        if quote:
            if character == quote:
                quote = ""
        elif character in _QUOTES:
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return at
    return text.find("}", start) if quote else -1


class Fit(NamedTuple):
    """How a message fits a shape."""

    kind: str
    """`whole`: literals anchored at both ends; `inside`: text before or after; `cut`: the message stops early;
    `loose`: whole but for white space, quotes and case; `near`: most word pairs are there; `none`: it does not fit."""
    literal: int
    """Letters and digits of literals that were found."""
    covered: float
    """Share of the message that literals and the holes between them account for; for `near`, of the shape's word
    pairs that the message has. 0 to 1."""


NO_FIT = Fit("none", 0, 0.0)


def weigh(text: str) -> int:
    """Return how many letters and digits `text` holds: what makes a literal telling."""
    return sum(map(str.isalnum, text))


def fit(literals: list[str], message: str) -> Fit:
    """Return how `message` fits `literals`, word for word or cut short."""
    spans = find_literals(literals, message)
    return fit_cut(literals, message) if spans is None else fit_found(literals, spans, message)


def fit_found(literals: list[str], spans: list[tuple[int, int]], message: str) -> Fit:
    """Return the fit of a message in which every literal was found at `spans`: `whole` or `inside`."""
    weight = weigh("".join(literals))
    start = spans[0][0] if literals[0] else 0
    end = spans[-1][1] if literals[-1] else len(message)
    if start == 0 and end == len(message):
        return Fit("whole", weight, 1.0)
    return Fit("inside", weight, (end - start) / max(len(message), 1))


def find_literals(literals: list[str], message: str) -> list[tuple[int, int]] | None:
    """Return where each literal stands in `message`, in order, or None.

    Each is taken at its leftmost place, the last one at the message's end if it stands there: with holes
    that may hold anything this finds a placement whenever there is one.
    """
    spans: list[tuple[int, int]] = []
    at = 0
    last = len(literals) - 1
    for number, literal in enumerate(literals):
        if (
            number == last
            and number
            and literal
            and message.endswith(literal)
            and len(message) - len(literal) >= at
        ):
            place = len(message) - len(literal)
        else:
            place = message.find(literal, at)
            if place < 0:
                return None
        at = place + len(literal)
        spans.append((place, at))
    return spans


MIN_CUT_WEIGHT = 10
"""Below this many literal letters the start of a message says too little about the rest."""


def fit_cut(literals: list[str], message: str) -> Fit:
    """Return the fit of a message that was cut off: literals from the first on, the next one begun at most."""
    message = message.rstrip(" .\u2026\n\r\t")
    at = 0
    weight = 0
    for number, literal in enumerate(literals):
        place = message.find(literal, at) if number else _find_start(message, literal)
        if place < 0:
            begun = _overlap(message[at:] if number else message, literal, anchored=number == 0)
            weight += weigh(literal[:begun])
            complete = begun or number
            return Fit("cut", weight, 1.0) if complete and weight >= MIN_CUT_WEIGHT else NO_FIT
        weight += weigh(literal)
        at = place + len(literal)
    return Fit("cut", weight, 1.0) if weight >= MIN_CUT_WEIGHT else NO_FIT


_SURE_START = 24
"""Characters of a first literal that may stand anywhere in a message: whatever stands before is not the template's."""


def _find_start(message: str, literal: str) -> int:
    if message.startswith(literal):
        return 0
    return message.find(literal) if len(literal) >= _SURE_START else -1


_BEGUN = 4
"""Characters of a literal that must be there before it counts as begun."""


def _overlap(message: str, literal: str, *, anchored: bool) -> int:
    """Return how many characters of `literal` the end of `message` begins with."""
    if anchored:
        return len(message) if literal.startswith(message) else 0
    begun = message.rfind(literal[:_BEGUN])
    if begun < 0 or len(literal) < _BEGUN:
        return 0
    size = len(message) - begun
    return size if literal.startswith(message[begun:]) else 0


def loosened(shape: str, squeezed: str) -> Fit:
    """Return how a squeezed message fits `shape`, squeezed too: for text that was wrapped or typed anew."""
    literals = [squeeze(literal) for literal in shape.split(HOLE)]
    if not any(literals):
        return NO_FIT
    found = fit(literals, squeezed)
    if found.kind == "whole":
        return Fit("loose", found.literal, 1.0)
    return found if found.kind == "none" or found.literal >= MIN_CUT_WEIGHT else NO_FIT


_SQUEEZED = str.maketrans("", "", " \t\r\n\v\f\u00a0`'\"\u2018\u2019\u201c\u201d*|\u2502")


def squeeze(text: str) -> str:
    """Return `text` in lower case, without white space, quotes and the bars of boxes."""
    return text.translate(_SQUEEZED).lower()
