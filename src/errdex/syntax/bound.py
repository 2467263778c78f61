"""The body of a known callable as seen from one call of it: parameters stand for the call's arguments."""

from __future__ import annotations

import ast
from contextvars import ContextVar

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

MAX_NESTING = 8
"""Scopes within scopes whose words are taken over."""
_nesting: ContextVar[int] = ContextVar("nesting", default=0)

MAX_INLINED_CHARACTERS = 200
"""Longer expressions are named, not spelled out, in another function's words."""
MAX_LEVELS = 4
"""Calls followed from one function into the next, one that calls itself included."""


class Arguments:
    """What a call gives, stars spread where they are known."""

    __slots__ = ("is_open", "keywords", "positional")

    def __init__(self, positional: list[Value], keywords: dict[str, Value], *, is_open: bool) -> None:
        self.positional = positional
        self.keywords = keywords
        self.is_open = is_open
        """Whether more positional arguments follow that nobody can tell."""


def arguments_of(call: ast.Call, scope: Scope) -> Arguments:
    """Return the arguments of a call written in `scope`."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    is_open = False
    for node in call.args:
        if not isinstance(node, ast.Starred):
            positional.append(Value(node, scope))
            continue
        spread = _sole_value(node.value, scope)
        if spread is None or not isinstance(spread.expression, (ast.Tuple, ast.List)):
            is_open = True
            break
        positional.extend(_elements(spread))
    for keyword in call.keywords:
        if keyword.arg is not None:
            keywords[keyword.arg] = Value(keyword.value, scope)
        elif (spread := _sole_value(keyword.value, scope)) is not None:
            keywords.update(_entries(spread))
    return Arguments(positional, keywords, is_open=is_open)


def _sole_value(node: ast.expr, scope: Scope) -> Value | None:
    found = scope.lookup(node.id) if isinstance(node, ast.Name) else None
    if found is not None and len(found.values) == 1 and found.values[0].before is None:
        return found.values[0]
    return None if isinstance(node, ast.Name) else Value(node, scope)


def _elements(value: Value) -> list[Value]:
    if isinstance(value.expression, GivenTuple):
        return value.expression.values
    assert isinstance(value.expression, (ast.Tuple, ast.List))
    return [Value(node, value.scope) for node in value.expression.elts]


def _entries(value: Value) -> dict[str, Value]:
    node = value.expression
    if isinstance(node, GivenMapping):
        return node.entries
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return {keyword.arg: Value(keyword.value, value.scope) for keyword in node.keywords if keyword.arg}
    if isinstance(node, ast.Dict):
        return {
            key.value: Value(entry, value.scope)
            for key, entry in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
    return {}


class GivenTuple(ast.Tuple):
    """What a `*args` parameter holds: values that keep their own scopes."""

    def __init__(self, values: list[Value]) -> None:
        super().__init__(elts=[value.expression for value in values], ctx=ast.Load())
        self.values = values


class GivenMapping(ast.Dict):
    """What a `**kwargs` parameter holds: values that keep their own scopes."""

    def __init__(self, entries: dict[str, Value]) -> None:
        keys: list[ast.expr | None] = [ast.Constant(name) for name in entries]
        super().__init__(keys=keys, values=[value.expression for value in entries.values()])
        self.entries = entries


def bind(node: FunctionNode, given: Arguments, home: Scope, *, skip_first: bool) -> dict[str, Value]:
    """Return what each parameter of `node` stands for; parameters nobody can tell are left out.

    Args:
        node: The callable.
        given: The arguments of the call.
        home: Scope in which the callable's defaults are evaluated.
        skip_first: Whether the first parameter (`self`, `cls`) is not given by the call.
    """
    arguments = node.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if skip_first:
        positional = positional[1:]
    bound = {name: Value(default, home) for name, default in defaults_of(node).items()}
    if given.is_open:
        for name in positional[len(given.positional) :]:
            bound.pop(name, None)
    bound.update(zip(positional, given.positional, strict=False))
    if arguments.vararg and not given.is_open:
        bound[arguments.vararg.arg] = Value(GivenTuple(given.positional[len(positional) :]), home)
    named = {*positional, *(argument.arg for argument in arguments.kwonlyargs)}
    bound.update((name, value) for name, value in given.keywords.items() if name in named)
    if arguments.kwarg:
        rest = {name: value for name, value in given.keywords.items() if name not in named}
        bound[arguments.kwarg.arg] = Value(GivenMapping(rest), home)
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
        """Return the expression in the caller's words, as far as they are known.

        Values may lead through many scopes, even in a circle (an attribute that is given on to itself):
        after `MAX_NESTING` of them the words stay as they are written.
        """
        nesting = _nesting.get()
        if nesting >= MAX_NESTING:
            return super().text(node)
        token = _nesting.set(nesting + 1)
        try:
            return self._spelled(node, 0)
        finally:
            _nesting.reset(token)

    def _spelled(self, node: ast.expr, depth: int) -> str:
        element = self._element(node)
        if element is not None:
            return element.scope.text(element.expression)

        def replace(name: str) -> str | None:
            value = self._sole(name) if depth < 4 else None
            if value is None or isinstance(value.expression, (GivenTuple, GivenMapping)):
                return None
            if value.scope is not self and value is not self.arguments.get(name):
                return None
            inside = value.scope is self
            text = (
                self._spelled(value.expression, depth + 1) if inside else value.scope.text(value.expression)
            )
            return text if len(text) <= MAX_INLINED_CHARACTERS else None

        def replace_attribute(attribute: ast.Attribute) -> str | None:
            found = self.parent.attribute(attribute) if depth < 4 else None
            if found is None or len(found.values) != 1 or found.values[0].before is not None:
                return None
            if isinstance(found.values[0].expression, (GivenTuple, GivenMapping)):
                return None
            text = found.values[0].scope.text(found.values[0].expression)
            return text if len(text) <= MAX_INLINED_CHARACTERS else None

        return spelled(node, self.source, replace, replace_attribute) or super().text(node)

    def _element(self, node: ast.expr) -> Value | None:
        """Return what `args[0]` or `self.args[0]` is, where the call's arguments are known one by one."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
            return None
        held: Value | None = None
        if isinstance(node.value, ast.Name):
            held = self._sole(node.value.id)
        elif isinstance(node.value, ast.Attribute) and (found := self.parent.attribute(node.value)):
            held = found.values[0] if len(found.values) == 1 else None
        if held is None or not isinstance(held.expression, GivenTuple):
            return None
        index = node.slice.value
        values = held.expression.values
        return values[index] if isinstance(index, int) and -len(values) <= index < len(values) else None

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
    arguments = bind(node, arguments_of(call, caller), home, skip_first=skip_first)
    bindings = Bindings(node.body)
    values = [
        Value(expression, BoundScope(node, position, home, source, arguments, bindings))
        for expression, position in returns_of(node)
    ]
    return Found(values[:MAX_VALUES], "helper") if values else None


__all__ = [
    "Arguments",
    "BoundScope",
    "GivenMapping",
    "GivenTuple",
    "arguments_of",
    "bind",
    "parameter_names",
    "returned",
]
