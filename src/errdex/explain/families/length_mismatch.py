"""Two sequences that belong together differ in length.

Means: Items are paired by position; a sequence with more or fewer items than the other (or than a number
  given beside it) leaves some without a partner.
Not this: Arrays with several axes (`tensor-shape-mismatch`), too few items whatever the other is
  (`wrong-number-of-items`).
Causes:
  - One of the two was filtered, deduplicated or sorted on its own.
  - A header, a trailing line or a missing field shifted one of them.
  - Names or labels were given for some of the items only.
Fix: Build both from the same loop, or filter them together.
Prevent: Keep what belongs together in one record, and zip with `strict=True`.
Proof: Call it with one item more on one side, then with as many on both.
Source: https://docs.python.org/3/library/functions.html#zip
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told
from errdex.syntax.logic import Test

_COUNT = re.compile(r"\blen\(|\bsize\b|count|n_\w+|num_\w+")


def _measured(test: Test) -> bool:
    if re.search(r"(?i)min|max|limit", test.objects[0]) or ".split(" in test.subject:
        return False
    if any("len(" in side for side in (test.subject, test.objects[0])) and test.relation in {"ne", "eq"}:
        return test.objects[0] not in {"0", "1"} or test.relation == "ne"
    return all("len(" in item for item in (test.subject, *test.objects[:1]))


@family(
    "length-mismatch",
    situations=(
        "{subject} was filtered or extended on its own, and what it belongs to was not.",
        "A header, an empty line or a missing field shifted one of the two.",
    ),
    prevention=("Keep what belongs together in one list of records, and zip with `strict=True`.",),
    strategy="validation",
    tags=("length",),
    breadth="common",
    yields_to=(
        "empty-input",
        "index-out-of-range",
        "read-only",
        "size-limit-exceeded",
        "tensor-shape-mismatch",
        "wrong-number-of-items",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold one length against another or against a number."""
    found = [
        test
        for test in facts.tests_with("ne", "eq", "lt", "gt", "le", "ge")
        if _COUNT.search(f"{test.subject} {test.objects[0]}") and _measured(test)
    ]
    return shape(
        facts,
        found,
        "same number",
        "equal",
        "match",
        "mismatch",
        "len(",
        measured=("length", "number of", "size"),
    ) or told(
        facts,
        "same length",
        "length mismatch",
        "equal length",
        "lengths must",
        "must match the number",
        "must have length",
        "lengths do not match",
        "length does not match",
        "different lengths",
        "same size",
        "wrong length",
        "length of",
    )
