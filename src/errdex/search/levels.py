"""The filter `level:proved` in what is asked: errors of no other level are answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

import msgspec

from errdex.catalog import Summary
from errdex.model.answer import Answer
from errdex.model.explanation import Level

_ASKED = re.compile(rf"(?<!\S)level:({'|'.join(sorted(get_args(Level), key=len, reverse=True))})(?!\S)\s*")


def levels_asked(question: str) -> tuple[str, frozenset[Level]]:
    """Return a question without its filters, and the levels that they name: any of these will do, none means all."""
    levels: frozenset[Level] = frozenset(_ASKED.findall(question))
    return (_ASKED.sub("", question).strip() if levels else question), levels


def of_levels(answer: Answer, levels: frozenset[Level], summaries: Mapping[str, Summary]) -> Answer:
    """Return an answer with the matches of these levels only; `summaries` tells theirs by id. Empty: all of them."""
    if not levels or not answer.matches:
        return answer
    kept = tuple(
        match for match in answer.matches if match.id in summaries and summaries[match.id].level in levels
    )
    if kept:
        return msgspec.structs.replace(answer, matches=kept)
    wanted = " or ".join(sorted(levels))
    reason = f"No error of the level {wanted} fits. Among those of any level: {answer.reason}"
    return msgspec.structs.replace(answer, verdict="no-match", reason=reason, matches=())
