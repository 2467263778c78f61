"""The object is in a state in which this call is not allowed.

Means: The object goes through states (pending, running, finished; in or out of a transaction), and this
  call belongs to another one.
Not this: It was never prepared (`uninitialised-object`) or is closed (`closed-resource`).
Causes:
  - The same call is made twice where once is allowed.
  - Two tasks or threads share the object and work on it at the same time.
  - An earlier error left the object half-way, and the program went on.
Fix: Bring the object into the state that the guard asks for, or use a new one.
Prevent: Let one place own the object and make its calls in order; after an error, start with a new one.
Proof: Make the call in the wrong state, then in the right one.
Source: https://docs.python.org/3/library/threading.html#threading.Thread.start
"""

import re

from errdex.explain.english import code
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import own_class

_SAID = (
    "already started",
    "already running",
    "already been started",
    "only be called once",
    "in progress",
    "while it is",
    "invalid state",
    "current state",
    "already finished",
    "already done",
    "not running",
    "is not active",
    "no longer active",
    "already been",
    "is inactive",
    "cannot be called",
    "concurrently",
    "another operation",
    "not allowed after",
    "not allowed while",
    "already begun",
    "already in",
    "outside of",
    "within a",
    "inside a",
    "reentrant",
    "called twice",
    "already called",
    "is running",
    "wrong state",
    "already sent",
    "already consumed",
    "while another",
    "already set",
    "set once",
    "sent already",
    "is already",
)


def _only_state(facts: Facts) -> bool:
    """Whether the guard reads what the object keeps for itself: not its options, not a parameter."""
    return (
        bool(facts.tests)
        and not facts.site.parameters
        and all(
            test.relation in {"true", "false", "is-none", "not-none"}
            and re.fullmatch(r"self\._[a-z]\w*", test.subject)
            for test in facts.tests
        )
    )


def _owner(facts: Facts) -> dict[str, str]:
    owner = facts.site.callable.name.rpartition(".")[0].rpartition(".")[2]
    return {"owner": code(owner)} if owner else {"owner": "object"}


@family(
    "wrong-state",
    situations=(
        "The call comes too early or too late in what the {owner} goes through.",
        "Two tasks or threads share the {owner} and use it at the same time.",
        "An earlier error left the {owner} half-way, and the program went on with it.",
    ),
    prevention=(
        "Let one place own the {owner} and make its calls in order; after an error, start with a new one.",
    ),
    strategy="try-catch",
    tags=("state", "lifecycle"),
    breadth="broad",
    yields_to=(
        "argument-type",
        "configuration-missing",
        "incompatible-operands",
        "malformed-value",
        "undecodable-input",
        "unsupported-combination",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "InvalidStateError",
        "IllegalStateError",
        "InvalidStateException",
        words=("state",),
        slots=_owner(facts),
    )
    if named is not None:
        return named
    found = [
        test
        for test in facts.tests
        if re.search(
            r"\bself\.(\w*\.)?_?\w*(state|status|running|started|active|done|finished|pending|began|begun|in_transaction|phase|mode|entered|locked|sent|used|consumed|executed|prepared|frozen|finalized|flag)",
            test.subject,
        )
    ]
    if facts.says(*_SAID):
        return Claim(Strength.SHAPE_AND_WORDS if found else Strength.WORDS, _owner(facts))
    if found or (
        _only_state(facts)
        and not facts.is_class("NotImplementedError", "TypeError", "AttributeError", "KeyError", "IndexError")
    ):
        return Claim(Strength.SHAPE, _owner(facts))
    return None
