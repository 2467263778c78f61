"""Something of that name exists already.

Means: A registry, a folder or a store holds an entry under this name, and replacing it silently would lose
  it.
Not this: One list passed in a call repeats itself (`duplicate-values`); a database refused a row
  (`integrity-violation`).
Causes:
  - The code that registers or creates runs twice (a module imported under two names, a notebook cell run
    again).
  - Two parts of a program chose the same name.
  - The result of an earlier run is still there.
Fix: Use another name, remove the old entry, or pass the option that allows replacing it.
Prevent: Register in one place that runs once, and ask whether the entry exists before creating it.
Proof: Create it twice, then once.
Source: https://docs.python.org/3/library/exceptions.html#FileExistsError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import own_class, parameter, shape

_SAID = (
    "already exists",
    "already registered",
    "already defined",
    "already in use",
    "already been registered",
    "already has a",
    "already present",
    "already set",
    "already a ",
    "already been added",
    "is already",
    "already contains",
    "exists",
    "conflicts with",
)


@family(
    "duplicate-entry",
    situations=(
        "The code that registers or creates it runs twice: a module imported under two names, or a notebook cell run again.",
        "The result of an earlier run is still there.",
        "Two parts of a program chose the same name.",
    ),
    prevention=(
        "Register in one place that runs once, and ask whether the entry exists before creating it.",
    ),
    strategy="try-catch",
    tags=("duplicate", "already-exists"),
    breadth="common",
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    claimed = own_class(
        facts,
        "FileExistsError",
        "AlreadyExistsError",
        "AlreadyRegistered",
        "DuplicateError",
        "ResourceExistsError",
        words=("duplicate", "already", "exists"),
    )
    if claimed is not None and claimed.strength is Strength.OWN_CLASS:
        return claimed
    if facts.says(*_SAID):
        return shape(facts, facts.tests_with("in", "exists", "true", "file", "directory"), *_SAID) or Claim(
            Strength.WORDS, parameter(facts)
        )
    found = [
        test
        for test in facts.tests_with("in")
        if test.objects[0] == "*"
        and test.subject[:1] not in "'\""
        and re.search(r"self\.|regist|_map\b|cache", test.objects[1])
    ]
    return shape(facts, found)
