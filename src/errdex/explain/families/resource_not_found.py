"""What was asked for does not exist, or not where it was looked for.

Means: A server, database or package holds no entry under this name or key.
Not this: It is a file path (`file-not-found`), or a name in a table of the library itself
  (`unregistered-name`).
Causes:
  - The name or id is misspelt, or belongs to another environment.
  - The entry was deleted, or its creation has not finished.
  - The name exists and the caller may not see it; some services answer alike.
Fix: Check name and place, and create the entry if it should be there.
Prevent: Treat absence as a normal answer wherever names come from outside.
Proof: Ask for a name that does not exist, then for one that does.
Source: https://docs.python.org/3/library/importlib.metadata.html#importlib.metadata.PackageNotFoundError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, caught, own_class, parameter, status, told


@family(
    "resource-not-found",
    situations=(
        "The name or id is misspelt, or belongs to another environment.",
        "The entry was deleted, or its creation has not finished.",
    ),
    prevention=("Treat absence as a normal answer wherever names come from outside.",),
    strategy="try-catch",
    tags=("not-found",),
    breadth="broad",
    yields_to=(
        "configuration-missing",
        "undecodable-input",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if (
        facts.class_words >= {"not", "found"}
        or facts.class_words >= {"does", "not", "exist"}
        or (
            facts.class_words & {"no", "missing", "unknown"}
            and facts.class_words
            & {"such", "node", "path", "table", "column", "object", "entity", "resource"}
        )
        or "http404" in facts.class_name.lower()
    ):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    return best(
        own_class(
            facts,
            "NotFound",
            "DoesNotExist",
            "ObjectDoesNotExist",
            "NoResultFound",
            "NoSuchTableError",
            "PackageNotFoundError",
            "RepositoryNotFoundError",
        ),
        status(facts, 404, 410),
        caught(facts, "DoesNotExist", "ObjectDoesNotExist", "NotFound", "NoResultFound"),
        told(
            facts,
            "could not find",
            "does not exist",
            "doesn't exist",
            "not found",
            "cannot find",
            "couldn't find",
            "no such",
            "unable to find",
            "cannot be found",
            "could not be found",
            "no matching",
            "can't find",
            "no match",
        ),
    )
