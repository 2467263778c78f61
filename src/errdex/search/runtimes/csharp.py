""".NET's stacks: `System.Exception: message`, `   at Namespace.Class.Method(args) in file:line 12`, inner ones by `--->`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock

_FRAME = re.compile(
    r"at (?P<function>[\w.<>`\[\],+$|]{1,400})(?:\([^()\n]{0,600}\))?(?: in (?P<path>[^\n]{0,600}?):line (?P<line>\d{1,9}|None))?"
)
_HEAD = re.compile(
    r"(?:Unhandled [Ee]xception[.:] |--->\s*)?(?P<name>(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Z]\w{0,100}Exception)(?:\s*\(0x[0-9A-Fa-f]+\))?(?:: (?P<message>.*))?"
)
_FIELD = re.compile(r"(?P<field>HResult|Message|Source|StackTrace)=(?P<value>.*)")


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the exceptions of a .NET stack, the innermost first; empty if `lines` hold none."""
    rows = [line.strip() for line in lines]
    fields = {found["field"]: found["value"] for row in rows if (found := _FIELD.match(row)) is not None}
    heads: list[tuple[str, str]] = []
    frames: list[Frame] = []
    for row in rows:
        for part in row.split(" ---> "):
            found = _HEAD.fullmatch(part.strip())
            if found is not None and not frames:
                heads.append((found["name"], found["message"] or ""))
        frame = _FRAME.fullmatch(row)
        if frame is not None:
            frames.append(_frame(frame))
    if not heads or not (frames or "Message" in fields):
        return []
    name, message = heads[-1]
    first = TraceBlock(
        error_class=name, message=message or fields.get("Message", ""), frames=tuple(reversed(frames))
    )
    outer = [
        TraceBlock(error_class=one, message=words, link="direct-cause") for one, words in reversed(heads[:-1])
    ]
    return [first, *outer]


def _frame(found: re.Match[str]) -> Frame:
    line = found["line"]
    function = ".".join(found["function"].split(".")[-2:])
    return Frame(
        path=found["path"] or "", line=int(line) if line and line.isdigit() else None, function=function
    )
