"""A position is read that the sequence does not have.

Means: The index is computed or passed in, and lies at or beyond the end (or before the start).
Not this: An entry of a mapping is read by its key (`missing-key`).
Causes:
  - Counting starts at zero, and the length itself is used as an index.
  - The sequence is shorter than assumed, or empty.
  - Positions found in one array are used in a filtered copy.
Fix: Use an index from `-len(x)` to `len(x) - 1`.
Prevent: Iterate over the items themselves, or use `enumerate`, instead of computing positions.
Proof: Read one position beyond the end, then the last one.
Source: https://docs.python.org/3/library/exceptions.html#IndexError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, narrowed, shape, told


@family(
    "index-out-of-range",
    situations=(
        "The length itself is used as an index, or the sequence is shorter than assumed.",
        "Positions found in one sequence are used in a filtered copy of it.",
    ),
    prevention=("Iterate over the items, or use `enumerate`, instead of computing positions.",),
    strategy="validation",
    tags=("index",),
    breadth="common",
    yields_to=(
        "uninitialised-object",
        "mutually-exclusive-arguments",
        "missing-key",
        "unregistered-name",
        "empty-input",
        "read-only",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.tests_with("lt", "gt", "ge", "le", "outside", "within")
        if _POSITION.search(test.subject)
    ]
    said = facts.says(*_CONFIRMED)
    return best(
        narrowed(facts, "IndexError", *_CONFIRMED),
        narrowed(facts, "EOFError", *_CONFIRMED) if said else None,
        shape(facts, found, *_CONFIRMED) if said else None,
        told(facts, "index out of", "out of bounds", "index is out", "list index", "seek outside"),
    )


_POSITION = re.compile(
    r"(?i)\bind(ex|ices)|\bidx\b|_idx|position|offset|\bpos\b|\bframe\b|\brow\b|\bcol(umn)?\b"
)
_CONFIRMED = (
    "index",
    "out of range",
    "out of bounds",
    "bounds",
    "bound",
    "range",
    "position",
    "no more",
    "empty",
    "outside",
)
