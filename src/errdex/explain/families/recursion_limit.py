"""Something is nested, or calls itself, deeper than a limit.

Means: Depth costs stack or time; the limit stops a structure that never ends, or one made to break the
  program.
Not this: The nesting goes in a circle (`circular-dependency`).
Causes:
  - A recursive function lacks an end, or the structure contains itself.
  - Generated or hostile data is nested very deeply.
Fix: Give the recursion an end, flatten the structure, or raise the limit where the depth is wanted.
Prevent: Walk deep structures with a list of what is left to do, instead of by recursion.
Proof: Descend one level deeper than the limit, then as deep as it allows.
Source: https://docs.python.org/3/library/exceptions.html#RecursionError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, shape, told


@family(
    "recursion-limit",
    situations=(
        "A recursive step lacks an end, or the structure contains itself.",
        "Generated or hostile data is nested very deeply.",
    ),
    prevention=("Walk deep structures with a list of what is left to do, instead of by recursion.",),
    strategy="validation",
    tags=("recursion", "depth"),
    yields_to=(
        "circular-dependency",
        "removed-feature",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.tests_with("gt", "ge", "le", "lt", "eq")
        if re.search(r"(?i)depth|nesting|recurs", test.subject)
    ]
    return best(
        own_class(facts, "RecursionError", words=("recursion", "recursive"), slots={}),
        shape(facts, found, "depth", "recurs", "nest", "deep", "level")
        if facts.says("depth", "recurs", "nest", "deep", "level")
        else None,
        caught(facts, "RecursionError"),
        told(facts, "recursion", "recursive", "nested too", "nesting", "too deep", "infinite loop"),
    )
