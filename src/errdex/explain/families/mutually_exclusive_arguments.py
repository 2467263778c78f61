"""Two arguments that exclude each other were both given.

Means: Two parameters say the same thing in two ways, or one makes no sense with the other; the callable
  refuses to guess which was meant.
Not this: One of the two is required and none was given (`required-argument-missing`).
Causes:
  - A wrapper fills in one of them by default and passes the caller's other on.
  - An old and a new name of the same option are both set.
Fix: Pass one of the two and leave the other out.
Prevent: In wrappers, pass optional arguments on only when the caller gave them.
Proof: Call it with both, then with one.
Source: https://docs.python.org/3/library/argparse.html#mutual-exclusion
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told
from errdex.syntax.logic import Group, Test

_SAID = (
    "mutually exclusive",
    "not both",
    "cannot specify both",
    "both be",
    "at the same time",
    "only one of",
    "can't be used together",
    "cannot be used together",
    "cannot be combined",
    "cannot pass both",
    "cannot mix",
    "while also using",
    "set via both",
    "specified via both",
    "given together",
    "specified together",
    "don't mix",
    "cannot be set together",
    "specify only one",
    "but not both",
    "conflict with",
    "in combination with",
    "exactly one of",
    "may not be used with",
    "cannot be used with",
    "simultaneously",
    "incompatible with",
    "together with",
)


_COUNTED = re.compile(r"sum\(.*is not None|one_value_set|at_most_one|exactly_one|count_given")
"""How a guard counts the arguments that were given."""


def _is_given(test: Test) -> bool:
    return test.relation in {"not-none", "true", "is-not"}


@family(
    "mutually-exclusive-arguments",
    situations=(
        "A wrapper fills in one of {subject} by default and passes the caller's other on.",
        "An old and a new name of the same option are both set.",
    ),
    prevention=("In wrappers, pass optional arguments on only when the caller gave them.",),
    strategy="validation",
    tags=("arguments", "exclusive"),
    breadth="common",
    yields_to=("read-only",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold when several optional arguments are given, and messages that say so."""
    tree = facts.tree
    given = (
        [part for part in tree.parts if isinstance(part, Test)]
        if isinstance(tree, Group) and tree.kind == "all"
        else []
    )
    if (
        len(given) > 1
        and len(given) == len(tree.parts if isinstance(tree, Group) else ())
        and all(_is_given(test) and facts.is_parameter(test.subject) for test in given)
    ):
        return shape(facts, given, *_SAID)
    counted = [test for test in facts.tests if _COUNTED.search(test.subject)]
    if counted and facts.says(*_SAID):
        return shape(facts, counted, *_SAID)
    if facts.says(*_SAID) and (given or any(_is_given(test) for test in facts.tests)):
        return shape(facts, facts.tests, *_SAID)
    return told(facts, *_SAID)
