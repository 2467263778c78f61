"""Node's and browsers' stacks: `Error: message`, then `    at function (file:line:column)`, innermost first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock
from errdex.search.paste.surroundings import without_stamp
from errdex.search.runtimes.python_lines import find_class

_FRAME = re.compile(
    r"at (?:async )?(?:(?P<function>[^()\n]{1,300}?) \()?(?:file://)?(?P<path>(?:[A-Za-z]:)?[^():\n]{1,600}|node:[\w/]{1,200}):(?P<line>\d{1,9})(?::\d{1,9})?\)?,?"
)
_PLACELESS = re.compile(r"at (?:async )?[\w$.<>\[\] ]{1,200} \((?:<anonymous>|native|index \d+)\)")
_CLASS = re.compile(
    r"(?:\w{1,20} \{ ?)?(?P<name>(?:[A-Za-z_$][\w$]{0,80}\.){0,6}[A-Za-z_$][\w$]{0,80})(?: \[(?P<code>[\w-]{1,80})\])?: (?P<message>.*)"
)
_NOISE = re.compile(
    r"(?:\(node:\d+\) )?(?:\[\w+\] )?(?:UnhandledPromiseRejectionWarning: |Uncaught (?:\(in promise\) )?|\[cause\]: |Unhandled rejection )"
)


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the errors of a Node stack; empty if `lines` hold none of its frames."""
    blocks: list[TraceBlock] = []
    head: list[str] = []
    frames: list[Frame] = []
    for line in [*lines, ""]:
        text = line.strip()
        found = _FRAME.fullmatch(text)
        if found is not None:
            frames.append(_frame(found))
        elif frames and not _PLACELESS.fullmatch(text):
            blocks.append(_block(head, frames))
            head, frames = [line], []
        elif not frames:
            head.append(line)
    if frames:
        blocks.append(_block(head, frames))
    return blocks[::-1] if any(_is_script(block.frames) for block in blocks) else []


def _frame(found: re.Match[str]) -> Frame:
    function = found["function"]
    return Frame(
        path=found["path"],
        line=int(found["line"]),
        function=function.removeprefix("new ") if function else None,
    )


def _is_script(frames: Sequence[Frame]) -> bool:
    ends = (".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".vue")
    return any(frame.path.endswith(ends) or frame.path.startswith("node:") for frame in frames)


def _block(head: list[str], frames: list[Frame]) -> TraceBlock:
    error_class, message = split_head(head)
    return TraceBlock(error_class=error_class, message=message, frames=tuple(reversed(frames)))


def split_head(head: Sequence[str]) -> tuple[str | None, str]:
    """Return class and message of the lines above a stack: from the last line that names a class."""
    rows = [without_stamp(_NOISE.sub("", row.strip())) for row in head]
    for at in range(len(rows) - 1, max(-1, len(rows) - 40), -1):
        found = _CLASS.fullmatch(rows[at])
        if found is not None and (found["name"][:1].isupper() or found["name"].endswith("Error")):
            return found["name"], "\n".join([found["message"], *rows[at + 1 :]]).strip()
    text = "\n".join(rows).strip()
    return find_class(text) or (None, text)
