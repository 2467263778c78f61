"""Error pages and debuggers that show an exception's class and message as fields, apart from its trace.

Django's debug page as text (`Exception Type:`, `Exception Value:`), its title (`FieldError at /path`),
VS Code's box (`Exception has occurred: FieldError`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from errdex.model.answer import Frame, TraceBlock
from errdex.search.runtimes.python import read_python

_TYPE = re.compile(
    r"\W{0,4}Exception Type:?\W{0,4}\s*(?P<name>[\w.]{1,200})(?: at (?P<url>\S{1,400}))?\W{0,4}"
)
_VALUE = re.compile(r"\W{0,4}Exception Value:\W{0,4}?\s*(?P<message>.*)")
_LOCATION = re.compile(
    r"\W{0,4}Exception Location:\s*(?P<path>[^,\n]{1,600}?)(?:,? in (?P<function>[\w<>.]{1,200}))?, line (?P<line>\d{1,9})(?:, in (?P<other>[\w<>.]{1,200}))?.*"
)
_OLD_LOCATION = re.compile(
    r"\W{0,4}Exception Location:\s*(?P<path>.{1,600}?) in (?P<function>[\w<>.]{1,200}), line (?P<line>\d{1,9})"
)
_TITLE = re.compile(r"(?P<name>[A-Za-z_][\w.]{1,200}) at /\S{0,400}\s*")
_VSCODE = re.compile(
    r"Exception has occurred: (?P<name>[A-Za-z_][\w.]{1,200})(?:\s+\(note: .*)?(?:: (?P<message>.*))?"
)
_FIELD_WORDS = ("Exception Type", "Exception Value", "Exception has occurred: ", " at /")
_END_OF_VALUE = re.compile(
    r"(?:Exception |Request |Python |Django |Server |Raised during|Traceback|Environment|Installed )"
)


def has_page(text: str) -> bool:
    """Return whether `text` may be an error page: one look, so that other texts pay nothing."""
    return any(word in text for word in _FIELD_WORDS)


def read_page(lines: Sequence[str]) -> list[TraceBlock] | None:
    """Return the blocks of an error page, or None if `lines` are none."""
    return _read_django(lines) or _read_titled(lines)


def _read_django(lines: Sequence[str]) -> list[TraceBlock] | None:
    name = message = location = None
    rest: list[str] = []
    for number, line in enumerate(lines):
        kind = _TYPE.fullmatch(line.strip())
        value = _VALUE.fullmatch(line.strip()) if kind is None else None
        place = _LOCATION.fullmatch(line.strip()) or _OLD_LOCATION.fullmatch(line.strip())
        if kind is not None:
            name = name or kind["name"]
        elif value is not None:
            message = message or _value(value["message"], lines[number + 1 :])
        elif place is not None:
            found = place.groupdict()
            location = Frame(
                path=found["path"].strip(),
                line=int(found["line"]),
                function=found["function"] or found.get("other"),
            )
        else:
            rest.append(line)
    if name is None or message is None:
        return None
    blocks = [block for block in read_python(rest) if block.frames]
    return _with_fields(blocks, name, message, location)


def _value(first: str, following: Sequence[str]) -> str:
    """Return an `Exception Value`: on its own line, or on those after it."""
    rows = [first] if first.strip() else []
    for row in following[:60]:
        if _END_OF_VALUE.match(row.strip()) or (rows and not row.strip() and len(rows) > 20):
            break
        rows.append(row)
    return "\n".join(rows).strip()


def _with_fields(
    blocks: list[TraceBlock], name: str, message: str, location: Frame | None
) -> list[TraceBlock]:
    """Return `blocks` with the page's fields as the last one's class, message and innermost frame."""
    last = blocks[-1] if blocks else TraceBlock(error_class=None, message="")
    frames = last.frames
    if location is not None and (not frames or frames[-1].line != location.line):
        frames = (*frames, location)
    full = last.error_class if last.error_class and last.error_class.endswith(name) else name
    return [*blocks[:-1], msgspec.structs.replace(last, error_class=full, message=message, frames=frames)]


def _read_titled(lines: Sequence[str]) -> list[TraceBlock] | None:
    """Return the blocks of a page whose first line is a title and whose next lines are the message."""
    full = [number for number, line in enumerate(lines) if line.strip()]
    for number in full[:3]:
        found = _TITLE.fullmatch(lines[number].strip()) or _VSCODE.fullmatch(lines[number].strip())
        if found is None:
            continue
        rows: list[str] = [found["message"]] if found.groupdict().get("message") else []
        rest = list(lines[number + 1 :])
        while rest and not rest[0].lstrip().startswith(('File "', "Request Method", "Traceback")):
            rows.append(rest.pop(0))
        blocks = [block for block in read_python(rest) if block.frames]
        return _with_fields(blocks, found["name"], "\n".join(rows).strip(), None)
    return None
