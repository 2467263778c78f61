"""Data is not what its checksum or signature says it is.

Means: The data was stored or sent with a number computed from it; computed again, the number is another.
Not this: The data cannot be read at all (`undecodable-input`).
Causes:
  - A download or a write was cut off.
  - The file was changed after the checksum was made, or the checksum belongs to another file.
  - The signature was made with another key.
Fix: Fetch or create the data again; if it still differs, do not trust it.
Prevent: Write to a temporary file and rename it when it is complete.
Proof: Check damaged data, then undamaged data.
Source: https://docs.python.org/3/library/zlib.html#zlib.crc32
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, shape, told


@family(
    "checksum-mismatch",
    situations=(
        "A download or a write was cut off, or the data was changed afterwards.",
        "The checksum or key belongs to another file or version.",
    ),
    prevention=("Write to a temporary file and rename it when it is complete.",),
    strategy="try-catch",
    tags=("checksum", "integrity"),
    yields_to=(
        "duplicate-values",
        "optional-dependency-missing",
        "token-expired",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.reading(
            r"(?i)checksum|digest|crc|sha\d+|md5|hmac|signature|etag", "ne", "false", "is-not"
        )
        if not re.search(r"len\(|size", f"{test.subject} {' '.join(test.objects)}")
    ]
    return best(
        None
        if facts.is_class("IntegrityError")
        else own_class(facts, "BadSignature", words=("checksum", "hash", "digest", "integrity", "signature")),
        shape(facts, found, "checksum", "hash", "digest", "crc", "signature", "mismatch", "corrupt"),
        told(
            facts,
            "checksum",
            "hash mismatch",
            "digest",
            "crc",
            "signature verif",
            "signature verification",
            "bad signature",
            "signature does not match",
            "signature did not match",
            "hashes do not match",
            "hash does not match",
        ),
    )
