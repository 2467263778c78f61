"""Colours for Python in one pass of one pattern.

Pygments walks about thirty patterns per token: 70 % of the CPU time of a published site, nearly all
of which is Python (measured on sqlalchemy 2.1: 1.8 million tokens). Pages colour only strings,
comments, numbers, keywords and the names that a declaration gives, which one pattern finds. Every
other language is Pygments' business.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator

_EXCEPTIONS = sorted(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_SOFT = ("match", "case", "type")

_TOKEN = re.compile(
    r"(?P<c>\#[^\n]*)"
    r"|(?P<s>(?<!\w)(?:[rRbBuUfFtT]{1,2}|)(?:\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)|'''(?:\\.|[^\\])*?(?:'''|\Z)"
    r"|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?))"
    r"|(?<=\bdef )(?P<f>\w+)|(?<=\bclass )(?P<g>\w+)"
    rf"|(?<![\w.])(?P<k>(?:{'|'.join(keyword.kwlist)})\b|^[ ]*(?:{'|'.join(_SOFT)})(?=[ ]+[\w\"'\[({{*-].*:[ ]*$))"
    rf"|(?<![\w.])(?P<e>(?:{'|'.join(_EXCEPTIONS)})\b)"
    r"|(?<![\w.])(?P<m>0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?[jJ]?|\.\d[\d_]*)",
    re.MULTILINE | re.DOTALL,
)


def python_pieces(code: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of `code` in order, each with the class of its colour, empty for none."""
    last = 0
    for found in _TOKEN.finditer(code):
        start, end = found.span()
        if start == end:
            continue
        if start > last:
            yield "", code[last:start]
        kind = found.lastgroup or ""
        yield ("f" if kind == "g" else kind), found.group()
        last = end
    if last < len(code):
        yield "", code[last:]
