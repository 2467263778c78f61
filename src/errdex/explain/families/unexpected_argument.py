"""A keyword or option was given that the callable does not know.

Means: The callable takes `**kwargs` (or a dictionary of options) and checks the names itself; one is not
  among those it takes.
Not this: The name is right and its value is not (`unknown-choice`).
Causes:
  - The name is misspelt, or belongs to another function or version.
  - An options dictionary is passed on whole, with entries meant for someone else.
Fix: Drop the argument, or use the name from the signature.
Prevent: Pass options by name instead of as a dictionary, so that a type checker sees them.
Proof: Call it with a name it does not know, then without.
Source: https://docs.python.org/3/library/exceptions.html#TypeError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter

_NAME = re.compile(r"[A-Za-z_]\w*")


@family(
    "unexpected-argument",
    situations=(
        "The name is misspelt, or belongs to another function or version of the library.",
        "An options dictionary is passed on whole, with entries meant for someone else.",
    ),
    prevention=("Pass options by name instead of as a dictionary, so that a type checker sees them.",),
    strategy="validation",
    tags=("arguments", "keyword"),
    yields_to=("not-a-number",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    variadic = {p.name for p in facts.site.callable.parameters if p.kind == "var-keyword"}
    found = [
        test
        for test in facts.tests
        if not variadic.isdisjoint(_NAME.findall(f"{test.subject} {' '.join(test.objects)}"))
        and test.relation in {"true", "in", "not-in", "gt", "some", "not-none"}
    ]
    said = facts.says(
        "unexpected keyword",
        "unexpected argument",
        "unexpected extra argument",
        "passed as keyword",
        "got an unexpected",
        "unknown argument",
        "unrecognized argument",
        "invalid keyword",
        "unknown keyword",
        "takes no",
        "extra keyword",
        "unexpected kwargs",
        "unknown parameter",
        "invalid parameter",
        "invalid argument",
        "unexpected option",
        "unknown option",
        "not a valid keyword",
        "unrecognized keyword",
        "unsupported keyword",
        "unused arguments",
        "additional arguments",
    )
    if found and said:
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    if any(test.relation == "true" and test.subject in variadic for test in found):
        return Claim(Strength.SHAPE, parameter(facts))
    return (
        Claim(
            Strength.SHAPE_AND_WORDS
            if facts.is_class("TypeError") and facts.says("unexpected keyword")
            else Strength.WORDS,
            parameter(facts),
        )
        if said
        else None
    )
