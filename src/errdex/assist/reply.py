"""The form of a model's answer: a JSON schema with a bound on every string, and the suggestions read out of one."""

from __future__ import annotations

from typing import Any

import msgspec

from errdex.model.assistance import Place, Suggestion

SENTENCE = 280
"""Characters of a sentence, at most."""
PROGRAM = 900
"""Characters of a program, at most."""
MOST = {"situations": 3, "solutions": 3, "prevention": 2}
"""Sentences of each kind, at most."""


class Reply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model answers. The bounds are the schema's; not every server can hold a model to them."""

    meaning: str
    situations: list[str]
    solutions: list[str]
    prevention: list[str]
    failing_program: str
    fixed_program: str


_SENTENCES: tuple[tuple[str, Place], ...] = (
    ("situations", "commonSituations"),
    ("solutions", "solutions"),
    ("prevention", "preventionTips"),
)
_PROGRAMS: tuple[tuple[str, Place], ...] = (
    ("failing_program", "triggerScenarios"),
    ("fixed_program", "exampleFix"),
)


def reply_schema() -> dict[str, Any]:
    """Return the JSON schema that a server is asked to hold an answer to: every string and list bounded."""
    sentence = {"type": "string", "maxLength": SENTENCE}
    listed = {field: {"type": "array", "maxItems": MOST[field], "items": sentence} for field, _ in _SENTENCES}
    programs = {field: {"type": "string", "maxLength": PROGRAM} for field, _ in _PROGRAMS}
    properties = {"meaning": sentence, **listed, **programs}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_reply(text: str) -> tuple[Suggestion, ...]:
    """Return what an answer suggests, in the order of a page; what is said twice counts where it stands first.

    Raises:
        msgspec.DecodeError: it is not JSON, or not of the schema (`msgspec.ValidationError` says where).
    """
    reply = msgspec.json.decode(text.encode("utf-8", "replace"), type=Reply)
    found = [Suggestion(place="documentation", text=reply.meaning.strip())]
    for field, place in _SENTENCES:
        found += (Suggestion(place=place, text=each.strip()) for each in getattr(reply, field)[: MOST[field]])
    for field, place in _PROGRAMS:
        code = getattr(reply, field).strip("\n")
        found.append(Suggestion(place=place, code=code if code.strip() else ""))
    once: dict[str, Suggestion] = {}
    for each in found:
        once.setdefault(each.text or each.code, each)
    return tuple(each for said, each in once.items() if said)
