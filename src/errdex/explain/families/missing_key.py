"""A mapping has no entry under the key that is read.

Means: The code reads an entry of a dictionary, a record, a row or a frame that is not there.
Not this: The table belongs to the library (`unregistered-name`); a position in a sequence is read
  (`index-out-of-range`).
Causes:
  - The key is misspelt, or differs in case or type (`1` and `'1'`).
  - The data comes from outside and leaves the entry out.
  - An earlier step renamed or dropped it.
Fix: Read a key that is there, or give a default with `get`.
Prevent: Check data from outside against the keys it must have, where it comes in.
Proof: Read a key that is not there, then one that is.
Source: https://docs.python.org/3/library/exceptions.html#KeyError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, shape, told


@family(
    "missing-key",
    situations=(
        "The key is misspelt, or differs in case or type (`1` and `'1'`).",
        "The data comes from outside and leaves the entry out, or an earlier step renamed it.",
    ),
    prevention=("Check data from outside against the keys it must have, where it comes in.",),
    strategy="try-catch",
    tags=("key", "mapping"),
    breadth="common",
    yields_to=(
        "duplicate-entry",
        "read-only",
        "unknown-attribute",
        "unregistered-name",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    missing = [test for test in facts.tests_with("not-in") if test.objects[0] == "*"]
    quoted = [test for test in missing if test.subject[:1] in "'\""]
    if facts.is_class("KeyError") and facts.class_says("key"):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    if facts.is_class("KeyError"):
        return Claim(
            Strength.SHAPE_AND_WORDS
            if facts.tests or not facts.caught.isdisjoint(("KeyError",))
            else Strength.CLASS,
            parameter(facts),
        )
    if not facts.caught.isdisjoint(("KeyError",)):
        return Claim(Strength.CLASS, parameter(facts))
    if quoted and facts.says("missing", "key", "must have", "must contain", "required", "column", "field"):
        return shape(
            facts,
            quoted,
            "missing",
            "key",
            "must have",
            "must contain",
            "required",
            "not in",
            "column",
            "field",
        )
    return told(
        facts,
        "missing key",
        "keys are missing",
        "key error",
        "missing keys",
        "no key",
        "required key",
        "missing field",
        "missing column",
        "not in axis",
        "not in index",
    )
