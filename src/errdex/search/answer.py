"""The answer to a pasted text: verdict, reason and ranked matches."""

from __future__ import annotations

from collections.abc import Sequence

from errdex.model.answer import Answer, Match, Trace, TraceBlock, Verdict
from errdex.search.bind import bind
from errdex.search.candidates import BlockQuery, Candidate
from errdex.search.index import Index
from errdex.search.names import library_parts, path_parts
from errdex.search.rank import Place, rank_block
from errdex.search.read import read_trace

EXACT = 0.93
LIKELY = 0.6
MOST_MATCHES = 8
CAUSE_BONUS = 0.12
"""What an earlier block of a chain gains over the last: the wrapped error is usually the one to explain."""


def answer(text: str, index: Index | None, *, installed: bool = False) -> Answer:
    """Return the answer to a pasted text. Never raises for anything that `text` holds."""
    return answer_trace(read_trace(text), index)


def answer_trace(trace: Trace, index: Index | None) -> Answer:
    """Return the answer to a text that has been read."""
    if not trace.blocks:
        return Answer(verdict="no-match", reason="Nothing in this text reads like an error.")
    if index is None or not len(index):
        return Answer(verdict="unindexed", reason="The catalog is empty.")
    ranked = [(block, *_rank(index, trace, block)) for block in trace.blocks]
    rows: list[tuple[float, Place, TraceBlock]] = []
    for number, (block, places, _) in enumerate(ranked):
        bonus = CAUSE_BONUS if number < len(ranked) - 1 else 0.0
        rows.extend((place.probability + bonus, place, block) for place in places)
    rows.sort(key=lambda row: -row[0])
    shown = [row for row in rows if row[1].best.score > 0.0][:MOST_MATCHES]
    if not shown:
        return _nothing(trace, index)
    best = shown[0][1]
    verdict = _verdict(best)
    matches = tuple(_match(place, block) for _, place, block in shown)
    return Answer(verdict=verdict, reason=_reason(verdict, best), matches=matches)


def _rank(index: Index, trace: Trace, block: TraceBlock) -> tuple[list[Place], float]:
    return rank_block(BlockQuery(index, block, trace.versions, trace.runtime))


def _verdict(best: Place) -> Verdict:
    if best.probability >= EXACT:
        return "exact"
    return "likely" if best.probability >= LIKELY else "ambiguous"


def _reason(verdict: Verdict, best: Place) -> str:
    return {"exact": "", "likely": "Probably: "}.get(verdict, "Perhaps: ") + _why(best.best) + "."


def _why(candidate: Candidate) -> str:
    words: list[str] = []
    if candidate.frame is not None:
        words.append(f"line {candidate.frame.line} of the trace's frame leads there")
    if candidate.fit.kind != "none":
        words.append(
            {"whole": "the message fits its wording", "cut": "the message begins as it does"}.get(
                candidate.fit.kind, "the wording is contained in the message"
            )
        )
    return ", ".join(words) or "class and package fit"


def _match(place: Place, block: TraceBlock) -> Match:
    candidate = place.best
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
        bindings=bind(entry.template, block.message) if entry.template else (),
        score=round(place.probability, 4),
        why=_why(candidate),
        url=f"/{entry.repo}/{entry.slug}/",
    )


def _nothing(trace: Trace, index: Index) -> Answer:
    unknown = _unknown_packages(trace, index)
    if unknown:
        return Answer(verdict="unindexed", reason=f"{', '.join(unknown)}: not in the catalog.")
    return Answer(verdict="no-match", reason="No error of the catalog fits this text.")


def _unknown_packages(trace: Trace, index: Index) -> Sequence[str]:
    roots = []
    for block in trace.blocks:
        for frame in block.frames:
            below = library_parts(path_parts(frame.path))
            if below and below[0].removesuffix(".py") not in index.roots:
                roots.append(below[0])
    return list(dict.fromkeys(roots))
