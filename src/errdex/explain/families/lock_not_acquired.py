"""A lock is held by someone else, or not held at all.

Means: Only one may work on something at a time; the lock could not be had, or was released by someone who
  does not hold it.
Not this: Waiting for it took too long (`timeout`), or two wait for each other (`deadlock`).
Causes:
  - Another process or an earlier run that crashed holds the lock.
  - A lock is released twice, or in another thread than the one that took it.
Fix: Wait until the holder is done, or remove a lock that a crashed run left behind.
Prevent: Take locks in a `with` block, so that each is released exactly once.
Proof: Release a lock that is not held, then one that is.
Source: https://docs.python.org/3/library/threading.html#lock-objects
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, told


@family(
    "lock-not-acquired",
    situations=(
        "Another process, or an earlier run that crashed, holds the lock.",
        "A lock is released twice, or by another holder than the one that took it.",
    ),
    prevention=("Take locks in a `with` block, so that each is released exactly once.",),
    strategy="retry",
    tags=("lock", "concurrency"),
    yields_to=(
        "cancelled",
        "checksum-mismatch",
        "deadlock",
        "permission-denied",
        "timeout",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts, "LockError", "LockNotOwnedError", "BlockingIOError", words=("lock", "locked"), slots={}
        ),
        told(
            facts,
            "unlocked lock",
            "could not acquire",
            "acquire lock",
            "lock is held",
            "is locked",
            "another process",
            "cannot acquire",
            "failed to acquire",
            "lock file",
            "release a lock",
            "un-acquired",
            "not acquired",
            words=("lock", "locked"),
        ),
    )
