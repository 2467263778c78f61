"""Someone else changed the same thing in between.

Means: The change rests on a state that was read earlier; meanwhile the state is another, and writing would
  lose the other change.
Not this: A rule of the database is broken (`integrity-violation`).
Causes:
  - Two workers process the same item.
  - An object was read long before it is written.
Fix: Read the current state, apply the change to it, and write again.
Prevent: Keep the time between reading and writing short, and retry as a whole.
Proof: Write with an outdated version, then with the current one.
Source: https://docs.sqlalchemy.org/en/20/orm/versioning.html
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, status, told


@family(
    "conflicting-update",
    situations=("Two workers process the same item, or it was read long before it is written.",),
    prevention=(
        "Keep the time between reading and writing short, and retry reading and writing as a whole.",
    ),
    strategy="retry",
    tags=("conflict", "concurrency"),
    yields_to=(
        "optional-dependency-missing",
        "duplicate-values",
        "removed-feature",
        "version-conflict",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts,
            "StaleDataError",
            "ConflictError",
            "Conflict",
            "WatchError",
            "WriteConflict",
            words=("stale", "concurrent", "concurrency"),
            slots={},
        ),
        status(facts, 409, 412),
        told(
            facts,
            "changed during iteration",
            "modified during",
            "was modified",
            "has changed during",
            "has changed since",
            "concurrent modification",
            "stale",
            "changed size during",
            "out of date",
        ),
    )
