"""The JVM's stacks: `pkg.Class: message`, `at pkg.Class.method(File.java:12)` innermost first, `Caused by:` below."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from errdex.model.answer import Frame, TraceBlock
from errdex.search.paste.surroundings import without_stamp

_FRAME = re.compile(
    r".{0,80}?\bat (?:[\w.@-]{1,120}/{1,2})?(?P<function>[\w$.<>]{1,400})\((?:(?P<file>[\w$-]{1,200}\.(?:java|kt|scala|groovy|clj)):(?P<line>\d{1,9})|[\w$.-]{1,200}\.(?:java|kt|scala)|Native Method|Unknown Source|<generated>)\).{0,200}"
)
_HEAD = re.compile(
    r"(?:Exception in thread \"[^\"]{0,200}\" )?(?P<cause>Caused by: |Suppressed: )?(?P<name>(?:[a-z_]\w{0,80}\.){1,12}[A-Z][\w$]{0,120})(?:: (?P<message>.*))?"
)
_CAUSED = ("Caused by:", "Suppressed:")


def read(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the exceptions of a JVM stack, the innermost cause first; empty if `lines` hold none of its frames."""
    blocks: list[TraceBlock] = []
    head: list[str] = []
    frames: list[Frame] = []
    for line in lines:
        found = _FRAME.fullmatch(line.strip())
        if found is not None:
            frames.append(_frame(found))
        elif line.strip().startswith(_CAUSED) and (frames or head):
            blocks.append(_block(head, frames))
            head, frames = [line], []
        elif not frames:
            head.append(line)
    if not frames and not blocks:
        return []
    blocks.append(_block(head, frames))
    ordered = [block for block in reversed(blocks) if block.error_class or block.frames]
    return [
        block if number == 0 else msgspec.structs.replace(block, link="direct-cause")
        for number, block in enumerate(ordered)
    ]


def _frame(found: re.Match[str]) -> Frame:
    owner, _, method = found["function"].rpartition(".")
    package, _, name = owner.rpartition(".")
    file = found["file"] or name.partition("$")[0] + ".java"
    path = f"{package.replace('.', '/')}/{file}" if package else file
    line = int(found["line"]) if found["line"] else None
    return Frame(path=path, line=line, function=f"{name.partition('$')[0]}.{method}")


def _block(head: list[str], frames: list[Frame]) -> TraceBlock:
    rows = [row.strip() for row in head if row.strip()]
    for at in range(len(rows)):
        found = _HEAD.fullmatch(without_stamp(rows[at]))
        if found is not None:
            message = "\n".join([found["message"] or "", *rows[at + 1 :]]).strip()
            return TraceBlock(error_class=found["name"], message=message, frames=tuple(reversed(frames)))
    return TraceBlock(error_class=None, message="\n".join(rows), frames=tuple(reversed(frames)))
