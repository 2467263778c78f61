"""Two parties wait for each other, and neither can go on.

Means: Each holds what the other needs; waiting longer would not help, so one is refused.
Not this: The lock is merely held for long (`lock-not-acquired`, `timeout`).
Causes:
  - Locks or rows are taken in different orders in two places.
  - A task waits for work that only it can do (calling `result()` inside of the same worker or loop).
Fix: Repeat the refused work; take locks in one order everywhere.
Prevent: Hold one lock at a time where that is possible.
Proof: Wait for yourself, then for another.
Source: https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-DEADLOCKS
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, told


@family(
    "deadlock",
    situations=(
        "Locks or rows are taken in different orders in two places.",
        "A task waits for work that only the same worker or event loop can do.",
    ),
    prevention=("Take locks in one order everywhere, and hold one at a time where that is possible.",),
    strategy="retry",
    tags=("deadlock", "concurrency"),
    yields_to=("timeout",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(facts, words=("deadlock", "deadlocked"), slots={}),
        Claim(Strength.SHAPE_AND_WORDS) if facts.says("deadlock") else None,
        told(
            facts,
            "wait for itself",
            "await on itself",
            "same event loop",
            "within a task",
            "cannot join current",
        ),
    )
