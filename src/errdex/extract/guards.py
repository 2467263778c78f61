"""Conditions on the way to a site: made into facts only when a site is found behind them."""

from __future__ import annotations

import ast
from typing import Literal, NamedTuple

from errdex.model.site import Condition
from errdex.syntax.flow import Assigned, Position, target_names
from errdex.syntax.local import FunctionScope
from errdex.syntax.spelling import expression_text, names_in, spelled
from errdex.syntax.text import SourceText

Kind = Literal["if", "while", "for", "except", "match", "assert", "comprehension", "with", "try-else"]
MAX_TEXT_CHARACTERS = 600
MAX_INLINED_CHARACTERS = 400
_PURE_CALLS = frozenset(
    [
        "len",
        "isinstance",
        "issubclass",
        "type",
        "int",
        "float",
        "str",
        "bool",
        "repr",
        "min",
        "max",
        "abs",
        "sum",
        "any",
        "all",
        "tuple",
        "list",
        "set",
        "dict",
        "frozenset",
        "sorted",
        "reversed",
        "range",
        "zip",
        "enumerate",
        "getattr",
        "hasattr",
        "callable",
        "round",
        "id",
        "ord",
        "chr",
        "bytes",
        "divmod",
    ]
)
_PURE_METHODS = frozenset(
    [
        "get",
        "lower",
        "upper",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "rsplit",
        "partition",
        "rpartition",
        "splitlines",
        "startswith",
        "endswith",
        "keys",
        "values",
        "items",
        "copy",
        "count",
        "index",
        "find",
        "isdigit",
        "isidentifier",
        "casefold",
        "replace",
        "join",
        "dim",
        "size",
        "numel",
        "ndimension",
        "stride",
        "is_contiguous",
        "is_floating_point",
        "is_complex",
        "element_size",
        "bit_length",
        "as_posix",
        "is_absolute",
        "title",
        "encode",
        "decode",
    ]
)
_PURE_NODES = (
    ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Slice, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp,
    ast.Tuple, ast.List, ast.Set, ast.Dict, ast.IfExp, ast.Starred, ast.JoinedStr, ast.FormattedValue,
)  # fmt: skip


class Pushed(NamedTuple):
    """One condition on the walker's stack, not yet looked at."""

    kind: Kind
    node: ast.AST
    negated: bool
    depth: int
    """How many blocks lie outside the one that holds the statement."""
    at: int
    """The statement's place in its block."""
    block: list[ast.stmt]


class Guards:
    """Turns pushed conditions of one file into facts, each once."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.conditions: list[Condition] = []
        self._known: dict[tuple[int, str, bool], int] = {}

    def index(self, pushed: Pushed, scope: FunctionScope | None) -> int:
        """Return the index of a condition in `conditions`; `scope` is that of the site behind it."""
        key = (id(pushed.node), pushed.kind, pushed.negated)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = len(self.conditions)
            self.conditions.append(self._condition(pushed, scope))
        return known

    def _condition(self, pushed: Pushed, scope: FunctionScope | None) -> Condition:
        node = pushed.node
        line, end_line = _span(node)
        text, tested = self._text(pushed)
        inlined: str | None = None
        parameters: tuple[str, ...] = ()
        if scope is not None and tested is not None:
            position = [*scope.position[: pushed.depth], (pushed.block, pushed.at)]
            there = FunctionScope(scope.node, position, scope.parent, self.source, scope.bindings)
            parameters = read_parameters(tested, there)
            inlined = _inlined(tested, there)
        comment = self.source.comment_above(line)
        return Condition(
            text=text[:MAX_TEXT_CHARACTERS],
            line=line,
            end_line=end_line,
            kind=pushed.kind,
            negated=pushed.negated,
            inlined=inlined,
            parameters=parameters,
            comment=comment,
        )

    def _text(self, pushed: Pushed) -> tuple[str, ast.expr | None]:
        """Return a condition's words and the expression that it reads."""
        node = pushed.node
        if isinstance(node, (ast.If, ast.While)):
            return expression_text(node.test, self.source), node.test
        if isinstance(node, (ast.For, ast.AsyncFor)):
            return expression_text(node.iter, self.source), node.iter
        if isinstance(node, ast.ExceptHandler):
            return (expression_text(node.type, self.source) if node.type else "BaseException"), None
        if isinstance(node, (ast.Try, ast.TryStar)):
            caught = [expression_text(one.type, self.source) for one in node.handlers if one.type is not None]
            return ", ".join(caught) or "BaseException", None
        if isinstance(node, (ast.With, ast.AsyncWith)):
            texts = [expression_text(item.context_expr, self.source) for item in node.items]
            return ", ".join(texts), node.items[0].context_expr
        if isinstance(node, _MatchedCase):
            pattern = ast.unparse(node.case.pattern)
            extra = f" if {expression_text(node.case.guard, self.source)}" if node.case.guard else ""
            subject = expression_text(node.match.subject, self.source)
            return f"match {subject}: case {pattern}{extra}", node.match.subject
        raise AssertionError(node)


class _MatchedCase(ast.AST):
    """A `case` with the `match` it belongs to; not part of any tree."""

    def __init__(self, match: ast.Match, case: ast.match_case) -> None:
        super().__init__()
        self.match = match
        self.case = case


def matched_case(match: ast.Match, case: ast.match_case) -> ast.AST:
    """Return one node for a `case` and its `match`, to be pushed."""
    return _MatchedCase(match, case)


def _span(node: ast.AST) -> tuple[int, int]:
    """Return the first and last line of a condition, its body left out."""
    if isinstance(node, (ast.If, ast.While)):
        return node.lineno, node.test.end_lineno or node.lineno
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return node.lineno, node.iter.end_lineno or node.lineno
    if isinstance(node, ast.ExceptHandler):
        return node.lineno, (node.type.end_lineno if node.type else None) or node.lineno
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return node.lineno, node.items[-1].context_expr.end_lineno or node.lineno
    if isinstance(node, _MatchedCase):
        return node.case.pattern.lineno, node.case.pattern.end_lineno
    line = int(getattr(node, "lineno", 1))
    return line, line


def read_parameters(node: ast.expr, scope: FunctionScope) -> tuple[str, ...]:
    """Return the parameters that an expression depends on, through locals too, in signature order."""
    found: set[str] = set()
    _collect(node, scope, found, set(), 0)
    names = [argument.arg for argument in (*scope.node.args.posonlyargs, *scope.node.args.args)]
    first = names[0] if names else ""
    if scope.node.args.vararg:
        names.append(scope.node.args.vararg.arg)
    names.extend(argument.arg for argument in scope.node.args.kwonlyargs)
    if scope.node.args.kwarg:
        names.append(scope.node.args.kwarg.arg)
    return tuple(name for name in names if name in found and not (name == first and name in {"self", "cls"}))


def _collect(node: ast.expr, scope: FunctionScope, found: set[str], seen: set[str], depth: int) -> None:
    for name in names_in(node):
        if name in seen:
            continue
        seen.add(name)
        if name in scope.parameters:
            found.add(name)
        if name in scope.bindings and depth < 6:
            for assigned in scope.reaching(name):
                source = assigned.expression
                statement = assigned.statement
                if source is None and isinstance(statement, (ast.For, ast.AsyncFor)):
                    source = statement.iter
                elif source is None and isinstance(statement, (ast.With, ast.AsyncWith)):
                    source = next(
                        (
                            item.context_expr
                            for item in statement.items
                            if item.optional_vars is not None and name in target_names(item.optional_vars)
                        ),
                        None,
                    )
                if source is not None:
                    _collect(source, scope, found, seen, depth + 1)


def _inlined(node: ast.expr, scope: FunctionScope, depth: int = 0, given: str = "") -> str | None:
    """Return the expression with simple locals replaced by what they hold; None if nothing changes.

    Args:
        node: The expression.
        scope: The place that it is read at.
        depth: How many locals were followed to come here.
        given: A parameter that the expression reads as the caller gave it, although it is set again since.
    """

    def replace(name: str) -> str | None:
        if name == given or name not in scope.bindings or depth > 4:
            return None
        state = scope.reaching(name)
        if len(state) != 1 or state[0].expression is None or state[0].added:
            return None
        value = state[0].expression
        own = name if name in names_in(value) else ""
        if own and not _is_as_given(state[0].before, own, scope):
            return None
        if not is_pure(value) or _is_stale(value, own, scope, node.lineno):
            return None
        return _inlined(value, scope, depth + 1, own) or expression_text(value, scope.source)

    text = spelled(node, scope.source, replace)
    return text if text is not None and len(text) <= MAX_INLINED_CHARACTERS else None


def _is_as_given(before: list[Assigned] | None, name: str, scope: FunctionScope) -> bool:
    """Whether a name still held the caller's argument: `name = name or other` then says what it holds now."""
    return name in scope.parameters and all(
        one.expression is None and one.statement is None for one in before or ()
    )


def _is_stale(value: ast.expr, own: str, scope: FunctionScope, line: int) -> bool:
    """Whether a name that the value reads may have changed since it was evaluated; `own` is known to be as given."""
    return any(scope.bindings.changes(name, value.lineno, line) for name in names_in(value) if name != own)


def is_pure(node: ast.expr) -> bool:
    """Whether evaluating an expression again, elsewhere, gives the same and does nothing else."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.Call):
            function = current.func
            if isinstance(function, ast.Name):
                if function.id not in _PURE_CALLS:
                    return False
            elif isinstance(function, ast.Attribute):
                if function.attr not in _PURE_METHODS:
                    return False
                stack.append(function.value)
            else:
                return False
            stack.extend(current.args)
            stack.extend(keyword.value for keyword in current.keywords)
        elif isinstance(current, _PURE_NODES):
            stack.extend(child for child in ast.iter_child_nodes(current) if isinstance(child, ast.expr))
        elif isinstance(current, ast.expr):
            return False
    return True


__all__ = ["Guards", "Position", "Pushed", "is_pure", "matched_case", "read_parameters"]
