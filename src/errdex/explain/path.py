"""Which conditions of the path enclose a site, and which are earlier guards that let it pass."""

from __future__ import annotations

from dataclasses import dataclass

from errdex.explain.facts import Facts
from errdex.explain.source_text import encloses
from errdex.model.site import Condition

MAX_TOLD = 3
"""Enclosing conditions told together with the guard; more make no sentence."""
_ALWAYS = frozenset(("__debug__", "True", "1"))
"""Conditions that hold in every ordinary run: no reader needs to be told."""


@dataclass(frozen=True, slots=True)
class Path:
    """The conditions of a site's path, sorted by their part in it."""

    enclosing: tuple[Condition, ...]
    """Those the site stands in, outermost first, the guard last."""
    earlier: tuple[Condition, ...]
    """Those that would have left before it, in source order."""


def path_of(facts: Facts) -> Path:
    """Return the site's path, sorted."""
    site = facts.site
    lines = facts.context.source_lines(site.path)
    enclosing: list[Condition] = []
    earlier: list[Condition] = []
    for condition in site.path_conditions:
        if condition.text in _ALWAYS or "__main__" in condition.text:
            continue
        last = (
            site.guard is not None and condition.line == site.guard.line and condition.text == site.guard.text
        )
        if last or not condition.negated or encloses(condition, site.line, lines):
            enclosing.append(condition)
        else:
            earlier.append(condition)
    guard = site.guard
    if guard is None or guard.text in _ALWAYS or "__main__" in guard.text:
        return Path(tuple(enclosing), tuple(earlier))
    if not enclosing or enclosing[-1].text != guard.text:
        enclosing.append(guard)
    return Path(tuple(enclosing), tuple(earlier))


_BRANCHING = (
    "if ",
    "elif ",
    "else:",
    "for ",
    "while ",
    "try:",
    "with ",
    "return",
    "match ",
    "yield",
    "async ",
    "raise ",
    "except",
)


def is_unconditional(facts: Facts) -> bool:
    """Whether nothing in the callable before the site could have led elsewhere: every call ends there."""
    site = facts.site
    if site.path_conditions or site.callable.kind == "module":
        return False
    lines = facts.context.source_lines(site.path)[site.callable.line : site.line - 1]
    return not any(line.lstrip().startswith(_BRANCHING) for line in lines)
