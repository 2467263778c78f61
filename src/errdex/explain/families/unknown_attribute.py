"""An object has no attribute of that name.

Means: The object, module or proxy answers attribute access itself, and finds nothing under the name; or a
  callable asks an object for a method it does not have.
Not this: The entry is read with square brackets (`missing-key`).
Causes:
  - A typing mistake, or a name that another version of the library has.
  - The object is of another type than assumed.
  - The attribute is filled in only after another call.
Fix: Use a name that the object has; `dir(x)` lists them.
Prevent: Annotate the object's type, so that a type checker knows its attributes.
Proof: Read a name that is not there, then one that is.
Source: https://docs.python.org/3/library/exceptions.html#AttributeError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, shape, told


@family(
    "unknown-attribute",
    situations=(
        "A typing mistake, or a name that another version of the library has.",
        "The object is of another type than assumed, and lacks what is asked of it.",
    ),
    prevention=("Annotate the object's type, so that a type checker knows its attributes.",),
    strategy="type-guard",
    tags=("attribute",),
    breadth="common",
    yields_to=(
        "read-only",
        "uninitialised-object",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.is_class("AttributeError"):
        return Claim(
            Strength.SHAPE_AND_WORDS
            if facts.says("attribute", "has no")
            or facts.site.callable.name.endswith(("__getattr__", "__getattribute__"))
            else Strength.CLASS,
            parameter(facts),
        )
    if "AttributeError" in facts.caught:
        return Claim(Strength.CLASS, parameter(facts))
    return shape(
        facts,
        facts.tests_with("lacks"),
        "attribute",
        "method",
        "must have",
        "implement",
        "interface",
        "does not have",
        "has no",
        "define",
        "should have",
        "provide",
    ) or told(
        facts,
        "has no attribute",
        "no attribute",
        "does not have attribute",
        "must have a method",
        "must have an attribute",
        "does not have a",
    )
