"""One record as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from errdex.catalog import StoredRecord
from errdex.cli.paint import BOLD, DIM, RED, Paint, paint_for, visible
from errdex.model.explanation import Provenance, Sentence
from errdex.model.record import Evidence, Proof
from errdex.model.site import ThrowSite
from errdex.publish.links import Site
from errdex.publish.wire import published
from errdex.publish.wording import LEVELS, PROGRAMS, checked_words, grade_words, ran_words

_WIDTH = 92
_CONTEXT = 4
"""Lines of source shown around the raising statement."""
_OUTPUT_LINES = 6
"""Last lines of a program's output that are shown."""
_FIX_TITLES = {
    "returned": "Seen to work",
    "raised-later": "Passes this check, then raises something else",
    "needs-backend": "Passes this check; what follows needs the real library",
}


def record_text(stored: StoredRecord, *, colour: bool) -> str:
    """Return the whole record, most needed first, wrapped for a terminal; control characters are made visible."""
    return "\n".join(_lines(stored, paint_for(colour=colour))).rstrip()


def _lines(stored: StoredRecord, paint: Paint) -> Iterator[str]:
    record, evidence = stored.record, stored.evidence
    site = evidence.sites[0]
    name = record.error_class or "error"
    title = (
        record.error_message if record.error_message.startswith(name) else f"{name}: {record.error_message}"
    )
    yield paint(title, BOLD)
    version = f" {evidence.version}" if evidence.version else ""
    yield paint(
        f"{site.callable.name} · {record.file_path}:{record.line_number} · {evidence.package}{version} · "
        f"{LEVELS[evidence.level].badge} · {record.id}",
        DIM,
    )
    yield ""
    yield from _paragraph(evidence.told("documentation"))
    yield from _listed("What to do", evidence.told("solutions"), paint, numbered=True)
    if evidence.proof is not None:
        yield from _proof(evidence.proof, record.id, paint)
    yield from _programs(evidence, paint)
    yield paint("Where it is raised", BOLD)
    yield from _source(stored, site, paint)
    yield ""
    if len(evidence.sites) > 1:
        places = ", ".join(f"{each.path}:{each.line}" for each in evidence.sites[1:])
        yield from textwrap.wrap(f"The same message is raised at {places}.", _WIDTH)
        yield ""
    yield paint("When it happens", BOLD)
    yield from _paragraph(evidence.told("triggerScenarios"))
    yield from _paragraph(evidence.told("commonSituations"))
    for title, code in (
        ("Example fix", record.example_fix),
        ("Check before the call", record.validation_code),
        ("Type guard", record.type_guard),
        ("Catch it", record.try_catch_pattern),
    ):
        if code:
            yield paint(title, BOLD)
            yield from textwrap.indent(visible(code), "  ").splitlines()
            yield ""
    yield from _listed("Prevent it", evidence.told("preventionTips"), paint)
    if evidence.related:
        yield paint("Related", BOLD)
        for related in evidence.related:
            yield visible(f"  {related.id}  {' '.join(related.message.split())[:70]}  ({related.why})")
        yield ""
    tail = [f"family {record.background_tag}"] if record.background_tag else []
    yield paint(" · ".join([*tail, published(record, Site()).github_url]), DIM)


def _proof(proof: Proof, record_id: str, paint: Paint) -> Iterator[str]:
    """Yield the failing call with its output and the call that works, and where and when they ran."""
    yield paint("Seen to fail", BOLD)
    yield from textwrap.indent(visible(proof.witness.code.rstrip()), "  ").splitlines()
    yield from (paint(f"  │ {line}", RED) for line in proof.witness.output.splitlines()[-_OUTPUT_LINES:])
    yield ""
    if proof.fix is not None:
        yield paint(_FIX_TITLES.get(proof.fix.outcome, "Passes this check"), BOLD)
        yield from textwrap.indent(visible(proof.fix.code.rstrip()), "  ").splitlines()
        yield from (visible(f"  │ {line}") for line in proof.fix.output.splitlines()[-_OUTPUT_LINES:])
        yield ""
    rerun = f"`standins` is errdex's own: `errdex prove --check {record_id}` runs the failing call again."
    for words in (ran_words(proof), grade_words(proof), checked_words(proof), rerun if proof.sliced else ""):
        yield from (paint(visible(line), DIM) for line in textwrap.wrap(words, _WIDTH))
    yield ""


def _programs(evidence: Evidence, paint: Paint) -> Iterator[str]:
    """Yield the programs that models wrote and the gate ran."""
    for key, title in PROGRAMS.items():
        for program in evidence.programs(key):
            yield paint(f"{title}{_source_mark(program.provenance)}", BOLD)
            yield from textwrap.indent(visible(program.code.rstrip()), "  ").splitlines()
            yield ""


def _paragraph(sentences: Iterable[Sentence]) -> Iterator[str]:
    text = " ".join(
        sentence.text + (_source_mark(sentence.provenance) if sentence.provenance.kind == "model" else "")
        for sentence in sentences
    )
    if text:
        yield from textwrap.wrap(visible(text), _WIDTH)
        yield ""


def _listed(
    title: str, sentences: Iterable[Sentence], paint: Paint, *, numbered: bool = False
) -> Iterator[str]:
    items = list(sentences)
    if not items:
        return
    yield paint(title, BOLD)
    for number, sentence in enumerate(items, 1):
        head = f"  {number}. " if numbered else "  - "
        text = sentence.text + _source_mark(sentence.provenance)
        yield from textwrap.wrap(
            visible(text), _WIDTH, initial_indent=head, subsequent_indent=" " * len(head)
        )
    yield ""


def _source_mark(provenance: Provenance) -> str:
    """Return what a reader should know of where a sentence comes from; nothing for what the source says."""
    return {"inferred": " (inferred)", "model": f" (written by {provenance.detail})"}.get(provenance.kind, "")


def _source(stored: StoredRecord, site: ThrowSite, paint: Paint) -> Iterator[str]:
    record = stored.record
    marked = set(range(site.line, site.end_line + 1))
    if site.guard:
        marked |= set(range(site.guard.line, site.guard.end_line + 1))
    low, high = min(*marked, site.line - _CONTEXT), site.end_line + 1
    for number, line in enumerate(record.source_code.split("\n"), record.source_code_start):
        if max(low, site.line - 3 * _CONTEXT) <= number <= high:
            text = f"  {'▸' if number == site.line else ' '} {number:>5} │ {line}"
            yield paint(text, RED) if number in marked else visible(text)
