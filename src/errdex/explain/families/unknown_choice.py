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
from errdex.explain.matching import best, shape, told
from errdex.syntax.logic import Test


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
        test
        for test in facts.tests_with("not-in")
        if not _OTHERS.search(test.subject) and _is_fixed(test, facts)
    ]
    if (
        not found
        and len({test.subject for test in facts.tests}) == 1
        and all(_is_refused(test, facts) for test in facts.tests)
    ):
        found = list(facts.tests)  # what an `if … elif …` chain does not know
    found += [test for test in facts.tests_with("lacks") if test.objects[0].startswith("*")]
    found += [test for test in facts.tests_with("true") if _LEFT_OVER.match(test.subject)]
    return best(shape(facts, found, *_CONFIRMED), told(facts, *_SAID))


_OTHERS = re.compile(r"dtype|shape|ndim|\.device|version|platform|os\.name")
_LOOKED_UP = re.compile(
    r"regist|self\.|cache|_map\b|globals|locals|\bsys\.modules|os\.environ|columns|keys\(\)"
)
_CHOICE = re.compile(r"b?['\"]|\d+$|[A-Z]\w*\.\w+$|[A-Z][A-Z0-9_]+$")
"""A word, a number, a member of an enum, or a constant."""
_LEFT_OVER = re.compile(r"set\([\w.]+\) - (\{['\"]|[A-Z_]{3,})")
"""What remains of the words given when the known ones are taken out."""


def _is_fixed(test: Test, facts: Facts) -> bool:
    """Whether the list is the library's own: not one that a program fills or passes."""
    if test.objects[0] != "*":
        return True
    container = test.objects[1]
    return not (_LOOKED_UP.search(container) or test.subject[:1] in "'\"" or facts.reads_parameter(container))


def _is_refused(test: Test, facts: Facts) -> bool:
    """Whether a test is that a simple value is none of some words."""
    return (
        test.relation in {"ne", "is-not", "not-in"}
        and not _OTHERS.search(test.subject)
        and re.fullmatch(r"[\w.]+(\[['\w]+\])?(\.lower\(\))?", test.subject) is not None
        and all(_CHOICE.match(item) for item in test.objects)
        and (facts.reads_parameter(test.subject) or facts.says(*_CONFIRMED))
        and not (test.objects[0].isdigit() and not facts.reads_parameter(test.subject))
    )


_CONFIRMED = (
    "must be", "one of", "valid", "unknown", "unsupported", "supported", "choose", "expected", "allowed", "recognized", "unrecognized",
    "should be", "not supported", "either", "available", "invalid", "bad", "only", "unhandled", "unexpected",
)  # fmt: skip
_SAID = (
    "must be one of", "should be one of", "not a valid choice", "invalid choice", "valid options", "valid values", "valid choices",
    "expected one of", "available options", "allowed values", "invalid mode", "invalid method", "unknown mode", "unknown method",
    "must be either", "not one of", "unrecognized", "unknown option", "invalid option", "supported values", "supported options",
    "are supported", "choose from",
)  # fmt: skip
