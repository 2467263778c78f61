"""Something that must be called is not a function.

Means: A parameter takes a function (a callback, a handler, a key) and got something that cannot be called.
Not this: The function is called and fails inside.
Causes:
  - The function was called by mistake, and its result was passed (`on_done=finish()`).
  - A name or a path was passed where the function itself is expected.
Fix: Pass the function itself, without parentheses; bind arguments with `functools.partial` or a lambda.
Prevent: Annotate callbacks as `Callable[...]` so that a type checker sees the call's result.
Proof: Call it with a string for the callback, then with a function.
Source: https://docs.python.org/3/library/functions.html#callable
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told


@family(
    "not-callable",
    situations=(
        "The function was called by mistake and its result passed as {subject}: `finish()` instead of `finish`.",
        "A name was passed as {subject} where the function itself is expected.",
    ),
    prevention=(
        "Annotate callbacks as `Callable[...]`: a type checker then sees a call's result passed in its place.",
    ),
    strategy="type-guard",
    tags=("callback", "callable"),
    yields_to=("timezone-mismatch",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return shape(facts, facts.tests_with("not-callable"), "callable", "function") or told(
        facts, "must be callable", "not callable", "must be a callable", "not a callable", "be a function"
    )
