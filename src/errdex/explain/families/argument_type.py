"""An argument is of a type that the callable does not take.

Means: A callable checked the type of an argument, or of the elements of one, and refused it, rather than
  failing later inside with a less clear message.
Not this: The type is right and the value is not (`value-out-of-range`, `unknown-choice`), or the argument
  was left out (`required-argument-missing`).
Causes:
  - The value came from JSON, a form, an environment variable or a database and is still text.
  - A single item was passed where a list of items is expected, or the other way round.
  - An object of another library with the same meaning was passed (a `Path` for a `str`, an array for a
    list).
  - `None` came back from an earlier call and was passed on.
Fix: Convert the value where it enters the program, or pass the object that is asked for.
Prevent: Annotate the code that produces the value and run a type checker over it.
Proof: Call it with a value of a type the guard does not name, then with one of a type it names.
Source: https://docs.python.org/3/library/exceptions.html#TypeError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, shape, subjects, told
from errdex.syntax.logic import Test


@family(
    "argument-type",
    situations=(
        "The value for {subject} came from JSON, a form or the environment and is still text.",
        "A single item was passed as {subject} where several are expected, or the other way round.",
        "`None` came back from an earlier call and was passed on as {subject}.",
        "The type of {refused} depends on an earlier step, and this call does not work on every type that can come.",
    ),
    prevention=(
        "Convert {refused} to one of the types that this call works on, before it.",
        "Convert {subject} where it enters the program, so that one type reaches the call.",
    ),
    unnamed=(
        "An earlier step yields an object of another type than this one works on.",
        "Annotate the steps in between, and let a type checker find where another type comes in.",
    ),
    strategy="type-guard",
    tags=("type",),
    breadth="broad",
    yields_to=(
        "incompatible-operands",
        "resource-not-found",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that ask for a type, and messages that speak of a wrong one."""
    wanted = list(facts.tests_with("not-instance", "not-subclass"))
    asked = [
        test for test in facts.tests if _ASKS_TYPE.match(test.subject) and facts.reads_parameter(test.subject)
    ]
    if asked and facts.says(*_IS_OF):
        wanted += asked
    if facts.says("not supported", "not implemented"):  # of the object's own parts, not of an argument
        wanted = [test for test in wanted if not test.subject.startswith("self.")]
    claimed = shape(facts, wanted, words=_WORDS)
    if claimed is not None:
        passed = all(facts.is_parameter(test.subject) for test in wanted)
        return claimed if passed else Claim(claimed.strength)
    refused = [
        test for test in facts.tests_with("instance", "subclass") if facts.reads_parameter(test.subject)
    ]
    said = facts.says("type", "instance of", "expected")
    if refused and not facts.site.caught and (said or isinstance(facts.tree, Test)):
        strength = Strength.SHAPE_AND_WORDS if said else Strength.SHAPE
        return Claim(strength, subjects(facts, refused, "refused"))
    converted = facts.guard_encloses and not facts.caught.isdisjoint(("ValueError", "TypeError"))
    if converted and facts.says(
        *_SAID,
        "unable to apply",
        "cannot apply",
        "must be an integer",
        "must be integer",
        "should be an integer",
    ):
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    if facts.is_class("TypeError") and facts.says(
        "must be a", "expected a", "expects a", "type", "should be a", "must be", "a string", "an int"
    ):
        return Claim(Strength.WORDS, parameter(facts))
    return told(facts, *_SAID)


_ASKS_TYPE = re.compile(
    r"(?!.*(valid|legal|empty|none|closed|open|available|enabled))([\w.]+\.)?(is_?[a-z_]+|[a-z_]+_like|lenient_issubclass)\([\w., \[\]]+\)$"
)
"""A question for the kind of an object: `inspect.isfunction(f)`, `is_list_like(x)`."""
_IS_OF = (
    "is not a ",
    "is not an ",
    "must be a",
    "must be an",
    "expected",
    "should be a",
    "not a valid",
    "only",
)
_WORDS = (
    "type", "instance", "expected", "expects", "string", "int", "integer", "must", "should", "str", "dict", "list", "tuple", "bytes",
)  # fmt: skip
_SAID = (
    "invalid type", "wrong type", "unsupported type", "must be of type", "should be of type", "must be an instance", "unexpected type",
    "must be a string", "must be an int", "must be a list", "should be a list", "should be a string", "must be a bool", "must be a tuple",
    "must be string", "be a dict", "must be numeric", "must be a float", "must be a number", "must be a sequence", "should be an int",
    "must be int", "be integers", "must be bytes", "an iterable", "instance expected", "not a valid list", "not a valid dict", "not a valid tuple", "not a valid set", "not a valid sequence", "expected an instance",
)  # fmt: skip
