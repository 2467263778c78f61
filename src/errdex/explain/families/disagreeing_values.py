"""Two values that must agree differ.

Means: The same fact reaches the library by two ways (an argument and a setting, two arguments, an object and
  what was made from it), and the two say different things.
Not this: What differs is a length (`length-mismatch`), a shape (`tensor-shape-mismatch`), a dtype
  (`tensor-dtype-mismatch`) or a device (`device-mismatch`).
Causes:
  - One of the two was changed, and the other was not.
  - Objects of two models, files or sessions were mixed up.
  - A default differs from what the data at hand was made with.
Fix: Find out which of the two is right, and derive the other from it.
Prevent: State the fact in one place, and read it from there.
Proof: Call it with two values that differ, then with the same one twice.
Source: https://docs.python.org/3/reference/expressions.html#value-comparisons
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape
from errdex.syntax.logic import Test


@family(
    "disagreeing-values",
    situations=(
        "One of the two values was changed, and the other was not.",
        "Objects of two models, files or sessions were mixed up.",
        "A default differs from what the data at hand was made with.",
    ),
    prevention=("State the fact in one place, and derive both values from it.",),
    strategy="validation",
    tags=("mismatch", "consistency"),
    breadth="broad",
    yields_to=(
        "invariant-broken",
        "argument-type",
        "incompatible-operands",
        "malformed-value",
        "undecodable-input",
        "wrong-state",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold two values against each other, where the message says that they must agree."""
    found = [test for test in facts.tests_with("ne", "is-not") if _is_between_values(test)]
    return shape(facts, found, *_SAID) if facts.says(*_SAID) else None


def _is_between_values(test: Test) -> bool:
    """Whether neither side is a literal or a constant: both come from somewhere."""
    return all(side[:1].isalpha() and not side.isupper() for side in (test.subject, test.objects[0])) and (
        test.objects[0] not in {"True", "False", "None"}
    )


_SAID = (
    "must match", "should match", "does not match", "do not match", "doesn't match", "don't match", "did not match", "mismatch", "must be the same",
    "must be equal", "must equal", "should be the same", "should be equal", "must have the same", "should have the same", "not the same",
    "not match", "must agree", "inconsistent", "must be identical", "differs from", "different from", "differ", "unequal", "not equal",
    "same as", "not consistent",
)  # fmt: skip
