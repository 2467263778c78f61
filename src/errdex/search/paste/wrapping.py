"""Lines that a terminal, a tracker or a person broke or joined."""

from __future__ import annotations

import re

_WIDTHS = frozenset({79, 80, 100, 120, 132})
_SHORTEST_ONE_LINE = 60
_ONE_LINE_FRAME = re.compile(r'(?<=\S)\s++(?=File "[^"\n]{1,400}", line \d+)')
_ONE_LINE_LINK = re.compile(
    r"(?<=\S)\s++(?=(?:During handling of the above exception|The above exception was the direct cause)[^:\n]{0,80}:)"
)
_ONE_LINE_HEADER = re.compile(r"(?<=\S)\s++(?=Traceback \(most recent call last\):)")
_ONE_LINE_CLASS = re.compile(
    r"(?<=\s)(?=(?:[a-z_][\w]{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Warning|NotFound|Exit|Interrupt)(?::\s|\s*$))"
)


def unwrapped(lines: list[str]) -> list[str]:
    """Return the lines with those joined that a terminal broke at its width.

    A width is one that several lines have exactly and none exceeds (80 needs only one such line).
    """
    lengths = list(map(len, lines))
    width = max(lengths, default=0)
    if width < 60 or lengths.count(width) < (1 if width == 80 else 2 if width in _WIDTHS else 3):
        return lines
    pieces: list[list[str]] = []
    is_open = False
    for line in lines:
        if is_open and line and not _begins_anew(line, pieces[-1][0]):
            pieces[-1].append(line)
        else:
            pieces.append([line])
        is_open = len(line) == width
    return ["".join(one) for one in pieces]


def _begins_anew(line: str, before: str) -> bool:
    """Return whether a line is no continuation of `before`: a frame, a header, or the source below a frame."""
    if line.startswith(('  File "', "Traceback (")):
        return True
    return line.startswith("    ") and before.startswith('  File "')


def split_one_line(text: str) -> str:
    """Return a traceback that was written on one line, its frames and its last line on lines of their own."""
    text = _ONE_LINE_LINK.sub("\n", text)
    text = _ONE_LINE_HEADER.sub("\n", text)
    text = _ONE_LINE_FRAME.sub("\n  ", text)
    head, _, tail = text.rpartition("\n")
    found = _ONE_LINE_CLASS.search(tail, tail.find(", in ") + 5 if ", in " in tail else 0)
    if found:
        tail = tail[: found.start()].rstrip() + "\n" + tail[found.start() :]
    return head + "\n" + tail if head else tail


def is_one_line(lines: list[str]) -> bool:
    """Return whether several frames stand on one line."""
    return any(len(line) > _SHORTEST_ONE_LINE and line.count('File "') > 1 for line in lines)
