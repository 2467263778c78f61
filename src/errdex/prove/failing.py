"""Stand-ins that fail as an `except` clause expects, for the objects that the `try` block calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errdex.prove.anatomy import Anatomy
from errdex.prove.observation import NameSeen, ValueSeen
from errdex.prove.program import Value
from errdex.prove.values import Pools

_MOCK = ("from unittest.mock import MagicMock",)


def failing_values(anatomy: Anatomy, pools: Pools, names: dict[str, ValueSeen]) -> dict[str, Value]:
    """Return, where a caught exception leads to the site, an object that raises it for each that is called.

    The keys are parameters, and `self.x` for attributes and methods of the receiver.
    """
    error = _caught(anatomy, pools, names)
    if error is None:
        return {}
    found: dict[str, Value] = {}
    for root, path in _called(anatomy):
        if path:
            name = root.rpartition(".")[2].strip("_") or "failing"
            setup = (f"{name} = MagicMock()", f"{name}.{path}.side_effect = {error.code}")
            value = Value(name, (*_MOCK, *error.imports), (*error.setup, *setup), is_real=False)
        else:
            code = f"MagicMock(side_effect={error.code})"
            value = Value(code, (*_MOCK, *error.imports), error.setup, is_real=False)
        found.setdefault(root, value)
    return found


def _caught(anatomy: Anatomy, pools: Pools, names: dict[str, ValueSeen]) -> Value | None:
    """Return an instance of a class that the clause catches."""
    guard = anatomy.guard
    if guard is None or guard.kind != "except" or guard.expression is None:
        return None
    nodes = guard.expression.elts if isinstance(guard.expression, ast.Tuple) else [guard.expression]
    for node in nodes:
        seen = names.get(ast.unparse(node))
        if seen is None or not seen.exception:
            continue
        if seen.module == "builtins":
            made = pools.working([Value(f'{seen.qualname}("errdex")')])
        else:
            made = pools.instances(NameSeen(module=seen.module, qualname=seen.qualname))
        if made:
            return made[0]
    return None


def _called(anatomy: Anatomy) -> Iterator[tuple[str, str]]:
    """Yield what the `try` block calls on parameters and on the receiver: (`self.conn`, `urlopen`), (`callback`, ``)."""
    parameters = {each.name for each in anatomy.site.callable.parameters}
    for statement in anatomy.tried():
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call):
                continue
            root, parts = _dotted(anatomy.followed(node.func))
            if root in parameters:
                yield root, ".".join(parts)
            elif root == "self" and parts:
                yield f"self.{parts[0]}", ".".join(parts[1:])


def _dotted(node: ast.expr) -> tuple[str, list[str]]:
    """Return the name that an expression starts from and the attributes read of it; a call is its `return_value`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute | ast.Call | ast.Await):
        if isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            parts.insert(0, "return_value")
            node = node.func
        else:
            node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), parts
