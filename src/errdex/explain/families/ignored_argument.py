"""An argument was given that has no effect here.

Means: The call goes on without it, and says so: what the caller wanted will not happen.
Not this: The call is refused (`unsupported-combination`).
Causes:
  - Another option takes precedence.
  - The argument belongs to a mode that is not in use.
Fix: Drop the argument, or switch to the mode in which it has an effect.
Prevent: Keep options that belong to one mode beside the choice of the mode.
Proof: Pass it where it has no effect, then leave it out.
Source: https://docs.python.org/3/library/warnings.html
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter


@family(
    "ignored-argument",
    situations=(
        "Another option takes precedence over it.",
        "The argument belongs to a mode that is not in use.",
    ),
    prevention=("Keep options that belong to one mode beside the choice of the mode.",),
    tags=("ignored", "options"),
    breadth="common",
    yields_to=("read-only",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    said = facts.says(
        "ignored",
        "ignoring",
        "no effect",
        "will not be used",
        "has no effect",
        "not used",
        "unused",
        "overridden",
        "falling back",
        "fall back",
        "overrid",
        "defaulting to",
        "will be used instead",
        "using default",
    )
    return (
        Claim(
            Strength.SHAPE_AND_WORDS if facts.site.kind in {"warn", "log"} else Strength.WORDS,
            parameter(facts),
        )
        if said
        else None
    )
