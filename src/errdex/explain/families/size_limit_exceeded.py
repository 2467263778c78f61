"""Something is larger than a limit that protects against misuse or overflow.

Means: A field, message, file or request may have so many bytes, characters or parts and no more.
Not this: A number lies outside of its range (`value-out-of-range`); a total over time is used up
  (`quota-exceeded`).
Causes:
  - Real data is larger than the limit foresaw.
  - The data is damaged, and its length field is nonsense.
  - Someone sends too much on purpose.
Fix: Send less, split it, or raise the limit where the source is trusted.
Prevent: Check sizes where data comes in, and stream what can be large.
Proof: Pass one item more than the limit, then as many as it allows.
Source: https://docs.python.org/3/library/csv.html#csv.field_size_limit
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, parameter, shape, status, told


@family(
    "size-limit-exceeded",
    situations=(
        "Real data is larger than the limit foresaw, or is damaged and claims a nonsensical length.",
        "Everything is collected into one message or request instead of being split.",
    ),
    prevention=("Check sizes where data comes in, and stream or split what can be large.",),
    strategy="validation",
    tags=("size", "limit"),
    breadth="common",
    yields_to=(
        "connection-failed",
        "empty-input",
        "index-out-of-range",
        "missing-key",
        "tensor-shape-mismatch",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if (
        facts.class_words & {"toobig", "oversize"}
        or facts.class_words >= {"too", "large"}
        or facts.class_words >= {"too", "long"}
        or facts.class_words >= {"too", "big"}
        or (facts.class_words >= {"too", "many"} and "redirects" not in facts.class_words)
    ):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    found = [
        test
        for test in facts.tests_with("gt", "ge")
        if re.search(r"(?i)len\b|size|length|bytes|count|depth|total|num_", test.subject)
        and re.search(r"(?i)max|limit|[A-Z_]{5,}|capacity|\d{3,}", test.objects[0])
    ]
    return best(
        own_class(
            facts, "RequestEntityTooLarge", "DecompressionBombError", "DocumentTooLarge", "LineTooLong"
        ),
        status(facts, 413, 414, 431),
        shape(
            facts,
            found,
            "too large",
            "too long",
            "exceed",
            "too many",
            "too big",
            "maximum",
            "limit",
            "larger",
            "longer",
            "at most",
            "max",
            "greater",
            "more than",
        ),
        told(
            facts,
            "too large",
            "too long",
            "too big",
            "exceeds the",
            "exceeds max",
            "maximum size",
            "size limit",
            "exceeded the maximum",
            "exceeds limit",
            "limit exceeded",
            "length limit",
            "exceeds maximum",
            "exceeded limit",
            "maximum length",
            "is over the limit",
            "exceeded",
        ),
    )
