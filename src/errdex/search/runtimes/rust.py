"""Rust's panics and the chains that anyhow and eyre print.

`thread 'main' panicked at src/main.rs:5:10:` with the message below (1.73 and later), `panicked at 'message',
src/main.rs:5:10` (before), `Error: message` and `Caused by:`, backtrace lines `at file:line`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock

_PANICKED = re.compile(r".{0,200}?panicked at (?P<path>[^:'\n]{1,400}\.rs):(?P<line>\d{1,9})(?::\d+)?:?\s*")
_PANICKED_OLD = re.compile(
    r".{0,200}?panicked at '(?P<message>.*)', (?P<path>[^:'\n]{1,400}\.rs):(?P<line>\d{1,9})(?::\d+)?"
)
_PLACE = re.compile(r"at (?P<path>[^:\n]{1,600}\.rs):(?P<line>\d{1,9})(?::\d{1,9})?")
_FUNCTION = re.compile(r"\d{1,4}: (?:0x[0-9a-f]{1,16} - )?(?P<function>[^\n]{1,400})")
_ERROR = re.compile(r"(?:Error|error): (?P<message>.*)")
_CAUSE = re.compile(r"(?:\d{1,4}: )?(?P<message>\S.*)")
_NOTE = ("note: ", "stack backtrace:", "Stack backtrace:", "Location:", "Backtrace")


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the panic or error chain that `lines` tell of, the innermost cause first; empty if there is none."""
    rows = [line.rstrip() for line in lines]
    for at, row in enumerate(rows):
        found = _PANICKED_OLD.fullmatch(row) or _PANICKED.fullmatch(row)
        if found is not None:
            return [_panic(found, rows[at + 1 :])]
    if any(row.strip() == "Caused by:" for row in rows):
        return _chain(rows)
    frames = _frames(rows)
    if not frames:
        return []
    words = "\n".join(row.strip() for row in rows if row.strip() and not _PLACE.fullmatch(row.strip()))
    message = words.removeprefix("panic: ")
    return [TraceBlock(error_class=None if message == words else "panic", message=message, frames=frames)]


def _panic(found: re.Match[str], below: Sequence[str]) -> TraceBlock:
    fields = found.groupdict()
    message = fields.get("message")
    if message is None:
        kept: list[str] = []
        for row in below:
            if row.strip().startswith(_NOTE):
                break
            kept.append(row)
        message = "\n".join(kept).strip()
    place = Frame(path=fields["path"], line=int(fields["line"]), function=None)
    return TraceBlock(error_class="panic", message=message, frames=(*_frames(below), place))


def _frames(rows: Sequence[str]) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    function: str | None = None
    for row in rows:
        text = row.strip()
        place = _PLACE.fullmatch(text)
        if place is not None:
            frames.append(Frame(path=place["path"], line=int(place["line"]), function=function))
            continue
        named = _FUNCTION.fullmatch(text)
        function = named["function"] if named is not None else None
    return tuple(frame for frame in reversed(frames) if not frame.path.startswith("/rustc/"))


def _chain(rows: Sequence[str]) -> list[TraceBlock]:
    """Return an anyhow chain as blocks: the outermost error is printed first and stands last here."""
    cut = next(at for at, row in enumerate(rows) if row.strip() == "Caused by:")
    head = [row.strip() for row in rows[:cut] if row.strip()]
    found = _ERROR.fullmatch(head[-1]) if head else None
    blocks = [
        TraceBlock(
            error_class=None, message=found["message"] if found else "\n".join(head), link="direct-cause"
        )
    ]
    for row in rows[cut + 1 :]:
        text = row.strip()
        if not text or text.startswith(_NOTE):
            break
        cause = _CAUSE.fullmatch(text)
        if cause is not None:
            blocks.append(TraceBlock(error_class=None, message=cause["message"], link="direct-cause"))
    first = blocks[-1]
    return (
        [TraceBlock(error_class=None, message=first.message), *reversed(blocks[:-1])]
        if len(blocks) > 1
        else blocks
    )
