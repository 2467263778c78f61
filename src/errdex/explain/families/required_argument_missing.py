"""An argument that this call needs was not given.

Means: A parameter is optional in the signature but needed in this situation, or was passed as `None` or
  empty.
Not this: Python itself misses an argument (`TypeError: missing required positional argument`), which no
  library raises.
Causes:
  - The value comes from a lookup or a setting that returned `None`.
  - Another option makes this one necessary.
  - Of several alternatives none was given.
Fix: Pass the argument, or the option that makes it unnecessary.
Prevent: Check values from lookups for `None` before passing them on.
Proof: Call it without the argument, then with it.
Source: https://docs.python.org/3/library/exceptions.html#TypeError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told
from errdex.syntax.logic import Test

_SAID = (
    "require",
    "missing",
    "provide",
    "specif",
    "need",
    "given",
    "pass",
    "not set",
    "either",
    "no ",
    "cannot be none",
)


def _may_miss(test: Test, facts: Facts) -> bool:
    """Whether the parameter can be left out or be empty: not a flag that is merely off."""
    parameter = facts.names.parameter(test.subject)
    return parameter is not None and (
        test.relation == "is-none"
        or not (
            parameter.default in {"True", "False"}
            or parameter.annotation == "bool"
            or _SWITCH.search(parameter.name)
        )
    )


_SWITCH = re.compile(r"^(is|has|can|should|allow|use|force|strict)_|_only$")


@family(
    "required-argument-missing",
    situations=(
        "The value for {subject} came from a lookup or a setting that returned `None`.",
        "Another option of the call makes {subject} necessary.",
    ),
    prevention=("Check values from lookups for `None` before they are passed on as {subject}.",),
    unnamed=(
        "Something that this call depends on was left out, often because another option makes it necessary.",
        "Pass everything that belongs together from one place.",
    ),
    strategy="validation",
    tags=("arguments", "required"),
    breadth="common",
    yields_to=(
        "tensor-shape-mismatch",
        "empty-input",
        "ignored-argument",
        "length-mismatch",
        "missing-key",
        "mutually-exclusive-arguments",
        "protocol-violation",
        "wrong-number-of-items",
        "uninitialised-object",
        "unknown-attribute",
        "value-out-of-range",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold when a parameter is `None`, empty or absent."""
    found = [
        test
        for test in facts.tests_with("is-none", "false")
        if facts.is_parameter(test.subject) or facts.names.is_variadic(test.subject)
    ]
    found += [test for test in facts.tests_with("not-in") if facts.names.is_variadic(test.objects[-1])]
    known = all(facts.names.parameter(test.subject) is None or _may_miss(test, facts) for test in found)
    tree = facts.tree
    if facts.caught and not facts.says(*_SAID):
        found = []  # what was caught is the failure
    if found and known and (isinstance(tree, Test) or len(found) == len(facts.tests) or facts.says(*_SAID)):
        return shape(facts, found, *_SAID)
    said = told(
        facts,
        "is required",
        "requires an argument",
        "requires a value",
        "required if",
        "are required",
        "must be provided",
        "must be specified",
        "must provide",
        "must specify",
        "must be given",
        "must be supplied",
        "you must pass",
        "missing required argument",
        "missing required parameter",
        "must be set",
        "required argument",
        "need to specify",
        "need to provide",
        "must be passed",
        "should be provided",
        "either provide",
        "required when",
        "is mandatory",
        "no value for",
    )
    return Claim(said.strength) if said is not None else None
