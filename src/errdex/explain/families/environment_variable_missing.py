"""An environment variable is not set, or holds something unusable.

Means: The program takes the value from its environment so that it need not stand in the code; there was
  none.
Not this: The setting belongs in a file (`configuration-missing`).
Causes:
  - The variable is set in an interactive shell, but not for the service, container or scheduled job.
  - The `.env` file was not loaded, or is loaded after the value is read.
Fix: Set the variable for the process that runs the program.
Prevent: Read all variables in one place at the start, and list there what is missing.
Proof: Run without the variable, then with it.
Source: https://docs.python.org/3/library/os.html#os.environ
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, shape


@family(
    "environment-variable-missing",
    situations=(
        "The variable is set in an interactive shell, but not for the service, container or job that runs the program.",
        "A `.env` file was not loaded, or is loaded after the value is read.",
    ),
    prevention=(
        "Read all variables in one place at the start of the program, and name there what is missing.",
    ),
    strategy="try-catch",
    yields_to=("optional-dependency-missing",),
    tags=("environment", "configuration"),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = facts.reading(r"os\.environ|getenv|\benviron\b")
    if not facts.mentions("environment variable", "env var"):
        return None
    wanted = facts.says(
        "must",
        "not set",
        "not defined",
        "missing",
        "require",
        "please set",
        "unset",
        "need",
        "no ",
        "expected",
    )
    return best(
        shape(facts, found, "environment", "env", "variable"),
        Claim(Strength.SHAPE_AND_WORDS) if wanted else None,
    )
