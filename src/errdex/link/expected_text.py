r"""What a test expects a message to say, held against a message template.

Both are text with gaps: an expectation has wildcards (`.*`, `\d+`, a hole of its
own f-string), a template has holes. `agreement` finds the placement with the
most letters that both spell out. Nothing is run and no regular expression of
others is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from errdex.model.site import Hole, MessageTemplate

GAP = "\x00"
"""Stands for any text, in expectations and in templates; no message holds it."""
MAX_CHARACTERS = 400
"""Longer texts are compared up to here: the placement costs their product."""

_CLASS_ESCAPES = frozenset("dDwWsSbBAZz")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}
_QUANTIFIERS = frozenset("*+?{")
_WORD = re.compile(r"\w{3,}")


class Expectation(msgspec.Struct, frozen=True):
    """One text that a message must contain."""

    text: str
    """Letters, and `GAP` for each wildcard."""
    at_start: bool = False
    at_end: bool = False

    @property
    def letters(self) -> int:
        """How many characters it spells out, white space left out."""
        return _letters(self.text)

    @property
    def words(self) -> frozenset[str]:
        """The words of three letters or more that it spells out whole."""
        return frozenset(_WORD.findall(self.text.replace(GAP, " ")))


class Agreement(msgspec.Struct, frozen=True):
    """How well a template fits an expectation."""

    letters: int
    """Letters that both spell out, white space left out."""
    share: float
    """Of the expectation's letters."""
    template_share: float
    """Of the template's letters."""


def literal_expectation(text: str, *, whole: bool = False) -> Expectation:
    """Return the expectation of exactly this text; `whole` where nothing may stand around it."""
    return Expectation(text, at_start=whole, at_end=whole)


def regex_expectations(pattern: str) -> tuple[Expectation, ...]:
    """Return what a pattern given to `re.search` spells out: one expectation per top-level alternative.

    Groups, classes and repetitions are gaps. Empty where nothing is spelled out or the pattern is malformed.
    """
    alternatives = _alternatives(pattern)
    found = [] if alternatives is None else [_expectation(alternative) for alternative in alternatives]
    return tuple(one for one in found if one is not None and one.letters)


def _outside_classes(pattern: str, start: int) -> Iterator[tuple[int, str, int]]:
    """Yield position, character and the depth of groups after it, escapes and character classes passed over."""
    depth, position = 0, start
    while position < len(pattern):
        character = pattern[position]
        if character == "\\":
            position += 1
        elif character == "[":
            position = _class_end(pattern, position)
        else:
            depth += {"(": 1, ")": -1}.get(character, 0)
            yield position, character, depth
        position += 1


def _alternatives(pattern: str) -> list[str] | None:
    """Split at top-level `|`; None where brackets do not pair."""
    parts, start, open_groups = [], 0, 0
    for position, character, depth in _outside_classes(pattern, 0):
        open_groups = depth
        if character == "|" and depth == 0:
            parts.append(pattern[start:position])
            start = position + 1
    return None if open_groups else [*parts, pattern[start:]]


def _class_end(pattern: str, start: int) -> int:
    """Return the position of the `]` that closes the class opened at `start`, or the end."""
    position = start + 1
    if pattern[position : position + 1] == "^":
        position += 1
    if pattern[position : position + 1] == "]":
        position += 1
    while position < len(pattern) and pattern[position] != "]":
        position += 2 if pattern[position] == "\\" else 1
    return position


def _group_end(pattern: str, start: int) -> int:
    """Return the position of the `)` that closes the group opened at `start`, or the end."""
    closed = (place for place, mark, depth in _outside_classes(pattern, start) if mark == ")" and depth == 0)
    return next(closed, len(pattern))


def _expectation(pattern: str) -> Expectation | None:
    """Read one alternative from left to right; None where a flag or a look-around changes what it means."""
    out: list[str] = []
    at_start = at_end = False
    position = 0
    while position < len(pattern):
        character = pattern[position]
        spelled: str | None = character
        if character == "\\":
            position += 1
            escaped = pattern[position : position + 1]
            at_end = at_end or escaped in ("Z", "z")
            at_start = at_start or escaped == "A"
            if escaped in ("b", "B", "A", "Z", "z"):
                position += 1
                continue
            known = not escaped.isalnum() or escaped in _CONTROL
            spelled = _CONTROL.get(escaped, escaped) if known else None
        elif character == "[":
            position = _class_end(pattern, position)
            spelled = None
        elif character == "(":
            if pattern.startswith(("(?!", "(?<!", "(?="), position):
                return None
            position = _group_end(pattern, position)
            spelled = None
        elif character in "^$":
            at_start, at_end = at_start or character == "^", at_end or character == "$"
            position += 1
            continue
        elif character == ".":
            spelled = _dot(pattern, position)
        position += 1
        if position < len(pattern) and pattern[position] in _QUANTIFIERS:
            end = _quantifier_end(pattern, position)
            if end > position:
                spelled, position = None, end
        out.append(GAP if spelled is None else spelled)
    return Expectation(re.sub(GAP + "+", GAP, "".join(out)), at_start, at_end)


def _dot(pattern: str, position: int) -> str | None:
    """Return the dot itself where it ends a sentence (`must be positive.`): few tests escape that one."""
    following = pattern[position + 1 : position + 2]
    return "." if following in ("", " ", "$") else None


def _quantifier_end(pattern: str, position: int) -> int:
    """Return where the quantifier at `position` ends; `position` itself where a brace is only a brace."""
    if pattern[position] == "{":
        counted = re.compile(r"\{\d*,?\d*\}").match(pattern, position)
        if counted is None or counted.group() in ("{}", "{,}"):
            return position
        end = counted.end()
    else:
        end = position + 1
    return end + 1 if pattern[end : end + 1] in ("?", "+") else end


def template_text(template: MessageTemplate) -> str:
    """Return the template's letters with `GAP` for every hole."""
    return "".join(GAP if isinstance(part, Hole) else part for part in template.parts)


def words_of(text: str) -> frozenset[str]:
    """Return the words of three letters or more that a text with gaps spells out."""
    return frozenset(_WORD.findall(text.replace(GAP, " ")))


def _letters(text: str) -> int:
    return sum(not character.isspace() and character != GAP for character in text)


def exact_agreement(expectation: Expectation, template: str) -> Agreement | None:
    """Return the agreement of a template that spells the whole expectation out; None where it does not."""
    if (
        expectation.at_start
        or expectation.at_end
        or GAP in expectation.text
        or expectation.text not in template
    ):
        return None
    letters = expectation.letters
    return Agreement(letters, 1.0, letters / _letters(template))


def agreement(expectation: Expectation, template: str) -> Agreement | None:
    """Return the best placement of the expectation in a template's text; None where it cannot stand in it.

    Also None where the template spells out too few of its words: such a placement would say nothing.
    """
    wanted, given = expectation.text[:MAX_CHARACTERS], template[:MAX_CHARACTERS]
    if not _is_likely(wanted, given):
        return None
    rows = _placements(wanted, given, at_end=expectation.at_end and len(template) <= MAX_CHARACTERS)
    best = max(rows[:1] if expectation.at_start else rows)
    if best < 0:
        return None
    total, spelled = _letters(wanted), _letters(given)
    return Agreement(best, best / total if total else 0.0, best / spelled if spelled else 0.0)


def _is_likely(wanted: str, given: str) -> bool:
    """Tell whether the template spells out two thirds of the letters of the expectation's words: a cheap test first."""
    words = words_of(wanted)
    return 3 * sum(len(word) for word in words if word in given) >= 2 * sum(map(len, words))


_NOT = -1_000_000


def _placements(wanted: str, given: str, *, at_end: bool) -> list[int]:
    """Return, for every start in `given`, the most letters that agree when all of `wanted` is placed from there."""
    size = len(given)
    tail_is_open = [
        position == size or not at_end or _is_gap(given[position:]) for position in range(size + 1)
    ]
    below = [0 if is_open else _NOT for is_open in tail_is_open]
    for character in reversed(wanted):
        row = [_NOT] * (size + 1)
        row[size] = below[size] if character == GAP else _NOT
        worth = 0 if character.isspace() else 1
        for position in range(size - 1, -1, -1):
            other = given[position]
            if GAP in (character, other):
                value = max(below[position], row[position + 1])
            elif other == character or (other.isspace() and character.isspace()):
                value = below[position + 1] + worth
            else:
                value = _NOT
            row[position] = value
        below = row
    return below


def _is_gap(text: str) -> bool:
    return not text.strip(GAP)
