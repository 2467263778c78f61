"""The shapes of arrays that must fit together do not.

Means: A callable compared the shape of an array with another's, or with the sizes it was told, and they do
  not fit. Kernels index memory by these numbers; going on would read the wrong elements or outside of the
  buffer.
Not this: The number of dimensions is wrong (`wrong-number-of-dimensions`), or two plain sequences differ in
  length (`length-mismatch`).
Causes:
  - An axis was transposed, squeezed or added on the way.
  - One array was filtered, padded or batched and its companion was not.
  - Sizes given as separate arguments do not describe the arrays that come with them.
Fix: Print the shapes right before the call, find the first axis that differs, and reshape, transpose or
  slice the array that is wrong.
Prevent: Derive sizes from the arrays instead of passing them beside them, and check shapes once where the
  data enters the program.
Proof: Call it with one axis a different size, then with all alike.
Source: https://numpy.org/doc/stable/user/basics.broadcasting.html
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import own_class, shape, told
from errdex.syntax.logic import Test

_ORDERED = frozenset(("lt", "gt", "le", "ge"))
_SHAPED = re.compile(r"shape|\.size\(|\.stride\(")


def _both(test: Test) -> str:
    return f"{test.subject} {' '.join(test.objects)}"


@family(
    "tensor-shape-mismatch",
    situations=(
        "An axis of {subject} was transposed, squeezed or added on the way.",
        "One array was filtered, padded or batched and its companion was not.",
    ),
    prevention=(
        "Derive sizes from the arrays themselves instead of passing them beside them.",
        "Check shapes once, where the data enters the program.",
    ),
    solutions=("Print the shapes right before the call and change the array whose axis is wrong.",),
    strategy="validation",
    tags=("shape", "tensor"),
    breadth="common",
    yields_to=(
        "empty-input",
        "index-out-of-range",
        "integrity-violation",
        "protocol-violation",
        "read-only",
        "uninitialised-object",
        "unknown-attribute",
        "unregistered-name",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that read a shape, and messages about shapes."""
    found = [
        test
        for test in facts.tests_with("ne", "eq", "lt", "gt", "le", "ge", "not-in")
        if _SHAPED.search(_both(test)) and not (test.relation in _ORDERED and test.objects[0][-1:] != "]")
    ]
    return (
        own_class(facts, "ShapeError", "DimensionMismatchError", words=("shape",))
        or shape(facts, found, "broadcast", "divisible", measured=("shape", "dimension", "size"))
        or told(
            facts, "shape mismatch", "shape", "broadcast", "incompatible dimension", "wrong first dimension"
        )
    )
