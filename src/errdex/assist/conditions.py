"""Conditions of a site held against what is claimed of them: would this lead to the error, or away from it?"""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from errdex.assist.wording import STATE_NAME
from errdex.syntax.logic import Relation, Test, Tree

if TYPE_CHECKING:
    from errdex.assist.claims import Claim

TYPE_TESTS: frozenset[Relation] = frozenset({"instance", "not-instance", "subclass", "not-subclass"})
_ORDER: frozenset[Relation] = frozenset({"lt", "le", "gt", "ge"})
_TYPES = {
    "str": str, "int": int, "float": float, "bytes": bytes, "bool": bool, "list": list, "tuple": tuple,
    "dict": dict, "set": set, "type": type, "NoneType": type(None),
}  # fmt: skip
_HOLDING: frozenset[Relation] = frozenset({"true", "not-none", "has", "exists", "file", "directory"})
_LACKING: frozenset[Relation] = frozenset(
    {"false", "is-none", "lacks", "missing", "not-file", "not-directory"}
)
_SENTINEL = re.compile(
    r"(?:\w+\.)*_*(?:[A-Z][A-Z_]+|undefined|missing|unset|empty|nothing|no_?value|omitted|not_?given|sentinel|_void)_*"
)
"""A name that stands for "not given"."""


def names_in(test: Test) -> frozenset[str]:
    """Return the names that a test reads, last parts of dotted ones; types it holds its subject against left out."""
    skipped = test.relation in TYPE_TESTS or test.relation in {"raises", "returns"}
    found = {
        name
        for text in (test.subject, *(() if skipped else test.objects))
        for name, call in re.findall(r"([A-Za-z_]\w*)(\(?)", re.sub(r"'[^']*'|\"[^\"]*\"", " ", text))
        if not (call and hasattr(builtins, name))
    }
    known, piece = literal(test.subject)
    if known and isinstance(piece, str) and piece.isidentifier():
        found.add(piece)
    return frozenset(found - {"None", "True", "False"})


def holds_something(test: Test) -> bool | None:
    """Whether a test claims that its subject is there (set, given, not empty); None for tests of another kind."""
    if test.relation in _HOLDING:
        return True
    if test.relation in _LACKING:
        return False
    if not test.objects:
        return None
    against = test.objects[0]
    if test.relation in {"is", "is-not"} and _SENTINEL.fullmatch(against):
        return test.relation == "is-not"
    if test.relation in {"eq", "ne"} and against in {"''", '""', "()", "[]", "{}"}:
        return test.relation == "ne"
    if test.subject.startswith("len(") or re.match(r"[\w.]*(?:number_of|count|size)\w*\(", test.subject):
        return {("eq", "0"): False, ("lt", "1"): False, ("le", "0"): False, ("ne", "0"): True, ("gt", "0"): True,
                ("ge", "1"): True}.get((test.relation, against))  # fmt: skip
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


def literal(text: str) -> tuple[bool, object]:
    """Return whether `text` is a literal, and its value."""
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False, None


def truth(tree: Tree, made: Mapping[Test, bool]) -> bool | None:
    """Return whether a condition holds where some of its tests are decided; None where that is open."""
    if isinstance(tree, Test):
        return made.get(tree)
    values = [truth(part, made) for part in tree.parts]
    decided = tree.kind == "any"
    if decided in values:
        return decided
    return None if None in values else not decided


def claim_makes(claim: Claim, test: Test, types_of: Callable[[str], frozenset[str]]) -> bool | None:
    """Return whether what is claimed makes a test true; None where it says nothing of it."""
    if claim.name and claim.name not in names_in(test):
        return None
    match claim.what:
        case "there":
            return _present(claim, test)
        case "order":
            return _ordered(claim, test)
        case "type":
            return _typed(claim, test, types_of)
        case "same":
            return (test.relation == "eq") == claim.holds if test.relation in {"eq", "ne"} else None
        case "contains":
            return _contained(claim, test)
        case "choice":
            return _chosen(claim, test)
        case "count":
            return _counted(claim, test)
        case "value":
            return _valued(claim, test)
        case "callable":
            wanted = {"callable": True, "not-callable": False}.get(test.relation)
            return None if wanted is None else wanted == claim.holds
        case "raised" | "lowered":
            return _moved(claim, test)


def _present(claim: Claim, test: Test) -> bool | None:
    if test.relation in {"in", "not-in"}:  # what is in a collection that is named for it: `_has_been_read`
        container = test.objects[1].rpartition(".")[2] if test.objects[:1] == ("*",) else ""
        if (claim.name == container and STATE_NAME.match(container)) or literal(test.subject) == (
            True,
            claim.name,
        ):
            return claim.holds == (test.relation == "in")
        return None
    if test.relation in {"has", "lacks"}:
        return (test.relation == "has") == claim.holds if claim.name in test.objects else None
    if claim.name != _spoken_of(test.subject):
        return None
    there = holds_something(test)
    return None if there is None else there == claim.holds


def _spoken_of(subject: str) -> str:
    """Return the name that a tested expression is about: `len(x)` → x, `a.b` → b, `a.b(c)` → b."""
    inner = re.fullmatch(r"(?:len|bool|list|any|all)\((.*)\)", subject, re.DOTALL)
    written = inner.group(1) if inner else subject
    return re.sub(r"\(.*\)$", "", written, flags=re.DOTALL).rpartition(".")[2]


def _ordered(claim: Claim, test: Test) -> bool | None:
    if test.relation == "eq" and literal(test.objects[0]) == (True, 0) and literal(claim.value)[0]:
        low, high = interval(claim.relation, float(claim.value))
        return low <= 0 <= high
    if (there := holds_something(test)) is not None and claim.name == _spoken_of(test.subject):
        size = {("ge", "1"): True, ("gt", "0"): True, ("lt", "1"): False, ("le", "0"): False}
        told = size.get((claim.relation, claim.value))
        return None if told is None else told == there
    if test.relation not in _ORDER:
        return None
    rising = claim.relation in {"gt", "ge"}
    known, bound = literal(test.objects[0])
    if not known or not isinstance(bound, int | float) or not literal(claim.value)[0]:
        object_names = set(re.findall(r"\w+", test.objects[0]))
        turned = claim.name in object_names - set(re.findall(r"\w+", test.subject))
        turned = turned and claim.value.rpartition(".")[2] not in object_names
        return (rising != turned) == (test.relation in {"gt", "ge"})
    said = interval(claim.relation, float(claim.value))
    fails = interval(test.relation, float(bound))
    if claim.mode == "fails":
        return fails[0] <= said[0] and said[1] <= fails[1]
    apart = said[1] < fails[0] or fails[1] < said[0]
    return not (apart and (not claim.is_exact or _touch(said, fails)))


def _touch(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two ranges leave nothing between them, counted in whole numbers or to the smallest step."""
    low, high = sorted((one, other))
    return high[0] - low[1] <= 1e-9 or (high[0] - low[1] == 1 and float(high[0]).is_integer())


def _typed(claim: Claim, test: Test, types_of: Callable[[str], frozenset[str]]) -> bool | None:
    if (
        test.relation in {"not-none", "is-none"}
        and claim.holds
        and (claim.is_exact or claim.name == _spoken_of(test.subject))
    ):
        return test.relation == "not-none"
    if test.relation not in TYPE_TESTS or (claim.name and claim.name != _spoken_of(test.subject)):
        return None
    listed = any(claim.value in types_of(each) for each in test.objects)
    if not listed and not (claim.holds and (claim.name or claim.is_exact)):
        return None  # "not a str" says nothing of a test for other types
    return (listed and claim.holds) == (test.relation in {"instance", "subclass"})


def _contained(claim: Claim, test: Test) -> bool | None:
    known, piece = literal(test.subject)
    if test.relation not in {"in", "not-in"} or not known or not isinstance(piece, str | bytes):
        return None
    if claim.value and claim.value not in {piece, repr(piece), repr(piece).strip("'")}:
        return None
    return claim.holds == (test.relation == "in")


def _chosen(claim: Claim, test: Test) -> bool | None:
    if test.relation in {"in", "not-in"} and not literal(test.subject)[0]:
        if claim.name and claim.name not in names_in(Test("true", test.subject)):
            return None
        return claim.holds == (test.relation == "in")
    if test.relation == "ne" and claim.holds and claim.name == _spoken_of(test.subject):
        return False  # one of a chain of `==`: what is known does not get past it
    if test.relation == "raises" and {"KeyError", "LookupError", "ValueError"} & set(test.objects):
        return not claim.holds
    return None


def _counted(claim: Claim, test: Test) -> bool | None:
    if test.relation not in {"eq", "ne"} or not test.subject.startswith("len("):
        return None
    if not literal(test.objects[0])[0]:
        return None
    same = claim.value == test.objects[0]
    return (same == claim.holds) == (test.relation == "eq") if same or claim.holds else None


def _moved(claim: Claim, test: Test) -> bool | None:
    if test.relation not in _ORDER:
        return None
    is_bound = claim.name in names_in(Test("true", test.objects[0]))
    return ((claim.what == "raised") != is_bound) == (test.relation in {"gt", "ge"})


def _valued(claim: Claim, test: Test) -> bool | None:
    if claim.holds:
        return outcome(test, claim.name, literal(claim.value)[1])
    if claim.value not in test.objects or claim.name != _spoken_of(test.subject):
        return None  # that it is not this value says nothing of a test for another
    return {"eq": False, "is": False, "in": False, "ne": True, "is-not": True, "not-in": True}.get(
        test.relation
    )


def outcome(test: Test, name: str, value: object) -> bool | None:
    """Return whether a test on `name` holds for `value`; None where that cannot be told."""
    own = test.subject.rpartition(".")[2] == name
    subject = value if own else _length(test.subject, name, value)
    if subject is None and not own:
        return _inside(test, name, value)
    try:
        if test.relation in {"true", "false"}:
            return bool(subject) == (test.relation == "true")
        if test.relation in {"is-none", "not-none"}:
            return (subject is None) == (test.relation == "is-none")
        return _compared(test, subject)
    except (TypeError, ValueError):
        return None


def _length(subject: str, name: str, value: object) -> object:
    return len(value) if subject == f"len({name})" and hasattr(value, "__len__") else None


def _inside(test: Test, name: str, value: object) -> bool | None:
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
        is_one = isinstance(subject, tuple(kind for kind in kinds if kind is not None))
        return is_one == (test.relation == "instance")
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
