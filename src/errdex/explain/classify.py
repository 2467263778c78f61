"""The contract's closed words for a site: type, severity, strategy, level, tags."""

from __future__ import annotations

import re
from functools import lru_cache

from errdex.explain.facts import Facts
from errdex.explain.interface import Family
from errdex.model.explanation import ErrorType, HandlingStrategy, Level, Severity

_OUTSIDE_CLASSES = frozenset(
    ("OSError", "IOError", "EnvironmentError", "ConnectionError", "TimeoutError", "ImportError", "ModuleNotFoundError", "MemoryError",
     "KeyboardInterrupt", "SystemExit", "StopIteration", "StopAsyncIteration", "CancelledError", "RecursionError")
)  # fmt: skip
"""Classes that report the world, not an argument."""


def error_type(facts: Facts) -> ErrorType:
    """Return the contract's `errorType`."""
    site = facts.site
    if site.http_status is not None or site.kind == "http":
        return "http"
    if site.kind in {"exit", "warn", "log"}:
        return "console"
    guard = site.guard
    if guard is None or not site.parameters or guard.kind in {"except", "try-else"} or site.caught:
        return "exception"
    return "exception" if facts.is_class(*_OUTSIDE_CLASSES) else "validation"


def severity(facts: Facts) -> Severity:
    """Return the contract's `severity`."""
    site = facts.site
    if site.kind == "warn":
        return "warning"
    if site.kind == "log":
        called = site.statement.partition("(")[0].rpartition(".")[2]
        if called in {"critical", "fatal"}:
            return "critical"
        return "warning" if called in {"warn", "warning"} else "error"
    return "warning" if facts.is_class("Warning") else "error"


def handling_strategy(facts: Facts, kind: ErrorType, family: Family | None) -> HandlingStrategy | None:
    """Return what a caller does about it; None for what leaves without being catchable."""
    wanted = family.strategy if family is not None else None
    if kind == "console":
        return None
    if wanted == "retry" and facts.tests and not facts.site.caught:
        wanted = None  # the condition will be the same next time
    if kind == "validation" and wanted != "type-guard":
        return "validation"
    return wanted or "try-catch"


def level(facts: Facts) -> Level:
    """Return how far the record is borne out: the library's test, the guard, or neither."""
    if facts.site.tests:
        return "tested"
    return "derived" if facts.site.guard is not None or facts.site.path_conditions else "inferred"


MAX_TAGS = 8
_TAG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TOO_COMMON = frozenset(
    (
        "init",
        "main",
        "base",
        "core",
        "utils",
        "util",
        "common",
        "python",
        "src",
        "lib",
        "module",
        "py",
        "api",
        "impl",
        "internal",
    )
)


def tags(facts: Facts, family: Family | None) -> tuple[str, ...]:
    """Return the words a person would search: the family's, the class, the package, the module's subject."""
    site = facts.site
    found: list[str] = list(family.tags) if family else []
    found.append(_kebab(facts.class_name))
    found.append(_kebab(facts.context.package))
    found += [_kebab(part) for part in reversed(site.callable.module.split(".")[1:])]
    found.append(_kebab(site.callable.name.rpartition(".")[0].rpartition(".")[2]))
    if site.http_status is not None:
        found.append(f"http-{site.http_status}")
    wanted = (tag for tag in dict.fromkeys(found) if tag and len(tag) > 1 and tag not in _TOO_COMMON)
    return tuple(wanted)[:MAX_TAGS]


@lru_cache(maxsize=8_000)
def _kebab(text: str) -> str:
    """Return `text` in the contract's tag form; empty where nothing is left."""
    words = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+", text)
    tag = "-".join(words).lower().lstrip("0123456789-")
    return tag if _TAG.fullmatch(tag) else ""
