"""A number does not fit the type that must hold it, or has no finite result.

Means: Fixed-width integers and floats have a largest value; the result, or the value to store, lies beyond.
Not this: The value breaks a limit that the library sets (`value-out-of-range`).
Causes:
  - A large count, id or timestamp meets a 32-bit field.
  - An exponential of a large number, or a division by something very small.
  - A value in the wrong unit (nanoseconds for seconds).
Fix: Use a wider type, or scale the value.
Prevent: Choose number types by the largest value that can occur.
Proof: Store a number one beyond the largest, then the largest.
Source: https://docs.python.org/3/library/exceptions.html#OverflowError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "numeric-overflow",
    situations=(
        "A large count, id or timestamp meets a narrower field, or comes in the wrong unit.",
        "An exponential of a large number, or a division by something very small.",
    ),
    prevention=("Choose number types by the largest value that can occur.",),
    strategy="validation",
    tags=("overflow", "numeric"),
    yields_to=(
        "unsafe-path",
        "singular-matrix",
        "not-a-number",
        "removed-feature",
        "tensor-dtype-mismatch",
        "tls-failed",
        "version-conflict",
        "wrong-number-of-dimensions",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts,
            "OverflowError",
            "ZeroDivisionError",
            "FloatingPointError",
            "OutOfBoundsDatetime",
            "OutOfBoundsTimedelta",
            words=("overflow",),
        ),
        caught(facts, "OverflowError", "ZeroDivisionError"),
        told(
            facts,
            "overflow",
            "underflow",
            "cannot be represented",
            "does not fit in",
            "division by zero",
            "divide by zero",
            "out of bounds nanosecond",
            "losslessly",
            "lose precision",
            "loss of precision",
            "cannot safely",
            "too large to convert",
        ),
    )
