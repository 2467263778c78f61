"""More than one thing fits what was asked for.

Means: A name, a condition or a conversion could mean several things, and the library does not choose for
  the caller.
Not this: Nothing fits (`resource-not-found`, `unregistered-name`).
Causes:
  - A lookup by a field that is not unique.
  - Two sources offer the same name.
  - An array or frame is used as a truth value.
Fix: Say more precisely which one is meant.
Prevent: Look things up by what identifies them.
Proof: Ask with a name that two things have, then with the full one.
Source: https://docs.sqlalchemy.org/en/20/orm/queryguide/api.html#sqlalchemy.orm.Query.one
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, told


@family(
    "ambiguous-reference",
    situations=(
        "A lookup by something that is not unique, or a join that multiplies rows.",
        "Two sources offer the same name.",
    ),
    prevention=("Look things up by what identifies them: a primary key, a qualified name.",),
    strategy="try-catch",
    tags=("ambiguous",),
    yields_to=(
        "abstract-method",
        "conflicting-update",
        "duplicate-values",
        "not-a-number",
        "not-serializable",
        "optional-dependency-missing",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(facts, "MultipleResultsFound", "MultipleObjectsReturned", words=("ambiguous", "multiple")),
        told(
            facts,
            "ambiguous",
            "more than one",
            "are multiple",
            "can't identify which",
            "cannot identify which",
            "maps to multiple",
            "mapped to multiple",
            "found multiple",
            "matches multiple",
            "multiple matches",
            "multiple possible",
            "could not determine which",
            "truth value of",
        ),
    )
