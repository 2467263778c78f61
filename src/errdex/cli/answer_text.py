"""An answer as a person reads it: the message, the place, the condition with its values, what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from errdex.cli.paint import BOLD, DIM, GREEN, RED, YELLOW, Paint, paint_for, visible
from errdex.model.answer import Answer, Frame, Match, Trace, TraceBlock
from errdex.model.explanation import Provenance
from errdex.model.record import Evidence, Record
from errdex.model.site import ThrowSite
from errdex.search.names import library_parts, path_parts

if TYPE_CHECKING:
    from errdex.search.live import Condition as LiveCondition

_VERDICT_COLOURS = {
    "exact": GREEN,
    "likely": GREEN,
    "ambiguous": YELLOW,
    "no-match": YELLOW,
    "unindexed": YELLOW,
}
_LONGEST_VALUE = 60
_MOST_VALUES = 6
_MOST_SOLUTIONS = 3
_MOST_RIVALS = 5
_GAP = 4
"""Lines between guard and raise that are shown before they are left out."""
_LEVELS = {
    "run": "✓ run",
    "tests": "from its tests",
    "family": "",
    "inferred": "inferred",
    "model": "by a model",
}


def render_answer(
    answer: Answer,
    trace: Trace,
    stored: tuple[Record, Evidence] | None,
    *,
    colour: bool,
    width: int = 100,
    installed: bool = False,
    condition: LiveCondition | None = None,
) -> str:
    """Return the answer as text for a terminal.

    Args:
        answer: What was found.
        trace: The pasted text, read.
        stored: The best match's record and evidence, if there are any.
        colour: Whether to colour it.
        width: Characters a line may have.
        installed: Whether the best match was read on the spot from what is installed here.
        condition: The condition that led there with its actual values, where live frames gave them.
    """
    paint = paint_for(colour=colour)
    lines = _lines(answer, trace, stored, paint, max(width, 40), installed=installed, condition=condition)
    return "\n".join(lines).rstrip()


def _lines(
    answer: Answer,
    trace: Trace,
    stored: tuple[Record, Evidence] | None,
    paint: Paint,
    width: int,
    *,
    installed: bool,
    condition: LiveCondition | None,
) -> Iterator[str]:
    best = answer.matches[0] if answer.matches else None
    if best is None:
        words = {"no-match": "no match", "unindexed": "not indexed"}.get(answer.verdict, answer.verdict)
        yield from _wrapped(f"{words}: {answer.reason}", width)
        if condition is not None:
            yield from _live_condition(condition, paint)
        return
    block = (
        trace.blocks[best.block]
        if best.block < len(trace.blocks)
        else TraceBlock(error_class=None, message="")
    )
    yield from _title(answer, best, block, paint, width)
    yield paint(_place(best, installed=installed), DIM)
    yield ""
    if answer.verdict == "ambiguous":
        yield from _rivals(answer, paint, width)
    else:
        yield from _condition(best, stored, condition, paint, width)
    if stored is not None:
        yield from _source(stored, best, paint, width)
        yield from _deeds(stored, best, paint, width)
    yield from _surroundings(answer, best, trace, width)
    yield from _footer(best, stored, paint, installed=installed)


def _title(answer: Answer, best: Match, block: TraceBlock, paint: Paint, width: int) -> Iterator[str]:
    name = (block.error_class or best.error_class or "error").rpartition(".")[2]
    message = block.message.strip() or best.template or ""
    text = f"{name}: {message}" if message else name
    rows = [row for line in text.split("\n")[:6] for row in _wrapped(line, width - 12)] or [name]
    pad = max(2, width - len(rows[0]) - len(answer.verdict))
    yield paint(rows[0], BOLD) + " " * pad + paint(answer.verdict, _VERDICT_COLOURS[answer.verdict])
    for row in rows[1:8]:
        yield paint(row, BOLD)


def _place(best: Match, *, installed: bool) -> str:
    version = f" {best.version}" if best.version else ""
    where = f"{best.file}:{best.line}"
    return f"{best.function or '<module>'} · {where} · {best.package}{version}" + (
        " (installed)" if installed else ""
    )


def _condition(
    best: Match,
    stored: tuple[Record, Evidence] | None,
    condition: LiveCondition | None,
    paint: Paint,
    width: int,
) -> Iterator[str]:
    """Yield why it was raised: in words, then the condition's actual values, or those that the message shows."""
    if stored is not None and (cause := _cause(stored[1])):
        yield from _wrapped(cause, width, "  ")
    if condition is not None and condition.values:
        yield from _live_condition(condition, paint)
        yield ""
        return
    values = {binding.expression: binding.value for binding in reversed(best.bindings)}
    for expression, value in list(reversed(values.items()))[:_MOST_VALUES]:
        yield _value_row(expression, value, paint)
    yield ""


def _cause(evidence: Evidence) -> str | None:
    """Return the sentence that says when it is raised, fit to stand alone."""
    sentences = evidence.sentences.get("documentation", ())
    read = [sentence.text for sentence in sentences if sentence.provenance.kind == "source"]
    texts = read or [sentence.text for sentence in sentences]
    if not texts or not texts[-1].startswith("It "):
        return texts[-1] if texts else None
    return f"`{evidence.sites[0].callable.name}`{texts[-1].removeprefix('It')}"


def _live_condition(condition: LiveCondition, paint: Paint) -> Iterator[str]:
    yield f"  since {paint(condition.text, BOLD)}" + (", where" if condition.values else "")
    for expression, value in condition.values[:_MOST_VALUES]:
        yield f"  {_value_row(expression, value, paint)}"


def _value_row(expression: str, value: str, paint: Paint) -> str:
    value = " ".join(value.split())
    shown = value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 1] + "…"
    return f"  {paint(expression, BOLD)} = {visible(shown)}"


def _site(stored: tuple[Record, Evidence], best: Match) -> ThrowSite:
    sites = stored[1].sites
    return next((site for site in sites if site.line == best.line and site.path == best.file), sites[0])


def _source(stored: tuple[Record, Evidence], best: Match, paint: Paint, width: int) -> Iterator[str]:
    """Yield the guard and the raising statement as the source writes them, the latter marked."""
    record, site = stored[0], _site(stored, best)
    lines = dict(enumerate(record.source_code.split("\n"), record.source_code_start))
    raising = range(site.line, site.end_line + 1)
    guard = range(site.guard.line, site.guard.end_line + 1) if site.guard is not None else range(0)
    between = range(guard.stop, site.line) if guard and site.line - guard.stop < _GAP else range(0)
    shown = [number for number in (*guard, *between, *raising) if number in lines]
    if not shown:
        return
    margin = min(
        (len(lines[number]) - len(lines[number].lstrip()) for number in shown if lines[number].strip()),
        default=0,
    )
    digits = len(str(shown[-1]))
    before: int | None = None
    for number in shown:
        if before is not None and number > before + 1:
            yield paint(f"    {'⋮':>{digits}}", DIM)
        mark = "▸" if number == site.line else " "
        text = f"  {mark} {number:>{digits}} │ {lines[number][margin:]}"[:width]
        yield paint(text, RED) if number in raising else visible(text)
        before = number
    yield ""


def _deeds(stored: tuple[Record, Evidence], best: Match, paint: Paint, width: int) -> Iterator[str]:
    """Yield what to do, likeliest first, each with how far it is borne out."""
    record, evidence = stored
    proof = evidence.proof
    label = "Do"
    if proof is not None and proof.fix is not None:
        yield from _deed(label, proof.fix.code, "✓ run, passes the guard", paint, width)
        label = "Or"
    for sentence in evidence.sentences.get("solutions", ())[:_MOST_SOLUTIONS]:
        yield from _deed(label, _filled(sentence.text, best), _level(sentence.provenance), paint, width)
        label = "Or"
    if record.example_fix and proof is None:
        yield ""
        yield from (f"         {visible(row)}" for row in record.example_fix.rstrip().split("\n")[:12])
    if label == "Or":
        yield ""


def _filled(text: str, best: Match) -> str:
    """Return advice that quotes the template, with the values of this very message in its holes."""
    plain_first = sorted(best.bindings, key=lambda binding: binding.value[:1] in "'\"")
    for binding in plain_first:
        text = text.replace(f"{{{binding.expression}}}", binding.value)
    return text


def _level(provenance: Provenance) -> str:
    return _LEVELS.get(provenance.kind, "")


def _deed(label: str, text: str, level: str, paint: Paint, width: int) -> Iterator[str]:
    rows = [row for line in text.split("\n") for row in _wrapped(line, width - 9)]
    for number, row in enumerate(rows):
        head = f"  {label:<7}" if number == 0 else " " * 9
        tail = f"   {paint(level, DIM)}" if level and number == len(rows) - 1 else ""
        yield f"{paint(head, BOLD)}{visible(row)}{tail}"


def _rivals(answer: Answer, paint: Paint, width: int) -> Iterator[str]:
    yield from _wrapped(answer.reason, width, "  ")
    for match in answer.matches[:_MOST_RIVALS]:
        place = f"{match.package} {match.version or ''}".strip()
        yield f"  {paint(f'{match.score:4.0%}', DIM)}  {visible(f'{match.file}:{match.line} · {match.function} · {place}')}"
        if match.template:
            yield paint(f"        {' '.join(match.template.split())}"[:width], DIM)
    yield ""


def _surroundings(answer: Answer, best: Match, trace: Trace, width: int) -> Iterator[str]:
    """Yield who called, what else the chain holds, and what the versions say."""
    caller = _caller(trace, best)
    said = False
    if caller is not None:
        name = f" in {caller.function}" if caller.function else ""
        yield from _wrapped(f"Called from {_short(caller.path)}:{caller.line}{name}", width, "  ")
        said = True
    for number, block in enumerate(trace.blocks):
        if number == best.block or not (block.error_class or block.message):
            continue
        known = next((match for match in answer.matches if match.block == number and match.score > 0.5), None)
        role = _role(trace, number, best.block)
        name = (block.error_class or "an error").rpartition(".")[2]
        words = " ".join(block.message.split())
        place = f" ({known.file}:{known.line}, {known.package})" if known is not None else ""
        yield from _wrapped(f"{role} {name}{': ' if words else ''}{words[:160]}{place}", width, "  ")
        said = True
    if best.version_fact:
        yield from _wrapped(best.version_fact, width, "  ")
        said = True
    if answer.verdict == "likely":
        yield from _wrapped(answer.reason, width, "  ")
        said = True
    if said:
        yield ""


def _role(trace: Trace, number: int, shown: int) -> str:
    """Return how exception `number` of a trace stands to the one that is shown."""
    if any(block.link == "group-member" for block in trace.blocks):
        return "Beside it" if trace.blocks[number].link == "group-member" else "Within"
    return "It led to" if number > shown else "It came of"


def _caller(trace: Trace, best: Match) -> Frame | None:
    """Return the innermost frame that is the reader's own code, not a library's."""
    if best.block >= len(trace.blocks):
        return None
    for frame in reversed(trace.blocks[best.block].frames):
        if frame.line is None or frame.path.startswith("<"):
            continue
        parts = path_parts(frame.path)
        inside = "lib" in parts and any(part.startswith("python3") for part in parts)
        if library_parts(parts) is None and not inside and not best.file.endswith("/".join(parts[-2:])):
            return frame
    return None


def _short(path: str) -> str:
    return "/".join(path_parts(path)[-2:])


def _footer(
    best: Match, stored: tuple[Record, Evidence] | None, paint: Paint, *, installed: bool
) -> Iterator[str]:
    if installed:
        yield paint(f"  errdex analyze env:{best.package}   keeps its errors in the catalog", DIM)
        return
    related = sum(one.why == "same function" for one in stored[1].related) if stored is not None else 0
    more = f" · {related} more errors of this function" if related > 1 else ""
    yield paint(f"  errdex show {best.id}   the whole page{more}", DIM)


def _wrapped(text: str, width: int, indent: str = "") -> Sequence[str]:
    return textwrap.wrap(
        visible(text), width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
