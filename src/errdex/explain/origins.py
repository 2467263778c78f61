"""Where a value that a guard reads comes from: the line that sets a local, a module's flag or an attribute.

Read from the lines of the file alone: one assignment a line, as far as its brackets close on it. What is set in
several places, or over several lines, is left out rather than told in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from errdex.explain.facts import Facts
from errdex.explain.names import balanced
from errdex.explain.source_text import indentation

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
    """Return the one line of the callable, before the site, that sets the local `name`; None for none or several."""
    callable_ = facts.site.callable
    if callable_.kind == "module":
        return None
    lines = facts.context.source_lines(facts.site.path)[: facts.site.line - 1]
    found = list(_setting(lines, callable_.line, name))
    return found[0] if len(found) == 1 else None


def module_origin(facts: Facts, name: str) -> Origin | None:
    """Return the line at module level, or in the `try` of an optional import, that decides the flag `name`."""
    lines = facts.context.source_lines(facts.site.path)[:MAX_LINES]
    found = [
        (number, match[1].strip())
        for number, text in enumerate(lines, 1)
        if name in text and indentation(text) <= 4 and (match := _assigned(name).match(text))
    ]
    if not found:
        return None
    for number, _ in found:
        tried = _import_before(lines, number)
        if tried is not None:
            return Origin(number, tried, "imported")
    number, value = found[0]
    return Origin(number, value, "assigned") if len(found) == 1 and _is_tellable(value) else None


def attribute_origins(facts: Facts, attribute: str) -> tuple[Origin, ...]:
    """Return the lines of the site's class that set `self.attribute`, in source order."""
    lines = facts.context.source_lines(facts.site.path)
    first, last = _class_around(lines, facts.site.callable.line)
    pattern = re.compile(rf"\s*(?:self|cls)\.{re.escape(attribute)}\s*(?::[^=]+)?=(?!=)\s*(.*)")
    found: list[Origin] = []
    function = ""
    for number in range(first, last + 1):
        text = lines[number - 1]
        head = _DEF.match(text)
        if head is not None:
            function = head[1]
        elif attribute in text and (match := pattern.match(text)):
            found.append(Origin(number, match[1].partition("  #")[0].strip(), "assigned", function))
    return tuple(found)


_DEF = re.compile(r"\s*(?:async\s+)?def\s+(\w+)")
_IMPORT = re.compile(r"\s*(?:import\s+([\w.]+)|from\s+([\w.]+)\s+import)")


def _assigned(name: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{re.escape(name)}\s*(?::[^=]+)?=(?!=)\s*(.+)")


def _setting(lines: Sequence[str], first: int, name: str) -> Iterator[Origin]:
    assigned = _assigned(name)
    looped = re.compile(rf"\s*(?:async\s+)?for\s+[^:]*\b{re.escape(name)}\b[^:]*?\sin\s+(.+):\s*$")
    caught = re.compile(rf"\s*except\s+(.+?)\s+as\s+{re.escape(name)}\s*:")
    entered = re.compile(rf"\s*(?:async\s+)?with\s+(.+?)\s+as\s+{re.escape(name)}\s*:")
    for number in range(first, len(lines) + 1):
        text = lines[number - 1]
        if name not in text:
            continue
        for kind, pattern in (
            ("assigned", assigned),
            ("looped", looped),
            ("caught", caught),
            ("entered", entered),
        ):
            match = pattern.match(text)
            if match is not None:
                value = match[1].partition("  #")[0].strip()
                yield Origin(number, value if _is_tellable(value) else "", kind)  # type: ignore[arg-type]
                break


def _is_tellable(value: str) -> bool:
    return 0 < len(value) <= MAX_VALUE and balanced(value) and value[-1] not in ",\\([{"


def _import_before(lines: Sequence[str], line: int) -> str | None:
    """Return the module whose import, right above `line` in a `try`, decides whether the line runs."""
    indent = indentation(lines[line - 1])
    for number in range(line - 1, max(0, line - 12), -1):
        text = lines[number - 1]
        if text.strip() and indentation(text) < indent:
            return (
                None
                if not text.lstrip().startswith(
                    ("try", "except ImportError", "except ModuleNotFound", "else")
                )
                else _imported(lines, number)
            )
        found = _IMPORT.match(text)
        if found is not None and indent:
            return found[1] or found[2]
    return None


def _imported(lines: Sequence[str], line: int) -> str | None:
    for text in reversed(lines[max(0, line - 12) : line]):
        found = _IMPORT.match(text)
        if found is not None and indentation(text):
            return found[1] or found[2]
    return None


def _class_around(lines: Sequence[str], line: int) -> tuple[int, int]:
    """Return first and last line of the class that holds the method at `line`; an empty range where there is none."""
    indent = indentation(lines[line - 1]) if 0 < line <= len(lines) else 0
    first = next(
        (
            number
            for number in range(line - 1, max(0, line - MAX_LINES), -1)
            if lines[number - 1].lstrip().startswith("class ") and indentation(lines[number - 1]) < indent
        ),
        None,
    )
    if first is None:
        return (1, 0)
    outer = indentation(lines[first - 1])
    last = first
    for number in range(first + 1, min(len(lines), first + MAX_LINES) + 1):
        text = lines[number - 1]
        if text.strip() and indentation(text) <= outer and not text.lstrip().startswith((")", "#")):
            break
        last = number
    return (first, last)
