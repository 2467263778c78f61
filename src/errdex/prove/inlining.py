"""Conditions in terms of what a caller gives: locals, and short functions and properties, replaced by what they are."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from errdex.model.functions import Function

_MAX_NODES = 120
"""A condition that grows beyond this when it is followed says nothing to a solver."""
_DEPTH = 3
_EMPTY_CALLS = frozenset({"set", "dict", "list", "deque", "defaultdict", "OrderedDict", "Counter"})


class Inlining:
    """What the names of one function stand for."""

    def __init__(self, tree: ast.Module, function: Function | None, line: int) -> None:
        """Read the locals of `function` and the one-line functions of its module and class; `line` lies within."""
        self._locals = _single_assignments(function or tree)
        self._functions = _shorts(tree.body)
        self._members: dict[str, _Short] = {}
        for owner in _classes_at(tree, line):
            self._members = _shorts(owner.body) | self._members

    def of(self, expression: ast.expr) -> ast.expr:
        """Return an expression followed as far as it stays small; a copy."""
        followed = copy.deepcopy(expression)
        for _ in range(_DEPTH):
            further: ast.expr = _Inliner(self._locals, self._functions, self._members).visit(
                copy.deepcopy(followed)
            )
            if sum(1 for _ in ast.walk(further)) > _MAX_NODES:
                break
            followed = further
        return followed


class _Short:
    """A function that only returns one expression."""

    def __init__(self, parameters: list[str], value: ast.expr, *, is_property: bool) -> None:
        self.parameters, self.value, self.is_property = parameters, value, is_property


def _shorts(body: list[ast.stmt]) -> dict[str, _Short]:
    """Return the short functions of a block, by name."""
    functions = [each for each in body if isinstance(each, ast.FunctionDef)]
    return {each.name: short for each in functions if (short := _short(each)) is not None}


def _short(node: ast.FunctionDef) -> _Short | None:
    body = [each for each in node.body if not _is_text(each)]
    names = [each.arg for each in node.args.args]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return None
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.defaults:
        return None
    decorators = [ast.unparse(each) for each in node.decorator_list]
    is_property = any("property" in each for each in decorators)
    if decorators and not is_property:
        return None
    return _Short(names, body[0].value, is_property=is_property)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _classes_at(tree: ast.Module, line: int) -> list[ast.ClassDef]:
    """Return the class around a line and those of its bases that stand in the same module, itself first."""
    known = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    found = [each for each in known.values() if each.lineno <= line <= (each.end_lineno or 0)]
    for each in found:
        found += [
            known[base.id]
            for base in each.bases
            if isinstance(base, ast.Name) and base.id in known and known[base.id] not in found
        ]
    return found


class _Inliner(ast.NodeTransformer):
    """Replaces locals by what they were assigned, calls of short functions by what these return."""

    def __init__(
        self, values: Mapping[str, ast.expr], functions: Mapping[str, _Short], members: Mapping[str, _Short]
    ) -> None:
        self._values, self._functions, self._members = values, functions, members

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the value of a local that has one."""
        found = self._values.get(node.id)
        return copy.deepcopy(found) if found is not None and isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Return what a property of `self` returns."""
        short = self._members.get(node.attr) if _is_self(node.value) else None
        if short is not None and short.is_property:
            return copy.deepcopy(short.value)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Return what a short function returns for these arguments."""
        short, skipped = None, 0
        if isinstance(node.func, ast.Name):
            short = self._functions.get(node.func.id)
        elif isinstance(node.func, ast.Attribute) and _is_self(node.func.value):
            short, skipped = self._members.get(node.func.attr), 1
        self.generic_visit(node)
        if short is None or short.is_property or node.keywords:
            return node
        names = short.parameters[skipped:]
        if len(names) != len(node.args) or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        given = dict(zip(names, node.args, strict=True))
        made: ast.expr = _Inliner(given, {}, {}).visit(copy.deepcopy(short.value))
        return made


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _single_assignments(body: ast.AST) -> dict[str, ast.expr]:
    """Return the locals that are assigned exactly once, by a plain assignment, with what they are assigned.

    A container that starts empty is none: it is filled later.
    """
    values: dict[str, ast.expr] = {}
    counts: dict[str, int] = {}
    for node in ast.walk(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] = counts.get(node.id, 0) + 1
        elif isinstance(node, ast.arg):
            counts[node.arg] = counts.get(node.arg, 0) + 2  # a parameter is more than what it is assigned
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values[node.targets[0].id] = node.value
    return {
        name: value for name, value in values.items() if counts.get(name) == 1 and not starts_empty(value)
    }


def starts_empty(expression: ast.expr) -> int:
    """Return how many empty containers an expression makes."""
    return sum(
        (isinstance(node, ast.List | ast.Tuple) and not node.elts)
        or (isinstance(node, ast.Dict) and not node.keys)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in _EMPTY_CALLS
            and not node.args
        )
        for node in ast.walk(expression)
    )
