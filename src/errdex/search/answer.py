"""The answer to a pasted text: verdict, reason and ranked matches."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from errdex.model.answer import Answer, Match, Trace, TraceBlock
from errdex.search.bind import bind
from errdex.search.candidates import BlockQuery
from errdex.search.index import Index
from errdex.search.lineage import version_fact
from errdex.search.names import distribution_name
from errdex.search.rank import Place, rank_block
from errdex.search.read import read_trace
from errdex.search.verdict import reason, reason_for_nothing, verdict_of, why

MOST_MATCHES = 8
CAUSE_BONUS = 0.12
"""What an earlier block of a chain gains over the last: the wrapped error is usually the one to explain."""
MOST_BLOCKS = 12
"""Of a longer chain the first and the last blocks are asked."""


class Ranked(NamedTuple):
    """One place, and the block of the trace that it answers."""

    weight: float
    place: Place
    block: TraceBlock
    number: int


def answer(text: str, index: Index | None, *, installed: bool = False) -> Answer:
    """Return the answer to a pasted text. Never raises for anything that `text` holds."""
    return answer_trace(read_trace(text), index)


def answer_trace(trace: Trace, index: Index | None) -> Answer:
    """Return the answer to a text that has been read."""
    ranked = rank_trace(trace, index) if index is not None else []
    shown = [row for row in ranked if row.place.best.score > 0.0][:MOST_MATCHES]
    if not shown:
        verdict, words = reason_for_nothing(trace, index)
        return Answer(verdict=verdict, reason=words)
    best = shown[0]
    verdict = verdict_of(best.place)
    rivals = [row.place for row in shown if row.number == best.number]
    matches = tuple(_match(row) for row in shown)
    if index is not None:
        first = best.place.best.segment.entry(best.place.best.entry)
        stated = trace.versions.get(distribution_name(first.package))
        fact = version_fact(first, index, stated)
        matches = (msgspec.structs.replace(matches[0], version_fact=fact), *matches[1:])
    return Answer(verdict=verdict, reason=reason(verdict, rivals, best.block.error_class), matches=matches)


def rank_trace(trace: Trace, index: Index) -> list[Ranked]:
    """Return the places of every block, likeliest first; causes before what they caused where both are sure."""
    blocks = list(enumerate(trace.blocks))
    if len(blocks) > MOST_BLOCKS:
        blocks = [*blocks[: MOST_BLOCKS // 2], *blocks[-MOST_BLOCKS // 2 :]]
    last = len(trace.blocks) - 1
    rows: list[Ranked] = []
    for number, block in blocks:
        places, _ = rank_block(BlockQuery(index, block, trace.versions, trace.runtime))
        bonus = CAUSE_BONUS if number < last else 0.0
        rows.extend(Ranked(place.probability + bonus, place, block, number) for place in places)
    return sorted(rows, key=lambda row: -row.weight)


def _match(row: Ranked) -> Match:
    candidate = row.place.best
    entry = candidate.segment.entry(candidate.entry)
    return Match(
        id=entry.id,
        package=entry.package,
        version=entry.version,
        file=entry.path,
        line=entry.line,
        end_line=entry.end_line,
        function=entry.function,
        error_class=entry.error_class,
        template=entry.template,
        bindings=bind(entry.template, row.block.message) if entry.template else (),
        score=round(row.place.probability, 4),
        why=why(candidate, row.block.error_class),
        url=f"/{entry.repo}/{entry.slug}/",
        block=row.number,
    )
