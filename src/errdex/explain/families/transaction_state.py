"""A transaction or session is not in the state that this call needs.

Means: Changes are gathered in a transaction: it must be open to write in it, and is over after a commit, a
  rollback or an error.
Not this: The connection itself is closed (`closed-resource`).
Causes:
  - An earlier statement failed, and the transaction was not rolled back.
  - An object is used outside of the session or block that loaded it.
  - Transactions are nested where the driver or setting does not allow it.
Fix: Roll back after an error, and keep objects within the block that loaded them.
Prevent: Let one `with` block stand for one transaction.
Proof: Commit without a transaction, then within one.
Source: https://docs.sqlalchemy.org/en/20/orm/session_transaction.html
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, shape, told


@family(
    "transaction-state",
    situations=(
        "An earlier statement failed, and the transaction was not rolled back.",
        "An object is used outside of the session or block that loaded it.",
    ),
    prevention=("Let one `with` block stand for one transaction.",),
    strategy="try-catch",
    tags=("transaction", "database"),
    yields_to=(
        "abstract-method",
        "closed-resource",
        "conflicting-update",
        "optional-dependency-missing",
        "removed-feature",
        "timeout",
        "version-conflict",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.tests
        if re.search(r"(?i)transaction|in_atomic|autocommit|savepoint|\bsession\b", test.subject)
    ]
    return best(
        own_class(facts, words=("transaction", "session", "rollback", "pending"), slots={}),
        shape(facts, found, "transaction", "session", "atomic", "commit", "rollback")
        if facts.says("transaction", "session", "atomic", "commit", "rollback", "savepoint")
        else None,
        told(facts, "transaction", "savepoint", "rollback", "atomic block", "autocommit", "within a session"),
    )
