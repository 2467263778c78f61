"""Times with and without a time zone, or of different zones, meet.

Means: A time without a zone is not a point in time; comparing or mixing it with one that has a zone would
  guess the difference.
Not this: The text of a date cannot be read (`malformed-value`).
Causes:
  - `datetime.now()` (without a zone) meets a time from a database or an API (with one).
  - A column was localised in one table only.
Fix: Give both a zone: `datetime.now(UTC)`, `tz_localize`.
Prevent: Use times with a zone everywhere inside of the program.
Proof: Compare a time without a zone with one that has one, then two that have one.
Source: https://docs.python.org/3/library/datetime.html#aware-and-naive-objects
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told


@family(
    "timezone-mismatch",
    situations=(
        "`datetime.now()`, which has no zone, meets a time from a database or an API, which has one.",
        "A column was localised in one table only.",
    ),
    prevention=("Use times with a zone everywhere inside of the program: `datetime.now(UTC)`.",),
    strategy="validation",
    tags=("timezone", "datetime"),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = facts.reading(r"\btz\b|tzinfo|timezone|tz_\w+|utcoffset|is_aware|is_naive|_tz\b")
    return shape(facts, found, "tz", "timezone", "time zone", "naive", "aware", "utc") or told(
        facts, "tz-aware", "tz-naive", "timezone", "time zone", "offset-naive", "tzinfo", "tz_"
    )
