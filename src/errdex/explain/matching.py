"""What several families ask of a site in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from errdex.explain.english import code, listed
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength
from errdex.syntax.logic import Test

MAX_NAMED = 3
"""Subjects named in one sentence."""


def best(*claims: Claim | None) -> Claim | None:
    """Return the strongest of several grounds for one claim, the first of equal ones; None for none."""
    found = [claim for claim in claims if claim is not None]
    return max(found, key=lambda claim: claim.rank) if found else None


def shape(
    facts: Facts,
    found: Iterable[Test],
    *phrases: str,
    words: Sequence[str] = (),
    measured: Sequence[str] = (),
) -> Claim | None:
    """Claim the site by the guard's tests `found`, more strongly where the message says so too.

    What the tests measure (a length, a shape) bears them out also where it is only the message's subject.

    Where it does not, they must be what the guard is about (all of it that is no mere presence or switch) and the
    caller must know what they read: else the check is only how the library notices what its message tells. A
    warning tells of no refusal: what it is about only its words say.
    """
    tests = list(found)
    if not tests:
        return None
    if (
        facts.says(*phrases)
        or (words and facts.has_words(*words))
        or (measured and facts.mentions(*measured))
    ):
        return Claim(Strength.SHAPE_AND_WORDS, subjects(facts, tests))
    if (
        all(test in tests for test in facts.deciding)
        and facts.site.kind not in {"warn", "log"}
        and facts.guard_encloses
        and all(map(facts.is_plain, tests))
    ):
        return Claim(Strength.SHAPE, subjects(facts, tests))
    return None


def subjects(facts: Facts, tests: Sequence[Test], slot: str = "subject") -> Mapping[str, str]:
    """Return the slot that names what the tests read; empty where that has no short name."""
    told = dict.fromkeys(_PROPERTY_OF.sub("", facts.names.subject(test.subject)) for test in tests)
    if not told or len(told) > MAX_NAMED or any(len(name) > 60 for name in told):
        return {}
    return {slot: listed(list(told), "or")}


_PROPERTY_OF = re.compile(
    r"^(the (length|type|shape|dtype|device|size|number of dimensions|first dimension|second dimension|third dimension|last dimension) of )+"
)
"""What a sentence about the thing itself leaves out."""


def parameter(facts: Facts) -> Mapping[str, str]:
    """Return the slot that names the parameters which the message itself speaks of; empty for none or many.

    That a guard depends on a parameter does not mean that the failure is about it.
    """
    names = [name for name in facts.site.parameters if name.lower() in facts.spoken_names]
    return {"subject": listed([code(name) for name in names], "or")} if 0 < len(names) <= MAX_NAMED else {}


def own_class(
    facts: Facts, *names: str, words: Sequence[str] = (), slots: Mapping[str, str] | None = None
) -> Claim | None:
    """Claim a site whose class was made for this failure.

    A class of one of these `names`, or whose own name says that one of `words` happened, says it best. A word
    that tells the class's field only (`ProxyError`) says less, and nothing beside one that tells what happened
    (`InvalidProxyURL`). An ancestor says less the further it is.
    """
    if facts.classes.isdisjoint(names) and facts.class_words.isdisjoint(words):
        return None
    given = parameter(facts) if slots is None else slots
    if not facts.class_claims.isdisjoint(words) or not {*names}.isdisjoint(facts.own_names):
        return Claim(Strength.OWN_CLASS, given)
    if not facts.class_words.isdisjoint(words):
        return Claim(Strength.WORDS if facts.class_claims else Strength.CLASS, given)
    distance = 1 + next(at for at, name in enumerate(facts.ancestors) if name in names)
    return Claim(Strength.CLASS, given, distance)


def narrowed(facts: Facts, builtin: str, *phrases: str) -> Claim | None:
    """Claim a site whose class, raised or alone caught, is a builtin that many failures share.

    The message decides: one of `phrases` bears the builtin out, no words leave it alone, other words speak of
    another failure, of which the builtin is only the form, or the way it was noticed.
    """
    raised = facts.is_class(builtin)
    if not raised and facts.caught != {builtin}:
        return None
    if facts.says(*phrases):
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    if not facts.words:
        return Claim(Strength.CLASS, parameter(facts))
    return Claim(Strength.WORDS, parameter(facts)) if raised else None


def told(facts: Facts, *phrases: str, words: Sequence[str] = ()) -> Claim | None:
    """Claim a site by what its message says."""
    if facts.says(*phrases) or (words and facts.has_words(*words)):
        return Claim(Strength.WORDS, parameter(facts))
    return None


def caught(facts: Facts, *names: str) -> Claim | None:
    """Claim a site that translates one of these exceptions."""
    return Claim(Strength.CLASS, parameter(facts)) if not facts.caught.isdisjoint(names) else None


def status(facts: Facts, *codes: int) -> Claim | None:
    """Claim a site that answers with one of these HTTP statuses."""
    return Claim(Strength.OWN_CLASS, parameter(facts)) if facts.site.http_status in codes else None
