"""There are fewer items than the operation needs, or more than it takes.

Means: A computation needs a least number of items (two points for a line, three for a spread) or takes no
  more than some number.
Not this: There are none at all (`empty-input`), or two sequences differ (`length-mismatch`).
Causes:
  - Grouping or splitting left a part with too few items.
  - A parameter (folds, neighbours, window) is larger than the data.
Fix: Pass more items, or lower the parameter that asks for so many.
Prevent: Compare the size of the data with the parameter before the call, per group.
Proof: Call it with one item fewer than it needs, then with enough.
Source: https://docs.python.org/3/library/statistics.html#statistics.stdev
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told
from errdex.syntax.logic import Test


def _about_nothing(test: Test) -> bool:
    return (test.relation, test.objects[0]) in {
        ("eq", "0"),
        ("lt", "1"),
        ("le", "0"),
        ("ne", "0"),
        ("gt", "0"),
        ("ge", "1"),
    }


@family(
    "wrong-number-of-items",
    situations=(
        "Grouping, filtering or splitting left {few} with too few items.",
        "A parameter such as a window or a number of folds is larger than the data in {few}.",
        "More was collected in {many} than this takes: several sources or definitions, where one is meant.",
    ),
    prevention=("Compare the number of items with what is asked of them before the call.",),
    unnamed=("The number of items depends on an earlier step, and an edge case was not thought of.",),
    strategy="validation",
    tags=("length",),
    breadth="common",
    yields_to=(
        "empty-input",
        "index-out-of-range",
        "missing-key",
        "mutually-exclusive-arguments",
        "schema-violation",
        "size-limit-exceeded",
        "tensor-shape-mismatch",
        "unknown-attribute",
        "unregistered-name",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that count items against a fixed number."""
    found = [
        test
        for test in facts.tests_with("lt", "le", "gt", "ge", "eq", "ne")
        if ("len(" in test.subject or (".shape[0]" in test.subject and test.relation in _COMPARED))
        and ".split(" not in test.subject
        and (
            test.objects[0].isdigit()
            or (test.relation in _COMPARED and re.fullmatch(r"(self\.)?\w+", test.objects[0]))
        )
        and not _about_nothing(test)
    ]
    claimed = shape(facts, found, *_SAID) or told(facts, *_TOLD)
    if claimed is None or not claimed.slots:
        return claimed
    above = {test.relation for test in found} <= {"gt", "ge"}
    return (
        Claim(claimed.strength, {"many" if above else "few": claimed.slots["subject"]})
        if found
        else Claim(claimed.strength)
    )


_COMPARED = frozenset(("lt", "le", "gt", "ge"))
_SAID = (
    "at least", "at most", "more than", "fewer", "too many", "too few", "not enough",  "exactly", "elements", "items",
)  # fmt: skip
_TOLD = (
    "at least two", "not enough", "too few", "insufficient", "at least 2", "too many", "more than one", "need at least", "only one",
)  # fmt: skip
