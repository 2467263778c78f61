"""What errdex says about a site, every sentence with where it comes from."""

from __future__ import annotations

from typing import Literal

import msgspec

ErrorType = Literal["exception", "error_code", "console", "http", "validation", "panic"]
Severity = Literal["critical", "error", "warning", "info"]
HandlingStrategy = Literal["try-catch", "type-guard", "validation", "retry", "fallback"]
Level = Literal["proved", "proved-slice", "tested", "derived", "inferred"]
"""How far a record is borne out; the wording on pages is in `publish`."""


class Provenance(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Where a sentence or a block of code comes from."""

    kind: Literal["source", "docs", "tests", "run", "family", "model", "inferred"]
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    detail: str | None = None
    """The family's slug, the model's name, a proof's id, or a URL, by kind."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One claim a reader sees. Markdown-free but for `code` between backticks."""

    text: str
    provenance: Provenance


class CodeBlock(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Code a reader may copy. It parses, its names exist, its calls bind."""

    code: str
    provenance: Provenance


class Explanation(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Everything said about one site and one of its templates."""

    error_type: ErrorType
    severity: Severity
    documentation: tuple[Sentence, ...]
    trigger_scenarios: tuple[Sentence, ...]
    common_situations: tuple[Sentence, ...]
    solutions: tuple[Sentence, ...]
    """Likeliest first."""
    prevention_tips: tuple[Sentence, ...]
    handling_strategy: HandlingStrategy | None = None
    example_fix: CodeBlock | None = None
    validation_code: CodeBlock | None = None
    type_guard: CodeBlock | None = None
    try_catch_pattern: CodeBlock | None = None
    tags: tuple[str, ...] = ()
    family: str | None = None
    """The slug of the one family that claims the site: the contract's `backgroundTag`."""
    level: Level = "derived"
