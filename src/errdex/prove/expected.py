"""Where a test expects an error, and the statements that lead there with the expectation taken off.

Nothing runs here. `with raises(X): f(1)` becomes `f(1)`; what stands before it is
kept, but for other expectations and for what is only asserted.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Sequence

import msgspec

_RAISES = re.compile(r"raises", re.IGNORECASE)
_ASSERTS = re.compile(r"^assert", re.IGNORECASE)
_MAX_ROWS = 12
"""Rows of a parametrised test that are tried."""


class Expected(msgspec.Struct, frozen=True):
    """One place of a test function where an error is expected."""

    statement: ast.stmt
    """The `with`, or the call that is given the callable."""
    classes: tuple[str, ...]
    """Last parts of the expected classes' names; empty where they are computed."""
    words: str
    """The text that is expected, as written; empty where the test does not say."""
    names: frozenset[str]
    """Every name, attribute and keyword that stands in the failing part."""


def expected_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Expected]:
    """Yield the places of a test function where it expects an error, in source order."""
    for node in ast.walk(function):
        if isinstance(node, ast.With | ast.AsyncWith):
            call = next((each.context_expr for each in node.items if _expects(each.context_expr)), None)
            if isinstance(call, ast.Call):
                yield _expected(node, call, node.body)
        elif isinstance(node, ast.Expr) and _expects(node.value):
            assert isinstance(node.value, ast.Call)
            if len(node.value.args) > 1:
                yield _expected(node, node.value, [node])


def _expects(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and bool(_RAISES.search(last_name(node.func))) and bool(node.args)


def _expected(statement: ast.stmt, call: ast.Call, body: Sequence[ast.stmt]) -> Expected:
    first = call.args[0]
    classes = first.elts if isinstance(first, ast.Tuple) else [first]
    texts = [*call.args[1:2], *(each.value for each in call.keywords if each.arg in ("match", "message"))]
    words = " ".join(
        part.value
        for each in texts
        for part in ast.walk(each)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
    names = {_name(node) for each in body for node in ast.walk(each)}
    return Expected(statement, tuple(filter(None, map(last_name, classes))), words, frozenset(names))


def _name(node: ast.AST) -> str:
    """Return what a node calls something by: a variable's name, an attribute's, a keyword argument's."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.keyword):
        return node.arg or ""
    return node.id if isinstance(node, ast.Name) else ""


def last_name(node: ast.expr) -> str:
    """Return the last part of a dotted name; empty for what is none."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def leading_to(body: Sequence[ast.stmt], target: ast.stmt) -> list[ast.stmt]:
    """Return copies of the statements up to `target`, which stands bare at the end."""
    found: list[ast.stmt] = []
    for each in body:
        if each is target:
            return [*found, *_bare(each)]
        if any(node is target for node in ast.walk(each)):
            found.append(_opened(each, target))
            if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                return found
        elif not _is_assertion(each):
            found.append(as_import(each) or copy.deepcopy(each))
    return found


def as_import(statement: ast.stmt) -> ast.Import | None:
    """Return `np = pytest.importorskip("numpy")` as the import that it is; None for any other statement."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.Call) or last_name(value.func) != "importorskip" or not value.args:
        return None
    assert isinstance(statement, ast.Assign)
    module, target = value.args[0], statement.targets[0]
    if not isinstance(module, ast.Constant) or not isinstance(target, ast.Name):
        return None
    return ast.Import([ast.alias(str(module.value), target.id)])


def _opened(holder: ast.stmt, target: ast.stmt) -> ast.stmt:
    """Return a compound statement whose block ends with the bare target."""
    opened = copy.copy(holder)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(holder, name, None)
        if isinstance(block, list) and any(node is target for each in block for node in ast.walk(each)):
            setattr(opened, name, leading_to(block, target))
    return opened


def _bare(statement: ast.stmt) -> list[ast.stmt]:
    """Return the failing part of an expectation."""
    if isinstance(statement, ast.With | ast.AsyncWith):
        others = [each for each in statement.items if not _expects(each.context_expr)]
        body = [each for each in copy.deepcopy(statement.body) if not _is_assertion(each)]
        if not others:
            return body
        return [type(statement)(items=others, body=body, type_comment=None)]
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    call = statement.value
    rest = [
        each
        for each in call.args[1:]
        if not (isinstance(each, ast.Constant) and isinstance(each.value, str)) or each is not call.args[1]
    ]
    if not rest:
        return []
    called, *arguments = rest
    keywords = [each for each in call.keywords if each.arg not in ("match", "message", "msg")]
    made = called.body if isinstance(called, ast.Lambda) else ast.Call(called, arguments, keywords)
    return [ast.Expr(copy.deepcopy(made))]


def _is_assertion(statement: ast.stmt) -> bool:
    """Whether a statement only looks at what is there: it, or all that is in it, asserts or expects."""
    if isinstance(statement, ast.Assert):
        return True
    if isinstance(statement, ast.Expr):
        value = statement.value
        if isinstance(value, ast.Constant):
            return True
        return isinstance(value, ast.Call) and bool(
            _ASSERTS.match(last_name(value.func)) or _RAISES.search(last_name(value.func))
        )
    if isinstance(statement, ast.With | ast.AsyncWith):
        return any(_expects(each.context_expr) for each in statement.items)
    return False


def rows_of(decorators: Sequence[ast.expr]) -> list[dict[str, ast.expr]]:
    """Return what `parametrize` gives the parameters of a test, a row at a time; one empty row where it is not used."""
    rows: list[dict[str, ast.expr]] = [{}]
    for each in decorators:
        if not isinstance(each, ast.Call) or last_name(each.func) != "parametrize" or len(each.args) < 2:
            continue
        names = _names_given(each.args[0])
        values = each.args[1].elts if isinstance(each.args[1], ast.List | ast.Tuple) else []
        given = [row for value in values[:_MAX_ROWS] if (row := _row(names, value)) is not None]
        if given:
            rows = [row | more for row in rows for more in given][: 2 * _MAX_ROWS]
    return rows


def _names_given(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [each.strip() for each in node.value.split(",")]
    if isinstance(node, ast.List | ast.Tuple):
        return [str(each.value) for each in node.elts if isinstance(each, ast.Constant)]
    return []


def _row(names: Sequence[str], value: ast.expr) -> dict[str, ast.expr] | None:
    if isinstance(value, ast.Call) and last_name(value.func) == "param":
        parts: Sequence[ast.expr] = value.args
    elif len(names) == 1:
        parts = [value]
    else:
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else ()
    return dict(zip(names, parts, strict=True)) if len(parts) == len(names) else None
