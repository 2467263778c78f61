"""A version of something is older or newer than the code can work with.

Means: A feature, file format or protocol is tied to a range of versions of a library, of Python, of a
  server or of the data.
Not this: The thing is not there at all (`optional-dependency-missing`), or a feature was removed
  (`removed-feature`).
Causes:
  - One package was upgraded alone.
  - Data was written by a newer release than the one that reads it.
  - The server is older than the client library expects.
Fix: Install a version in the range that the message names, or regenerate the data with the version in use.
Prevent: Pin the versions that belong together in one lock file.
Proof: Use it with a version outside of the range, then with one inside.
Source: https://packaging.python.org/en/latest/specifications/version-specifiers/
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, shape, told


@family(
    "version-conflict",
    situations=(
        "One package was upgraded alone, or an old one stayed behind.",
        "Data was written by another release than the one that reads it, or a server is older than its client expects.",
    ),
    prevention=("Pin the versions that belong together in one lock file.",),
    strategy="try-catch",
    tags=("version",),
    yields_to=(
        "checksum-mismatch",
        "not-serializable",
        "optional-dependency-missing",
        "removed-feature",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.reading(
            r"(?i)version|sys\.hexversion|_VER\b",
            "lt",
            "le",
            "gt",
            "ge",
            "eq",
            "ne",
            "in",
            "not-in",
            "starts",
            "not-starts",
        )
        if not (
            test.objects and all(re.match(r"['\"][a-zA-Z]", item) for item in test.objects)
        )  # names, not numbers
    ]
    return best(
        own_class(facts, words=("version",), slots={}),
        shape(facts, found, "version", "requires", "newer", "older", "upgrade", "or later", "python 3"),
        told(
            facts,
            "unsupported version",
            "requires version",
            "version mismatch",
            "incompatible version",
            "newer version",
            "or newer",
            "or higher",
            "or later",
            "too old",
            "minimum version",
            "requires python",
            "server version",
            "unknown version",
            "version >=",
            "a supported version",
            "another version",
        ),
    )
