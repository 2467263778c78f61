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


def coloured_python(code: str) -> str:
    """Return `code`, in which `&`, `<` and `>` are escaped already, with its coloured pieces marked."""
    return _TOKEN.sub(_marked, code)


def _marked(found: re.Match[str]) -> str:
    text, kind = found.group(), found.lastgroup or ""
    return marked("f" if kind == "g" else kind, text) if text else ""


def marked(css: str, html: str) -> str:
    """Return a piece of HTML with its colour, on each of its lines anew: every line is an element of its own."""
    open_tag = f'<i class="{css}">'
    if "\n" in html:
        html = html.replace("\n", f"</i>\n{open_tag}")
    return f"{open_tag}{html}</i>"
