"""An option's value is none of the choices.

Means: A parameter takes one word out of a fixed list, and the value passed is not in it.
Not this: The name is looked up in a registry that programs can extend (`unregistered-name`), or a number
  lies outside of a range (`value-out-of-range`).
Causes:
  - A typing mistake, or another case (`'Mean'` for `'mean'`).
  - The choice exists in another version, or for another function of the library.
  - A value from a configuration file was passed on without a check.
Fix: Pass one of the choices, written exactly so.
Prevent: Annotate the value as `Literal[...]` or use an enum, and check values from configuration when they
  are read.
Proof: Call it with a word that is not in the list, then with one that is.
Source: https://docs.python.org/3/library/typing.html#typing.Literal
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told
from errdex.syntax.logic import Test

_OTHERS = re.compile(r"dtype|shape|ndim|\.device|version|platform|os\.name")
_LOOKED_UP = re.compile(
    r"regist|self\.|cache|_map\b|globals|locals|\bsys\.modules|os\.environ|columns|keys\(\)"
)


def _lookup(test: Test) -> bool:
    """Whether the list is filled by a program, not fixed by the library."""
    return test.objects[0] == "*" and (bool(_LOOKED_UP.search(test.objects[1])) or test.subject[:1] in "'\"")


def _is_word(test: Test) -> bool:
    return bool(test.objects) and all(item[:1] in "'\"" for item in test.objects)


@family(
    "unknown-choice",
    situations=(
        "A typing mistake, or another case, in {subject}.",
        "The value of {subject} exists in another version of the library, or for another function of it.",
        "A value from a configuration file was passed on without a check.",
    ),
    prevention=(
        "Annotate {subject} as `Literal[...]` or use an enum: a type checker then knows the choices.",
    ),
    strategy="validation",
    tags=("options", "choices"),
    breadth="common",
    yields_to=(
        "ignored-argument",
        "index-out-of-range",
        "missing-key",
        "mutually-exclusive-arguments",
        "tensor-shape-mismatch",
        "uninitialised-object",
        "unregistered-name",
        "wrong-number-of-items",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that ask whether a value is in a fixed list."""
    found = [
        test for test in facts.tests_with("not-in") if not _OTHERS.search(test.subject) and not _lookup(test)
    ]
    claimed = shape(
        facts,
        found,
        "must be",
        "one of",
        "valid",
        "unknown",
        "unsupported",
        "supported",
        "choose",
        "expected",
        "allowed",
        "recognized",
        "unrecognized",
        "should be",
        "not supported",
        "either",
        "not in",
        "available",
    )
    if (
        claimed is None
        and facts.tests
        and all(
            test.relation in {"ne", "is-not", "not-in"}
            and _is_word(test)
            and facts.is_parameter(test.subject)
            for test in facts.tests
        )
    ):
        claimed = shape(
            facts,
            facts.tests,
            "must be",
            "one of",
            "valid",
            "unknown",
            "unsupported",
            "supported",
            "expected",
            "allowed",
            "recognized",
            "should be",
            "either",
            "invalid",
            "only",
        )
    return claimed or told(
        facts,
        "must be one of",
        "should be one of",
        "not a valid choice",
        "invalid choice",
        "valid options",
        "valid values",
        "valid choices",
        "expected one of",
        "available options",
        "allowed values",
        "invalid mode",
        "invalid method",
        "unknown mode",
        "unknown method",
        "must be either",
        "not one of",
        "unrecognized",
        "unknown option",
        "invalid option",
        "supported values",
        "supported options",
        "are supported",
        "choose from",
    )
