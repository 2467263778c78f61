"""Something did not finish in the time it was given.

Means: A limit on waiting ran out: for an answer, a lock, a connection from a pool or a child process.
Not this: The other side refused or broke off (`connection-failed`).
Causes:
  - The other side is slow or overloaded, or waits for something itself.
  - The limit is shorter than the work takes at its slowest.
  - Connections are taken from a pool and not given back.
Fix: Find out what it waits for; raise the limit where the work really takes longer.
Prevent: Give every call that waits its own limit, and retry only what may safely run twice.
Proof: Wait for something that does not come with a short limit, then for something that does.
Source: https://docs.python.org/3/library/exceptions.html#TimeoutError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, shape, status, told


@family(
    "timeout",
    situations=(
        "The other side is slow or overloaded at times, and the limit is shorter than its slowest answer.",
        "Connections are taken from a pool and not given back, so that the next one waits in vain.",
    ),
    prevention=("Give every call that waits its own limit, and retry only what may safely run twice.",),
    strategy="retry",
    tags=("timeout", "network"),
    yields_to=(
        "token-expired",
        "unsupported-platform",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts, "TimeoutError", "TimeoutExpired", "Timeout", words=("timeout", "timed"), slots={}
    )
    if not facts.caught.isdisjoint(
        (
            "TimeoutError",
            "Timeout",
            "TimeoutExpired",
            "SocketTimeout",
            "Empty",
            "ReadTimeout",
            "ConnectTimeout",
            "ServerTimeoutError",
        )
    ):
        return Claim(Strength.OWN_CLASS)
    found = facts.reading(r"(?i)time\(|monotonic|elapsed|deadline|expir", "lt", "gt", "le", "ge")
    return best(
        named,
        status(facts, 408, 504),
        shape(facts, found, "time", "wait"),
        told(
            facts, "timed out", "timeout", "time out", "took too long", "deadline exceeded", "giving up after"
        ),
    )
