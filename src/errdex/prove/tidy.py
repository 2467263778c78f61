"""The source of programs as a person writes it: one kind of quotes."""

from __future__ import annotations

import io
import re
import tokenize

_PLAIN = re.compile(r"([A-Za-z]*)'([^'\"\\]*)'")
"""A literal in single quotes with nothing in it that double quotes would change."""


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
