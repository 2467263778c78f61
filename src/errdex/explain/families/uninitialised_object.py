"""The object is not ready: a step that must come first was left out.

Means: The object is built in steps (create, configure or connect or fit, use), and the step that fills in
  what this call needs has not run.
Not this: It was ready and has been closed (`closed-resource`), or has already gone further (`wrong-state`).
Causes:
  - `__init__` of a subclass does not call `super().__init__()`.
  - The call order was changed, or the setup step failed and its error was swallowed.
  - The object was created by hand where the library's own constructor or factory is meant to be used.
Fix: Run the step that prepares the object before this call.
Prevent: Create and prepare objects in one function that returns them ready.
Proof: Call it on a new object, then after the step that prepares it.
Source: https://docs.python.org/3/library/threading.html#threading.Thread.join
"""

import re

from errdex.explain.english import code
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import own_class, shape
from errdex.syntax.logic import Test

_SAID = (
    "not initialized",
    "not initialised",
    "not been initialized",
    "before calling",
    "without having called",
    "must be called before",
    "has not been",
    "not yet",
    "not started",
    "call fit",
    "not fitted",
    "uninitialized",
    "must first",
    "before it",
    "before using",
    "not been set",
    "isn't initialized",
    "not ready",
    "not connected",
    "not open",
    "hasn't been",
    "was not called",
    "not configured",
    "must call",
    "is not set",
    "not bound",
    "before the",
)


def _missing(test: Test) -> bool:
    return test.relation in {"is-none", "lacks", "false"} or test.objects[0] in {"''", "None"}


def _owner(facts: Facts) -> dict[str, str]:
    owner = facts.site.callable.name.rpartition(".")[0].rpartition(".")[2]
    return {"owner": code(owner)} if owner else {}


@family(
    "uninitialised-object",
    situations=(
        "The call comes before the step that prepares the {owner}: starting, connecting, fitting or configuring it.",
        "A subclass's `__init__` does not call `super().__init__()`.",
        "The preparing step failed and its error was swallowed.",
    ),
    prevention=("Create and prepare such objects in one function that returns them ready for use.",),
    strategy="try-catch",
    tags=("lifecycle", "not-initialized"),
    breadth="common",
    yields_to=(
        "duplicate-entry",
        "ignored-argument",
        "schema-violation",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "NotFittedError",
        "NotInitializedError",
        "UninitializedError",
        words=("uninitialized", "unbound", "unfitted"),
        slots=_owner(facts),
    )
    if named is not None:
        return named
    if "NotFittedError" in facts.caught:
        return Claim(Strength.OWN_CLASS, _owner(facts))
    found = [
        test
        for test in facts.tests_with("is-none", "lacks", "false", "is", "eq")
        if re.match(r"(self|cls)\b[^(]*$|getattr\(self,", test.subject) and _missing(test)
    ]
    said = facts.says(*_SAID)
    if found and (said or facts.claimed.startswith("no ")):
        return Claim(Strength.SHAPE_AND_WORDS, _owner(facts))
    alone = shape(facts, found) if any(test.relation in {"is-none", "lacks"} for test in found) else None
    if alone is not None or said:
        return Claim(alone.strength if alone is not None else Strength.WORDS, _owner(facts))
    return None
