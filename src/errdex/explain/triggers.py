"""When an error happens: from which public call, after which checks, and which tests raise it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from errdex.explain.documentation import condition_in_words, conditions_in_words
from errdex.explain.english import code, listed, sentence, with_article
from errdex.explain.facts import Facts
from errdex.explain.path import Path
from errdex.explain.signatures import parameters_of
from errdex.explain.subjects import callable_name, source_of
from errdex.model.explanation import Provenance, Sentence
from errdex.model.site import EntryPoint, RaisingTest

MAX_TESTS = 2
"""Tests named in the text; the evidence has them all."""
MAX_STEP = 60
"""Longest call on the way that is shown with its arguments."""
MAX_NAME = 45
"""Longest dotted name in a sentence; the evidence has it whole."""
MAX_SIGNATURE = 40
"""A longer signature is left to the page."""


def trigger_scenarios(facts: Facts, path: Path) -> tuple[Sentence, ...]:
    """Return the sentences of `trigger_scenarios`; never empty."""
    return tuple(_sentences(facts, path))


def _sentences(facts: Facts, path: Path) -> Iterator[Sentence]:
    entries = [entry for entry in facts.site.entry_points if entry.chain]
    own = next((entry for entry in facts.site.entry_points if not entry.chain), None)
    yield _direct(facts, path, own) if own or not entries else _through(facts, path, entries[0])
    others = entries if own else entries[1:]
    if others:
        names = listed([code(_short_name(entry.name)) for entry in others[:3]], "and")
        first = others[0].chain[0]
        yield Sentence(
            text=f"It is also reached from {names}.",
            provenance=Provenance(kind="source", path=first.path, line=first.line),
        )
    if path.earlier:
        yield _earlier(facts, path)
    for test in facts.site.tests[:MAX_TESTS]:
        yield _test(test)


def _direct(facts: Facts, path: Path, own: EntryPoint | None) -> Sentence:
    told = conditions_in_words(facts, path)
    callable_ = facts.site.callable
    name = code(callable_name(callable_))
    when = f" while {told}" if told else ""
    if facts.runs_as_program and callable_.kind == "module":
        text = f"Running {name} as a program{when}"
    elif callable_.name == "<module>":
        text = f"Importing {name}{when}"
    elif callable_.name.rpartition(".")[2] in {"__init__", "__new__", "__post_init__"}:
        text = f"Creating {with_article(name)}{when}"
    elif callable_.kind == "property":
        text = f"Reading {name}{when}"
    elif own is not None:
        text = f"Calling {name}{when}"
    else:
        text = f"A call of {name}{when}; no public callable of the package was found to lead there"
        if callable_.is_public:
            text = f"A call of {name}{when}"
    return Sentence(text=sentence(text), provenance=source_of(facts, callable_.line))


def _through(facts: Facts, path: Path, entry: EntryPoint) -> Sentence:
    told = conditions_in_words(facts, path)
    steps = [code(_step(step.call)) for step in entry.chain[:4]]
    text = f"Calling {code(_short_name(entry.name) + _short(entry.signature))}, which leads here by {', then '.join(steps)}"
    if told:
        text += f", while {told}"
    first = entry.chain[0]
    return Sentence(
        text=sentence(text), provenance=Provenance(kind="source", path=first.path, line=first.line)
    )


def _step(call: str) -> str:
    """Return a call on the way, its arguments left out where they are long."""
    flat = " ".join(call.split()).replace("( ", "(").replace(" )", ")")
    return flat if len(flat) <= MAX_STEP else flat.partition("(")[0] + "(…)"


def _short_name(dotted: str) -> str:
    """Return the last parts of a long dotted name: a class and its method, or a function."""
    parts = dotted.split(".")
    if len(dotted) <= MAX_NAME:
        return dotted
    return ".".join(parts[-2:]) if parts[-2:][0][:1].isupper() else parts[-1]


@lru_cache(maxsize=4_000)
def _short(signature: str) -> str:
    """Return a signature without annotations and defaults, `(…)` where it is still long."""
    parameters = parameters_of(signature)
    if parameters is None:
        return "(…)"
    signs = {"var-positional": "*", "var-keyword": "**"}
    shown = f"({', '.join(signs.get(p.kind, '') + p.name for p in parameters)})"
    return shown if len(shown) <= MAX_SIGNATURE else "(…)"


def _earlier(facts: Facts, path: Path) -> Sentence:
    count = len(path.earlier)
    last = path.earlier[-1]
    words = condition_in_words(facts, last)
    if count == 1:
        text = (
            f"One check comes before it and must have passed: {words}"
            if words
            else "One check comes before it"
        )
    else:
        text = f"{count} checks come before it and must have passed"
        text += f", the last of them: {words}" if words else ""
    return Sentence(text=sentence(text), provenance=source_of(facts, path.earlier[0].line, last.line))


def _test(test: RaisingTest) -> Sentence:
    call = " ".join(test.call.split())
    shown = f" with {code(call)}" if 0 < len(call) <= 90 else ""
    return Sentence(
        text=f"The library's own test {code(test.name)} raises it{shown}.",
        provenance=Provenance(kind="tests", path=test.path, line=test.line),
    )
