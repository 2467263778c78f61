"""Text for a terminal: styles, and what is analysed made harmless."""

from __future__ import annotations

from collections.abc import Callable

BOLD, DIM, RED, GREEN, YELLOW = "1", "2", "31", "32", "33"
"""Parameters of the terminal's "select graphic rendition"."""

Paint = Callable[[str, str], str]
"""Takes a text and a style; the text comes back harmless, styled where there is colour."""


def paint_for(*, colour: bool) -> Paint:
    """Return what styles text, or what only makes it harmless."""
    return _styled if colour else _plain


def visible(text: str) -> str:
    """Return `text` with control and direction characters escaped: what is analysed may be hostile."""
    return "".join(each if each.isprintable() or each in "\n\t" else f"\\u{ord(each):04x}" for each in text)


def _styled(text: str, style: str) -> str:
    return f"\x1b[{style}m{visible(text)}\x1b[0m"


def _plain(text: str, _style: str) -> str:
    return visible(text)
