"""One Python file to its facts: by the interpreter's own parser, else by tree-sitter's."""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from errdex.extract.module_scope import ModuleScope
from errdex.extract.walk import Walker
from errdex.model.facts import FileFacts
from errdex.syntax.text import SourceText, UndecodableError, declares_encoding, to_utf8

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


_RECURSION_LIMIT = 6_000
"""The walker takes three Python frames a nested block; the parser itself gives up at 100 levels of indentation."""


def may_raise(data: bytes) -> bool:
    """Whether a file is worth parsing for sites."""
    return any(token in data for token in TOKENS)


_depth = 0


@contextmanager
def reading() -> Iterator[None]:
    """Parse in peace: garbage collector off, warnings about other people's literals off; may be nested.

    Syntax trees hold no cycles, and looking for some costs a sixth of parsing and more
    while many facts are held. Put it around the reading of many files.
    """
    global _depth  # noqa: PLW0603 - the collector and the filters of warnings are the process's own
    if _depth:
        yield
        return
    was_on = gc.isenabled()
    limit = sys.getrecursionlimit()
    gc.disable()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    _depth += 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        _depth -= 1
        sys.setrecursionlimit(limit)
        if was_on:
            gc.enable()


def read_python(data: bytes, *, names_only: bool = False) -> FileFacts:
    """Return the facts of one file. Never raises: what cannot be read is told in `error`.

    With `names_only` the bodies of functions stay unread, and with them nearly all sites: what a file defines
    and imports costs a fraction of what it raises.
    """
    try:
        text = to_utf8(data)
    except UndecodableError as error:
        return FileFacts("ast", error=str(error))
    with reading():
        try:
            tree = ast.parse(text.decode("utf-8", "surrogatepass") if declares_encoding(text) else text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return _read_otherwise(text, error)
        source = SourceText(text)
        try:
            return Walker(tree, source, ModuleScope(source), names_only=names_only).read()
        except RecursionError:
            return FileFacts("ast", error="nested too deeply")


def _read_otherwise(text: bytes, refused: Exception) -> FileFacts:
    """Return what tree-sitter reads; if that is no site at all, why the interpreter refused the file."""
    from errdex.extract.legacy import read_legacy  # noqa: PLC0415 - few files need it, and loading costs 20 ms

    facts = read_legacy(text)
    if facts.sites:
        return facts
    return msgspec.structs.replace(facts, error=f"cannot be parsed: {refused}")
