"""A rule of the database refuses the change.

Means: Unique, foreign-key, not-null and check constraints hold for every row, whoever writes it.
Not this: A model of the program refuses the data before it gets there (`schema-violation`).
Causes:
  - The row exists already, or was inserted twice by two requests.
  - A row that others point to is deleted, or a row points to one that is not there.
  - A required column is left empty.
Fix: Change the data so that it keeps the rule, or handle the existing row (update, upsert).
Prevent: Let the constraint decide and handle the error, instead of asking first and writing later.
Proof: Insert a row twice, then once.
Source: https://docs.python.org/3/library/sqlite3.html#sqlite3.IntegrityError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "integrity-violation",
    situations=(
        "The row exists already, or two requests insert it at the same time.",
        "Other rows still point to a row that is deleted, or a row points to one that is not there.",
    ),
    prevention=(
        "Let the constraint decide and handle its error, instead of asking first and writing later.",
    ),
    strategy="try-catch",
    tags=("database", "constraint"),
    breadth="common",
    yields_to=(
        "duplicate-entry",
        "empty-input",
        "length-mismatch",
        "missing-key",
        "mutually-exclusive-arguments",
        "read-only",
        "required-argument-missing",
        "schema-violation",
        "wrong-number-of-items",
        "uninitialised-object",
        "unknown-choice",
        "unregistered-name",
        "value-out-of-range",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts, "IntegrityError", "ProtectedError", "RestrictedError", "UniqueViolation", "DuplicateKeyError"
    )
    return best(
        named,
        caught(facts, "IntegrityError"),
        told(
            facts,
            "constraint failed",
            "violates",
            "foreign key constraint",
            "unique constraint",
            "not-null",
            "integrity",
        ),
    )
