"""A class was expected and something else came, or a class of the wrong kind.

Means: A parameter takes a class, often a subclass of a given one, because the callable creates instances or
  reads its declarations.
Not this: An instance is expected and is of another type (`argument-type`).
Causes:
  - An instance was passed where its class is expected.
  - The class does not inherit from the base that the library asks for.
Fix: Pass the class itself, and let it inherit from the named base.
Prevent: Annotate such parameters as `type[Base]`.
Proof: Call it with an instance, then with its class.
Source: https://docs.python.org/3/library/functions.html#issubclass
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told


@family(
    "class-expected",
    situations=(
        "An instance was passed as {subject} where its class is expected.",
        "The class passed does not inherit from the base that the library asks for.",
    ),
    prevention=("Annotate such values as `type[Base]`: a type checker then tells classes from instances.",),
    strategy="type-guard",
    tags=("class", "subclass"),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return shape(facts, facts.tests_with("not-subclass", "subclass"), "subclass", "class", "inherit") or told(
        facts,
        "must be a class",
        "must be a subclass",
        "not a subclass",
        "must inherit",
        "should be a class",
        "must subclass",
        "is not a class",
    )
