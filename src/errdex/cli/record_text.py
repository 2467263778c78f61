"""One record as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator

from errdex.catalog import StoredRecord
from errdex.model.explanation import Provenance, Sentence
from errdex.model.record import Proof
from errdex.model.site import ThrowSite

_Paint = Callable[[str, str], str]
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
_BOLD, _DIM, _RED, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[0m"


def record_text(stored: StoredRecord, *, colour: bool) -> str:
    """Return the whole record, most needed first, wrapped for a terminal; control characters are made visible."""
    paint = _paint if colour else _plain
    return "\n".join(_lines(stored, paint)).rstrip()


def visible(text: str) -> str:
    """Return `text` with control and direction characters escaped: what is analysed may be hostile."""
    return "".join(each if each.isprintable() or each in "\n\t" else f"\\u{ord(each):04x}" for each in text)


def _paint(text: str, code: str) -> str:
    return f"{code}{visible(text)}{_RESET}"


def _plain(text: str, _code: str) -> str:
    return visible(text)


def _lines(stored: StoredRecord, paint: _Paint) -> Iterator[str]:
    record, evidence = stored.record, stored.evidence
    site = evidence.sites[0]
    name = record.error_class or "error"
    title = (
        record.error_message if record.error_message.startswith(name) else f"{name}: {record.error_message}"
    )
    yield paint(title, _BOLD)
    version = f" {evidence.version}" if evidence.version else ""
    yield paint(
        f"{site.callable.name} · {record.file_path}:{record.line_number} · {evidence.package}{version} · "
        f"{evidence.level} · {record.id}",
        _DIM,
    )
    yield ""
    yield from _paragraph(evidence.sentences.get("documentation", ()))
    yield from _listed("What to do", evidence.sentences.get("solutions", ()), paint, numbered=True)
    if evidence.proof is not None:
        yield from _proof(evidence.proof, paint)
    yield paint("Where it is raised", _BOLD)
    yield from _source(stored, site, paint)
    yield ""
    if len(evidence.sites) > 1:
        places = ", ".join(f"{each.path}:{each.line}" for each in evidence.sites[1:])
        yield from textwrap.wrap(f"The same message is raised at {places}.", _WIDTH)
        yield ""
    yield paint("When it happens", _BOLD)
    yield from _paragraph(evidence.sentences.get("triggerScenarios", ()))
    yield from _paragraph(evidence.sentences.get("commonSituations", ()))
    for title, code in (
        ("Example fix", record.example_fix),
        ("Check before the call", record.validation_code),
        ("Type guard", record.type_guard),
        ("Catch it", record.try_catch_pattern),
    ):
        if code:
            yield paint(title, _BOLD)
            yield from textwrap.indent(visible(code), "  ").splitlines()
            yield ""
    yield from _listed("Prevent it", evidence.sentences.get("preventionTips", ()), paint)
    if evidence.related:
        yield paint("Related", _BOLD)
        for related in evidence.related:
            yield visible(f"  {related.id}  {' '.join(related.message.split())[:70]}  ({related.why})")
        yield ""
    tail = [f"family {record.background_tag}"] if record.background_tag else []
    yield paint(" · ".join([*tail, record.github_url]), _DIM)


def _proof(proof: Proof, paint: _Paint) -> Iterator[str]:
    """Yield the failing call with its output and the call that works, and where and when they ran."""
    yield paint("Seen to fail", _BOLD)
    yield from textwrap.indent(visible(proof.witness.code.rstrip()), "  ").splitlines()
    yield from (paint(f"  │ {line}", _RED) for line in proof.witness.output.splitlines()[-_OUTPUT_LINES:])
    yield ""
    if proof.fix is not None:
        yield paint(_FIX_TITLES.get(proof.fix.outcome, "Passes this check"), _BOLD)
        yield from textwrap.indent(visible(proof.fix.code.rstrip()), "  ").splitlines()
        yield from (visible(f"  │ {line}") for line in proof.fix.output.splitlines()[-_OUTPUT_LINES:])
        yield ""
    how = (
        "this one file alone, what it imports replaced by stand-ins"
        if proof.sliced
        else "the package imported"
    )
    yield paint(f"Run {proof.ran_at} on {proof.interpreter}, {how}; grade {proof.grade}", _DIM)
    yield ""


def _paragraph(sentences: Iterable[Sentence]) -> Iterator[str]:
    text = " ".join(sentence.text for sentence in sentences)
    if text:
        yield from textwrap.wrap(visible(text), _WIDTH)
        yield ""


def _listed(
    title: str, sentences: Iterable[Sentence], paint: _Paint, *, numbered: bool = False
) -> Iterator[str]:
    items = list(sentences)
    if not items:
        return
    yield paint(title, _BOLD)
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


def _source(stored: StoredRecord, site: ThrowSite, paint: _Paint) -> Iterator[str]:
    record = stored.record
    marked = set(range(site.line, site.end_line + 1))
    if site.guard:
        marked |= set(range(site.guard.line, site.guard.end_line + 1))
    low, high = min(*marked, site.line - _CONTEXT), site.end_line + 1
    for number, line in enumerate(record.source_code.split("\n"), record.source_code_start):
        if max(low, site.line - 3 * _CONTEXT) <= number <= high:
            text = f"  {'▸' if number == site.line else ' '} {number:>5} │ {line}"
            yield paint(text, _RED) if number in marked else visible(text)
