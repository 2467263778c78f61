"""A path, name or address leads outside of what is allowed.

Means: Names from outside could point to files or hosts that the sender must not reach; the library refuses
  them instead of trusting them.
Not this: The path is allowed and nothing is there (`file-not-found`).
Causes:
  - The name is absolute, holds `..`, or follows a link out of the folder.
  - An archive was made by hand or by an attacker.
  - A redirect or host header names a place that is not listed.
Fix: Use a name inside of the allowed folder, or list the host.
Prevent: Build paths from your own folder and a checked name; never join them with what a user sends.
Proof: Ask for a name that leads out, then for one inside.
Source: https://docs.python.org/3/library/tarfile.html#tarfile.data_filter
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, shape, told


@family(
    "unsafe-path",
    situations=(
        "The name is absolute, holds `..`, or follows a link out of the folder.",
        "The name comes from a user or an archive, and was joined to a folder without a check.",
    ),
    prevention=("Build paths from your own folder and a checked name, never from what a user sends.",),
    strategy="validation",
    tags=("security", "path"),
    yields_to=(
        "closed-resource",
        "encoding-failure",
        "file-not-found",
        "not-serializable",
        "optional-dependency-missing",
        "permission-denied",
        "removed-feature",
        "tls-failed",
        "transaction-state",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = facts.reading(
        r"is_relative_to|commonpath|commonprefix|isabs|is_absolute|safe_join|'\.\.'|islink|is_symlink"
    )
    return best(
        own_class(facts, words=("suspicious", "unsafe", "traversal", "security", "outside")),
        shape(facts, found, "path", "outside", "absolute", "link", "relative"),
        told(
            facts,
            "path traversal",
            "unsafe",
            "suspicious",
            "must be relative",
            "absolute path",
            "attempted path",
            "directory traversal",
            "not trusted",
            "trust_remote_code",
            "security",
            "insecure",
            "malicious",
            "arbitrary code",
        ),
    )
