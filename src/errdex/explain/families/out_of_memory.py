"""There is not enough memory for what was asked.

Means: An allocation was refused, or is known beforehand to be larger than what is there.
Not this: A limit of the program's own is exceeded (`size-limit-exceeded`).
Causes:
  - A whole file or table is loaded where a part would do.
  - A size was computed wrongly and is enormous.
  - Other work on the same machine or accelerator holds the memory.
Fix: Work in smaller pieces, or with smaller types; free what is no longer used.
Prevent: Estimate sizes before allocating, and stream what can be large.
Proof: Ask for an impossible size, then for a small one.
Source: https://docs.python.org/3/library/exceptions.html#MemoryError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "out-of-memory",
    situations=(
        "Everything is loaded at once where a part would do, or a batch is too large.",
        "Other work on the same machine or accelerator holds the memory.",
    ),
    prevention=("Work in pieces of bounded size, and estimate sizes before allocating.",),
    strategy="try-catch",
    tags=("memory", "oom"),
    yields_to=(
        "unsupported-platform",
        "ambiguous-reference",
        "conflicting-update",
        "device-mismatch",
        "numeric-overflow",
        "optional-dependency-missing",
        "quota-exceeded",
        "removed-feature",
        "subprocess-failed",
        "tensor-dtype-mismatch",
        "timeout",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(facts, "MemoryError", "OutOfMemoryError", "OutOfMemory", words=("memory",), slots={}),
        caught(facts, "MemoryError", "OutOfMemoryError"),
        told(
            facts,
            "out of memory",
            "not enough memory",
            "enough memory",
            "memory limit",
            "cannot allocate",
            "memory pool",
            "kv cache",
            "insufficient memory",
            "oom",
            "memory usage",
        ),
    )
