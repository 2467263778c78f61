"""Which runtime other than Python a trace is of, and its reader."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Literal, NamedTuple

from errdex.model.answer import TraceBlock

Runtime = Literal["node", "go", "rust", "java", "csharp", "ruby", "php"]
_READERS: dict[Runtime, tuple[str, ...]] = {
    "rust": (".rs:", "panicked at", "Caused by:"),
    "go": ("panic: ", "fatal error: "),
    "java": (".java:", ".kt:", ".scala:", "Caused by: ", "(Native Method)", "(Unknown Source)"),
    "csharp": ("Exception",),
    "php": (".php",),
    "ruby": (".rb:", ".erb:", ".rake:", ".ru:"),
    "node": (".js:", ".ts:", ".mjs:", ".cjs:", ".jsx:", ".tsx:", ".vue:", "node:"),
}
"""In the order they are asked, each with what a trace of its runtime holds at least one of.

Each is the module of that name, imported when asked: most pastes are Python's."""
_PYTHON_MARKS = ("Traceback (most recent call last)", 'File "')


class Foreign(NamedTuple):
    """A trace of another runtime."""

    runtime: Runtime
    blocks: tuple[TraceBlock, ...]


def read_foreign(text: str, lines: Sequence[str]) -> Foreign | None:
    """Return a trace of Node, Go, Rust, the JVM, .NET, Ruby or PHP, or None if `text` (in `lines`) is of none of them."""
    if any(mark in text for mark in _PYTHON_MARKS):
        return None
    for runtime, marks in _READERS.items():
        if not any(mark in text for mark in marks):
            continue
        blocks = import_module(f"errdex.search.runtimes.{runtime}").read(lines)
        if blocks:
            return Foreign(runtime, tuple(blocks))
    return None
