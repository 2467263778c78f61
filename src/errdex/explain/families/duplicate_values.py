"""A value that must be unique appears twice.

Means: Names, labels or keys identify something; with a repeated one the library could not tell which is
  meant.
Not this: The value collides with one that is stored already (`duplicate-entry`).
Causes:
  - Two sources were concatenated and share names.
  - A generated name does not depend on everything that distinguishes the items.
Fix: Rename or drop the repeated value; keep the first or the last on purpose.
Prevent: Build such lists from a dictionary, or check `len(set(x)) == len(x)` where they are made.
Proof: Call it with one value twice, then with each once.
Source: https://docs.python.org/3/library/enum.html#enum.unique
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told


@family(
    "duplicate-values",
    situations=(
        "Two sources were concatenated and share values, so that {subject} has duplicates.",
        "A generated name does not depend on everything that distinguishes the items.",
    ),
    prevention=(
        "Check that values are unique where the list is made, while it is known where each came from.",
    ),
    strategy="validation",
    tags=("duplicate", "unique"),
    yields_to=(
        "not-converged",
        "unsupported-platform",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return (
        shape(facts, facts.tests_with("repeats"), "duplicate", "unique", "repeated")
        or (
            shape(
                facts,
                facts.tests_with("in"),
                "duplicate",
                "unique",
                "more than once",
                "overlaps with",
                "repeated",
                "twice",
                "multiple times",
            )
            if facts.says("duplicate", "more than once", "repeated", "twice", "multiple times")
            else None
        )
        or told(
            facts,
            "duplicate",
            "must be unique",
            "not unique",
            "more than once",
            "are not unique",
            "specified twice",
            "specified multiple times",
            "multiple values for",
            "repeated",
        )
    )
