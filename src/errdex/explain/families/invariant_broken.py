"""Something that the library takes for certain is not so.

Means: The check guards against a mistake inside of the library or its extension, not against a caller's
  argument.
Not this: The condition can be met by an ordinary argument (`argument-type`, `value-out-of-range`).
Causes:
  - A bug of the library, often with an unusual combination of inputs.
  - An extension or subclass breaks a promise of the interface.
  - Two versions of parts that belong together are mixed.
Fix: Reduce the input to the smallest that shows it, and report it to the library.
Prevent: Keep the library and its extensions at versions that were tested together.
Proof: Break the promise in a subclass, then keep it.
Source: https://docs.python.org/3/library/exceptions.html#AssertionError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import own_class


@family(
    "invariant-broken",
    situations=(
        "A bug of {package}, often with an unusual combination of inputs.",
        "An extension or subclass breaks a promise of the interface, or parts of different versions are mixed.",
    ),
    prevention=("Keep {package} and its extensions at versions that were tested together.",),
    solutions=(
        "Reduce the input to the smallest that shows it, and report it to the maintainers of {package}.",
    ),
    strategy="try-catch",
    tags=("internal-error", "bug"),
    breadth="broad",
    yields_to=(
        "argument-type",
        "unsupported-combination",
        "wrong-state",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(facts, "InternalError", words=("internal", "bug", "unreachable"), slots={})
    if named is not None:
        return Claim(Strength.CLASS) if facts.tests else named
    if facts.is_class("AssertionError") and not facts.message:
        return Claim(Strength.CLASS)
    return (
        Claim(Strength.SHAPE_AND_WORDS)
        if facts.says(
            "internal error",
            "this is a bug",
            "should not happen",
            "should never",
            "unreachable",
            "please report",
            "file a bug",
            "shouldn't happen",
            "report this",
            "open an issue",
            "bug in",
            "should not be reached",
            "should not reach",
            "cannot happen",
            "can't happen",
            "file an issue",
            "unexpected state",
            "invariant",
            "please open",
            "not be reachable",
            "impossible",
        )
        else None
    )
