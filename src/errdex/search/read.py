"""Reading a pasted text: any text in, blocks out; never an error, in time linear in the text.

What the text is wrapped in comes off first (`paste`), then each runtime is
asked whether the lines are its own (`runtimes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from errdex.model.answer import Trace, TraceBlock
from errdex.search.paste import escapes, surroundings, wrapping
from errdex.search.runtimes.foreign import read_foreign
from errdex.search.runtimes.pages import has_page, read_page
from errdex.search.runtimes.python import read_python
from errdex.search.versions import versions_in

MOST_HEAD, MOST_TAIL = 40_000, 160_000
"""Characters kept of a longer paste: traces stand at the end of logs."""
MOST_LINE = 8_000
HEAD_LINES, TAIL_LINES = 1_500, 4_500
"""Lines kept of a paste of many short ones."""


def read_trace(text: str) -> Trace:
    """Return what a pasted text says. Text that tells of no error gives a trace without blocks."""
    if len(text) > MOST_HEAD + MOST_TAIL:
        text = text[:MOST_HEAD] + "\n" + text[-MOST_TAIL:]
    text = escapes.without_json(escapes.without_entities(escapes.without_colours(text)))
    lines = text.split("\n")
    if len(text) > MOST_LINE:
        lines = [line[:MOST_LINE] for line in lines]
    if len(lines) > HEAD_LINES + TAIL_LINES:
        lines = lines[:HEAD_LINES] + lines[-TAIL_LINES:]
    if "\n>" in text or "```" in text or text[:1] == ">":
        lines = surroundings.without_quotes(lines)
    versions = versions_in(text)
    foreign = read_foreign(text, lines)
    if foreign is not None:
        return Trace(runtime=foreign.runtime, blocks=foreign.blocks, versions=versions)
    lines = python_lines(text, lines)
    blocks = (read_page(lines) if has_page(text) else None) or read_python(lines)
    runtime: Literal["python", "unknown"] = "python" if _is_python(blocks) else "unknown"
    return Trace(runtime=runtime, blocks=tuple(blocks), versions=versions)


def python_lines(text: str, lines: list[str]) -> list[str]:
    """Return the lines of a Python trace without boxes, bars and prefixes, joined or split where they were not ended.

    `text` is what `lines` were cut from: most of what could stand around a trace is ruled out by one look at it.
    """
    if "│" in text or "┃" in text:
        lines = surroundings.without_boxes(lines)
    lines = surroundings.without_prefixes(wrapping.unwrapped(lines))
    if "|" in text or "+-" in text:
        lines = surroundings.without_bars(lines)
    if wrapping.is_one_line(lines):
        lines = [part for line in lines for part in wrapping.split_one_line(line).split("\n")]
    return lines


def _is_python(blocks: Sequence[TraceBlock]) -> bool:
    """Return whether anything in `blocks` is Python's: a frame, or a class as Python prints it."""
    return any(block.frames or block.error_class for block in blocks)
