"""Docstring text -> what it says of the callable, its parameters and its errors.

Reads the numpy, Google, reStructuredText and epytext conventions through
`docstring_parser`. That library refuses a whole docstring for one malformed
entry and runs a section on into the next unknown one, so the entries are cut
out here first and only well-formed ones are handed to it. Never raises: text
in no known style still has its first sentence.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import msgspec
from docstring_parser import Docstring, DocstringStyle, ParseError, parse

from errdex.link.docstring_sections import (
    NUMPY_UNDERLINE,
    READERS,
    Entry,
    Style,
    indent_of,
    is_untitled,
    starts_section,
    style_of,
)
from errdex.link.markup import cut, first_sentence, plain
from errdex.model.site import DocumentedRaise

MAX_DOCSTRING_CHARACTERS = 60_000
"""The longest docstring of the bench packages has 42,857 characters, nearly all of it examples."""
MAX_SUMMARY_CHARACTERS = 300
_MAX_HEADER_CHARACTERS = 300
_CACHED_DOCSTRINGS = 2_048

_SIGNATURE = re.compile(r"^[\w.]+\(.*\)(?:\s*->.*)?$")
_OPTIONAL = re.compile(
    r"(?:^|[,;(]|\s)\s*\*?(?:optional\b(?!\[)|default(?:s|ed)?\b).*$", re.IGNORECASE | re.DOTALL
)
_COLON = "\ue000"
"""Stands for a colon inside a header while the library splits at the first one; private use, so in no docstring."""


class DocstringFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a docstring says. Texts are one line, `code` in backticks."""

    summary: str | None = None
    """First sentence, at most 300 characters."""
    params: dict[str, tuple[str | None, str | None]] = {}
    """Name without stars -> its words (at most 500 characters) and its type as stated, no backticks."""
    raises: tuple[DocumentedRaise, ...] = ()
    """In docstring order; a class named without a condition has an empty text."""


def docstring_facts(text: str) -> DocstringFacts:
    """Return what `text` (a docstring, indented or not) says; an empty record where it says nothing."""
    return _facts(text[:MAX_DOCSTRING_CHARACTERS])


@lru_cache(maxsize=_CACHED_DOCSTRINGS)
def _facts(text: str) -> DocstringFacts:
    lines = inspect.cleandoc(text.expandtabs(4)).splitlines()
    style = style_of(lines)
    summary = _summary(lines)
    if style == "plain":
        return DocstringFacts(summary=summary)
    entries = list(READERS[style](lines))
    params: dict[str, tuple[str | None, str | None]] = {}
    raises: list[DocumentedRaise] = []
    for parsed in _parse(entries, style):
        for param in parsed.params:
            for name in _parameter_names(param.arg_name):
                known_doc, known_type = params.get(name, (None, None))
                stated = _plain_type(param.type_name)
                params[name] = (known_doc or _restore(param.description), known_type or stated)
        raises += [
            DocumentedRaise(error_class=error_class, text=_restore(entry.description) or "")
            for entry in parsed.raises
            for error_class in _class_names(entry.type_name)
        ]
    return DocstringFacts(summary=summary, params=params, raises=tuple(raises))


def docstring_style(text: str) -> Style:
    """Return the convention `text` follows; `plain` when it has no section that names parameters or errors."""
    return style_of(inspect.cleandoc(text[:MAX_DOCSTRING_CHARACTERS].expandtabs(4)).splitlines())


def _parse(entries: list[Entry], style: Style) -> Iterator[Docstring]:
    """Hand the entries to the library: all at once, else one by one, so that one bad entry costs only itself."""
    if not entries:
        return
    whole = _parsed(entries, style)
    if whole is not None:
        yield whole
        return
    for entry in entries:
        single = _parsed([entry], style)
        if single is not None:
            yield single


def _parsed(entries: list[Entry], style: Style) -> Docstring | None:
    render, library_style = _RENDERERS[style]
    try:
        return parse(render(entries), library_style)
    except (ParseError, ValueError, IndexError, AttributeError):
        return None  # the library leaks the last three on odd headers (seen with 0.18 under hypothesis)


def _as_numpy(entries: Iterable[Entry]) -> str:
    pieces = ["x", ""]
    for role, title in (("param", "Parameters"), ("raises", "Raises")):
        rows = [entry for entry in entries if entry.role == role]
        if rows:
            pieces += [title, "-" * len(title)]
            pieces += [line for row in rows for line in (row.header, f"    {row.text}")]
    return "\n".join(pieces)


def _as_google(entries: Iterable[Entry]) -> str:
    pieces = ["x", ""]
    for role, title in (("param", "Args:"), ("raises", "Raises:")):
        rows = [entry for entry in entries if entry.role == role]
        if rows:
            pieces.append(title)
            pieces += [f"  {_hide(row.header, role)}: {row.text}" for row in rows]
    return "\n".join(pieces)


def _hide(header: str, role: str) -> str:
    text = plain(header)
    if role == "raises":
        text = text.replace("`", "")
    return text.replace(":", _COLON)[:_MAX_HEADER_CHARACTERS]


def _as_rest(entries: Iterable[Entry]) -> str:
    return "\n".join(
        f":{entry.role} {_one_word(entry)}: {entry.text}" for entry in entries if _one_word(entry)
    )


def _as_epytext(entries: Iterable[Entry]) -> str:
    keyword = {"param": "param", "type": "type", "raises": "raise"}
    return "\n".join(
        f"@{keyword[entry.role]} {_one_word(entry)}: {entry.text}" for entry in entries if _one_word(entry)
    )


def _one_word(entry: Entry) -> str:
    """Return the header as the one argument a field takes; several classes are told apart again later."""
    return re.sub(r"\s*(?:[,/|]|\bor\b)\s*|\s+", "|", entry.header.replace(":", "")).lstrip("\\*")


_RENDERERS: dict[Style, tuple[Callable[[Iterable[Entry]], str], DocstringStyle]] = {
    "numpy": (_as_numpy, DocstringStyle.NUMPYDOC),
    "google": (_as_google, DocstringStyle.GOOGLE),
    "rest": (_as_rest, DocstringStyle.REST),
    "epytext": (_as_epytext, DocstringStyle.EPYDOC),
}


def _parameter_names(header: str | None) -> list[str]:
    """Return the names a header lists (`x, y`; `*args, **kwargs`), stars, quotes and dots removed."""
    names = (part.strip().strip("*\\`").strip() for part in re.split(r"[,/|]", header or ""))
    return [name for name in names if name.isidentifier()]


def _class_names(header: str | None) -> list[str]:
    parts = re.split(r"\s*[,/|]\s*|\s+or\s+", (header or "").strip())
    return [part for part in parts if re.fullmatch(r"[A-Za-z_][\w.]*", part)]


def _plain_type(stated: str | None) -> str | None:
    """Return a stated type without backticks, `optional` and defaults, which the signature tells better."""
    if not stated:
        return None
    text = _OPTIONAL.sub("", plain(stated.replace(_COLON, ":")).replace("`", ""))
    return cut(text.strip(" ,;"), 200) or None


def _restore(text: str | None) -> str | None:
    return text.replace(_COLON, ":").strip() or None if text else None


def _summary(lines: list[str]) -> str | None:
    """Return the first sentence of the first paragraph that is prose; None when a section comes first."""
    if is_untitled(lines):
        return None
    paragraph: list[str] = []
    in_directive = False
    for number, line in enumerate(lines):
        text = line.strip()
        if starts_section(lines, number):
            break
        in_directive = text.startswith(".. ") or (in_directive and (not text or indent_of(line) > 0))
        if in_directive or text.startswith((">>>", "```")):
            if paragraph:
                break
        elif text and not _SIGNATURE.match(text) and not NUMPY_UNDERLINE.match(line):
            paragraph.append(text)
        elif paragraph:
            break
    return cut(first_sentence(plain(" ".join(paragraph))), MAX_SUMMARY_CHARACTERS) or None
