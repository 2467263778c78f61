"""Things depend on each other in a circle.

Means: To do one, the other must be done first, and the other way round; no order works.
Not this: It merely goes too deep (`recursion-limit`).
Causes:
  - Two modules, models or tasks refer to each other.
  - A new reference closed a circle over several steps.
Fix: Break the circle: move what both need into a third, or make one reference late.
Prevent: Let references point one way only.
Proof: Order two things that need each other, then two of which one needs the other.
Source: https://docs.python.org/3/library/graphlib.html#graphlib.CycleError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, told


@family(
    "circular-dependency",
    situations=(
        "Two modules, models or tasks refer to each other, or a new reference closed a circle over several steps.",
    ),
    prevention=("Let references point one way only, and move what both sides need into a third place.",),
    strategy="try-catch",
    tags=("circular", "cycle"),
    yields_to=(
        "abstract-method",
        "conflicting-update",
        "deadlock",
        "duplicate-values",
        "not-a-number",
        "optional-dependency-missing",
        "removed-feature",
        "wrong-argument-count",
        "wrong-number-of-dimensions",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(facts, words=("circular", "cycle", "cyclic")),
        told(
            facts,
            "circular",
            "contains a cycle",
            "has a cycle",
            "cycle detected",
            "cyclic dependency",
            "cyclic reference",
            "must be acyclic",
            "contains itself",
            "itself",
            "acyclic",
            "depends on itself",
            "loop detected",
        ),
    )
