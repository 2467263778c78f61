"""What stands around the lines of a trace: quotes, fences, boxes, bars, log and container prefixes."""

from __future__ import annotations

import re

_FENCE = re.compile(r"(?:```|~~~)\s*+[\w+-]*+")
_BOX_EDGE = re.compile(r"\s*[╭╰┌└├╔╚╠┏┗][─═━\-┄ ]{2}.*|\s*[─━═]{8,}\s*")
_PANEL_CHARACTERS = ("│", "┃", "╭", "╰", "┌", "└", "├")
_QUOTED_SHARE = 0.8
_GROUP_EDGE = re.compile(r"[\s|]*\+[-+]*-{4,}.*")
_GROUP_BAR = re.compile(r"\s{0,40}\| ?")


def without_quotes(lines: list[str]) -> list[str]:
    """Return the lines without the `> ` of a quoted mail or comment, and without code fences."""
    lines = [line for line in lines if not _FENCE.fullmatch(line.strip())]
    for _ in range(3):
        full = [line for line in lines if line.strip()]
        quoted = sum(line.lstrip().startswith(">") and not line.lstrip().startswith(">>>") for line in full)
        if not full or quoted < max(2, _QUOTED_SHARE * len(full)):
            break
        lines = [
            line.lstrip()[1:].removeprefix(" ") if line.lstrip().startswith(">") else line for line in lines
        ]
    return lines


def without_boxes(lines: list[str]) -> list[str]:
    """Return the lines inside boxes drawn by rich and others; panels of local variables and value arrows left out."""
    kept: list[str] = []
    for line in lines:
        stripped = line.strip()
        if _BOX_EDGE.fullmatch(line):
            continue
        if stripped.startswith(("│", "┃")):
            boxed = stripped[-1] in "│┃" and len(stripped) > 1
            inner = stripped[1:-1] if boxed else stripped[1:]
            if inner.lstrip().startswith(_PANEL_CHARACTERS) or (not boxed and "└" in inner):
                continue
            _keep_row(kept, inner.removeprefix(" ").rstrip())
        elif not (stripped.startswith("└") and kept):
            kept.append(line)
    return kept


_OPEN_PATH = re.compile(r"(?:[~/]|[A-Za-z]:\\)[^\s:]{30,600}")
_OPEN_FRAME = re.compile(r"(?:[~/]|[A-Za-z]:\\).{1,600}\.py:\d{1,9} in")


def _keep_row(kept: list[str], row: str) -> None:
    """Append a box's row; a frame that the box's width broke is put together again."""
    if kept and row[:1].strip() and _OPEN_FRAME.fullmatch(kept[-1]):
        kept[-1] += f" {row}"
    elif kept and row[:1].strip() and _OPEN_PATH.fullmatch(kept[-1]) and ".py:" not in kept[-1]:
        kept[-1] += row
    else:
        kept.append(row)


MEMBER_RULE = "+---- member ----"
"""Stands for the numbered rule above a member of an exception group."""


def without_bars(lines: list[str]) -> list[str]:
    """Return the lines of an exception group without its bars; the rule above each member becomes `MEMBER_RULE`."""
    kept: list[str] = []
    for line in lines:
        stripped = line.lstrip()
        if stripped.startswith("+ ") and "Traceback" in stripped:
            kept.append(stripped[2:])
        elif stripped.startswith("+-") and _GROUP_EDGE.fullmatch(line):
            kept.append(MEMBER_RULE if any(map(str.isalnum, stripped)) else "")
        elif stripped.startswith("| ") or stripped == "|":
            kept.append(_GROUP_BAR.sub("", line, count=1))
        else:
            kept.append(line)
    return kept


_ANCHOR = 'File "'


def without_prefixes(lines: list[str]) -> list[str]:
    """Return the lines without what a logger, container or CI writes before each of them.

    The prefix is what stands before the frames of the trace; it is taken off every line that has the same
    one, digits aside.
    """
    for line in lines:
        at = line.find(_ANCHOR)
        if at > 0 and line[:at].strip(" >"):
            return _strip_all(lines, line[:at].rstrip())
    return lines


def _strip_all(lines: list[str], prefix: str) -> list[str]:
    pieces = re.split(r"(\d+)", prefix)
    stripped = []
    same = 0
    for line in lines:
        end = _prefix_end(line, pieces)
        same += end > 0
        stripped.append(line[end:] if end else line)
    return stripped if same > 1 else lines


def _prefix_end(line: str, pieces: list[str]) -> int:
    """Return where the prefix ends in `line`: literal pieces as they are, digits as any digits; 0 if it is not there."""
    at = 0
    for number, piece in enumerate(pieces):
        if number % 2:
            start = at
            while at < len(line) and line[at].isdigit():
                at += 1
            if at == start:
                return 0
        elif line.startswith(piece, at):
            at += len(piece)
        elif number == len(pieces) - 1 and line.startswith(piece.rstrip(), at):
            return len(line)
        else:
            return 0
    return at


_STAMP = re.compile(
    r"\s*(?:"
    r"(?P<strong>\d{4}[-/]\d\d[-/]\d\d[T _-]+\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| UTC)?"
    r"|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?: [\w.-]{1,60}){0,2}(?:\[\d+\])?:"
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,100}:"
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE|TRACE|EROR)\b:?"
    r"|[\w./-]{1,60} +\|"
    r"|\d{1,6}s\b|Step #\d{1,6}:"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d(?:\.\d+)?"
    r"|\[[^\]\n]{0,20}\d\d:\d\d[^\]\n]{0,60}\])"
    r"|\[(?:[a-z][\w.:/-]{0,60}|\d{1,8}|[A-Z]{4,8}|[A-Z][a-z]+[A-Za-z]*(?:-\d+)?)\]"
    r"|\{[\w.]{1,60}:\d{1,6}\}"
    r"|\([\w ]{0,40}pid=\d{1,8}[^)\n]{0,40}\)"
    r"|(?:[a-z_]\w{0,60}[.:]){1,8}\d{0,6}(?=[\s-])"
    r"|<\w{1,30}>|[-|:>]+(?=\s)|(?:pid|thr|thread)=\d{1,8}"
    r")"
)
_MOST_STAMPS = 12


def without_stamp(line: str) -> str:
    """Return a log line's words, without its time, level, logger and process; `line` where it has none of them."""
    at = 0
    strong = False
    for _ in range(_MOST_STAMPS):
        found = _STAMP.match(line, at)
        if found is None or found.end() == at:
            break
        strong = strong or found["strong"] is not None
        at = found.end()
    return line[at:].lstrip() if strong and at < len(line) else line
