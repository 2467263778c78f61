"""Scopes made of syntax trees: a module's constants, a function's locals and parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from errdex.syntax.flow import Assigned, Bindings, Position, blocks, reaching
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.spelling import expression_text, names_in
from errdex.syntax.text import SourceText

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
MAX_VALUES = 16


def parameter_names(node: FunctionNode | ast.Lambda) -> list[str]:
    """Return the names of a function's parameters in signature order."""
    arguments = node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg:
        names.append(arguments.vararg.arg)
    names.extend(argument.arg for argument in arguments.kwonlyargs)
    if arguments.kwarg:
        names.append(arguments.kwarg.arg)
    return names


def defaults_of(node: FunctionNode) -> dict[str, ast.expr]:
    """Return the default of every parameter that has one."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    found = {
        argument.arg: default
        for argument, default in zip(
            positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True
        )
    }
    for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if keyword_default is not None:
            found[argument.arg] = keyword_default
    return found


MAX_EARLIER = 4
"""Of `name += …` in more branches than this one after the other, only the way that takes no other is told:
the ways double with each branch."""


class FunctionScope:
    """A place inside a function: its parameters, and the locals as they stand there."""

    def __init__(
        self,
        node: FunctionNode,
        position: Position,
        parent: Scope,
        source: SourceText,
        bindings: Bindings | None = None,
    ) -> None:
        self.level = 0
        self.node = node
        self.position = position
        self.parent = parent
        self.source = source
        self.bindings = bindings if bindings is not None else Bindings(node.body)
        self.parameters = frozenset(parameter_names(node))

    def text(self, node: ast.expr) -> str:
        """Return the expression as written."""
        return expression_text(node, self.source)

    def reaching(self, name: str) -> list[Assigned]:
        """Return what a local name may have been assigned when this place is reached."""
        if name not in self.parameters:
            sole = self.bindings.sole(name)
            if sole is not None:
                return sole
            return reaching(name, self.position, self.bindings, [])
        return reaching(name, self.position, self.bindings, [Assigned(None)])

    def lookup(self, name: str) -> Found | None:
        """Return what a name may hold here; a parameter may hold its default."""
        if name in self.bindings:
            return self.found(name, self.reaching(name))
        if name in self.parameters:
            default = defaults_of(self.node).get(name)
            return (
                Found([Value(default, self.parent)], "variable", is_certain=False)
                if default is not None
                else None
            )
        return self.parent.lookup(name)

    def found(self, name: str, state: Sequence[Assigned]) -> Found | None:
        """Return `state` as values; None where nothing of it is known."""
        made: dict[int, Value] = {}
        values = [self._value(name, assigned, made) for assigned in state if assigned.expression is not None]
        return Found(values[:MAX_VALUES], "variable") if values else None

    def _value(self, name: str, assigned: Assigned, made: dict[int, Value]) -> Value:
        """Return what was assigned; `made` holds the values of this state that are known already, by identity."""
        assert assigned.expression is not None
        if id(assigned) in made:
            return made[id(assigned)]
        earlier = assigned.before or []
        if assigned.added:
            if len(earlier) > MAX_EARLIER:
                earlier = [one for one in earlier if not one.added]
            before = [self._value(name, one, made) for one in earlier if one.expression is not None]
            value = Value(assigned.expression, self, before)
        elif name in names_in(assigned.expression):
            value = Value(assigned.expression, _Earlier(self, name, earlier))
        else:
            value = Value(assigned.expression, self)
        made[id(assigned)] = value
        return value

    def attribute(self, node: ast.Attribute) -> Found | None:
        """Return what an attribute may hold, as the surroundings know it."""
        if isinstance(node.value, ast.Name) and node.value.id in self.bindings:
            return None
        return self.parent.attribute(node)

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        """Return what a call may return, as the surroundings know it."""
        return self.parent.call(node, caller)


class _Earlier:
    """The scope of `msg = f"{msg} …"`: as its function's, but the name holds what it held before."""

    def __init__(self, scope: FunctionScope, name: str, state: list[Assigned]) -> None:
        self.level = scope.level
        self._scope = scope
        self._name = name
        self._state = state

    def text(self, node: ast.expr) -> str:
        return self._scope.text(node)

    def lookup(self, name: str) -> Found | None:
        if name == self._name:
            return self._scope.found(name, self._state)
        return self._scope.lookup(name)

    def attribute(self, node: ast.Attribute) -> Found | None:
        return self._scope.attribute(node)

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        return self._scope.call(node, caller)


def returns_of(node: FunctionNode) -> Iterator[tuple[ast.expr, Position]]:
    """Yield every returned expression of a function with its position."""
    yield from _returns([], node.body)


def _returns(outer: Position, body: list[ast.stmt]) -> Iterator[tuple[ast.expr, Position]]:
    for index, statement in enumerate(body):
        if isinstance(statement, ast.Return):
            if statement.value is not None:
                yield statement.value, [*outer, (body, index)]
        else:
            for block in blocks(statement):
                yield from _returns([*outer, (body, index)], block)
