"""The file, connection or session is closed already.

Means: The object owns something of the operating system (a file, a socket, a pool) and has given it back;
  nothing can be done with it any more.
Not this: It was never opened or set up (`uninitialised-object`).
Causes:
  - It is used after the `with` block that owned it has ended.
  - Another part of the program, or a timeout of the peer, closed it.
  - A generator or a lazy result reads from it later than expected.
Fix: Do the work while it is open, or open a new one.
Prevent: Let one `with` block own it, and consume lazy results inside.
Proof: Use it after `close()`, then before.
Source: https://docs.python.org/3/library/io.html#io.IOBase.close
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, shape, told

_CLOSED = re.compile(r"(?i)closed|closing|shutdown|disposed|_finalized")


@family(
    "closed-resource",
    situations=(
        "It is used after the `with` block that owned it has ended.",
        "A lazy result (a generator, a cursor, a stream) is consumed after its source was closed.",
    ),
    prevention=("Let one `with` block own the object, and consume lazy results inside of it.",),
    strategy="try-catch",
    tags=("closed", "lifecycle"),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [test for test in facts.tests_with("true", "is-none", "false") if _CLOSED.search(test.subject)]
    return best(
        own_class(facts, words=("closed", "detached"), slots={}),
        shape(facts, found, "closed", "close", "shut down", "disposed"),
        told(
            facts,
            "is closed",
            "channel closed",
            "connection closed",
            "stream closed",
            "already closed",
            "has been closed",
            "was closed",
            "after close",
            "closed file",
            "closed connection",
            "shut down",
            "already been closed",
            "connection lost",
            "no longer open",
        ),
    )
