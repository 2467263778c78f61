"""More or fewer arguments, fields or parts than the callable takes.

Means: The callable counts its positional arguments (or the parts of a tuple or a command) itself and got
  another number.
Not this: Two sequences of data differ in length (`length-mismatch`).
Causes:
  - A tuple was passed where its items are expected, or the other way round (`f(args)` for `f(*args)`).
  - A separator inside of a value split it in two.
Fix: Pass as many arguments as the message asks for.
Prevent: Prefer named arguments where there are more than two.
Proof: Call it with one argument too few, then with all.
Source: https://docs.python.org/3/library/exceptions.html#TypeError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter

_COUNTED = re.compile(r"len\((\w+)\)")
_PARTS = frozenset(("args", "argv", "params", "bits", "parts"))
"""What parsed arguments are called."""


@family(
    "wrong-argument-count",
    situations=(
        "A tuple was passed where its items are expected, or the other way round: `f(args)` for `f(*args)`.",
        "A separator inside of a value split it in two.",
    ),
    prevention=("Prefer named arguments where there are more than two.",),
    strategy="validation",
    tags=("arguments",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    counted = {p.name for p in facts.site.callable.parameters if p.kind == "var-positional"} | _PARTS
    found = [
        test for test in facts.tests if (inner := _COUNTED.fullmatch(test.subject)) and inner[1] in counted
    ]
    said = facts.says(
        "takes exactly",
        "does not take a value",
        "takes at most",
        "takes at least",
        "takes no arguments",
        "expected at most",
        "positional argument",
        "not enough arguments",
        "too many arguments",
        "takes one argument",
        "takes two",
        "wrong number of arguments",
        "number of arguments",
        "exactly one argument",
        "arguments but",
        "requires exactly one argument",
        "takes from",
        "expected exactly one argument",
        "requires at least one",
        "at least two arguments",
        "takes 1",
        "takes 2",
        "incorrect number of arguments",
    )
    if found:
        return Claim(
            Strength.SHAPE_AND_WORDS
            if said or facts.says("argument", "expect", "require")
            else Strength.SHAPE,
            parameter(facts),
        )
    return (
        Claim(
            Strength.SHAPE_AND_WORDS if facts.tests and "len(" in facts.guard_code else Strength.WORDS,
            parameter(facts),
        )
        if said
        else None
    )
