"""One site, everything that is said about it, put together."""

from __future__ import annotations

from errdex.explain.classify import error_type, handling_strategy, level, severity, tags
from errdex.explain.code import code_keys
from errdex.explain.documentation import documentation
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Context, Family, claims, families, strongest
from errdex.explain.path import Path, path_of
from errdex.explain.situations import common_situations, filled, prevention_tips, slots_of
from errdex.explain.solutions import MAX_SOLUTIONS, fallback, solutions
from errdex.explain.triggers import trigger_scenarios
from errdex.model.explanation import Explanation, Provenance, Sentence
from errdex.model.site import MessageTemplate, ThrowSite


def explain_site(site: ThrowSite, template: MessageTemplate | None, context: Context) -> Explanation:
    """Return everything that is said about `site` with the wording `template` (None where it has no words).

    Reads the lines of the site's file through `context` and nothing else; never raises for
    what a scanned source holds.
    """
    facts = Facts(site, template, context)
    path = path_of(facts)
    family, claim = family_of(facts)
    kind = error_type(facts)
    strategy = handling_strategy(facts, kind, family)
    blocks = code_keys(facts, path, strategy)
    return Explanation(
        error_type=kind,
        severity=severity(facts),
        documentation=documentation(facts, path),
        trigger_scenarios=trigger_scenarios(facts, path),
        common_situations=common_situations(facts, path, family, claim),
        solutions=_solutions(facts, path, family, claim),
        prevention_tips=prevention_tips(facts, family, claim),
        handling_strategy=strategy,
        example_fix=blocks.example_fix,
        validation_code=blocks.validation_code,
        type_guard=blocks.type_guard,
        try_catch_pattern=blocks.try_catch_pattern,
        tags=tags(facts, family),
        family=family.slug if family else None,
        level=level(facts),
    )


def family_of(facts: Facts) -> tuple[Family | None, Claim | None]:
    """Return the one family that claims the site, with its claim; none where nobody claims it, or several alike."""
    found = claims(facts)
    winners = strongest(found)
    if len(winners) != 1:
        return None, None
    return families()[winners[0]], found[winners[0]]


def _solutions(facts: Facts, path: Path, family: Family | None, claim: Claim | None) -> tuple[Sentence, ...]:
    found: dict[str, Sentence] = {}
    for item in solutions(facts, path):
        found.setdefault(item.text, item)
    if family is not None and claim is not None:
        where = Provenance(kind="family", detail=family.slug)
        for text in filled(family.solutions, slots_of(facts, claim)):
            found.setdefault(text, Sentence(text=text, provenance=where))
    return tuple(found.values())[:MAX_SOLUTIONS] or tuple(fallback(facts, path))
