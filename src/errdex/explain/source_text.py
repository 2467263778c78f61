"""What the lines around a site say that its conditions do not: indentation, `try` bodies, assignments."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache

from errdex.model.site import Condition

NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_SCAN_LINES = 400
"""An `else` that starts further up is taken for an earlier guard."""


def encloses(condition: Condition, line: int, lines: Sequence[str]) -> bool:
    """Whether the site at `line` stands in the `else` of `condition`: nothing between them leaves its indentation."""
    if line > len(lines) or line - condition.line > _SCAN_LINES:
        return False
    indent = indentation(lines[condition.line - 1])
    for number in range(condition.end_line, line):
        text = lines[number]
        if text.strip() and indentation(text) <= indent and not _continues(text):
            return False
    return True


def _continues(text: str) -> bool:
    return text.lstrip().startswith(("else", "elif", ")", "]", "}", "#"))


@lru_cache(maxsize=4_000)
def indentation(line: str) -> int:
    """Return how many characters of white space a line starts with."""
    return len(line) - len(line.lstrip())


def is_rebound(name: str, body: Sequence[str]) -> bool:
    """Whether a local is assigned more than once, in a loop or by `+=`, or filled later: its first value is not its value."""
    bound = 0
    for line in body:
        if name not in line:
            continue
        text = line.partition("#")[0]
        if any(name in pattern.findall(text) for pattern in _CHANGED):
            return True
        if any(name in NAME.findall(targets) for targets in _LOOPED.findall(text)):
            return True
        bound += any(name in NAME.findall(targets) for targets in _ASSIGNED.findall(text))
    return bound > 1


_CHANGED = (
    re.compile(r"([A-Za-z_]\w*)\s*(?:[-+*/%|&^@]|//|>>|<<|\*\*)=(?!=)"),
    re.compile(r"([A-Za-z_]\w*)\[[^\]]*\]\s*[-+*/|&]?=(?!=)"),
    re.compile(
        r"([A-Za-z_]\w*)\.(?:append|add|extend|update|insert|pop|remove|clear|discard|setdefault|popleft|appendleft)\("
    ),
    re.compile(r"\bas ([A-Za-z_]\w*)"),
)
"""What changes a local after its assignment, as text of one line."""
_LOOPED = re.compile(r"\bfor\b(.*?)\bin\b")
_ASSIGNED = re.compile(r"^\s*([A-Za-z_][\w\s,.*()\[\]:|]*?)(?<![=!<>:+\-*/%&|^@])=(?!=)")
"""The targets of an assignment; its annotation may be among them."""
_TRY_LINES = 12
"""A `try` body longer than this is not quoted, so looking further up is of no use."""


def tried_expression(lines: Sequence[str], except_line: int) -> str:
    """Return the one expression that the `try` of the handler at `except_line` evaluates, else an empty text."""
    if not 0 < except_line <= len(lines):
        return ""
    indent = indentation(lines[except_line - 1])
    body: list[str] = []
    for number in range(except_line - 1, max(0, except_line - _TRY_LINES), -1):
        line = lines[number - 1]
        if line.strip() and indentation(line) <= indent:
            return _single("\n".join(reversed(body))) if line.strip() == "try:" else ""
        body.append(line)
    return ""


@lru_cache(maxsize=4_000)
def _single(body: str) -> str:
    """Return what a body of one statement evaluates: its right-hand side, an import whole; empty for other bodies."""
    text = textwrap.dedent(body).strip()
    if not text or len(text) > 160:
        return ""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError):
        return ""
    match statements:
        case [ast.Import() | ast.ImportFrom() as imported]:
            return ast.unparse(imported)
        case [
            ast.Assign(value=value)
            | ast.Return(value=ast.expr() as value)
            | ast.Expr(value=value)
            | ast.AnnAssign(value=ast.expr() as value)
            | ast.AugAssign(value=value)
        ]:
            return ast.unparse(value.value if isinstance(value, ast.Await) else value)
    return ""


_HANDLER = re.compile(r"\s*except\b\s*(.*?)(?:\s+as\s+\w+)?\s*:")


def handler_around(lines: Sequence[str], line: int) -> str | None:
    """Return the class that the handler around the definition at `line` catches; None where there is no handler."""
    if not 0 < line <= len(lines):
        return None
    indent = indentation(lines[line - 1])
    for number in range(line - 1, max(0, line - _SCAN_LINES), -1):
        if not indent:
            return None
        text = lines[number - 1]
        if text.strip() and indentation(text) < indent:
            found = _HANDLER.match(text)
            if found is not None:
                return found[1]
            indent = indentation(text)
    return None
