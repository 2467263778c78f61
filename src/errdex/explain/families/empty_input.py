"""There is nothing to work on.

Means: A callable needs at least one item (to average, to choose from, to concatenate) and got an empty
  collection, text or file.
Not this: Some items are there, but fewer than needed (`wrong-number-of-items`), or the argument was not given at
  all (`required-argument-missing`).
Causes:
  - A filter, a query or a glob matched nothing.
  - The file was read to its end before, or is empty.
  - A split left one side of the data without items.
Fix: Find out why the input is empty; where that is a normal case, handle it before the call.
Prevent: Check right after the step that can come out empty, where its name and criteria are known.
Proof: Call it with an empty list, then with one item.
Source: https://docs.python.org/3/library/statistics.html#statistics.mean
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import shape, subjects, told
from errdex.syntax.logic import Test


def _is_empty(test: Test) -> bool:
    if test.relation == "false":
        return test.subject.isidentifier()  # what an object lacks, or a call denies, was not passed empty
    if "len(" in test.subject or ".size" in test.subject or ".shape[0]" in test.subject:
        return (test.relation, *test.objects) in {("eq", "0"), ("lt", "1"), ("le", "0")}
    return test.relation == "eq" and test.objects[0] in {"''", "[]", "()", "{}", "b''", '""'}


def _is_switch(test: Test, facts: Facts) -> bool:
    """Whether a test reads a switch of the call, which is off and not empty."""
    parameter = facts.names.parameter(test.subject)
    return parameter is not None and (
        parameter.default in {"True", "False"} or parameter.annotation == "bool"
    )


@family(
    "empty-input",
    situations=(
        "A filter, a query or a file pattern before the call matched nothing, so that {subject} is empty.",
        "A file or stream was read to its end before.",
    ),
    prevention=(
        "Check right after the step that can come out empty, where its name and criteria are known.",
    ),
    strategy="validation",
    tags=("empty",),
    breadth="common",
    yields_to=(
        "ignored-argument",
        "missing-key",
        "mutually-exclusive-arguments",
        "protocol-violation",
        "read-only",
        "uninitialised-object",
        "unknown-attribute",
        "unregistered-name",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold for an empty collection or text, and messages that say so."""
    found = [test for test in facts.tests if _is_empty(test) and not _is_switch(test, facts)]
    said = (
        "empty",
        "at least one",
        "has no ",
        "have no ",
        "non-empty",
        "nothing",
        "zero-size",
        "zero length",
    )
    if facts.says("specified", "specify", "supplied", "provided", "given") and not facts.says(
        "empty", "at least one element", "at least one item"
    ):
        return None  # `required-argument-missing`
    if found and (facts.says(*said) or facts.claimed.startswith("no ")):
        return Claim(Strength.SHAPE_AND_WORDS, subjects(facts, found))
    if found and any("len(" in test.subject or ".size" in test.subject for test in found):
        return shape(facts, [test for test in found if test.relation != "false"])
    return told(
        facts,
        "is empty",
        "empty",
        "must not be empty",
        "cannot be empty",
        "non-empty",
        "nothing to",
    )
