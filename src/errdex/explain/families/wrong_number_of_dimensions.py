"""An array has more or fewer dimensions than the callable works on.

Means: A callable is written for arrays of a fixed number of axes (a matrix, a batch of images) and got
  another.
Not this: The number of axes is right and their sizes are wrong (`tensor-shape-mismatch`).
Causes:
  - A single sample was passed where a batch is expected, or the other way round.
  - A column was selected as a 1-D series instead of a 2-D frame.
  - A reduction, `squeeze` or indexing with an integer dropped an axis.
Fix: Add the missing axis (`x[None, :]`, `reshape(1, -1)`) or drop the extra one, at the place where the
  array is made.
Prevent: Keep the batch axis everywhere, also for a batch of one.
Proof: Call it with an array of one axis less than it takes, then with the right number.
Source: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.ndim.html
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told

_COUNTED = re.compile(r"\bndims?\b|len\([\w.]*shape\w*\)|\.dim\(\)|_ndim\b")


@family(
    "wrong-number-of-dimensions",
    situations=(
        "A single sample was passed as {subject} where a batch is expected, or the other way round.",
        "A reduction, `squeeze` or indexing with an integer dropped an axis on the way.",
    ),
    prevention=("Keep the batch axis everywhere, also for a batch of one.",),
    solutions=(
        "Add the missing axis (`x[None, :]`, `reshape(1, -1)`) or drop the extra one where the array is made.",
    ),
    strategy="validation",
    tags=("dimensions", "shape"),
    yields_to=(
        "tensor-dtype-mismatch",
        "wrong-argument-count",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that count axes, and messages about dimensions."""
    found = [test for test in facts.tests if _COUNTED.search(test.subject)]
    return shape(facts, found, measured=("dimension", "-d", "1d", "2d", "3d", "ndim", "axes")) or told(
        facts,
        "dimensional",
        "1-d",
        "2-d",
        "3-d",
        "4-d",
        "ndim",
        "number of dimensions",
        "must be 1d",
        "must be 2d",
        "two dimensions",
    )
