"""Something is deprecated, ignored from now on, or already gone.

Means: The library changed: the old way still works for a while with this warning, or works no more.
Not this: The version as a whole does not fit (`version-conflict`).
Causes:
  - Code or an example was written for an earlier release.
  - Another library still uses the old way.
Fix: Move to the replacement that the message names.
Prevent: Run the tests with warnings as errors, so that they show before the removal.
Proof: Use the old way, then the new.
Source: https://docs.python.org/3/library/warnings.html#warning-categories
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, told


@family(
    "removed-feature",
    situations=(
        "Code or an example was written for an earlier release of {package}.",
        "Another library still uses the old way.",
    ),
    prevention=(
        "Run the tests with `-W error::DeprecationWarning`, so that such uses show before the removal.",
    ),
    strategy="fallback",
    tags=("deprecated", "upgrade"),
    yields_to=("optional-dependency-missing",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if re.match(r"(RemovedIn|Pandas\d+Warning|SADeprecation)", facts.class_name):
        return Claim(Strength.OWN_CLASS)
    return best(
        own_class(
            facts,
            "DeprecationWarning",
            "FutureWarning",
            "PendingDeprecationWarning",
            words=("deprecated", "deprecation", "removed"),
            slots={},
        ),
        told(
            facts,
            "deprecated",
            "no longer supported",
            "has been removed",
            "was removed",
            "is removed",
            "been renamed",
            "no longer",
            "will be removed",
            "has been replaced",
            "obsolete",
            "was renamed",
        ),
    )
