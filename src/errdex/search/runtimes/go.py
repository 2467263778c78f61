"""Go's panics: `panic: message`, `goroutine 1 [running]:`, then function and file in turn, innermost first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock

_PANIC = re.compile(r".{0,200}?\b(?P<kind>panic|fatal error): (?P<message>.*)")
_GOROUTINE = re.compile(r"goroutine \d+ .{0,80}\]:")
_FUNCTION = re.compile(
    r"(?:created by )?(?P<function>[\w./*()\[\]\-{}·@]{1,300}?)(?:\([^()\n]{0,400}\)| in goroutine \d+)?"
)
_PLACE = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^:\n]{1,600}\.(?:go|s)):(?P<line>\d{1,9})(?: \+0x[0-9a-f]{1,16})?"
)
_RUNTIME = ("runtime/", "testing/")


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the panic that `lines` tell of; empty if they hold none."""
    rows = [line.strip() for line in lines if line.strip()]
    start = next((at for at, row in enumerate(rows) if _PANIC.fullmatch(row)), None)
    if start is None:
        return []
    found = _PANIC.fullmatch(rows[start])
    assert found is not None
    message = [found["message"]]
    frames: list[Frame] = []
    function: str | None = None
    in_stack = False
    for row in rows[start + 1 :]:
        place = _PLACE.fullmatch(row)
        if place is not None:
            frames.append(Frame(path=place["path"], line=int(place["line"]), function=function))
            function = None
        elif _GOROUTINE.fullmatch(row):
            if frames:
                break  # the other goroutines did not panic
            in_stack = True
        elif in_stack:
            named = _FUNCTION.fullmatch(row)
            function = named["function"].rpartition("/")[2] if named is not None else function
        elif not row.startswith(("[signal", "[recovered]")):
            message.append(row)
    own = [frame for frame in frames if "/src/runtime/" not in frame.path]
    text = "\n".join(message).removesuffix(" [recovered]")
    return [TraceBlock(error_class="panic", message=text, frames=tuple(reversed(own)))]
