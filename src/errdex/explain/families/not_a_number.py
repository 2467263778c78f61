"""A value is NaN or infinite, or missing, where only finite numbers work.

Means: NaN spreads through every computation and compares false with everything; the callable refuses it at
  the door.
Not this: The number is finite and too large (`numeric-overflow`, `value-out-of-range`).
Causes:
  - Missing values in the data (an empty cell, a failed join).
  - A division by zero or the logarithm of zero on the way.
  - An overflow in a lower precision became infinite.
Fix: Drop or fill missing values, or mend the step that makes them.
Prevent: Check for NaN after each step that can make one.
Proof: Pass NaN, then a number.
Source: https://docs.python.org/3/library/math.html#math.isfinite
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, shape, told


@family(
    "not-a-number",
    situations=(
        "The data has missing values: an empty cell, or a join without a match.",
        "A division by zero, a logarithm of zero or an overflow on the way.",
    ),
    prevention=("Check for NaN after each step that can make one, such as a join or a division.",),
    strategy="validation",
    tags=("nan", "numeric"),
    yields_to=(
        "recursion-limit",
        "removed-feature",
        "singular-matrix",
        "tensor-dtype-mismatch",
        "wrong-number-of-dimensions",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = facts.reading(
        r"(?i)isnan|isinf|isfinite|isna\b|isnull|hasnans|_nan\b|\bnan\b|is_finite|is_infinite|\.notna"
    )
    return best(
        shape(facts, found, "finite", "missing", "null values", words=("nan", "inf", "na", "nat", "nans")),
        told(
            facts,
            "non-finite",
            "not finite",
            "null values",
            "na values",
            "missing values",
            "infs or nans",
            "must be finite",
            words=("nan", "inf", "infinity", "nat", "nans"),
        ),
    )
