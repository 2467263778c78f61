"""Requests come faster than the service allows.

Means: The service counts requests in a span of time and refuses what goes beyond, to stay usable for all.
Not this: A fixed allowance is used up (`quota-exceeded`).
Causes:
  - A loop or several workers send requests without a pause.
  - A retry without a growing pause makes it worse.
Fix: Wait as long as the answer says (`Retry-After`), then go on more slowly.
Prevent: Limit the rate on your side, over all workers.
Proof: Send one request more than allowed, then one after the pause.
Source: https://datatracker.ietf.org/doc/html/rfc6585#section-4
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, status, told


@family(
    "rate-limited",
    situations=(
        "A loop or several workers send requests without a pause.",
        "A retry without a growing pause makes it worse.",
    ),
    prevention=("Limit the rate on your side, over all workers together.",),
    strategy="retry",
    tags=("rate-limit",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.class_words >= {"rate", "limit"}:
        return Claim(Strength.OWN_CLASS)
    return best(
        own_class(
            facts,
            "TooManyRequests",
            "Throttled",
            words=("throttled", "throttling", "ratelimit"),
            slots={},
        ),
        status(facts, 429),
        told(facts, "rate limit", "too many requests", "throttl", "slow down"),
    )
