"""PHP's uncaught exceptions: `Uncaught Class: message in file:12`, `#0 file(12): function()`, innermost first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock

_UNCAUGHT = re.compile(
    r".{0,200}?(?:Uncaught (?:exception ')?|exception ')(?P<name>[A-Za-z_\\][\w\\]{1,200}?)'?(?::| with message) '?(?P<message>.{1,4000}?)'? in (?P<path>[^:\n]{1,400}\.php)(?::| on line )(?P<line>\d{1,9})\s*"
)
_FRAME = re.compile(
    r"#\d{1,4} (?P<path>[^(\n]{1,600})\((?P<line>\d{1,9})\): (?P<function>[^(\n]{1,300})(?:\(.*)?"
)
_MAIN = re.compile(r"#\d{1,4} (?:\{main\}|\[internal function\].*)")
_CLASS = re.compile(
    r"(?:PHP )?(?:Fatal error: +)?(?:Uncaught )?(?P<name>[A-Za-z_\\][\w\\]{1,200}): (?P<message>.*)"
)


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the exception of a PHP trace; empty if `lines` hold none."""
    frames: list[Frame] = []
    head: list[str] = []
    place: Frame | None = None
    error_class, message = None, ""
    for line in lines:
        text = line.strip()
        found = _FRAME.fullmatch(text)
        uncaught = _UNCAUGHT.fullmatch(text) if ".php" in text and found is None else None
        if found is not None:
            function = re.split(r"->|::|\\", found["function"])[-1]
            frames.append(Frame(path=found["path"], line=int(found["line"]), function=function))
        elif uncaught is not None:
            error_class, message = uncaught["name"], uncaught["message"]
            place = Frame(path=uncaught["path"], line=int(uncaught["line"]), function=None)
        elif (
            text
            and not frames
            and not _MAIN.fullmatch(text)
            and not text.startswith(("Stack trace:", "thrown in"))
        ):
            head.append(text)
    if not frames and place is None:
        return []
    if error_class is None:
        named = next((found for row in reversed(head) if (found := _CLASS.fullmatch(row))), None)
        error_class, message = (named["name"], named["message"]) if named else (None, "\n".join(head))
    inner = (place,) if place is not None else ()
    return [TraceBlock(error_class=error_class, message=message, frames=(*reversed(frames), *inner))]
