"""Source code as lines of HTML: highlighted, numbered, the guard marked, long lines cut.

Line numbers are drawn by the stylesheet from `data-n`, so a copied block holds the code alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec
from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.token import STANDARD_TYPES, Token, _TokenType
from pygments.util import ClassNotFound

from errdex.publish.python_colours import coloured_python, marked
from errdex.publish.text import MAX_LINE_CHARACTERS, numbered_hidden, shorten

MAX_HIGHLIGHTED_CHARACTERS = 400_000
"""Beyond this a file is shown without colours: about 0.5 s of pygments."""

_CLASSES = {"k": "k", "s": "s", "c": "c", "m": "m"}
"""The four kinds worth a colour: keywords, strings, comments, numbers; a page stays small and quiet."""
_EXTRA = {"nf": "f", "nc": "f", "nd": "f", "ne": "e", "fm": "f"}
"""Names that a declaration gives, and exceptions."""


class Line(msgspec.Struct, frozen=True):
    """One line of a block."""

    number: int
    html: Markup
    mark: str
    """`throw`, `guard` or empty."""
    anchors: tuple[str, ...] = ()
    """Ids of line ranges that begin here (`L12-L30`), so that a link to a range works without a script."""
    link: tuple[str, str] | None = None
    """Address and title of the error raised here."""


def code_lines(
    code: str,
    path: str,
    *,
    start: int = 1,
    throw: Collection[int] = (),
    guard: Collection[int] = (),
) -> list[Line]:
    """Return `code` as lines of HTML, numbered from `start`; `path` tells the language."""
    lines = []
    for number, html in enumerate(_highlighted(code, path), start):
        mark = "throw" if number in throw else "guard" if number in guard else ""
        lines.append(Line(number, html, mark))
    return lines


@lru_cache(maxsize=2)
def file_lines(text: str, path: str) -> tuple[Line, ...]:
    """Return a whole file as lines; kept for the next page of it, since colours depend on all that is above."""
    return tuple(code_lines(text, path))


def fitted(lines: Sequence[Line], budget: int) -> list[Line]:
    """Return lines whose HTML takes at most `budget` bytes: where it takes more, long lines are cut and lose their colours."""
    if sum(len(line.html.encode()) for line in lines) <= budget:
        return list(lines)
    share = budget // len(lines)
    return [msgspec.structs.replace(line, html=_cut(line.html, share)) for line in lines]


def _cut(html: Markup, size: int) -> Markup:
    if len(html.encode()) <= size:
        return html
    text = re.sub(r"<[^>]*>", "", html).encode()[:size].decode("utf-8", "ignore")
    # Escaped already; what the cut leaves of a last `&lt;` must not stay.
    return Markup(re.sub(r"&[^;]*$", "", text) + "…")  # noqa: S704


def source_markup(lines: Iterable[Line]) -> Markup:
    """Return numbered lines as the content of a block: joined here, since a template takes five times as long."""
    pieces: list[str] = []
    for line in lines:
        css = f"line {line.mark}" if line.mark else "line"
        pieces.append(f'<span class="{css}" id="L{line.number}" data-n="{line.number}">')
        pieces += (f'<span id="{escape(anchor)}"></span>' for anchor in line.anchors)
        pieces.append(line.html)
        if line.link is not None:
            href, title = map(escape, line.link)
            pieces.append(f'<a class="go" href="{href}" aria-label="What this error means: {title}"></a>')
        pieces.append("\n</span>")
    # Numbers and marks are ours, `html` is escaped already, all else is escaped above.
    return Markup("".join(pieces))  # noqa: S704


def code_markup(code: str, path: str = "example.py") -> Markup:
    """Return `code` as one block of HTML, without line numbers."""
    return Markup("\n").join(_highlighted(code, path))


def _highlighted(code: str, path: str) -> Iterator[Markup]:
    """Yield one piece of HTML per line, in order, as many as `code` has lines."""
    code = re.sub(r"\r\n?", "\n", code).removesuffix("\n")
    if len(code) > MAX_LINE_CHARACTERS:
        code = "\n".join(shorten(line, MAX_LINE_CHARACTERS) for line in code.split("\n"))
    is_python = path.endswith((".py", ".pyi"))
    skipped = 1 if is_python and _opens_inside_string(code) else 0
    whole = '"""\n' + code if skipped else code
    html = coloured_python(_escaped(whole)) if is_python else _coloured(whole, path)
    # Escaped above, before our own tags came in between.
    return (Markup(line) for line in numbered_hidden(html).split("\n")[skipped:])  # noqa: S704


def _escaped(text: str) -> str:
    """Return `text` for the content of an element, where quotes are quotes: pages are a tenth smaller."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _coloured(code: str, path: str) -> str:
    """Return `code` escaped and marked in a language that Pygments knows by the file's ending."""
    if len(code) > MAX_HIGHLIGHTED_CHARACTERS:
        return _escaped(code)
    pieces: list[str] = []
    size = 0
    for kind, value in _lexer(path).get_tokens(code):
        text = value[: len(code) - size]  # a lexer ends its text with a newline of its own
        size += len(text)
        css, html = _css(kind), _escaped(text)
        pieces.append(marked(css, html) if css and html else html)
    return "".join(pieces)


@lru_cache(maxsize=512)
def _css(kind: _TokenType) -> str:
    """Return the class of a token, empty for plain text."""
    known = next((one for one in reversed(kind.split()) if one in STANDARD_TYPES), Token)
    short = STANDARD_TYPES[known]
    return _EXTRA.get(short) or _CLASSES.get(short[:1], "")


def _opens_inside_string(code: str) -> bool:
    """Say whether a window of a file starts inside a docstring.

    An odd number of triple quotes says that one is cut; it is the first when text stands before the
    quotes that ends a sentence rather than starts a string.
    """
    if code.count('"""') % 2 == 0:
        return False
    before = next(line for line in code.split("\n") if '"""' in line).partition('"""')[0].strip()
    head = code.partition('"""')[0].rstrip()
    if before:
        return before[-1] not in "=(,[{:+rRbBfFuU" and not before.endswith("return")
    return not head.endswith((":", "=", "(", ","))


@lru_cache(maxsize=64)
def _lexer_of(suffix: str) -> Lexer:
    try:
        return get_lexer_for_filename("x" + suffix, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return _text_lexer()


def _lexer(path: str) -> Lexer:
    """Return the lexer of a file by its ending, plain text where none is known."""
    name = path.rpartition("/")[2]
    return _lexer_of("." + name.rpartition(".")[2]) if "." in name else _text_lexer()


@lru_cache(maxsize=1)
def _text_lexer() -> Lexer:
    return TextLexer(stripnl=False, ensurenl=True)
