"""An allowance is used up.

Means: An account, a pool or a plan has so much of something, and all of it is in use.
Not this: Requests merely come too fast (`rate-limited`); one piece is too large (`size-limit-exceeded`).
Causes:
  - Things are taken from a pool and not given back.
  - The plan or the configured maximum is smaller than the load.
Fix: Give back what is not needed, or raise the maximum.
Prevent: Take from pools in `with` blocks, and watch how much is in use.
Proof: Take one more than the pool has, then as many as it has.
Source: https://docs.sqlalchemy.org/en/20/errors.html#error-3o7r
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, told


@family(
    "quota-exceeded",
    situations=(
        "Things are taken from a pool and not given back.",
        "The plan or the configured maximum is smaller than the load.",
    ),
    prevention=("Take from pools in `with` blocks, and watch how much is in use.",),
    strategy="retry",
    tags=("quota", "limit"),
    yields_to=(
        "closed-resource",
        "not-converged",
        "permission-denied",
        "rate-limited",
        "recursion-limit",
        "timeout",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts,
            "QueueFull",
            "Full",
            "MaxConnectionsError",
            words=("quota", "exhausted", "capacity"),
            slots={},
        ),
        told(
            facts,
            "quota",
            "pool is full",
            "exhausted",
            "too many connections",
            "limit reached",
            "out of space",
            "is full",
            "no available",
            "max retries",
            "too many open",
            "ran out of",
            "no free",
            "none available",
            "not enough space",
            "disk space",
        ),
    )
