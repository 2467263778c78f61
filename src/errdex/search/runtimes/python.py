"""Python's tracebacks, in the shapes of CPython and of the tools that print them anew.

Plain and chained, exception groups (bars already taken off), notes, carets;
pytest, IPython old and new, rich, loguru, Sentry, bugsnag, VS Code, Django and
Werkzeug pages; with or without indentation, source lines, header or last line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.model.answer import Frame, TraceBlock
from errdex.search.paste.surroundings import without_stamp
from errdex.search.runtimes import python_lines as lines_of
from errdex.search.runtimes.python_lines import Line, Link, read_line

MOST_FRAMES = 2000
MOST_MESSAGE_LINES = 400
_PYTEST_MESSAGE = re.compile(r"E(?:   ?(?P<message>.*))?")
_DJANGO_LINE = re.compile(r"(?P<line>\d{1,9})\. (?P<source>.*)")
_DEFINITION = re.compile(r"(?:async )?def (?P<name>\w{1,200})\(")
_AFTERMATH = re.compile(
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\[\d{4}-\d\d-\d\d|\[\w{3} \w{3} +\d|(?:DEBUG|INFO|WARNING|ERROR)\b[: ]"
    r"|(?:In|Out) ?\[\d+\]:|>>> |\$ |[\w.-]+@[\w.-]+:[^ ]*[$#] |Process finished with exit code|make: \*\*\*|npm ERR!"
    r"|Local vars|Request Method:|Exception Location:|The debugger caught|={3,} .* ={3,}|During task with name )"
)


def read_python(lines: Sequence[str]) -> list[TraceBlock]:
    """Return the exceptions that `lines` tell of, in printed order."""
    reader = _Reader()
    for line in lines:
        reader.take(line)
    return reader.finish()


class _Reader:
    """A state machine over lines: header, frames with their source, last lines, link to the next block."""

    def __init__(self) -> None:
        self.blocks: list[TraceBlock] = []
        self.frames: list[Frame] = []
        self.message: list[str] = []
        self.link: Link = "none"
        self.named: str | None = None
        """The class as a header or a pytest location names it."""
        self.above: list[str] = []
        """Lines that stand before the first frame: what Sentry, Werkzeug and log lines print first."""
        self.state = "start"
        self.indent = 0
        """Of the last frame line: what is indented less is no source."""
        self.from_pytest = False
        self.definition: str | None = None
        self.failed: str | None = None
        """The first line of pytest's short summary: all that some people paste."""

    def take(self, line: str) -> None:
        text = line.strip()
        if not text:
            self._take_empty()
            return
        if self.state == "frames" and self._is_source(line, text):
            self._take_source(text)
            return
        read = read_line(text)
        kind = read.kind
        if kind == "text":
            self._take_text(line, text)
        elif kind == "frame":
            self._take_frame(line, read)
        elif kind == "header":
            self._take_header(line, read)
        elif kind == "link":
            self._close()
            self.link = read.link
        elif kind == "listing":
            self._take_listing(line, read)
        elif kind == "pytest-end":
            self._take_pytest_end(read)
        elif kind == "rule":
            self._take_rule(text)
        elif self.state == "message":
            self.message.append(line)

    def _is_source(self, line: str, text: str) -> bool:
        """Return whether a line after a frame, indented further, is code that looks like nothing else."""
        return (
            len(line) - len(line.lstrip()) > self.indent
            and text[0].isalpha()
            and bool(self.frames)
            and ".py" not in text
            and not text.startswith(("File ", "Cell In", "Input In"))
        )

    def _take_source(self, text: str) -> None:
        last = self.frames[-1]
        if last.source is None:
            self.frames[-1] = Frame(path=last.path, line=last.line, function=last.function, source=text)
        if text.startswith(("def ", "async def ")):
            self._note_definition(text)

    def _note_definition(self, text: str) -> None:
        definition = _DEFINITION.match(text)
        if definition is not None:
            self.definition = definition["name"]

    def _take_rule(self, text: str) -> None:
        if text.startswith("FAILED"):
            self.failed = self.failed or text
        elif self.frames and (self.message or self.from_pytest):
            self._close()

    def _take_empty(self) -> None:
        if self.state == "message":
            self.message.append("")

    def _take_header(self, line: str, read: Line) -> None:
        before = line.partition(lines_of.HEADER_WORDS)[0]
        if self.frames:
            self._close()
        elif self.message:
            self.above, self.message = self.message, []
        if read.error_class is not None:
            self.named = read.error_class
        elif before.strip():
            self.above.append(before)
        self.state = "frames"
        self.indent = 0

    def _take_frame(self, line: str, read: Line) -> None:
        assert read.frame is not None
        if self.state == "message":
            if self.frames and self.message:
                self._close()
            else:
                self.above, self.message = [*self.above, *self.message], []
        if len(self.frames) < MOST_FRAMES:
            self.frames.append(read.frame)
        self.state = "frames"
        self.indent = len(line) - len(line.lstrip())

    def _take_listing(self, line: str, read: Line) -> None:
        if self.state == "message":
            if self.frames and not self._is_notebook():
                self.message.append(line)
            return
        if read.frame is not None and self.frames:
            last = self.frames[-1]
            self.frames[-1] = Frame(
                path=last.path,
                line=last.line if last.line is not None else read.frame.line,
                function=last.function,
                source=read.frame.source,
            )
        elif self.frames and self.frames[-1].line is None:
            self._take_django_source(line.strip())
        elif self.state == "start":
            self._take_text(line, line.strip())

    def _is_notebook(self) -> bool:
        return bool(self.frames) and self.frames[-1].path.startswith("<cell")

    def _take_django_source(self, text: str) -> None:
        found = _DJANGO_LINE.fullmatch(text)
        if found is not None:
            last = self.frames[-1]
            self.frames[-1] = Frame(
                path=last.path, line=int(found["line"]), function=last.function, source=found["source"]
            )

    def _take_pytest_end(self, read: Line) -> None:
        assert read.frame is not None
        frame = read.frame
        if self.message and not self.from_pytest:
            self.above, self.message = [*self.above, *self.message], []
        if frame.function is None and self.definition:
            frame = Frame(path=frame.path, line=frame.line, function=self.definition)
        self.frames.append(frame)
        self.definition = None
        if read.error_class is not None:
            self.named = self.named or read.error_class
            self._close()
        else:
            self.state = "frames"
            self.indent = 0

    def _take_text(self, line: str, text: str) -> None:
        found = (
            _PYTEST_MESSAGE.fullmatch(text) if text[0] == "E" and (len(text) == 1 or text[1] == " ") else None
        )
        if found is not None:
            self._take_pytest_message(found["message"] or "")
            return
        if text.startswith(("def ", "async def ")):
            self._note_definition(text)
        if self.state == "message":
            self._continue_message(line, text)
        elif self.state == "frames":
            self._take_after_frame(line, text)
        else:
            self.message.append(line)
            self.state = "message"

    def _take_pytest_message(self, text: str) -> None:
        if not self.from_pytest and self.message:
            self.above, self.message = self.message, []
        self.from_pytest = True
        self.state = "message"
        self.message.append(text)

    def _continue_message(self, line: str, text: str) -> None:
        if self.from_pytest:
            self.from_pytest = False
            self._close()
            self.above = [line]
            self.state = "frames"
        elif self.frames and _AFTERMATH.match(text):
            self._close()
            self.state = "after"
        elif len(self.message) < MOST_MESSAGE_LINES:
            self.message.append(line)

    def _take_after_frame(self, line: str, text: str) -> None:
        """Tell a frame's source from the exception's last line, indented or not."""
        indent = len(line) - len(line.lstrip())
        last = self.frames[-1] if self.frames else None
        named, _ = lines_of.split_class(text, after_frames=True)
        is_last = indent < self.indent or last is None or (named is not None and not _is_code(text))
        if is_last and (indent <= self.indent or (named is not None and lines_of.is_class_like(named))):
            self.message.append(line)
            self.state = "message"
        elif last is not None and last.source is None:
            self._take_source(text)
        elif indent == self.indent == 0 and not _is_code(text):
            self.message.append(line)
            self.state = "message"

    def _close(self) -> None:
        """End the block under way, if it holds anything."""
        if not self.frames and not any(map(str.strip, self.message)) and not self.named:
            self.state = "start"
            return
        error_class, message = self._read_message()
        self.blocks.append(
            TraceBlock(error_class=error_class, message=message, frames=tuple(self.frames), link=self.link)
        )
        self.frames, self.message, self.link, self.named, self.above = [], [], "none", None, []
        self.state = "start"
        self.from_pytest = False

    def _read_message(self) -> tuple[str | None, str]:
        text = _joined(self.message)
        after_frames = bool(self.frames) or self.named is not None
        if not text and self.above:
            text, after_frames = self._said_above(), False
        error_class, message = lines_of.split_class(text, after_frames=after_frames)
        if error_class is None and text:
            error_class, message = _read_log_line(text)
        if self.named is not None and (
            error_class is None or error_class.rpartition(".")[2] != self.named.rpartition(".")[2]
        ):
            error_class, message = (self.named, text) if error_class is None else (error_class, message)
        return error_class, message

    def _said_above(self) -> str:
        """Return the lines above the frames from the last one that names a class on; else the last one."""
        rows = [row for row in self.above if row.strip()]
        for at in range(len(rows) - 1, -1, -1):
            if lines_of.split_class(rows[at].strip(), after_frames=False)[0]:
                return _joined(rows[at:])
        return _joined(rows[-1:])

    def finish(self) -> list[TraceBlock]:
        if self.frames and not self.message and self.frames[-1].source and self.indent == 0:
            self._take_back_source()
        self._close()
        if not self.blocks and self.failed is not None:
            error_class, message = lines_of.split_class(self.failed.partition(" - ")[2], after_frames=False)
            self.blocks.append(TraceBlock(error_class=error_class, message=message))
        return self.blocks

    def _take_back_source(self) -> None:
        """Read the last line of a trace without indentation as its message, if it does not look like code."""
        last = self.frames[-1]
        if last.source is not None and not _is_code(last.source):
            self.message = [last.source]
            self.frames[-1] = Frame(path=last.path, line=last.line, function=last.function)


def _joined(rows: Sequence[str]) -> str:
    """Return message rows as one text, what all of them are indented by taken off, blank ends cut."""
    text = "\n".join(rows).strip("\n")
    first = text[: len(text) - len(text.lstrip(" "))]
    if first:
        text = "\n".join(row.removeprefix(first) for row in text.split("\n"))
    return text.rstrip()


def _read_log_line(text: str) -> tuple[str | None, str]:
    """Return class and message of text in which the class does not stand first: a log line, a sentence."""
    first, newline, rest = text.partition("\n")
    bare = without_stamp(first)
    if bare != first:
        error_class, message = lines_of.split_class(bare + newline + rest, after_frames=False)
        if error_class is not None:
            return error_class, message
    found = lines_of.find_class(bare + newline + rest)
    if found is not None:
        return found
    return None, bare + newline + rest


_CODE_STARTS = (
    "return ",
    "raise ",
    "await ",
    "yield ",
    "self.",
    "with ",
    "for ",
    "if ",
    "while ",
    "assert ",
    "@",
    "#",
)
_CODE_ENDS = ("(", "[", "{", ",", "=", "\\", "):", "]:", '"""')
_CALL = re.compile(r"[\w.\[\]]{1,80}\(.*\)")
_ASSIGNMENT = re.compile(r"[\w.\[\], ]{1,80} [-+*/|&]?= ")


def _is_code(text: str) -> bool:
    """Return whether a line reads as a statement of source rather than as words."""
    if text.startswith(_CODE_STARTS) or text.endswith(_CODE_ENDS):
        return True
    return _CALL.fullmatch(text) is not None or _ASSIGNMENT.match(text) is not None
