"""Pools for the slots of one site: types and docstrings first, then what the conditions on the way speak of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from errdex.model.site import ThrowSite
from errdex.prove.anatomy import Anatomy
from errdex.prove.failing import failing_values
from errdex.prove.observation import NameSeen, ParameterSeen, ValueSeen
from errdex.prove.program import BY_HAND, RECEIVER, THEN, Recipe, Value
from errdex.prove.texts import texts_for
from errdex.prove.values import ODD, Pools, plain

_MAX_POOL = 48
STAND_IN = Value("MagicMock()", ("from unittest.mock import MagicMock",), is_real=False)
"""Has every attribute that is asked of it: for parameters of which only attributes are read."""


_RAISED_BEFORE = Value(
    "error", setup=('try:\n    raise ValueError("a")\nexcept ValueError as raised:\n    error = raised',)
)
"""An exception that has a traceback."""


def with_all(value: Value) -> Value:
    """Return a stand-in that has, beside its own attributes, any other that is asked of it."""
    if "SimpleNamespace(" not in value.code:
        return value
    imports = tuple(line for line in value.imports if "SimpleNamespace" not in line)
    code = value.code.replace("SimpleNamespace(", "MagicMock(")
    return Value(code, (*imports, *STAND_IN.imports), value.setup, is_real=False)


def site_pools(
    site: ThrowSite, recipe: Recipe, anatomy: Anatomy, pools: Pools, names: dict[str, ValueSeen]
) -> tuple[dict[str, list[Value]], dict[str, Value]]:
    """Return the values to try for each slot, and the first state: required slots with what they likely accept."""
    facts = {each.name: each for each in site.callable.parameters}
    failing = failing_values(anatomy, pools, names)
    found: dict[str, list[Value]] = {}
    base: dict[str, Value] = {}
    for slot in recipe.slots:
        if slot.name == RECEIVER:
            found[slot.name] = []
            continue
        if slot.kind.startswith("VAR"):
            found[slot.name] = pools.for_parameter(slot, None)
            continue
        own = facts.get(slot.name.removeprefix(THEN))
        likely = pools.for_parameter(slot, own.doc_type if own else None)
        if own is not None and not likely and own.annotation:
            likely = pools.of_words(own.annotation)
        keys = next((each for name, each, _ in anatomy.uses([slot.name.removeprefix(THEN)])), [])
        if keys:
            likely[:0] = [
                Value("{" + ", ".join(f"{key!r}: {each}" for key in keys) + "}")
                for each in ("1", "[]", '"a"', "{}")
            ]
        spoken = list(from_conditions(slot, anatomy, pools, names))
        odd = [Value(code) for code in ODD]
        if pools.has_numpy:
            odd[12:12] = pools.arrays()[:5]
        likely[1:1] = texts_for(anatomy, slot.name.removeprefix(THEN), names)
        if slot.name.removeprefix(THEN) in failing:
            likely.insert(1, failing[slot.name.removeprefix(THEN)])
        if slot.name.removeprefix(THEN) in anatomy.raised():
            likely[:0] = [*plain("exception"), _RAISED_BEFORE]
        if anatomy.read_attributes(slot.name.removeprefix(THEN)):
            likely.insert(min(len(likely), 5), STAND_IN)
        merged = {value.code: value for value in reversed([*likely[:8], *spoken, *likely[8:], *odd])}
        ordered = [
            merged[code] for code in dict.fromkeys(v.code for v in [*likely[:8], *spoken, *likely[8:], *odd])
        ]
        if recipe.is_hook:
            ordered = [
                each for each in ordered if re.fullmatch(r"['\"][A-Za-z]\w*['\"]", each.code)
            ] or ordered
        found[slot.name] = ordered[:_MAX_POOL]
        if not slot.has_default and not slot.kind.startswith("VAR"):
            base[slot.name] = ordered[0]
    return found, base


def attribute_pool(name: str, anatomy: Anatomy, pools: Pools, names: dict[str, ValueSeen]) -> list[Value]:
    """Return values for an attribute that is set on an instance by hand."""
    slot = ParameterSeen(name=BY_HAND + name, kind="KEYWORD_ONLY")
    likely = pools.of_name(name)
    if f"self.{name}" in anatomy.raised():
        likely[:0] = plain("exception")
    spoken = list(from_conditions(slot, anatomy, pools, names))
    every = [*spoken[:6], *likely[:6], *spoken[6:], *(Value(code) for code in ODD[:24])]
    return list({value.code: value for value in reversed(every)}.values())[::-1]


def from_conditions(
    slot: ParameterSeen, anatomy: Anatomy, pools: Pools, names: dict[str, ValueSeen]
) -> Iterator[Value]:
    """Yield values that the conditions compare a slot with, and their neighbours; the guard's first."""
    key = slot.name.removeprefix(RECEIVER).removeprefix("=").removeprefix(THEN)
    wanted = {key, f"self.{key}", f"self._{key}"} if slot.name.startswith(RECEIVER) else {key}
    for step in (*reversed(anatomy.steps), *anatomy.before):
        if step.expression is None or not (anatomy.origins(step.expression) & wanted):
            continue
        for node in ast.walk(step.expression):
            yield from _from_node(node, pools, names)


def _from_node(node: ast.AST, pools: Pools, names: dict[str, ValueSeen]) -> Iterator[Value]:
    if isinstance(node, ast.Constant) and node.value is not None and node.value is not Ellipsis:
        yield from around(node.value)
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "issubclass")
    ):
        for name in _classes(node.args[1:]):
            yield from instances_named(name, pools, names)
    elif isinstance(node, ast.Name | ast.Attribute):
        seen = names.get(ast.unparse(node))
        if seen is not None and seen.k == "data":
            yield from around_literal(seen.repr)
        elif seen is not None and seen.k == "keys":
            for each in seen.of[:6]:
                if isinstance(each, str):
                    yield Value(each)


def _classes(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Tuple):
            yield from _classes(node.elts)
        elif isinstance(node, ast.BinOp):
            yield from _classes([node.left, node.right])
        elif isinstance(node, ast.Name | ast.Attribute):
            yield ast.unparse(node)


def instances_named(name: str, pools: Pools, names: dict[str, ValueSeen]) -> Iterator[Value]:
    """Yield instances of a class as the code under proof names it."""
    short = name.rpartition(".")[2]
    yield from pools.of_words(short)[:4]
    seen = names.get(name)
    if seen is not None and seen.k == "class" and seen.module != "builtins":
        yield from pools.instances(NameSeen(module=seen.module, qualname=seen.qualname))[:3]
    if seen is not None and seen.k == "classes":
        for each in seen.of[:4]:
            if isinstance(each, NameSeen):
                yield from pools.instances(each)[:2]


def around(value: object) -> Iterator[Value]:
    """Yield a constant of a condition and values just beside it."""
    if isinstance(value, bool):
        yield Value(repr(value))
        yield Value(repr(not value))
    elif isinstance(value, int):
        for each in (value, value + 1, value - 1):
            yield Value(repr(each))
        if 0 < value < 12:
            yield Value(repr([1] * (value + 1)))
            yield Value(repr([1] * (value - 1)))
            yield Value(repr([1] * value))
    elif isinstance(value, float):
        for number in (value, value + 0.5, value - 0.5):
            yield Value(repr(number))
    elif isinstance(value, str):
        yield Value(repr(value))
        yield Value(repr([value]))
        yield Value(repr({value: 1}))
        if value:
            yield Value(repr(value + "errdex"))
            yield Value(repr("errdex" + value))
            yield Value(repr(f"a{value}b"))
    elif isinstance(value, bytes):
        yield Value(repr(value))
        yield Value(repr(value + b"errdex"))


def around_literal(literal: str) -> Iterator[Value]:
    """Yield what a constant of the module holds, and values beside it."""
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return
    if isinstance(value, list | tuple | set | frozenset | dict):
        for each in sorted(value, key=repr)[:6] if isinstance(value, set | frozenset) else list(value)[:6]:
            yield Value(repr(each))
    else:
        yield from around(value)
