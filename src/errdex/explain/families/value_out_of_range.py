"""A number lies outside of what the callable accepts.

Means: A callable compared a numeric argument with a limit and refused it: a negative count, a probability
  above one, an index or a size beyond the data.
Not this: The value is too large for memory or for a number type (`numeric-overflow`), or data as a whole is
  too large (`size-limit-exceeded`).
Causes:
  - The value was computed and came out negative or zero at an edge (an empty batch, a division).
  - Percentages and fractions were mixed up (50 for 0.5).
  - Units differ (seconds for milliseconds).
  - A default such as -1 or 0 means 'unset' elsewhere, but not here.
Fix: Pass a value within the limits that the guard names.
Prevent: Clamp or check the number where it is read or computed, with the same limits.
Proof: Call it with the first value beyond the limit, then with the limit itself.
Source: https://docs.python.org/3/library/exceptions.html#ValueError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told

_OTHERS = re.compile(
    r"\blen\(|version|shape|ndim|\.dim\(|time\(|monotonic|elapsed|deadline|err|status|\bret\b|_code\b|returncode"
)


@family(
    "value-out-of-range",
    situations=(
        "{subject} was computed and came out on the wrong side of the limit in an edge case.",
        "Percentages and fractions, or two units, were mixed up in {subject}.",
        "A value that means “unset” elsewhere (-1, 0) was passed as {number}.",
    ),
    prevention=("Check or clamp {subject} where it is read or computed, with the same limits.",),
    unnamed=(
        "The number comes out of a computation, and lies beyond the limit in an edge case.",
        "Check such numbers where they are read or computed, with the limits that the library sets.",
    ),
    strategy="validation",
    tags=("range", "limits"),
    breadth="common",
    yields_to=(
        "empty-input",
        "ignored-argument",
        "index-out-of-range",
        "length-mismatch",
        "missing-key",
        "size-limit-exceeded",
        "tensor-shape-mismatch",
        "wrong-number-of-items",
        "uninitialised-object",
        "unknown-choice",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold a number against a limit."""
    found = [
        test
        for test in facts.tests_with("lt", "le", "gt", "ge", "within", "outside")
        if not _OTHERS.search(f"{test.subject} {' '.join(test.objects)}")
        and not test.objects[0].startswith("{")
    ]
    claimed = shape(facts, found, *_SAID)
    if claimed is not None:
        slots = dict(claimed.slots) if all(facts.is_parameter(test.subject) for test in found) else {}
        if "subject" in slots and all(test.objects[0] in {"0", "1"} for test in found):
            slots["number"] = slots["subject"]
        return Claim(claimed.strength, slots)
    return told(
        facts,
        "out of range",
        "not in the range",
        "must be in the range",
        "must be positive",
        "must be non-negative",
        "must be nonnegative",
        "must be greater",
        "must be less",
        "must be between",
        "cannot be negative",
        "must be in range",
        "out of bounds",
        "must be >",
        "should be greater",
        "must not be negative",
        "must be at least",
    )


_SAID = (
    "must be", "should be", "between", "positive", "negative", "greater", "less", "at least", "at most", "range", "larger", "smaller", "exceed",
    "higher", "lower", "minimum", "maximum", "<", ">", "interval",
)  # fmt: skip
