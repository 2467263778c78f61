"""Answers within a number of tokens: what matters most first, whole lines only, what was left out said."""

from __future__ import annotations

from collections.abc import Iterable

DEFAULT_TOKENS = 300
MAX_TOKENS = 8_000
CHARACTERS_PER_TOKEN = 3.4
"""Below what common tokenizers reach on English with code in it (3.5 to 4.2), so a budget is kept rather than met."""
_NOTE = "… more with a larger budget."


def tokens_of(text: str) -> int:
    """Return about how many tokens a text costs its reader; each character outside ASCII counts as one."""
    ascii_count = len(text.encode("ascii", "ignore"))
    return int(ascii_count / CHARACTERS_PER_TOKEN) + (len(text) - ascii_count) + 1


def within(lines: Iterable[str], tokens: int) -> str:
    """Return as many of `lines` as fit into `tokens`, in their order.

    The first line is cut rather than dropped. A line that does not fit ends the answer with a note:
    what is left out may be the half of a sentence's sense, so nothing after it is shown either.
    """
    left = max(tokens, 40) - tokens_of(_NOTE)
    kept: list[str] = []
    for number, line in enumerate(lines):
        cost = tokens_of(line + "\n")
        if cost <= left:
            kept.append(line)
            left -= cost
        elif number == 0:
            kept += (cut(line, left), _NOTE)
            break
        else:
            kept.append(_NOTE)
            break
    return "\n".join(kept)


def cut(text: str, tokens: int) -> str:
    """Return the start of `text` that costs at most `tokens`."""
    if tokens_of(text) <= tokens:
        return text
    kept = text[: max(1, int(tokens * CHARACTERS_PER_TOKEN) - 2)]
    while len(kept) > 1 and tokens_of(kept + "…") > tokens:
        kept = kept[: len(kept) * 3 // 4]
    return kept + "…"
