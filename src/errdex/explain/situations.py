"""What brings people here, and what keeps them out: the family's knowledge with this site's names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from errdex.explain.english import code, listed, sentence
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Family
from errdex.explain.path import Path
from errdex.explain.reach import decided_elsewhere
from errdex.explain.subjects import callable_name, guard_source
from errdex.model.explanation import Provenance, Sentence
from errdex.model.site import Parameter

MAX_SITUATIONS = 3
MAX_TIPS = 3
_SLOT = re.compile(r"\{([a-z_]+)\}")


def filled(templates: Iterable[str], slots: Mapping[str, str]) -> Iterator[str]:
    """Yield the templates whose every slot has a name, filled."""
    for template in templates:
        if all(slots.get(name) for name in _names(template)):
            yield sentence(_SLOT.sub(lambda found: slots[found[1]], template))


@lru_cache(maxsize=2_000)
def _names(template: str) -> tuple[str, ...]:
    return tuple(_SLOT.findall(template))


def slots_of(facts: Facts, claim: Claim) -> Mapping[str, str]:
    """Return the claim's names, and those that every site has."""
    return {
        "callable": code(callable_name(facts.site.callable)),
        "class": code(facts.class_name),
        "package": facts.context.package,
        **claim.slots,
    }


def common_situations(
    facts: Facts, path: Path, family: Family | None, claim: Claim | None
) -> tuple[Sentence, ...]:
    """Return the sentences of `common_situations`; never empty."""
    found: list[Sentence] = []
    if family is not None and claim is not None:
        where = Provenance(kind="family", detail=family.slug)
        told = list(filled(family.situations, slots_of(facts, claim)))[:MAX_SITUATIONS]
        if not claim.slots:
            told = [*family.unnamed[:1], *told][:MAX_SITUATIONS]
        found = [Sentence(text=text, provenance=where) for text in told]
    return tuple(found) or (_from_facts(facts, path),)


def _from_facts(facts: Facts, path: Path) -> Sentence:
    """Say what it depends on, where no family knows more."""
    names = [code(name) for name in facts.site.parameters]
    if not any(facts.reads_parameter(test.subject) for test in facts.tests):
        for test in facts.tests:
            known = decided_elsewhere(facts, test)
            if known is not None:
                return known
    if names:
        text = f"It depends on what is passed as {listed(names, 'and')}"
        if not facts.site.callable.is_public:
            text = f"It depends on what reaches {facts.names.callable} as {listed(names, 'and')}"
        return Sentence(text=sentence(text), provenance=guard_source(facts))
    state = sorted(set(re.findall(r"\bself\.([A-Za-z]\w*)", facts.guard_code)))
    if state:
        owner = facts.site.callable.name.rpartition(".")[0] or "object"
        told = listed([code(name) for name in state[:3]], "and")
        text = f"It depends on the {code(owner)}'s {told}, not on an argument of the call"
        return Sentence(text=sentence(text), provenance=guard_source(facts))
    return Sentence(text=sentence(_inferred(facts, path)), provenance=Provenance(kind="inferred"))


def _inferred(facts: Facts, path: Path) -> str:
    name = code(callable_name(facts.site.callable))
    if facts.site.guard is None and not path.earlier:
        return f"Nothing is checked before it: whoever reaches this place in {name} meets it"
    if facts.site.kind in {"log", "warn"} and facts.site.caught:
        return f"{name} handles the error itself, and only tells of it here"
    if facts.site.caught or (facts.site.guard and facts.site.guard.kind == "except"):
        return "An error of a lower layer is passed on here under another name; its cause stands above it in the traceback"
    return f"It depends on what {name} has worked out by then, not on an argument as it is passed"


def prevention_tips(facts: Facts, family: Family | None, claim: Claim | None) -> tuple[Sentence, ...]:
    """Return the family's advice with this site's names, then what the signature already says of the parameters."""
    found: list[Sentence] = []
    if family is not None and claim is not None:
        where = Provenance(kind="family", detail=family.slug)
        told = [*filled(family.prevention, slots_of(facts, claim))]
        if not claim.slots:
            told += family.unnamed[1:]
        found = [Sentence(text=text, provenance=where) for text in told][:MAX_TIPS]
    stated = next(_stated(facts), None)
    if stated is not None and len(found) < MAX_TIPS:
        found.append(stated)
    return tuple(found)


def _stated(facts: Facts) -> Iterator[Sentence]:
    """Yield the declared type of the parameters that decide: a type checker sees a wrong one before it runs."""
    callable_ = facts.site.callable
    asked = {
        test.subject
        for test in facts.tests_with("not-instance", "is-none", "lacks", "not-callable", "not-subclass")
    }
    typed: list[Parameter] = [
        parameter
        for parameter in callable_.parameters
        if parameter.name in asked
        and parameter.annotation
        and len(parameter.annotation) <= 60
        and parameter.annotation != "Any"
    ]
    if not typed:
        return
    told = listed([code(f"{parameter.name}: {parameter.annotation}") for parameter in typed[:2]], "and")
    yield Sentence(
        text=f"A type checker sees it before the program runs: the signature says {told}.",
        provenance=Provenance(kind="source", path=callable_.path, line=callable_.line),
    )
