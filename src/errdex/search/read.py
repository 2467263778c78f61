"""Reading a pasted text: any text in, blocks out; never an error."""

from __future__ import annotations

import re

from errdex.model.answer import Frame, Trace, TraceBlock

MOST_CHARACTERS = 400_000
_FRAME = re.compile(r'\s*File "([^"\n]*)", line (\d+)(?:, in (\S[^\n]*))?')
_HEADER = "Traceback (most recent call last)"
_LINKS = {
    "The above exception was the direct cause of the following exception:": "direct-cause",
    "During handling of the above exception, another exception occurred:": "during-handling",
}
_LAST = re.compile(r"([A-Za-z_][\w.]*)(?:: ?(.*))?")


def read_trace(text: str) -> Trace:
    """Return what a pasted text says."""
    blocks: list[TraceBlock] = []
    frames: list[Frame] = []
    message: list[str] = []
    link = "none"

    def close() -> None:
        nonlocal frames, message, link
        if frames or any(message):
            error_class, words = _split("\n".join(message).strip("\n"))
            blocks.append(TraceBlock(error_class=error_class, message=words, frames=tuple(frames), link=link))
        frames, message, link = [], [], "none"

    for line in text[:MOST_CHARACTERS].split("\n"):
        frame = _FRAME.match(line)
        if frame:
            message = []
            frames.append(Frame(path=frame[1], line=int(frame[2]), function=frame[3]))
        elif line.strip() in _LINKS:
            close()
            link = _LINKS[line.strip()]
        elif line.startswith(_HEADER):
            message = []
        elif frames and not message and line.startswith(" "):
            continue
        else:
            message.append(line)
    close()
    return Trace(runtime="python", blocks=tuple(blocks))


def _split(text: str) -> tuple[str | None, str]:
    first, newline, rest = text.partition("\n")
    found = _LAST.fullmatch(first)
    if found and (found[1][:1].isupper() or "." in found[1]) and (found[2] is not None or not newline):
        return found[1], (found[2] or "") + newline + rest
    return None, text
