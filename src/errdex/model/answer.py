"""What a lookup takes and returns."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["exact", "likely", "ambiguous", "no-match", "unindexed"]


class IndexEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One throw site with one wording, as the search index reads it: enough to find it, not to explain it."""

    id: str
    """The record's id."""
    repo: str
    slug: str
    package: str
    version: str | None
    path: str
    line: int
    end_line: int
    function: str
    """Qualified within its module."""
    error_class: str | None
    """Dotted where known, else as written."""
    bases: tuple[str, ...] = ()
    template: str | None = None
    """Holes as `{expression}`, literal braces doubled; None where the source gives no words."""
    error_code: str | None = None
    kind: str = "raise"


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One frame of a pasted trace."""

    path: str
    line: int | None
    function: str | None
    source: str | None = None


class TraceBlock(msgspec.Struct, frozen=True, kw_only=True):
    """One exception of a pasted trace."""

    error_class: str | None
    message: str
    """All its lines, prefixes and boxes removed."""
    frames: tuple[Frame, ...] = ()
    """Outermost first, whatever order the runtime prints."""
    link: Literal["direct-cause", "during-handling", "group-member", "none"] = "none"
    """How this block follows from the one before it."""
    notes: tuple[str, ...] = ()


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """A pasted text, read."""

    runtime: Literal["python", "node", "go", "rust", "java", "csharp", "ruby", "php", "unknown"]
    blocks: tuple[TraceBlock, ...]
    """In printed order: the last is what the program died of, an earlier one may be the cause."""
    versions: dict[str, str] = {}
    """Package to version, as the text betrays them (paths, egg names, headers, URLs)."""


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """A value taken out of the message."""

    expression: str
    value: str


class Match(msgspec.Struct, frozen=True, kw_only=True, rename={"error_class": "class"}):
    """One candidate for an answer. Keys as `shared/evals/score.py` reads them."""

    id: str
    package: str
    version: str | None
    file: str
    line: int
    end_line: int
    function: str
    error_class: str | None
    template: str | None
    bindings: tuple[Binding, ...]
    score: float
    """0 to 1: how sure we are that this is the place."""
    why: str
    """One sentence: which evidence speaks for it."""
    url: str
    """Path of the error's page: `/{owner}/{repo}/{slug}/`."""
    block: int = 0
    """Which of the trace's exceptions it answers, counted from 0 in printed order."""
    version_fact: str | None = None
    """One sentence on the versions: where yours raises this, when it was reworded; None where nothing is known."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a pasted text."""

    schema: int = 1
    verdict: Verdict
    reason: str
    """One sentence, for a person."""
    matches: tuple[Match, ...] = ()
    """Best first."""
