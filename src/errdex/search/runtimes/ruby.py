"""Ruby's traces: `file.rb:12:in 'method': message (Class)`, then `from file.rb:5:in '<main>'`, innermost first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock

_HEAD = re.compile(
    r"(?P<path>[^:\n]{1,600}\.(?:rb|erb|rake|ru)):(?P<line>\d{1,9}):in [`'](?P<function>[^'\n]{1,300})': (?P<message>.*?)(?: \((?P<name>[A-Z][\w:]{1,200})\))?"
)
_FRAME = re.compile(
    r"(?:\d{1,4}: )?(?:from )?(?P<path>[^:\n]{1,600}\.(?:rb|erb|rake|ru)):(?P<line>\d{1,9})(?::in [`'](?P<function>[^'\n]{1,300})')?"
)
_CLASS = re.compile(
    r"(?P<name>[A-Z]\w{0,80}(?:::[A-Z]\w{0,80}){0,8})(?:: (?P<message>.*)| \((?P<words>.*)\):?)"
)


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the exception of a Ruby trace; empty if `lines` hold none of its frames."""
    frames: list[Frame] = []
    head: list[str] = []
    error_class, message = None, ""
    for line in lines:
        text = line.strip()
        found = _HEAD.fullmatch(text)
        frame = found or _FRAME.fullmatch(text)
        if frame is not None:
            frames.append(
                Frame(path=frame["path"], line=int(frame["line"]), function=_method(frame["function"]))
            )
            if found is not None and not message:
                error_class, message = found["name"], found["message"]
        elif text and not frames:
            head.append(text)
    if not frames:
        return []
    if not message and head:
        named = next((one for row in head if (one := _CLASS.fullmatch(row))), None)
        error_class = named["name"] if named else None
        message = (named["message"] or named["words"] or "") if named else "\n".join(head)
    return [TraceBlock(error_class=error_class, message=message, frames=tuple(reversed(frames)))]


def _method(function: str | None) -> str | None:
    """Return a method's bare name: `block in Foo#bar` is `bar`."""
    return re.split(r"[#. ]", function)[-1] if function else None
