"""Where a value that a guard reads comes from: the line that sets a local, a module's flag or an attribute.

Read from the lines of the file alone: one assignment a line, as far as its brackets close on it. What is set in
several places, or over several lines, is left out rather than told in part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from errdex.explain.facts import Facts
from errdex.explain.names import balanced
from errdex.explain.source_text import NAME, indentation, is_rebound

MAX_LINES = 2_000
"""Lines of a class or a module that are looked through for what sets a name."""
MAX_VALUE = 70
"""A longer expression explains nothing in a sentence."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One line that gives a name its value."""

    line: int
    value: str
    """Source of what is assigned, looped over, imported or caught."""
    kind: Literal["assigned", "looped", "caught", "imported", "entered"]
    function: str = ""
    """The method that holds the line, for an attribute."""


def local_origin(facts: Facts, name: str) -> Origin | None:
    """Return the one line of the callable that sets the local `name`, to more than a literal; None for none or several."""
    callable_ = facts.site.callable
    if callable_.kind == "module":
        return None
    lines = facts.context.source_lines(facts.site.path)
    if is_rebound(name, lines[callable_.line - 1 : callable_.end_line]):
        return None
    found = [
        origin
        for number in range(callable_.line, min(facts.site.line, len(lines) + 1))
        if name in lines[number - 1] and (origin := _setting(lines[number - 1], number, name)) is not None
    ]
    return found[0] if len(found) == 1 and not _LITERAL.fullmatch(found[0].value) else None


def module_origin(facts: Facts, name: str) -> Origin | None:
    """Return the line at module level, or in the `try` of an optional import, that decides the flag `name`."""
    lines = facts.context.source_lines(facts.site.path)[:MAX_LINES]
    found = [
        (number, match[2].strip())
        for number, text in enumerate(lines, 1)
        if name in text
        and (match := _ASSIGNED.match(text))
        and match[1] == name
        and indentation(text) <= _INSIDE_TRY
    ]
    for number, _ in found:
        tried = _import_before(lines, number)
        if tried is not None:
            return Origin(number, tried, "imported")
    if len(found) != 1 or indentation(lines[found[0][0] - 1]) or not _is_tellable(found[0][1]):
        return None
    return Origin(*found[0], "assigned")


def attribute_origins(facts: Facts, attribute: str) -> tuple[Origin, ...]:
    """Return the lines of the site's class that set `self.attribute`, in source order."""
    lines = facts.context.source_lines(facts.site.path)
    needle = f".{attribute}"
    set_at = [
        (number, match[2])
        for number, text in enumerate(lines, 1)
        if needle in text and (match := _ATTRIBUTE.match(text)) and match[1] == attribute
    ]
    own = _line_above(lines, facts.site.callable.line, _CLASS) if set_at else None
    found: list[Origin] = []
    for number, value in set_at:
        head = _line_above(lines, number, _DEF)
        if head is not None and own is not None and _line_above(lines, head, _CLASS) == own:
            method = _DEF.match(lines[head - 1])
            found.append(Origin(number, _bare(value), "assigned", method[1] if method else ""))
    return tuple(found)


_LITERAL = re.compile(r"-?[\d.]+|True|False|None|\[\]|\{\}|\(\)|'[^']*'|\"[^\"]*\"")
_INSIDE_TRY = 4
_CLASS = re.compile(r"\s*class\s+(\w+)")
_DEF = re.compile(r"\s*(?:async\s+)?def\s+(\w+)")
_IMPORT = re.compile(r"\s*(?:import\s+([\w.]+)|from\s+([\w.]+)\s+import)")
_ASSIGNED = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)\s*(.+)")
_ATTRIBUTE = re.compile(r"\s*(?:self|cls)\.(\w+)\s*(?::[^=]+)?=(?!=)\s*(.*)")
_HEADED: tuple[tuple[Literal["looped", "caught", "entered"], re.Pattern[str]], ...] = (
    ("looped", re.compile(r"\s*(?:async\s+)?for\s+(?P<name>[\w\s,()*]+?)\s+in\s+(?P<value>.+):\s*$")),
    ("caught", re.compile(r"\s*except\s+(?P<value>.+?)\s+as\s+(?P<name>\w+)\s*:")),
    ("entered", re.compile(r"\s*(?:async\s+)?with\s+(?P<value>.+?)\s+as\s+(?P<name>\w+)\s*:")),
)


def _setting(text: str, number: int, name: str) -> Origin | None:
    """Return what the line gives `name`; an origin without value where it ends on another line."""
    match = _ASSIGNED.match(text)
    if match is not None:
        return Origin(number, _told(match[2]), "assigned") if match[1] == name else None
    for kind, pattern in _HEADED:
        match = pattern.match(text)
        if match is not None:
            return (
                Origin(number, _told(match["value"]), kind) if name in NAME.findall(match["name"]) else None
            )
    return None


def _bare(value: str) -> str:
    return value.partition("  #")[0].strip()


def _told(value: str) -> str:
    bare = _bare(value)
    return bare if _is_tellable(bare) else ""


def _is_tellable(value: str) -> bool:
    return 0 < len(value) <= MAX_VALUE and balanced(value) and value[-1] not in ",\\([{"


def _import_before(lines: Sequence[str], line: int) -> str | None:
    """Return the module whose import, in the `try` around or right above `line`, decides whether the line runs."""
    if not indentation(lines[line - 1]):
        return None
    imported: str | None = None
    for number in range(line - 1, max(0, line - _TRIED_LINES), -1):
        text = lines[number - 1]
        found = _IMPORT.match(text)
        if found is not None and indentation(text):
            imported = found[1] or found[2]
        elif text.startswith("try"):
            return imported
        elif text.strip() and not indentation(text) and not text.startswith(_OF_TRY):
            return None  # a function, say: what it sets is no flag of the module
    return None


_OF_TRY = ("except Import", "except ModuleNotFound", "else")
_TRIED_LINES = 12
"""A `try` longer than this tries more than an import."""


def _line_above(lines: Sequence[str], line: int, pattern: re.Pattern[str]) -> int | None:
    """Return the nearest line above `line`, less indented, that starts what `pattern` matches."""
    if not 0 < line <= len(lines):
        return None
    indent = indentation(lines[line - 1])
    word = "class " if pattern is _CLASS else "def "
    for number in range(line - 1, max(0, line - MAX_LINES), -1):
        text = lines[number - 1]
        if word in text and pattern.match(text) and indentation(text) < indent:
            return number
    return None
