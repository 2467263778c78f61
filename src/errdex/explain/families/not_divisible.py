"""A number does not divide another without a rest.

Means: Something is cut into equal parts (heads, blocks, shards, pages), and the parts do not fill the whole.
Not this: A number is too small or too large (`value-out-of-range`), or two lengths differ
  (`length-mismatch`).
Causes:
  - One of two numbers that belong together was changed alone.
  - A size comes from data that was not padded to a whole number of blocks.
  - The work is spread over more devices or processes than it has parts for.
Fix: Choose a divisor of the number, or bring the number to a multiple.
Prevent: Derive one of the two numbers from the other in the program.
Proof: Call it with a number and one that does not divide it, then with a divisor.
Source: https://docs.python.org/3/reference/expressions.html#binary-arithmetic-operations
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, shape, told


@family(
    "not-divisible",
    situations=(
        "One of two numbers that belong together was changed alone.",
        "{subject} comes from data that was not padded to a whole number of blocks.",
        "The work is spread over more devices or processes than it has parts for.",
    ),
    prevention=("Derive one of the two numbers from the other, so that they change together.",),
    solutions=("Choose a divisor of the number, or bring the number to a multiple.",),
    strategy="validation",
    tags=("divisible", "size"),
    yields_to=(
        "wrong-argument-count",
        "device-mismatch",
        "wrong-number-of-dimensions",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that look at the rest of a division, and messages that speak of one."""
    found = [
        test
        for test in facts.tests
        if test.relation in {"multiple", "not-multiple"}
        or _REST.search(f"{test.subject} {' '.join(test.objects)}")
    ]
    return best(
        shape(
            facts, found, *_SAID, measured=("divisible", "multiple of", "even", "odd", "divide", "aligned")
        ),
        told(facts, *_SAID),
    )


_REST = re.compile(r"[\w\])] % [\w(]")
_SAID = (
    "must be divisible", "not divisible", "should be divisible", "be evenly divisible", "is not a multiple", "must be a multiple",
    "should be a multiple", "must divide", "does not divide", "be even", "be odd",
)  # fmt: skip
