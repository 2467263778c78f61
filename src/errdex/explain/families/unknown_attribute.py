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
from errdex.explain.matching import best, narrowed, parameter, shape, told


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
        "duplicate-entry",
        "length-mismatch",
        "unknown-choice",
        "ignored-argument",
        "read-only",
        "uninitialised-object",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.site.callable.name.endswith(("__getattr__", "__getattribute__")) and facts.is_class(
        "AttributeError"
    ):
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    lacking = [
        *(test for test in facts.tests_with("lacks") if not test.objects[0].startswith("*")),
        *(test for test in facts.tests_with("is-none") if test.subject.startswith("getattr(")),
    ]
    return best(
        narrowed(facts, "AttributeError", *_CONFIRMED),
        shape(facts, lacking, *_CONFIRMED),
        told(facts, *_SAID),
    )


_CONFIRMED = (
    "attribute", "method", "must have", "implement", "interface", "does not have", "has no", "define", "should have", "provide",
)  # fmt: skip
_SAID = (
    "has no attribute", "no attribute", "does not have attribute", "must have a method", "must have an attribute", "does not have a method", "have a property", "does not have a property", "does not have a callback",
)  # fmt: skip
