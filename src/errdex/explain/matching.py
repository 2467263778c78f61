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


def shape(facts: Facts, found: Iterable[Test], *phrases: str, words: Sequence[str] = ()) -> Claim | None:
    """Claim the site by the guard's tests `found`, more strongly where the message says so too; None without any."""
    tests = list(found)
    if not tests:
        return None
    said = facts.says(*phrases) or facts.has_words(*words)
    return Claim(Strength.SHAPE_AND_WORDS if said else Strength.SHAPE, subjects(facts, tests))


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


def own_class(facts: Facts, *names: str) -> Claim | None:
    """Claim a site whose class, or an ancestor of it, was made for this failure."""
    return Claim(Strength.OWN_CLASS, parameter(facts)) if facts.is_class(*names) else None


def told(facts: Facts, *phrases: str, words: Sequence[str] = ()) -> Claim | None:
    """Claim a site by what its message says."""
    return (
        Claim(Strength.WORDS, parameter(facts)) if facts.says(*phrases) or facts.has_words(*words) else None
    )


def caught(facts: Facts, *names: str) -> Claim | None:
    """Claim a site that translates one of these exceptions."""
    return Claim(Strength.CLASS, parameter(facts)) if not facts.caught.isdisjoint(names) else None


def status(facts: Facts, *codes: int) -> Claim | None:
    """Claim a site that answers with one of these HTTP statuses."""
    return Claim(Strength.OWN_CLASS, parameter(facts)) if facts.site.http_status in codes else None
