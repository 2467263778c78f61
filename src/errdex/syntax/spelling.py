"""Expressions as source text: as written, or with some of their names replaced."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from typing import TypeGuard

from errdex.syntax.text import SourceText

_POSITIONS_EXACT = sys.version_info >= (3, 12)
"""Before 3.12 (PEP 701) columns inside some f-strings are wrong, so a segment is compared with the tree."""
_IGNORED = str.maketrans("", "", " \t\n\r'\"()\\,")
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.Tuple)


def expression_text(node: ast.expr, source: SourceText) -> str:
    """Return an expression as it is written, on one line."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    if getattr(node, "lineno", 0) <= 0:
        return unparsed(node) or "…"
    text = source.segment(node)
    if "\n" in text:
        return unparsed(node) or " ".join(text.split())
    if (
        not _POSITIONS_EXACT
        and b"{" in source.raw_line(node.lineno)
        and isinstance(node, (ast.Call, ast.Subscript, ast.Attribute, ast.BinOp, ast.IfExp))
    ):
        made = unparsed(node)
        if made is not None and made != text and made.translate(_IGNORED) != text.translate(_IGNORED):
            return made
    return text


def unparsed(node: ast.AST) -> str | None:
    """Return source made from a tree; None where this interpreter cannot (a backslash in an f-string before 3.12)."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return None


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield the names that an expression reads, in no particular order."""
    for name in name_nodes(node):
        yield name.id


def name_nodes(node: ast.AST) -> Iterator[ast.Name]:
    """Yield the name nodes of an expression, in no particular order."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.Name):
            yield current
            continue
        for (
            field
        ) in current._fields:  # not `__dict__`: `executing` hangs a `parent` on nodes that all trees share
            value = getattr(current, field, None)
            if value.__class__ is list:
                stack.extend(item for item in value if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST):
                stack.append(value)


def spelled(
    node: ast.expr,
    source: SourceText,
    replace: Callable[[str], str | None],
    replace_attribute: Callable[[ast.Attribute], str | None] | None = None,
) -> str | None:
    """Return an expression with names replaced; None if none is, or if the text cannot be taken apart.

    Args:
        node: The expression.
        source: Where it stands.
        replace: Gives the text that stands for a name, None to keep it.
        replace_attribute: The same for attributes of `self`.
    """
    if isinstance(node, ast.Name):
        return replace(node.id)
    if replace_attribute is not None and _is_of_self(node):
        return replace_attribute(node)
    if getattr(node, "lineno", 0) <= 0:
        return None
    known: dict[str, str | None] = {}
    edits: list[tuple[int, int, int, str]] = []
    for name in name_nodes(node):
        if name.id not in known:
            known[name.id] = replace(name.id)
        text = known[name.id]
        if text is not None:
            edits.append(
                (name.lineno, name.col_offset, len(name.id.encode()), text if _is_atom(text) else f"({text})")
            )
    if replace_attribute is not None:
        for attribute in ast.walk(node):
            if _is_of_self(attribute) and (text := replace_attribute(attribute)) is not None:
                length = (attribute.end_col_offset or 0) - attribute.col_offset
                shown = text if _is_atom(text) else f"({text})"
                edits.append((attribute.lineno, attribute.col_offset, length, shown))
    if not edits:
        return None
    if not _POSITIONS_EXACT and any(isinstance(inner, ast.JoinedStr) for inner in ast.walk(node)):
        return None
    lines = {
        number: source.raw_line(number) for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    last = node.end_lineno or node.lineno
    lines[last] = lines[last][: node.end_col_offset]
    for number, column, length, text in sorted(edits, reverse=True):
        line = lines[number]
        lines[number] = line[:column] + text.encode() + line[column + length :]
    lines[node.lineno] = lines[node.lineno][node.col_offset :]
    text = b"\n".join(lines[number] for number in sorted(lines)).decode("utf-8", "replace")
    if len(lines) == 1:
        return text
    parsed = parsed_expression(text)
    return unparsed(parsed) if parsed is not None else None


def _is_of_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_atom(text: str) -> bool:
    """Whether an expression can stand anywhere without parentheses."""
    if text.replace(".", "").replace("_", "").isalnum():
        return True
    parsed = parsed_expression(text)
    if isinstance(parsed, ast.Tuple):
        return text.startswith("(")
    if isinstance(parsed, ast.Constant):
        return not isinstance(parsed.value, (int, float))
    return isinstance(parsed, _ATOMS)


def parsed_expression(text: str) -> ast.expr | None:
    """Return the tree of an expression; None if it is none."""
    try:
        return ast.parse(f"({text}\n)" if "\n" in text else text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
