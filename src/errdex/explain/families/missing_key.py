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

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, narrowed, parameter, shape, told


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
        "tensor-shape-mismatch",
        "uninitialised-object",
        "duplicate-entry",
        "read-only",
        "unknown-attribute",
        "unregistered-name",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.class_words >= {"required", "key"} or (
        "key" in facts.class_words and facts.is_class("KeyError")
    ):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    asked = [
        test
        for test in facts.tests_with("not-in")
        if test.objects[0] == "*" and (_WORD.match(test.subject) or facts.reads_parameter(test.objects[1]))
    ]
    asked += [test for test in facts.tests_with("true") if _LEFT_OVER.match(test.subject)]
    return best(
        narrowed(facts, "KeyError", *_CONFIRMED, "key"),
        shape(facts, asked, *_CONFIRMED) if facts.says(*_CONFIRMED) else None,
        told(facts, *_SAID),
    )


_WORD = re.compile(r"b?['\"][A-Za-z_]\w+")
_LEFT_OVER = re.compile(r"set\(.+\) - set\(")
"""What remains of the names given when those that are there are taken out."""
_CONFIRMED = (
    "missing", "no key", "must have", "must contain", "required", "not in", "not found", "does not exist", "no such", "not contain", "unknown", "could not find", "isn't present", "not present",
)  # fmt: skip
_SAID = (
    "missing key", "missing required", "keys are missing", "key error", "missing keys", "no key", "required key", "missing field", "missing column", "not in axis",
    "not in index",
)  # fmt: skip
