"""What a model is told of one record: facts that analysis found, and the text that is there already.

No revision, no version and no line number is among the facts: the next release of a library whose function
is the same tells the same, and an answer that was paid for stays valid. What errdex makes of the facts in words is
told too, lest a model repeat it, but is none of them: a better wording of ours costs nobody anything.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Iterable, Iterator

import msgspec

from errdex.model.record import Evidence, Proof, Record
from errdex.model.site import CallableFacts, Condition, Parameter, ThrowSite

_CONDITIONS = 6
_ENTRY_POINTS = 3
_TESTS = 2
_CONTEXT_LINES = 8
"""Lines of source above the raising statement, at most."""
_OUTPUT_LINES = 4


class Section(msgspec.Struct, frozen=True, array_like=True):
    """One kind of fact."""

    title: str
    """What the text is, in our words: holds nothing of the library's."""
    text: str


def facts_of(record: Record, evidence: Evidence) -> tuple[Section, ...]:
    """Return everything that is known of a record and may be told, what a model needs most first."""
    site = evidence.sites[0]
    return tuple(section for section in _sections(record, evidence, site) if section.text)


def said_of(evidence: Evidence) -> Section:
    """Return what is said of a record already, in our own words."""
    return Section("what is said of it already, worked out from the source", "\n".join(_said(evidence)))


def facts_key(sections: Iterable[Section]) -> str:
    """Return 32 hex digits that differ whenever the facts do."""
    return hashlib.sha256(msgspec.msgpack.encode(list(sections))).hexdigest()[:32]


def _sections(record: Record, evidence: Evidence, site: ThrowSite) -> Iterator[Section]:
    yield Section("the error, as a traceback ends (values in braces)", _error(record, evidence, site))
    yield Section("the function that raises it", _function(site.callable))
    yield Section("what must hold to get there, the last condition decides", _conditions(site))
    yield Section("the source around it", _source(record, site))
    if evidence.proof is not None:
        yield Section("a program that was run and raised exactly this error", _failed(evidence.proof))
        yield Section("the program changed least so that the condition is false", _fixed(evidence.proof))
    yield Section("documentation of its parameters", "\n".join(_parameters(site)))
    yield Section(
        "documentation of what it raises",
        "\n".join(f"{each.error_class}: {each.text}" for each in site.callable.raises),
    )
    yield Section("public callables that reach it", "\n".join(_callers(site)))
    yield Section(
        "tests of the library that raise it",
        "\n\n".join(test.call for each in evidence.sites for test in each.tests[:_TESTS]),
    )


def _error(record: Record, evidence: Evidence, site: ThrowSite) -> str:
    name = site.error_class or site.class_written or record.error_type
    bases = f"\n{name} derives from {', '.join(site.bases)}" if site.bases else ""
    return f"{name}: {evidence.template or record.error_message}{bases}"


def _function(facts: CallableFacts) -> str:
    shown = ", ".join(_parameter(each) for each in facts.parameters)
    returns = f" -> {facts.returns}" if facts.returns else ""
    name = facts.import_name or f"{facts.module}.{facts.name}"
    summary = f"\n{facts.summary}" if facts.summary else ""
    return f"{name}({shown}){returns}{summary}"


def _parameter(parameter: Parameter) -> str:
    stars = {"var-positional": "*", "var-keyword": "**"}.get(parameter.kind, "")
    annotation = f": {parameter.annotation}" if parameter.annotation else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"{stars}{parameter.name}{annotation}{default}"


def _conditions(site: ThrowSite) -> str:
    known = list(site.path_conditions)
    if site.guard is not None and site.guard not in known:
        known.append(site.guard)
    return "\n".join(_condition(each) for each in known[-_CONDITIONS:])


def _condition(condition: Condition) -> str:
    words = "is false" if condition.negated else "is true"
    kind = f" ({condition.kind})" if condition.kind not in {"if", "assert"} else ""
    comment = f"  # {condition.comment}" if condition.comment else ""
    return f"{condition.inlined or condition.text} {words}{kind}{comment}"


def _source(record: Record, site: ThrowSite) -> str:
    """Return the lines from the nearest conditions to the raise, at most `_CONTEXT_LINES` before it."""
    first = min([each.line for each in site.path_conditions] + [site.line])
    start = max(first, site.line - _CONTEXT_LINES, record.source_code_start)
    lines = record.source_code.split("\n")
    shown = lines[start - record.source_code_start : site.end_line + 1 - record.source_code_start]
    return textwrap.dedent("\n".join(shown))


def _failed(proof: Proof) -> str:
    output = "\n".join(proof.witness.output.splitlines()[-_OUTPUT_LINES:])
    return f"{proof.witness.code.rstrip()}\n# it ended with:\n{output}"


def _fixed(proof: Proof) -> str:
    return f"{proof.fix.code.rstrip()}\n# outcome: {proof.fix.outcome}" if proof.fix is not None else ""


def _parameters(site: ThrowSite) -> Iterator[str]:
    decisive = [each for each in site.callable.parameters if each.name in site.parameters]
    for each in decisive:
        if each.doc:
            yield f"{each.name}: {each.doc}"


def _callers(site: ThrowSite) -> Iterator[str]:
    for entry in site.entry_points[:_ENTRY_POINTS]:
        yield f"{entry.name}{entry.signature}"
        for step in entry.chain:
            yield f"  {step.caller} calls {step.call}"


def _said(evidence: Evidence) -> Iterator[str]:
    for key in ("documentation", "triggerScenarios", "solutions", "commonSituations", "preventionTips"):
        for sentence in evidence.sentences.get(key, ()):
            yield f"{key}: {sentence.text}"
