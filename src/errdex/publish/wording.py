"""The words that pages use for levels, provenance and kinds: said once, shown everywhere."""

from __future__ import annotations

import msgspec

from errdex.model.explanation import ErrorType, Level, Provenance
from errdex.model.record import Proof
from errdex.model.site import Condition, SiteKind
from errdex.publish.text import plain

MAX_MODEL_CHARACTERS = 60
"""Of a model's name, shown in a label."""


class LevelWords(msgspec.Struct, frozen=True):
    """How a level of proof is shown."""

    badge: str
    meaning: str


LEVELS: dict[Level, LevelWords] = {
    "proved": LevelWords(
        "proved",
        "A program was run that raises exactly this error at this line; so was its fix, where one is shown.",
    ),
    "proved-slice": LevelWords(
        "proved (slice)",
        "The function was run from the package's source, with stand-ins for the libraries it imports, and raised exactly this error.",
    ),
    "tested": LevelWords("tested", "One of the library's own tests raises this error and expects it."),
    "derived": LevelWords("derived", "Worked out from the library's source. Nothing was run."),
    "inferred": LevelWords(
        "inferred", "Partly concluded rather than read from the source; each such sentence says so."
    ),
}
"""In falling order of trust."""

GRADES = {
    "A": "a public function was called with real objects",
    "B": "a function that the library keeps for itself was called, or an instance was made by hand",
    "C": "it ran without the libraries that it imports, or an object that only looks like the real one was passed",
}
"""What the grade of a proof says of its failing call; each was run in a fresh process."""

PROVENANCE = {
    "source": "Read from the library's source, at the line it links to.",
    "docs": "The library's own documentation says so: a docstring or a page.",
    "tests": "One of the library's own tests shows it.",
    "run": "Seen when the code was run.",
    "family": "True of every error of this family; this error's names filled in.",
    "model": "Written by a language model, each claim checked against the source before it was kept.",
    "inferred": "Concluded from the facts above it; no source says it in words.",
}

PROGRAMS = {
    "triggerScenarios": "A program that raises it",
    "solutions": "A program that does not raise it",
    "exampleFix": "A program that does not raise it",
}
"""What a model's program was seen to do before it was kept, by the key of the record that it was offered for."""

ERROR_TYPES: dict[ErrorType, str] = {
    "exception": "exception",
    "error_code": "error code",
    "console": "console message",
    "http": "HTTP error",
    "validation": "validation",
    "panic": "panic",
}

SITE_KINDS: dict[SiteKind, str] = {
    "raise": "raised",
    "helper": "raised by a helper",
    "exit": "ends the program",
    "warn": "warned",
    "log": "logged",
    "http": "answered over HTTP",
}


CODE_TITLES = {
    "exampleFix": "the example fix",
    "validationCode": "the validation",
    "typeGuard": "the type guard",
    "tryCatchPattern": "the except clause",
}
"""The record's code blocks, by key."""


def ran_words(proof: Proof) -> str:
    """Return when, on what and with what a proof ran, as one sentence."""
    how = (
        "the package's own source, with stand-ins for the libraries that it imports"
        if proof.sliced
        else f"the package imported{f', with {proof.environment}' if proof.environment else ''}"
    )
    return f"Run {proof.ran_at} on {proof.interpreter}: {how}."


def grade_words(proof: Proof) -> str:
    """Return a proof's grade with its meaning, as one sentence."""
    return f"Grade {proof.grade}: {GRADES.get(proof.grade, 'not known here')}."


def checked_words(proof: Proof) -> str:
    """Return which of the record's code blocks were run with witness and fix, as one sentence; empty where none was."""
    titles = [CODE_TITLES[key] for key in proof.upheld if key in CODE_TITLES]
    if not titles:
        return ""
    named = " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)
    return f"Held against these runs, {named} {'does its' if len(titles) == 1 else 'do their'} work."


def badge(level: Level, proof: Proof | None) -> str:
    """Return the words of a record's level badge."""
    words = LEVELS[level].badge
    if proof is None:
        return words
    return f"{words} · witness and fix run" if proof.fix is not None else f"{words} · witness run"


def provenance_label(provenance: Provenance) -> str:
    """Return the small label after a sentence: `line 97`, `docs`, `tests`, `inferred`, `run`, `model NAME`."""
    if provenance.kind == "source" and provenance.line is not None:
        return f"line {provenance.line}"
    if provenance.kind == "model" and provenance.detail:
        return f"model {plain(provenance.detail, MAX_MODEL_CHARACTERS)}"
    return provenance.kind


def condition_words(condition: Condition) -> str:
    """Return what must hold, in a few words with the code between backticks."""
    code = f"``{condition.text}``" if "`" in condition.text else f"`{condition.text}`"
    if condition.kind == "except":
        return (
            f"{code} was raised and is being handled" if condition.text else "an exception is being handled"
        )
    if condition.kind == "for":
        return f"the loop over {code} has ended" if condition.negated else f"inside the loop over {code}"
    if condition.kind == "with":
        return f"inside {code}"
    if condition.kind == "match":
        return f"no case before it matched {code}" if condition.negated else f"the case {code} matches"
    if condition.kind == "try-else":
        return "the block before it raised nothing"
    return f"{code} is false" if condition.negated else f"{code} is true"
