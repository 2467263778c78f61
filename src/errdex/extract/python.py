"""One Python file to its facts: by the interpreter's own parser, else by tree-sitter's."""

from __future__ import annotations

import ast
import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from errdex.extract.module_scope import ModuleScope
from errdex.extract.walk import Walker
from errdex.model.facts import FileFacts
from errdex.syntax.text import SourceText, UndecodableError, to_utf8

TOKENS = (
    b"raise",
    b"exit(",
    b".error(",
    b".critical(",
    b".exception(",
    b".fatal(",
    b"warn(",
    b".fail(",
    b"abort(",
)
"""A file that holds none of them holds no site (`reraise(` and `raise_from(` hold `raise`)."""


def may_raise(data: bytes) -> bool:
    """Whether a file is worth parsing for sites."""
    return any(token in data for token in TOKENS)


@contextmanager
def collector_off() -> Iterator[None]:
    """Keep the garbage collector off: syntax trees hold no cycles, and looking for some costs a sixth of parsing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def read_python(data: bytes) -> FileFacts:
    """Return the facts of one file. Never raises: what cannot be read is told in `error`."""
    try:
        text = to_utf8(data)
    except UndecodableError as error:
        return FileFacts("ast", error=str(error))
    try:
        tree = _parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return _read_otherwise(text, error)
    source = SourceText(text)
    try:
        return Walker(tree, source, ModuleScope(source)).read()
    except RecursionError:
        return FileFacts("ast", error="nested too deeply")


def _parse(text: bytes) -> ast.Module:
    with warnings.catch_warnings(), collector_off():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _read_otherwise(text: bytes, error: Exception) -> FileFacts:
    return FileFacts("tree-sitter", error=str(error))
