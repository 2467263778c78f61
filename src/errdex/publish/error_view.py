"""What an error's page shows, worked out from its record and evidence before any HTML is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

import msgspec
from markupsafe import Markup

from errdex.model.explanation import CodeBlock, Provenance, Sentence
from errdex.model.record import Evidence, Proof, Record, Related
from errdex.model.site import Condition, Hole, MessageTemplate, ThrowSite
from errdex.publish.highlight import Line, code_lines, code_markup
from errdex.publish.places import Places
from errdex.publish.text import hole_words, inline, message_markup, plain, visible
from errdex.publish.wording import PROGRAMS, condition_words, provenance_label

MAX_LISTED = 20
"""Sites, tests and related errors shown; the JSON has all."""
NEAR_CONDITIONS = 6
"""Conditions shown open; those further from the raise are folded away."""

_FIX_PARTS = re.compile(r"^[ \t]*(?:#|//|--)[ \t]*(before|after)\b[^\n]*\n?", re.IGNORECASE | re.MULTILINE)


class Said(msgspec.Struct, frozen=True):
    """A sentence with the small label that says where it comes from."""

    html: Markup
    kind: str
    label: str
    href: str | None


class Block(msgspec.Struct, frozen=True):
    """Code with its provenance."""

    html: Markup
    said: Said


class Pane(msgspec.Struct, frozen=True):
    """One program of a pair: it fails, or it works."""

    title: str
    note: str
    html: Markup
    output: Markup | None
    works: bool
    trace: Markup | None = None
    """The traceback above the output's last words, folded away."""
    ends_well: bool = True
    """False for a fix that passes the guard and fails further on."""


class Place(msgspec.Struct, frozen=True):
    """One line of source, linked where it can be read."""

    text: str
    href: str | None
    name: str = ""
    detail: Markup = Markup()


class Named(msgspec.Struct, frozen=True):
    """A value or a parameter and what is known of it."""

    name: Markup
    detail: Markup


class Reach(msgspec.Struct, frozen=True):
    """A public way to the error."""

    name: Markup
    href: str | None
    steps: tuple[Place, ...]


def short_class(record: Record) -> str | None:
    """Return the class's last name, as a traceback's reader knows it."""
    return record.error_class.rpartition(".")[2] if record.error_class else None


def title_class(record: Record) -> str | None:
    """Return the class to put before the message in a title; None where the message begins with it."""
    name = short_class(record)
    if name is None or re.match(rf"{re.escape(name)}\b", record.error_message):
        return None
    return name


def title_text(record: Record) -> str:
    """Return class and message in one line of text, as a traceback ends."""
    name = title_class(record)
    return f"{name}: {record.error_message}" if name else record.error_message


def template_of(record: Record, sites: Sequence[ThrowSite]) -> MessageTemplate | None:
    """Return the template whose words are the record's message."""
    for site in sites:
        for template in site.templates:
            if template.written == record.error_message:
                return template
    return None


def title_markup(record: Record, evidence: Evidence) -> Markup:
    """Return the message with its holes marked."""
    return message_markup(record.error_message, template_of(record, evidence.sites))


def sentences(key: str, fallback: str | Sequence[str], evidence: Evidence, places: Places) -> list[Said]:
    """Return the sentences of one key with their provenance, those of models last.

    Where no sentence of our own is kept, the record's own words stand in their place.
    """
    told = [said(sentence, places) for sentence in evidence.told(key)]
    if evidence.sentences.get(key):
        return told
    texts = [fallback] if isinstance(fallback, str) else fallback
    return [Said(inline(text), "", "", None) for text in texts if text] + told


def said(sentence: Sentence, places: Places) -> Said:
    """Return one sentence ready to show."""
    return _labelled(inline(sentence.text), sentence.provenance, places)


def block(key: str, code: str | None, evidence: Evidence, places: Places) -> Block | None:
    """Return one block of code with where it comes from; None where the record has none."""
    kept = evidence.code.get(key)
    if code is None:
        return None
    origin = Said(Markup(), "", "", None) if kept is None else _origin(kept, places)
    return Block(code_markup(code, places.record.file_path), origin)


def programs(record: Record, evidence: Evidence, places: Places) -> list[tuple[str, Block]]:
    """Return the programs that models offered and the gate ran, each with its title."""
    return [
        (title, Block(code_markup(program.code, record.file_path), _origin(program, places)))
        for key, title in PROGRAMS.items()
        for program in evidence.programs(key)
    ]


def pair(record: Record, evidence: Evidence) -> list[Pane]:
    """Return what fails and what works: the proof's own programs, else the example fix, unrun and said so."""
    if evidence.proof is not None:
        return _proved_pair(evidence.proof, record)
    if record.example_fix is None:
        return []
    pieces = _FIX_PARTS.split(record.example_fix)
    if len(pieces) != 5:
        return [
            Pane(
                "example fix", "not run", code_markup(record.example_fix, record.file_path), None, works=True
            )
        ]
    before, after = pieces[2].rstrip(), pieces[4].rstrip()
    return [
        Pane("before", "not run", code_markup(before, record.file_path), None, works=False),
        Pane("after", "not run", _changed(after, before, record.file_path), None, works=True),
    ]


def source_lines(record: Record, sites: Sequence[ThrowSite]) -> list[Line]:
    """Return the record's window of source, the raise and the guard marked."""
    first = sites[0] if sites else None
    end = first.end_line if first is not None and first.line == record.line_number else record.line_number
    guard = first.guard if first is not None else None
    guarded = range(guard.line, guard.end_line + 1) if guard is not None else range(0)
    return code_lines(
        record.source_code,
        record.file_path,
        start=record.source_code_start,
        throw=range(record.line_number, end + 1),
        guard=guarded,
    )


def conditions(site: ThrowSite, places: Places) -> list[Said]:
    """Return everything that must hold to get to the site, the guard last."""
    known = list(site.path_conditions)
    if site.guard is not None and site.guard not in known:
        known.append(site.guard)
    return [_condition(condition, site.path, places) for condition in known]


def reaches(site: ThrowSite, places: Places) -> list[Reach]:
    """Return the public callables that lead to the site, each with its calls."""
    found = []
    for entry in site.entry_points:
        steps = tuple(
            Place(
                f"{step.caller}:{step.line}",
                places.line(step.path, step.line),
                step.caller,
                visible(step.call),
            )
            for step in entry.chain
        )
        name = visible(plain(entry.name + entry.signature, 110))
        found.append(Reach(name, places.line(entry.path, entry.line), steps))
    return found


def site_places(sites: Sequence[ThrowSite], places: Places) -> list[Place]:
    """Return every site that shares the record, the first the record's own."""
    return [
        Place(
            f"{site.path}:{site.line}",
            places.line(site.path, site.line, site.end_line),
            plain(site.callable.name, 120),
            inline(f"``{site.guard.text}``") if site.guard is not None else Markup(),
        )
        for site in sites
    ]


def tests(sites: Sequence[ThrowSite], places: Places) -> list[Place]:
    """Return the library's own tests that raise the error, each once."""
    known = {(test.path, test.line): test for site in sites for test in site.tests}
    return [
        Place(
            f"{path.rpartition('/')[2]}::{plain(test.name, 120)}",
            places.line(path, line),
            detail=code_markup(test.call, path),
        )
        for (path, line), test in sorted(known.items())
    ]


def holes(template: MessageTemplate | None, site: ThrowSite | None) -> list[Named]:
    """Return what each value in the message is, once per expression."""
    if template is None:
        return []
    parameters = {} if site is None else {one.name: one for one in site.callable.parameters}
    named: dict[str, Named] = {}
    for hole in template.holes:
        if hole.expression not in named:
            root = re.split(r"[^\w]", hole.expression, maxsplit=1)[0]
            parameter = parameters.get(root)
            detail = _hole_detail(
                hole, root, parameter.doc if parameter else None, known=parameter is not None
            )
            named[hole.expression] = Named(visible(hole.written), detail)
    return list(named.values())


def parameters(site: ThrowSite) -> list[Named]:
    """Return the parameters that the guard depends on and the docstring speaks of, with its words."""
    read = [one for one in site.callable.parameters if one.name in site.parameters and one.doc]
    return [
        Named(
            visible(one.name + (f": {one.annotation}" if one.annotation else "")),
            inline(one.doc or ""),
        )
        for one in read
    ]


def related_groups(related: Sequence[Related]) -> list[tuple[str, list[Related]]]:
    """Return related errors grouped by why they are related, in the order given."""
    return [(why, list(group)[:8]) for why, group in groupby(related[:MAX_LISTED], key=lambda one: one.why)]


def _labelled(html: Markup, provenance: Provenance, places: Places) -> Said:
    label = provenance_label(provenance)
    return Said(html, provenance.kind, label, places.provenance(provenance))


def _origin(kept: CodeBlock, places: Places) -> Said:
    return _labelled(Markup(), kept.provenance, places)


def _condition(condition: Condition, path: str, places: Places) -> Said:
    words = condition_words(condition)
    if condition.inlined and condition.inlined != condition.text:
        words += f", that is `{condition.inlined}`"
    provenance = Provenance(kind="source", path=path, line=condition.line, end_line=condition.end_line)
    return _labelled(inline(words), provenance, places)


def _hole_detail(hole: Hole, root: str, doc: str | None, *, known: bool) -> Markup:
    """Return what is known of a hole: its expression, the parameter it comes from, its format."""
    is_shown = hole.expression in hole.written
    if known and root == hole.expression:
        words = f"the argument `{root}`"
    elif known:
        words = (
            f"from the argument `{root}`"
            if is_shown
            else f"``{hole.expression}``, from the argument `{root}`"
        )
    else:
        words = f"the value of ``{hole.expression}`` where it is raised"
    if formatted := hole_words(hole):
        words += f", {formatted}"
    return inline(f"{words}: {doc}" if doc else words)


_OUTCOMES = {
    "returned": "returns",
    "raised-later": "passes the guard, fails later",
    "needs-backend": "passes the guard, then needs what is not here",
}


def _proved_pair(proof: Proof, record: Record) -> list[Pane]:
    note = f"grade {proof.grade}"
    trace, words = _split_trace(proof.witness.output)
    code = code_markup(proof.witness.code, record.file_path)
    panes = [Pane(f"fails at line {record.line_number}", note, code, words, works=False, trace=trace)]
    if proof.fix is not None:
        title = _OUTCOMES.get(proof.fix.outcome, proof.fix.outcome)
        trace, words = _split_trace(proof.fix.output)
        fixed = _changed(proof.fix.code, proof.witness.code, record.file_path)
        is_well = proof.fix.outcome == "returned"
        panes.append(
            Pane(title, "the change marked", fixed, words or None, works=True, trace=trace, ends_well=is_well)
        )
    return panes


def _split_trace(output: str) -> tuple[Markup | None, Markup]:
    """Return a traceback and the words after it: class and message, which say the most."""
    lines = output.rstrip("\n").split("\n")
    frames = [number for number, line in enumerate(lines) if line.startswith('  File "')]
    if not frames:
        return None, visible(output)
    end = frames[-1] + 1
    while end < len(lines) and lines[end].startswith(" "):
        end += 1
    return visible("\n".join(lines[:end])), visible("\n".join(lines[end:]))


def _changed(code: str, before: str, path: str) -> Markup:
    """Return `code` with the lines that `before` does not have marked as inserted."""
    old = set(before.splitlines()) | {
        line.replace("def before(", "def after(") for line in before.splitlines()
    }
    pieces = []
    for line, text in zip(code_lines(code, path), code.split("\n"), strict=False):
        is_new = text not in old and bool(text.strip())
        pieces.append(Markup("<ins>{}</ins>").format(line.html) if is_new else line.html)
    return Markup("\n").join(pieces)
