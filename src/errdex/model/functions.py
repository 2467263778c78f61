"""Python source parsed once, the functions around a line of it, and the hash that a proof is bound to."""

from __future__ import annotations

import ast
import hashlib
from functools import lru_cache

Function = ast.FunctionDef | ast.AsyncFunctionDef
_WHOLE = (1, 1 << 30)


@lru_cache(maxsize=8)
def parsed(source: str) -> ast.Module:
    """Return the syntax tree of `source`; shared, so not to be changed. Raises as `ast.parse`."""
    return ast.parse(source)


def functions_around(tree: ast.Module, line: int) -> list[Function]:
    """Return the functions that hold `line` (their decorators included), outermost first."""
    found: list[Function] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function):
            found.append(node)
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) and _holds(child, line)
        ]
    return found


def _holds(node: ast.AST, line: int) -> bool:
    if isinstance(node, ast.match_case):
        return bool(node.body) and node.pattern.lineno <= line <= (node.body[-1].end_lineno or 0)
    assert isinstance(node, ast.stmt | ast.ExceptHandler)
    return _first_line(node) <= line <= (node.end_lineno or node.lineno)


def _first_line(node: ast.stmt | ast.ExceptHandler) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def function_span(source: str, line: int) -> tuple[int, int]:
    """Return first (decorators included) and last line of the innermost function around `line`.

    The whole file where there is none.

    Raises:
        SyntaxError: this interpreter does not read the source.
        ValueError: it holds null bytes.
    """
    around = functions_around(parsed(source), line)
    return (_first_line(around[-1]), around[-1].end_lineno or 0) if around else _WHOLE


def function_hash(source: str, line: int) -> str:
    """Return the sha256 (hex) of the source of the function around `line`; raises as `function_span`."""
    first, last = function_span(source, line)
    return hashlib.sha256("\n".join(source.splitlines()[first - 1 : last]).encode()).hexdigest()
