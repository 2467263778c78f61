"""The function around a line of Python source, and the hash that a proof is bound to."""

from __future__ import annotations

import ast
import hashlib

_WHOLE = (1, 1 << 30)


def function_span(source: str, line: int) -> tuple[int, int]:
    """Return first (decorators included) and last line of the innermost function around `line`.

    The whole file where there is none.

    Raises:
        SyntaxError: this interpreter does not read the source.
        ValueError: it holds null bytes.
    """
    best = _WHOLE
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            last = node.end_lineno or node.lineno
            if first <= line <= last and last - first <= best[1] - best[0]:
                best = (first, last)
    return best


def function_hash(source: str, line: int) -> str:
    """Return the sha256 (hex) of the source of the function around `line`; raises as `function_span`."""
    first, last = function_span(source, line)
    return hashlib.sha256("\n".join(source.splitlines()[first - 1 : last]).encode()).hexdigest()
