"""The source of programs as a person writes it: one kind of quotes, one import for each module, room around definitions."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Sequence

_PLAIN = re.compile(r"([A-Za-z]*)'([^'\"]*)'")
"""A literal in single quotes with nothing in it that double quotes would change."""

_FROM = re.compile(r"(from \S+ import) (\w+(?: as \w+)?(?:, \w+(?: as \w+)?)*)")


def tidied(program: str) -> str:
    """Return a program with texts in double quotes, where nothing in them stands against it."""
    lines = program.splitlines(keepends=True)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(program).readline))
    except (tokenize.TokenError, SyntaxError):
        return program
    for token in reversed(tokens):
        if token.type != tokenize.STRING or token.start[0] != token.end[0]:
            continue
        if plain := _PLAIN.fullmatch(token.string):
            prefix, inner = plain.groups()
            row, line = token.start[0] - 1, lines[token.start[0] - 1]
            lines[row] = f'{line[: token.start[1]]}{prefix}"{inner}"{line[token.end[1] :]}'
    return "".join(lines)


def joined_imports(lines: Iterable[str]) -> list[str]:
    """Return import statements in order, plain ones first, one for each module."""
    names: dict[str, set[str]] = {}
    plain = set()
    for line in lines:
        if found := _FROM.fullmatch(line):
            names.setdefault(found.group(1), set()).update(found.group(2).split(", "))
        else:
            plain.add(line)
    merged = [f"{head} {', '.join(sorted(each))}" for head, each in names.items()]
    return sorted([*plain, *merged], key=lambda line: (line.startswith("from"), line))


def laid_out(statements: Sequence[ast.stmt]) -> str:
    """Return the source of statements, two empty lines around functions and classes."""
    text = ""
    was_definition = False
    for each in statements:
        is_definition = isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        room = "\n\n\n" if text and (is_definition or was_definition) else "\n" if text else ""
        text += room + ast.unparse(each).strip()
        was_definition = is_definition
    return text
