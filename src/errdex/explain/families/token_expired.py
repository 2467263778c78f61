"""A token, signature or session was valid, and no longer is.

Means: Such things carry an end date, so that a stolen one does not work for ever.
Not this: It never was valid (`authentication-failed`).
Causes:
  - It was fetched once at the start and kept too long.
  - The clock of one side is wrong.
Fix: Fetch a new one, and repeat the request.
Prevent: Renew a little before the end date instead of waiting for the refusal.
Proof: Use it after its end date, then before.
Source: https://datatracker.ietf.org/doc/html/rfc7519#section-4.1.4
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, shape, told


@family(
    "token-expired",
    situations=("It was fetched once at the start and kept too long.", "The clock of one side is wrong."),
    prevention=("Renew it a little before its end date instead of waiting for the refusal.",),
    strategy="try-catch",
    tags=("token", "expired"),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [test for test in facts.tests if "expir" in f"{test.subject} {' '.join(test.objects)}".lower()]
    return best(
        own_class(facts, words=("expired",), slots={}),
        shape(facts, found, "expired") if facts.says("expire") else None,
        told(facts, "has expired", "have expired", "is expired", "token expired", "expired token"),
    )
