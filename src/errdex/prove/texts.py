"""Texts that a regular expression of the code under proof accepts: a shortest one, and ones that go to its edges."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Sequence
from typing import Any

from errdex.prove.anatomy import Anatomy
from errdex.prove.observation import ValueSeen
from errdex.prove.program import Value

_parser: Any = importlib.import_module("re._parser")
"""CPython's own reader of patterns: the only one that knows every form."""
_MAX_TEXTS = 6
_MORE = 3
"""How often a repeated part stands in the longer texts, at least."""
_CATEGORIES = {"CATEGORY_DIGIT": "9", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a", "CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_SPACE": "a", "CATEGORY_NOT_WORD": "-"}  # fmt: skip


def texts_for(anatomy: Anatomy, slot: str, names: dict[str, ValueSeen]) -> list[Value]:
    """Return texts that match the patterns which the function holds against what stems from a slot."""
    found: dict[str, None] = {}
    for pattern, argument in anatomy.matched():
        seen = names.get(ast.unparse(pattern))
        if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
            text = pattern.value
        elif seen is not None and seen.k == "pattern":
            text = seen.repr
        else:
            continue
        if slot in anatomy.origins(argument):
            found |= dict.fromkeys(samples(text))
    return [Value(repr(each)) for each in found][:_MAX_TEXTS]


def samples(pattern: str) -> list[str]:
    """Return texts that a pattern matches, the shortest first, then what holds two; none for one that cannot be read."""
    try:
        compiled, tree = re.compile(pattern), _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return []
    texts = dict.fromkeys(_text(tree, branch, repeats) for repeats in (0, _MORE) for branch in (0, 1, 2))
    twice = [text * 2 for text in texts]
    return [text for text in dict.fromkeys([*texts, *twice]) if compiled.search(text)]


def _text(tree: Any, branch: int, repeats: int) -> str:
    return "".join(_part(str(name), value, branch, repeats) for name, value in tree)


def _part(name: str, value: Any, branch: int, repeats: int) -> str:
    """Return a text for one part of a pattern: the branch of that number, repeats as often as may be up to a count."""
    if name == "LITERAL":
        return chr(value)
    if name in ("ANY", "NOT_LITERAL"):
        return "b" if name == "NOT_LITERAL" and value == ord("a") else "a"
    if name == "IN":
        return _member(value)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        low, high, inner = value
        return _text(inner, branch, repeats) * int(min(max(low, repeats), int(high)))
    if name == "SUBPATTERN":
        return _text(value[-1], branch, repeats)
    if name == "ATOMIC_GROUP":
        return _text(value, branch, repeats)
    if name == "BRANCH":
        options = value[1]
        return _text(options[min(branch, len(options) - 1)], branch, repeats)
    if name == "CATEGORY":
        return _CATEGORIES.get(str(value), "a")
    return ""  # anchors, look-arounds, references


def _member(options: Sequence[tuple[Any, Any]]) -> str:
    """Return a character of a set; digits and letters before what is seldom written."""
    if str(options[0][0]) == "NEGATE":
        inside = {chr(value) for name, value in options[1:] if str(name) == "LITERAL"}
        return next((each for each in "ab1- _" if each not in inside), "")
    for name, value in options:
        if str(name) == "RANGE":
            return chr(value[1]) if chr(value[1]).isdigit() else chr(value[0])
        if str(name) == "CATEGORY":
            return _CATEGORIES.get(str(value), "a")
    return chr(options[0][1]) if str(options[0][0]) == "LITERAL" else "a"
