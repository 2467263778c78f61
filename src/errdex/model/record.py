"""The wire contract: one record of 31 keys, and the evidence that travels beside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from errdex.model.assistance import Assistance
from errdex.model.explanation import (
    CodeBlock,
    ErrorType,
    HandlingStrategy,
    Level,
    Provenance,
    Sentence,
    Severity,
)
from errdex.model.site import MessageTemplate, ThrowSite

SCHEMA_VERSION = 2
SLUG_SOURCE_CHARACTERS = 50
CONTEXT_LINES = 18


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One error of one library at one revision: exactly the contract's keys, in its order."""

    id: str
    repo: str
    slug: str
    error_code: str | None
    error_message: str
    message_pattern: str
    error_type: ErrorType
    error_class: str | None
    http_status: int | None
    severity: Severity
    file_path: str
    line_number: int
    source_code: str
    source_code_start: int
    source_code_end: int
    github_url: str
    documentation: str
    trigger_scenarios: str
    common_situations: str
    solutions: list[str]
    example_fix: str | None
    handling_strategy: HandlingStrategy | None
    validation_code: str | None
    type_guard: str | None
    try_catch_pattern: str | None
    prevention_tips: list[str]
    tags: list[str]
    background_tag: str | None
    analyzed_sha: str
    analyzed_at: str
    schema_version: int = SCHEMA_VERSION


class Related(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Another error worth reading beside this one."""

    id: str
    slug: str
    message: str
    why: str
    """`same function`, `same class`, `same family`, `same parameter`."""


class Run(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One program that was run, and what came of it."""

    code: str
    output: str
    outcome: str
    """`raised` (this error, at this line), `returned`, `raised-later`, `needs-backend`."""
    setup: str = ""
    """Imports and statements that the arguments need, without the call itself."""
    arguments: dict[str, str] = {}
    """Source of what each parameter of the called function is given, its default included where that is known."""
    receiver: str = ""
    """The variable of `setup` that holds the instance whose method is called; empty where none is."""


class Proof(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A witness that raises exactly this error at this line and, where found, a fix that passes the guard."""

    grade: str
    """`A` public callable, real objects, fresh process; `B` private, or an instance made by hand; `C` slice."""
    witness: Run
    fix: Run | None
    ran_at: str
    interpreter: str
    environment: str
    """What was installed, `name==version` separated by spaces."""
    function_hash: str
    """sha256 of the enclosing function's source: a proof of other code is no proof."""
    sliced: bool = False
    """Whether the package's own source ran with stand-ins for every library it imports; else it was imported."""
    checked: dict[str, str] = {}
    """What came of the record's code blocks when they were run with witness and fix, by key: empty where a block
    does its work, else its fault. A block with a fault is not in the record; one that cannot be tried is not here."""

    @property
    def upheld(self) -> tuple[str, ...]:
        """The keys of the code blocks that do their work."""
        return tuple(key for key, fault in self.checked.items() if not fault)


class Evidence(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All that we know of a record beyond its 31 keys, each part with its provenance."""

    coordinate: str
    package: str
    version: str | None
    level: Level
    template: str | None
    """The record's wording with every hole as `{expression}`; None where the source gives no words."""
    sites: tuple[ThrowSite, ...]
    """Every site that shares the record's id, in source order; the first is the record's own."""
    sentences: dict[str, tuple[Sentence, ...]]
    """By the record's key (`documentation`, `solutions`, …), in the order they are joined or listed."""
    code: dict[str, CodeBlock] = {}
    related: tuple[Related, ...] = ()
    proof: Proof | None = None
    assistance: tuple[Assistance, ...] = ()
    """What models added and the gate let through, one entry a model; never part of the record's own text."""
    taken_from: str | None = None
    """Address of the dataset it was pulled from; None for what this catalog's own analyses found."""

    def told(self, key: str) -> tuple[Sentence, ...]:
        """Return the sentences under one key of the record: those worked out, then those that models added."""
        return self.sentences.get(key, ()) + tuple(
            Sentence(text=text, provenance=Provenance(kind="model", detail=model))
            for model, text in self._added(key, "text")
        )

    def programs(self, key: str) -> tuple[CodeBlock, ...]:
        """Return the programs that models offered under one key; each was run before it was kept."""
        return tuple(
            CodeBlock(code=code, provenance=Provenance(kind="model", detail=model))
            for model, code in self._added(key, "code")
        )

    def _added(self, key: str, what: Literal["text", "code"]) -> Iterator[tuple[str, str]]:
        for each in self.assistance:
            for judgement in each.judgements:
                found: str = getattr(judgement.suggestion, what)
                if judgement.kept and found and judgement.suggestion.place == key:
                    yield each.model, found


def record_id(repo: str, code_or_message: str, path: str) -> str:
    """Return the contract's id: 16 hex digits over repository, code (else message) and file."""
    text = f"{repo}\x01{code_or_message}\x01{path}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def record_slug(code_or_message: str) -> str:
    """Return the contract's slug before it is made unique in its repository."""
    head = code_or_message[:SLUG_SOURCE_CHARACTERS].lower()
    return re.sub(r"[^a-z0-9]+", "-", head).strip("-") or "error"


def wire_text(text: str) -> str:
    """Return `text` fit for JSON: lone surrogates (a literal may hold them) become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def record_message(site: ThrowSite, template: MessageTemplate | None) -> str:
    """Return the contract's `errorMessage`: the words as written, else the class and the expression given, if any."""
    if template is not None:
        return wire_text(template.written)
    if site.class_written is not None and site.known_class is None:  # a value that a call or a variable holds
        return wire_text(f"{{{site.class_written}({site.argument or ''})}}")
    name = (site.class_written or site.error_class or "Exception").rpartition(".")[2]
    return wire_text(f"{name}: {{{site.argument}}}" if site.argument else name)


def record_key(site: ThrowSite, template: MessageTemplate | None) -> str:
    """Return what id and slug of a site's record are made from: its code, else its message."""
    return site.error_code or record_message(site, template)
