"""Which runtime other than Python a trace is of, and its reader."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Literal, NamedTuple

from errdex.model.answer import TraceBlock

Runtime = Literal["node", "go", "rust", "java", "csharp", "ruby", "php"]
_READERS: tuple[Runtime, ...] = ("rust", "go", "java", "csharp", "php", "ruby", "node")
"""In the order they are asked; each is the module of that name, imported when asked: most pastes are Python's."""
_PYTHON_MARKS = ("Traceback (most recent call last)", 'File "')
_MARKS = ("at ", "panic", ".rs:", ".go:", ".rb:", ".php", "Caused by", "HResult=", "fatal error: ")


class Foreign(NamedTuple):
    """A trace of another runtime."""

    runtime: Runtime
    blocks: tuple[TraceBlock, ...]


def read_foreign(text: str, lines: Sequence[str]) -> Foreign | None:
    """Return a trace of Node, Go, Rust, the JVM, .NET, Ruby or PHP, or None if `text` (in `lines`) is of none of them."""
    if any(mark in text for mark in _PYTHON_MARKS) or not any(mark in text for mark in _MARKS):
        return None
    for runtime in _READERS:
        blocks = import_module(f"errdex.search.runtimes.{runtime}").read(lines)
        if blocks:
            return Foreign(runtime, tuple(blocks))
    return None
