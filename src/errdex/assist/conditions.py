"""Conditions of a site held against a value or a bound: would this argument lead to the error, or away from it?"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable

from errdex.assist.prose import stem, words_of_name
from errdex.syntax.logic import Relation, Test

TYPE_TESTS: frozenset[Relation] = frozenset({"instance", "not-instance", "subclass", "not-subclass"})
_ORDER = frozenset({"lt", "le", "gt", "ge"})
_TYPES = {
    "str": str, "int": int, "float": float, "bytes": bytes, "bool": bool, "list": list, "tuple": tuple,
    "dict": dict, "set": set, "type": type, "NoneType": type(None),
}  # fmt: skip
_HOLDING: frozenset[Relation] = frozenset(
    {"true", "not-none", "has", "exists", "file", "directory", "callable"}
)
_LACKING: frozenset[Relation] = frozenset(
    {"false", "is-none", "lacks", "missing", "not-file", "not-directory", "not-callable"}
)


def names_in(test: Test) -> frozenset[str]:
    """Return the names that a test reads, last parts of dotted ones; types that it holds its subject against left out."""
    objects = () if test.relation in TYPE_TESTS or test.relation in {"raises", "returns"} else test.objects
    return frozenset(
        name for text in (test.subject, *objects) for name in re.findall(r"[A-Za-z_]\w*", _code(text))
    )


def _code(text: str) -> str:
    """Return an expression without its strings: their words are values, not names."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", " ", text)


def word_stems(names: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words in `names`, short ones and those that say nothing left out."""
    return frozenset(
        stem(word)
        for name in names
        for word in words_of_name(name)
        if len(word) >= 4 and (word not in _ANYTHING or word == name)
    )


_ANYTHING = frozenset(
    {
        "args",
        "data",
        "isinstance",
        "kwargs",
        "list",
        "name",
        "none",
        "object",
        "other",
        "self",
        "type",
        "value",
    }
)
"""Words in names that sentences use for anything."""


def holds_something(test: Test) -> bool | None:
    """Whether a test claims that its subject is there (set, given, true); None for tests of another kind."""
    if test.relation in _HOLDING:
        return True
    if test.relation in _LACKING:
        return False
    if test.relation in {"eq", "ne"} and test.objects[0] in {"''", '""', "()", "[]", "{}"}:
        return test.relation == "ne"
    return None


def interval(relation: str, bound: float) -> tuple[float, float]:
    """Return the numbers `x` with `x relation bound`; an open end is moved by the smallest step."""
    match relation:
        case "lt":
            return -math.inf, math.nextafter(bound, -math.inf)
        case "le":
            return -math.inf, bound
        case "gt":
            return math.nextafter(bound, math.inf), math.inf
        case "ge":
            return bound, math.inf
    return bound, bound


def is_order(test: Test) -> bool:
    """Whether a test holds its subject against a bound."""
    return test.relation in _ORDER


def literal(text: str) -> tuple[bool, object]:
    """Return whether `text` is a literal, and its value."""
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False, None


def outcome(test: Test, name: str, value: object) -> bool | None:
    """Return whether a test on the parameter `name` holds for `value`; None where that cannot be told."""
    subject = value if test.subject == name else _length(test.subject, name, value)
    if subject is None and test.subject != name:
        return _contained(test, name, value)
    kind = holds_something(test)
    try:
        if test.relation in {"true", "false"}:
            return bool(subject) == (test.relation == "true")
        if test.relation in {"is-none", "not-none"}:
            return (subject is None) == (test.relation == "is-none")
        if kind is not None and test.relation in {"callable", "not-callable"}:
            return callable(subject) == (test.relation == "callable")
        return _compared(test, subject)
    except TypeError:
        return None


def _length(subject: str, name: str, value: object) -> object:
    return len(value) if subject == f"len({name})" and hasattr(value, "__len__") else None


def _contained(test: Test, name: str, value: object) -> bool | None:
    """Whether `"a" in name` holds."""
    known, piece = literal(test.subject)
    if not known or test.relation not in {"in", "not-in"} or test.objects != ("*", name):
        return None
    if not isinstance(value, str | list | tuple | dict | set):
        return None
    return (piece in value) == (test.relation == "in")


def _compared(test: Test, subject: object) -> bool | None:
    if test.relation in {"instance", "not-instance"}:
        kinds = [_TYPES.get(each) for each in test.objects]
        if any(kind is None for kind in kinds):
            return None
        return isinstance(subject, tuple(kind for kind in kinds if kind is not None)) == (
            test.relation == "instance"
        )
    objects = [literal(each) for each in test.objects]
    if not objects or not all(known for known, _ in objects):
        return None
    values = [each for _, each in objects]
    match test.relation:
        case "in" | "not-in":
            return (subject in values) == (test.relation == "in")
        case "eq" | "ne" | "is" | "is-not":
            return (subject == values[0]) == (test.relation in {"eq", "is"})
        case "lt" | "le" | "gt" | "ge":
            low, high = interval(test.relation, float(values[0]))  # type: ignore[arg-type]
            return low <= float(subject) <= high  # type: ignore[arg-type]
    return None
