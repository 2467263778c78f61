"""The work was stopped on purpose before it finished.

Means: Somebody asked for it to stop: the user, a shutting-down program, or a sibling task that failed.
Not this: A limit on time ran out (`timeout`).
Causes:
  - The program or its event loop is shutting down.
  - A task in the same group failed, and the others were cancelled.
  - The user pressed Ctrl-C, or answered no.
Fix: Let it pass after cleaning up; cancellation is not to be swallowed.
Prevent: Clean up in `finally`, and catch `Exception` rather than `BaseException`.
Proof: Ask for the result of cancelled work, then of work that ran.
Source: https://docs.python.org/3/library/asyncio-task.html#task-cancellation
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "cancelled",
    situations=(
        "The program or its event loop is shutting down, or a task in the same group failed.",
        "The user pressed Ctrl-C, or answered no.",
    ),
    prevention=("Clean up in `finally`, and catch `Exception` rather than `BaseException`.",),
    strategy="try-catch",
    tags=("cancelled",),
    yields_to=(
        "not-converged",
        "permission-denied",
        "subprocess-failed",
        "timeout",
        "tls-failed",
        "transaction-state",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.is_class("StopIteration", "StopAsyncIteration"):
        return None  # how an iterator ends
    return best(
        own_class(
            facts,
            "CancelledError",
            "KeyboardInterrupt",
            words=(*_SAID, "abort", "terminate", "shutdown"),
            slots={},
        ),
        caught(facts, "CancelledError", "KeyboardInterrupt"),
        told(facts, *_SAID),
    )


_SAID = ("cancelled", "canceled", "aborted", "interrupted", "revoked", "terminated")
