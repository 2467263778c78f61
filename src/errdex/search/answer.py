"""The answer to a pasted text: verdict, reason and ranked matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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

if TYPE_CHECKING:
    from errdex.model.record import Evidence, Record
    from errdex.search.installed import Spot

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


class Explained(NamedTuple):
    """An answer with what it was made from."""

    answer: Answer
    trace: Trace
    spot: Spot | None
    """What was analysed on the spot; None where the index had it all."""

    def record(self, match: Match) -> tuple[Record, Evidence] | None:
        """Return the full record of a match that was found on the spot; None for one of the catalog."""
        return self.spot.record(match) if self.spot is not None else None


def explain(text: str, index: Index | None, *, installed: bool = True) -> Explained:
    """Return the answer to a pasted text, and what it was made from.

    Never raises for anything that `text` holds. With `installed`, packages that the text names and that are
    installed here are read on the spot where `index` lacks them.
    """
    return explain_trace(read_trace(text), index, installed=installed)


def explain_trace(trace: Trace, index: Index | None, *, installed: bool = True) -> Explained:
    """Return the answer to a trace, and what it was made from."""
    spot = _on_the_spot(trace, index) if installed and trace.runtime in {"python", "unknown"} else None
    return Explained(answer_trace(trace, spot.index(index) if spot is not None else index), trace, spot)


def answer(text: str, index: Index | None, *, installed: bool = False) -> Answer:
    """Return the answer to a pasted text. Never raises for anything that `text` holds."""
    return explain(text, index, installed=installed).answer


def _on_the_spot(trace: Trace, index: Index | None) -> Spot | None:
    from errdex.search.installed import analyze_installed  # noqa: PLC0415 - the analysis stages cost start-up time

    return analyze_installed(trace, index)


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
