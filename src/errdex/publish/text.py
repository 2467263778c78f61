"""Text of strangers made safe to look at.

Escaping is Jinja's business (autoescape is on everywhere); this module adds what escaping leaves:
characters that hide, reorder or break the text around them are shown by their number.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from markupsafe import Markup, escape

from errdex.model.site import Hole, MessageTemplate

MAX_TITLE_CHARACTERS = 8_000
"""Longest message shown whole in a title; the JSON always has all of it."""
MAX_LINE_CHARACTERS = 2_000
"""Longest source line shown whole."""

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, bidi marks and overrides, invisible spaces, lone surrogates, tag characters. The joiners
U+200C and U+200D stay: scripts and emoji need them, and they move nothing."""

_SPAN = re.compile(r"``(?P<two>.+?)``|`(?P<one>[^`]+)`", re.DOTALL)


def visible(text: str) -> Markup:
    """Return `text` escaped, with every hidden character shown as a small `U+202E`."""
    return Markup(numbered_hidden(escape(text)))  # noqa: S704 - escaped one step before


def numbered_hidden(html: str) -> str:
    """Return HTML with every hidden character of its text shown as a small `U+202E`."""
    if html.isascii() and html.isprintable():
        return html
    return _HIDDEN.sub(lambda found: _numbered(found.group()), html)


def plain(text: str, limit: int | None = None) -> str:
    """Return `text` for places that take no markup (titles, JSON): hidden characters as `U+202E`, cut at `limit`."""
    shown = _HIDDEN.sub(lambda found: f"U+{ord(found.group()):04X}", text)
    return shorten(shown, limit) if limit is not None else shown


def without_hidden(text: str) -> str:
    """Return `text` with a replacement character for each hidden one: its number takes seventy bytes of a page."""
    return _HIDDEN.sub("\ufffd", text)


def shorten(text: str, limit: int) -> str:
    """Return `text` in at most `limit` characters, the last an ellipsis where it was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def inline(text: str) -> Markup:
    """Return a sentence with its `code` spans marked; no other markup is read out of it."""
    pieces: list[Markup] = []
    last = 0
    for found in _SPAN.finditer(text):
        code = found.group("two") or found.group("one")
        pieces += (visible(text[last : found.start()]), Markup("<code>") + visible(code) + Markup("</code>"))
        last = found.end()
    pieces.append(visible(text[last:]))
    return Markup("").join(pieces)


def message_markup(message: str, template: MessageTemplate | None) -> Markup:
    """Return a message with its holes marked, as far as they can be found in the words as written."""
    shown = shorten(message, MAX_TITLE_CHARACTERS)
    pieces: list[Markup] = []
    last = 0
    for hole in template.holes if template is not None else ():
        at = shown.find(hole.written, last) if hole.written else -1
        if at < 0:
            break
        pieces += (visible(shown[last:at]), Markup("<var>") + visible(hole.written) + Markup("</var>"))
        last = at + len(hole.written)
    pieces.append(visible(shown[last:]))
    return Markup("").join(pieces)


def hole_words(hole: Hole) -> str:
    """Return what a hole's conversion and format do to its value, or nothing."""
    words = []
    if hole.conversion == "r":
        words.append("as `repr()` shows it")
    if hole.spec:
        words.append(f"formatted `{hole.spec}`")
    return ", ".join(words)


@cache
def _numbered(character: str) -> Markup:
    """Return the visible stand-in of one hidden character."""
    name = unicodedata.name(character, "control character")
    return Markup('<span class="hidden" title="{}">U+{:04X}</span>').format(name, ord(character))
