"""A program that was started ended with an error.

Means: The library runs another program (a compiler, git, a worker) and passes its failure on.
Not this: The program could not be found (`file-not-found`) or did not end in time (`timeout`).
Causes:
  - The program's own input or options are wrong: its output says what.
  - It lacks something of its environment: a variable, a folder, a tool of its own.
Fix: Read the program's own output, and run the same command by hand.
Prevent: Keep the output of child processes, and show it with the error.
Proof: Run a program that ends with 1, then one that ends with 0.
Source: https://docs.python.org/3/library/subprocess.html#subprocess.CalledProcessError
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, shape, told


@family(
    "subprocess-failed",
    situations=(
        "The program's own input or options are wrong; its output says what.",
        "It lacks something of its environment: a variable, a folder, a tool.",
    ),
    prevention=("Keep the output of child processes, and show it with the error.",),
    strategy="try-catch",
    tags=("subprocess", "exit-code"),
    yields_to=(
        "file-not-found",
        "optional-dependency-missing",
        "timeout",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.tests
        if re.search(r"returncode|exit_?code|exitcode|\bstatus_code\b.*!= 0", test.subject)
    ]
    return best(
        own_class(
            facts,
            "CalledProcessError",
            "SubprocessError",
            "WorkerLostError",
            "BrokenProcessPool",
            words=("subprocess", "process", "worker"),
            slots={},
        ),
        shape(facts, found, "exit", "return code", "failed", "command", "process", "status", "error"),
        caught(facts, "CalledProcessError", "SubprocessError"),
        told(
            facts,
            "exit code",
            "exited with",
            "returned non-zero",
            "subprocess",
            "exit status",
            "child process",
            "command failed",
            "process failed",
        ),
    )
