"""Each option is fine, but not this combination, or not for this kind of input.

Means: The operation is not implemented for one of the cases that its parameters can describe, and says so
  instead of giving a wrong result.
Not this: The option's value exists nowhere (`unknown-choice`), or two arguments say the same thing
  (`mutually-exclusive-arguments`).
Causes:
  - An option of one backend, engine or solver was used with another.
  - The input is of a kind (sparse, nested, of mixed types) that this path does not cover.
  - The case is not implemented yet in this version.
Fix: Change one side of the combination: another backend, another option, or the input converted beforehand.
Prevent: Keep options that belong to one backend beside the choice of the backend.
Proof: Call it with both options, then with one changed.
Source: https://docs.python.org/3/library/exceptions.html#NotImplementedError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, shape

_SAID = (
    "not supported",
    "does not support",
    "doesn't support",
    "unsupported",
    "not implemented",
    "only supported",
    "only valid",
    "only works",
    "cannot be used",
    "cannot use",
    "cannot assign",
    "can't assign",
    "don't know how to",
    "can't place",
    "can't declare",
    "cannot specify",
    "can't specify",
    "cannot have",
    "can't have",
    "can't redefine",
    "cannot be followed",
    "cannot apply",
    "can't apply",
    "cannot be parametrized",
    "may only be applied",
    "may only be provided",
    "only applies to",
    "only apply to",
    "not accepted",
    "does not apply",
    "not legal",
    "can't be",
    "must be used",
    "is not allowed",
    "are not allowed",
    "does not allow",
    "can only use",
    "not allowed in",
    "not allowed for",
    "must not be set when",
    "not permitted",
    "can only be",
    "can't use",
    "can only be used",
    "not compatible",
    "incompatible",
    "not currently supported",
    "doesn't take",
    "not valid for",
    "not valid with",
    "does not accept",
    "only applicable",
    "don't support",
    "only available",
    "only be used",
    "may only be used",
    "may only be specified",
    "isn't supported",
    "do not support",
    "not yet supported",
    "only allowed",
    "only be specified",
    "not applicable",
    "can't be used",
    "cannot be applied",
    "cannot be combined",
    "no support",
)


@family(
    "unsupported-combination",
    situations=(
        "The call reaches a case that {package} does not cover in this version: a kind of input, an option, or options together.",
        "Code that worked with another backend, mode or kind of input was reused with this one.",
    ),
    prevention=(
        "Keep options that belong to one backend or mode beside the choice of it, so that they change together.",
    ),
    strategy="validation",
    tags=("unsupported", "options"),
    breadth="broad",
    yields_to=(
        "disagreeing-values",
        "argument-type",
        "configuration-missing",
        "incompatible-operands",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    said = facts.says(*_SAID)
    if "unsupported" in facts.class_claims or facts.is_class(
        "NotImplementedError", "NotSupportedError", "UnsupportedOperation", "UnsupportedError"
    ):
        return (
            Claim(Strength.SHAPE_AND_WORDS if said and facts.tests else Strength.CLASS, parameter(facts))
            if facts.site.guard is not None or said
            else None
        )
    if said:
        return shape(facts, facts.tests, *_SAID) or Claim(Strength.WORDS, parameter(facts))
    if (
        facts.tests
        and facts.says("requires", "require", "only works with", "must be used with")
        and not facts.says("requires a")
    ):
        return shape(facts, facts.tests)  # what one option needs of the others
    return None
