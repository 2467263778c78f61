"""What a model offered for a record, and what the gate let through."""

from __future__ import annotations

from typing import Literal

import msgspec

Place = Literal[
    "documentation",
    "triggerScenarios",
    "commonSituations",
    "solutions",
    "preventionTips",
    "exampleFix",
    "validationCode",
    "typeGuard",
    "tryCatchPattern",
]
"""The record's key that a suggestion is offered for. The last four take code; so does `triggerScenarios`,
where code claims to raise the error, and `solutions`, where it claims not to."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One sentence or one block of code that a model offers; never both, the other is empty."""

    place: Place
    text: str = ""
    """One sentence, `code` between backticks, no other markup."""
    code: str = ""
    """A whole program (`exampleFix`, `triggerScenarios`, `solutions`) or a block as the record's key has it."""


class Failure(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One check's objection."""

    check: str
    """The check's slug: the name of its module, with hyphens."""
    reason: str


class Judgement(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the gate made of one suggestion."""

    suggestion: Suggestion
    kept: bool
    passed: tuple[str, ...] = ()
    """Slugs of the checks that looked and did not object."""
    failed: tuple[Failure, ...] = ()
    grounds: tuple[str, ...] = ()
    """The claims that were found to be so, in words; where empty, only the record's proof carries it."""


class Assistance(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What one model offered for one record, all of it judged."""

    model: str
    prompt_version: str
    at: str
    """UTC, as the record's `analyzedAt`."""
    judgements: tuple[Judgement, ...]
    refused: dict[str, int] = {}
    """How many suggestions each check objected to, where `judgements` holds only those that were kept."""
    tokens_in: int = 0
    tokens_out: int = 0


class Trial(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One program run in the sandbox, watched for one site."""

    lost: str = ""
    """Why the run says nothing (killed, or it reached for the observer or the outside); empty where it does."""
    hits: bool = False
    """Whether it ended with this site's error: class, words and very statement."""
    passes: bool = False
    """Whether the site's guard was evaluated and not taken."""
    error_class: str = ""
    """`module.qualname` of what ended it; empty where it ran to its end."""
    error_text: str = ""
    bases: tuple[str, ...] = ()
    """The class and its ancestors, nearest first."""
