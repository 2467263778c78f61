"""Which assignments of a local name reach a place in its function, path by path.

Structured flow only: branches join, loops may run or not, a branch that leaves
(returns, raises) brings nothing. What a loop's later statements assign for its
next round is left out: a message is nearly always made before it is raised.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

Frame = tuple[list[ast.stmt], int]
"""A block of statements, and the index of the statement in it that holds the next frame, or the place itself."""
Position = list[Frame]
"""From the function's own body down to the block that holds the place."""

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Assigned:
    """One thing that a name was assigned; `expression` is None where that cannot be told (a loop's target)."""

    __slots__ = ("added", "before", "expression", "statement")

    def __init__(
        self,
        expression: ast.expr | None,
        before: list[Assigned] | None = None,
        *,
        added: bool = False,
        statement: ast.stmt | None = None,
    ) -> None:
        self.expression = expression
        self.before = before
        """What the name held when `expression` was evaluated, for expressions that read it."""
        self.added = added
        """Whether this is `name += expression`."""
        self.statement = statement
        """The `for`, `with`, `try`, `def` … that binds the name, where there is one."""


class Bindings:
    """Every name that a function's own statements bind, with the statements that do."""

    __slots__ = ("_sole", "statements")

    def __init__(self, body: list[ast.stmt]) -> None:
        self.statements: dict[str, list[ast.stmt]] = {}
        self._sole: dict[str, list[Assigned] | None] = {}
        self._block(body)

    def __contains__(self, name: str) -> bool:
        return name in self.statements

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            binder = _BINDERS.get(statement.__class__)
            if binder is not None:
                for name in binder(statement):
                    self.statements.setdefault(name, []).append(statement)
            if statement.__class__ in _COMPOUND:
                for block in blocks(statement):
                    self._block(block)

    def within(self, name: str, statement: ast.stmt) -> bool:
        """Whether `name` is bound somewhere in `statement`."""
        last = statement.end_lineno or statement.lineno
        return any(statement.lineno <= one.lineno <= last for one in self.statements.get(name, ()))

    def changes(self, name: str, after: int, until: int) -> bool:
        """Whether `name` is bound on a line after one and not after another."""
        return any(after < one.lineno <= until for one in self.statements.get(name, ()))

    def sole(self, name: str) -> list[Assigned] | None:
        """Return what a local name holds wherever it is bound at all, if one plain statement binds it."""
        if name not in self._sole:
            statements = self.statements.get(name, [])
            found: list[Assigned] | None = None
            if len(statements) == 1 and isinstance(statements[0], (ast.Assign, ast.AnnAssign)):
                found = _after(statements[0], name, [], self)
            self._sole[name] = found
        return self._sole[name]


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement; those of functions and classes are not its own."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    for field in ("body", "orelse", "finalbody"):
        block = statement.__dict__.get(field)
        if block:
            yield block
    for part in (*statement.__dict__.get("handlers", ()), *statement.__dict__.get("cases", ())):
        yield part.body


def _by_assign(statement: ast.Assign) -> Iterator[str]:
    for target in statement.targets:
        yield from target_names(target)


def _by_target(statement: ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor) -> Iterator[str]:
    yield from target_names(statement.target)


def _by_with(statement: ast.With | ast.AsyncWith) -> Iterator[str]:
    for item in statement.items:
        if item.optional_vars is not None:
            yield from target_names(item.optional_vars)


def _by_handlers(statement: ast.Try | ast.TryStar) -> Iterator[str]:
    for handler in statement.handlers:
        if handler.name:
            yield handler.name


def _by_test(statement: ast.If | ast.While) -> Iterator[str]:
    for walrus in _walruses(statement.test):
        yield from target_names(walrus.target)


def _by_definition(statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[str]:
    yield statement.name


def _by_match(statement: ast.Match) -> Iterator[str]:
    for case in statement.cases:
        yield from pattern_names(case.pattern)


_BINDERS: dict[type[ast.stmt], Callable[..., Iterator[str]]] = {
    ast.Assign: _by_assign,
    ast.AnnAssign: _by_target,
    ast.AugAssign: _by_target,
    ast.For: _by_target,
    ast.AsyncFor: _by_target,
    ast.With: _by_with,
    ast.AsyncWith: _by_with,
    ast.Try: _by_handlers,
    ast.TryStar: _by_handlers,
    ast.If: _by_test,
    ast.While: _by_test,
    ast.FunctionDef: _by_definition,
    ast.AsyncFunctionDef: _by_definition,
    ast.ClassDef: _by_definition,
    ast.Match: _by_match,
}
"""The names that a statement itself binds, its blocks left out (handlers' and patterns' names count)."""
_COMPOUND = frozenset(
    {ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match}
)


def target_names(target: ast.expr) -> Iterator[str]:
    """Yield the plain names in an assignment's target."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from target_names(element)
    elif isinstance(target, ast.Starred):
        yield from target_names(target.value)


def pattern_names(pattern: ast.pattern) -> Iterator[str]:
    """Yield the names that a `case` pattern binds."""
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest


def _walruses(test: ast.expr) -> Iterator[ast.NamedExpr]:
    if isinstance(test, ast.NamedExpr):
        yield test
    elif isinstance(test, ast.UnaryOp):
        yield from _walruses(test.operand)
    elif isinstance(test, ast.Compare):
        for part in (test.left, *test.comparators):
            yield from _walruses(part)
    elif isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _walruses(part)
    elif isinstance(test, ast.Call):
        for part in test.args:
            yield from _walruses(part)


def leaves(body: list[ast.stmt]) -> bool:
    """Whether a block always ends by return, raise, continue or break."""
    last = body[-1] if body else None
    if isinstance(last, _LEAVING):
        return True
    if isinstance(last, ast.If):
        return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
    if isinstance(last, (ast.With, ast.AsyncWith)):
        return leaves(last.body)
    return False


def reaching(name: str, position: Position, bindings: Bindings, start: list[Assigned]) -> list[Assigned]:
    """Return what `name` may hold at `position`; `start` is what it held when the function began."""
    state = start
    for statements, index in position:
        for statement in statements[:index]:
            state = _after(statement, name, state, bindings)
        if index < len(statements):
            state = _entering(statements[index], name, state, bindings)
    return state


def _entering(statement: ast.stmt, name: str, state: list[Assigned], bindings: Bindings) -> list[Assigned]:
    """Return the state inside a compound statement, whichever of its blocks is entered."""
    if not bindings.within(name, statement):
        return state
    if isinstance(statement, (ast.If, ast.While)):
        return _tested(statement.test, name, state)
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
        return _bound_by_header(statement, name, state)
    if isinstance(statement, (ast.Try, ast.TryStar)):
        if any(handler.name == name for handler in statement.handlers):
            return [*state, Assigned(None, statement=statement)]
        return state
    if isinstance(statement, ast.Match):
        bound = any(name in set(pattern_names(case.pattern)) for case in statement.cases)
        return [*state, Assigned(None, statement=statement)] if bound else state
    return state


def _tested(test: ast.expr, name: str, state: list[Assigned]) -> list[Assigned]:
    for walrus in _walruses(test):
        if walrus.target.id == name:
            return [Assigned(walrus.value)]
    return state


def _bound_by_header(statement: ast.stmt, name: str, state: list[Assigned]) -> list[Assigned]:
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        if name in target_names(statement.target):
            return [Assigned(None, statement=statement)]
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        for item in statement.items:
            if item.optional_vars is not None and name in target_names(item.optional_vars):
                return [Assigned(None, statement=statement)]
    return state


def _after(statement: ast.stmt, name: str, state: list[Assigned], bindings: Bindings) -> list[Assigned]:
    """Return the state after `statement` has run to its end."""
    if isinstance(statement, ast.Assign):
        return _assigned(statement.targets, statement.value, name, state)
    if isinstance(statement, ast.AnnAssign):
        return _assigned([statement.target], statement.value, name, state) if statement.value else state
    if isinstance(statement, ast.AugAssign):
        if isinstance(statement.target, ast.Name) and statement.target.id == name:
            added = isinstance(statement.op, ast.Add)
            return [Assigned(statement.value, state, added=True)] if added else [Assigned(None)]
        return state
    if not bindings.within(name, statement):
        return state
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [Assigned(None, statement=statement)] if statement.name == name else state
    return _after_compound(statement, name, state, bindings)


def _after_compound(
    statement: ast.stmt, name: str, state: list[Assigned], bindings: Bindings
) -> list[Assigned]:
    def run(body: list[ast.stmt], begin: list[Assigned]) -> list[Assigned]:
        for inner in body:
            begin = _after(inner, name, begin, bindings)
        return begin

    if isinstance(statement, ast.If):
        state = _tested(statement.test, name, state)
        ends = [run(body, state) for body in (statement.body, statement.orelse) if not leaves(body)]
        return _union(ends)
    if isinstance(statement, ast.While):
        state = _tested(statement.test, name, state)
        return run(statement.orelse, _union([state, run(statement.body, state)]))
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        inside = run(statement.body, _bound_by_header(statement, name, state))
        return run(statement.orelse, _union([state, inside]))
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return run(statement.body, _bound_by_header(statement, name, state))
    if isinstance(statement, (ast.Try, ast.TryStar)):
        return _after_try(statement, name, state, bindings)
    if isinstance(statement, ast.Match):
        ends = [run(case.body, state) for case in statement.cases if not leaves(case.body)]
        return _union([state, *ends])
    return state


def _after_try(
    statement: ast.Try | ast.TryStar, name: str, state: list[Assigned], bindings: Bindings
) -> list[Assigned]:
    def run(body: list[ast.stmt], begin: list[Assigned]) -> list[Assigned]:
        for inner in body:
            begin = _after(inner, name, begin, bindings)
        return begin

    done = run(statement.body, state)
    halfway = _union([state, done])
    ends = [run(handler.body, halfway) for handler in statement.handlers if not leaves(handler.body)]
    if not leaves(statement.body):
        ends.insert(0, run(statement.orelse, done))
    return run(statement.finalbody, _union(ends) if ends else halfway)


def _assigned(
    targets: Iterable[ast.expr], value: ast.expr, name: str, state: list[Assigned]
) -> list[Assigned]:
    for target in targets:
        if isinstance(target, ast.Name):
            if target.id == name:
                return [Assigned(value, state)]
        elif isinstance(target, (ast.Tuple, ast.List)) and name in target_names(target):
            same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            if same:
                for left, right in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                    if isinstance(left, ast.Name) and left.id == name:
                        return [Assigned(right)]
            return [Assigned(None)]
    return state


def _union(states: list[list[Assigned]]) -> list[Assigned]:
    seen: dict[int, Assigned] = {}
    for state in states:
        for assigned in state:
            seen.setdefault(id(assigned), assigned)
    return list(seen.values())
