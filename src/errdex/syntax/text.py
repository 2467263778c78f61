"""A file's bytes as text, with the segments that syntax trees point at.

`ast` counts columns in UTF-8 bytes and ends lines at LF, CRLF and CR alike (a
form feed ends none), so lines are cut the same way here.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from itertools import accumulate

_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)", re.MULTILINE)
_BOM = b"\xef\xbb\xbf"


class UndecodableError(ValueError):
    """The bytes are not text in the encoding that they claim (PEP 263)."""


def to_utf8(data: bytes) -> bytes:
    """Return `data` as UTF-8 without a byte order mark, lines ended by LF.

    Raises:
        UndecodableError: the declared encoding is unknown, or does not fit the bytes.
    """
    if data.startswith(_BOM):
        data = data[3:]
    head = data[:400]
    if b"coding" in head and (found := _CODING.search(b"\n".join(head.splitlines()[:2]))):
        data = _recode(data, found.group(1).decode("ascii"))
    elif not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UndecodableError(f"not UTF-8 at byte {error.start}") from error
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def declares_encoding(text: bytes) -> bool:
    """Whether a file's first lines name an encoding, which no longer holds once it is UTF-8."""
    head = text[:400]
    return b"coding" in head and _CODING.search(b"\n".join(head.splitlines()[:2])) is not None


def _recode(data: bytes, declared: str) -> bytes:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if encoding in {"utf-8", "utf-8-sig", "ascii"}:
            data.decode("utf-8")
            return data
        return data.decode(encoding).encode("utf-8", "surrogatepass")
    except (SyntaxError, LookupError, UnicodeError, ValueError) as error:
        raise UndecodableError(f"cannot be decoded as {declared}") from error


class SourceText:
    """UTF-8 text with segments by line and byte column."""

    __slots__ = ("_lines", "data")

    def __init__(self, data: bytes) -> None:
        """Take `data` as `to_utf8` returned it."""
        self.data = data
        self._lines = data.split(b"\n")

    def line_starts(self) -> list[int]:
        """Return the byte at which each line starts, and one past the end."""
        return [0, *accumulate(len(line) + 1 for line in self._lines)]

    def line(self, number: int) -> str:
        """Return one line without its end."""
        return self._lines[number - 1].decode("utf-8", "replace")

    def raw_line(self, number: int) -> bytes:
        """Return one line's bytes without its end."""
        return self._lines[number - 1]

    def lines(self, start: int, end: int) -> str:
        """Return the lines from `start` to `end`, both included."""
        return b"\n".join(self._lines[start - 1 : end]).decode("utf-8", "replace")

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """Return the source of a node, as written."""
        first = node.lineno - 1
        last = (node.end_lineno or node.lineno) - 1
        lines = self._lines
        end = node.end_col_offset
        if first == last:
            return lines[first][node.col_offset : end].decode("utf-8", "replace")
        pieces = [lines[first][node.col_offset :], *lines[first + 1 : last], lines[last][:end]]
        return b"\n".join(pieces).decode("utf-8", "replace")

    def statement(self, node: ast.expr | ast.stmt) -> str:
        """Return the source of a statement, later lines dedented by its own column."""
        first = node.lineno - 1
        last = (node.end_lineno or node.lineno) - 1
        if first == last:
            return self.segment(node)
        lines = self._lines
        column = node.col_offset
        pieces = [lines[first][column:]]
        for line in [*lines[first + 1 : last], lines[last][: node.end_col_offset]]:
            indent = len(line) - len(line.lstrip())
            pieces.append(line[min(indent, column) :])
        return b"\n".join(pieces).decode("utf-8", "replace")

    def comment_above(self, number: int) -> str | None:
        """Return the comment that stands directly above a line, markers removed; None if none does."""
        found: list[str] = []
        number -= 1
        while number >= 1 and self._lines[number - 1].lstrip().startswith(b"#"):
            found.append(self.line(number).strip().lstrip("#!:").strip())
            number -= 1
        text = " ".join(reversed([line for line in found if line]))
        return text or None
