"""The body of a known callable as seen from one call of it: parameters stand for the call's arguments."""

from __future__ import annotations

import ast

from errdex.syntax.flow import Bindings, Position
from errdex.syntax.local import (
    MAX_VALUES,
    FunctionNode,
    FunctionScope,
    defaults_of,
    parameter_names,
    returns_of,
)
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.spelling import names_in, spelled
from errdex.syntax.text import SourceText

MAX_INLINED_CHARACTERS = 200
"""Longer expressions are named, not spelled out, in another function's words."""
MAX_LEVELS = 4
"""Calls followed from one function into the next, one that calls itself included."""


def bind(
    node: FunctionNode, call: ast.Call, caller: Scope, home: Scope, *, skip_first: bool
) -> dict[str, Value]:
    """Return what each parameter of `node` stands for in `call`; parameters nobody can tell are left out.

    Args:
        node: The callable.
        call: The call, written in `caller`.
        caller: Scope of the call.
        home: Scope in which the callable's defaults are evaluated.
        skip_first: Whether the first parameter (`self`, `cls`) is not given by the call.
    """
    arguments = node.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if skip_first:
        positional = positional[1:]
    bound = {name: Value(default, home) for name, default in defaults_of(node).items()}
    for name, value in zip(positional, call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        bound[name] = Value(value, caller)
    if arguments.vararg and not any(isinstance(value, ast.Starred) for value in call.args):
        rest: list[ast.expr] = list(call.args[len(positional) :])
        bound[arguments.vararg.arg] = Value(ast.Tuple(elts=rest, ctx=ast.Load()), caller)
    named = {*positional, *(argument.arg for argument in arguments.kwonlyargs)}
    extra: list[ast.keyword] = []
    for keyword in call.keywords:
        if keyword.arg in named:
            bound[keyword.arg] = Value(keyword.value, caller)
        else:
            extra.append(keyword)
    if arguments.kwarg:
        made = ast.Call(func=ast.Name("dict", ast.Load()), args=[], keywords=extra)
        bound[arguments.kwarg.arg] = Value(made, caller)
    return bound


class BoundScope(FunctionScope):
    """A place inside a callable, its parameters bound by a call."""

    def __init__(
        self,
        node: FunctionNode,
        position: Position,
        parent: Scope,
        source: SourceText,
        arguments: dict[str, Value],
        bindings: Bindings | None = None,
    ) -> None:
        super().__init__(node, position, parent, source, bindings)
        self.arguments = arguments
        self.level = 1 + max((value.scope.level for value in arguments.values()), default=0)

    def lookup(self, name: str) -> Found | None:
        """Return what a name holds: a local, or the call's argument."""
        if name in self.bindings:
            found = super().lookup(name)
            opaque = any(assigned.expression is None for assigned in self.reaching(name))
            if name in self.arguments and opaque:
                values = [self.arguments[name], *(found.values if found else [])]
                return Found(values[:MAX_VALUES], "argument")
            return found
        if name in self.arguments:
            return Found([self.arguments[name]], "argument")
        return None if name in self.parameters else self.parent.lookup(name)

    def text(self, node: ast.expr) -> str:
        """Return the expression in the caller's words, as far as they are known."""
        return self._spelled(node, 0)

    def _spelled(self, node: ast.expr, depth: int) -> str:
        def replace(name: str) -> str | None:
            value = self._sole(name) if depth < 4 else None
            if value is None or (value.scope is not self and value is not self.arguments.get(name)):
                return None
            inside = value.scope is self
            text = self._spelled(value.expression, depth + 1) if inside else value.scope.text(value.expression)
            return text if len(text) <= MAX_INLINED_CHARACTERS else None

        return spelled(node, self.source, replace) or super().text(node)

    def _sole(self, name: str) -> Value | None:
        found = self.lookup(name)
        if found is None or len(found.values) != 1 or found.values[0].before is not None:
            return None
        value = found.values[0]
        if name not in self.arguments and name not in self.bindings:
            return None
        if value.scope is self and name in names_in(value.expression):
            return None
        return value


def returned(
    node: FunctionNode, call: ast.Call, caller: Scope, home: Scope, source: SourceText, *, skip_first: bool
) -> Found | None:
    """Return what a call of a known function may return."""
    if caller.level >= MAX_LEVELS:
        return None
    arguments = bind(node, call, caller, home, skip_first=skip_first)
    bindings = Bindings(node.body)
    values = [
        Value(expression, BoundScope(node, position, home, source, arguments, bindings))
        for expression, position in returns_of(node)
    ]
    return Found(values[:MAX_VALUES], "helper") if values else None


__all__ = ["BoundScope", "bind", "parameter_names", "returned"]
