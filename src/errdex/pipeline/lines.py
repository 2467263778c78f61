"""Lines of a tree's files, as the interpreter counts them."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path


class LineReader:
    r"""Calls with a path return that file's lines without line ends; the last few files are kept.

    Python counts a line at `\n`, `\r\n` and `\r`, and nowhere else (a form feed or
    U+2028 inside a line ends none), in the encoding that PEP 263 gives the file.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read = lru_cache(maxsize=32)(self._lines)

    def __call__(self, path: str) -> Sequence[str]:
        """Return the lines of the file at `path`, relative to the root; none where it cannot be read."""
        return self._read(path)

    def _lines(self, path: str) -> Sequence[str]:
        try:
            data = (self._root / path).read_bytes()
        except OSError:
            return ()
        return decode_lines(data)


def decode_lines(data: bytes) -> list[str]:
    """Return the lines of a source file; bytes its encoding cannot read become U+FFFD."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding, "replace")
    except (SyntaxError, LookupError, ValueError):
        text = data.decode("utf-8", "replace")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines
