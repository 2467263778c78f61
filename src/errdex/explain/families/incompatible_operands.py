"""An operation is not defined between these two kinds of things.

Means: Adding, comparing, joining or assigning needs both sides to be of kinds that fit, and they are not.
Not this: One argument is of a wrong type whatever the other is (`argument-type`); arrays differ in shape
  (`tensor-shape-mismatch`).
Causes:
  - Text from outside meets numbers.
  - Objects of two libraries, or of two configurations, are mixed.
Fix: Convert one side to the kind of the other.
Prevent: Convert where data comes in, so that one kind meets itself.
Proof: Combine two kinds that do not fit, then two that do.
Source: https://docs.python.org/3/library/operator.html
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter

_OPERATORS = frozenset(
    (
        "__add__",
        "__radd__",
        "__sub__",
        "__rsub__",
        "__mul__",
        "__rmul__",
        "__truediv__",
        "__floordiv__",
        "__mod__",
        "__pow__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__eq__",
        "__ne__",
        "__and__",
        "__or__",
        "__xor__",
        "__matmul__",
        "__neg__",
        "__bool__",
        "__iadd__",
        "__float__",
        "__int__",
        "__contains__",
        "__len__",
        "__iter__",
        "__hash__",
    )
)


@family(
    "incompatible-operands",
    situations=(
        "Text from outside meets numbers, or objects of two libraries are mixed.",
        "Two objects were created with different settings, and only like ones can be combined.",
    ),
    prevention=("Convert where data comes in, so that one kind meets itself.",),
    strategy="type-guard",
    tags=("operator", "type"),
    breadth="broad",
    yields_to=("configuration-missing",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    operator = facts.site.callable.name.rpartition(".")[2] in _OPERATORS
    said = facts.says(
        "unsupported operand",
        "cannot add",
        "cannot compare",
        "cannot subtract",
        "cannot multiply",
        "cannot be compared",
        "cannot combine",
        "can't compare",
        "not comparable",
        "cannot concatenate",
        "can only concatenate",
        "cannot join",
        "cannot merge",
        "invalid comparison",
        "cannot perform",
        "operation not",
        "not defined between",
        "unsupported operation",
        "cannot divide",
        "cannot mix",
        "can't mix",
        "different",
        "operands",
        "cannot convert",
        "can't convert",
        "cannot cast",
        "cannot coerce",
    )
    if operator and (said or facts.is_class("TypeError")):
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    return (
        Claim(Strength.CLASS if facts.is_class("TypeError") else Strength.WORDS, parameter(facts))
        if said
        else None
    )
