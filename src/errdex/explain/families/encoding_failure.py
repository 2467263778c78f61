"""Characters cannot be written in, or bytes cannot be read by, this encoding.

Means: Each encoding has its own table: not every character has bytes in it, and not every run of bytes
  means a character.
Not this: The characters are readable and their arrangement is wrong (`undecodable-input`).
Causes:
  - Bytes are in another encoding than assumed (Latin-1 or UTF-16 for UTF-8).
  - Text with accents or emoji goes where only ASCII is allowed (headers, identifiers).
  - Binary data is treated as text.
Fix: Name the encoding that the data really has.
Prevent: Pass `encoding=` wherever text is read or written, and keep text and bytes apart.
Proof: Decode bytes of another encoding, then of the right one.
Source: https://docs.python.org/3/library/codecs.html#error-handlers
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, told


@family(
    "encoding-failure",
    situations=(
        "Bytes are in another encoding than assumed, or are no text at all.",
        "Text with accents or emoji goes where only ASCII is allowed.",
    ),
    prevention=("Pass `encoding=` wherever text is read or written, and keep text and bytes apart.",),
    strategy="try-catch",
    tags=("encoding", "unicode"),
    yields_to=(
        "optional-dependency-missing",
        "removed-feature",
        "tls-failed",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.class_says("chunked", "transfer"):
        return None  # how a body is sent in pieces, not how its text is written
    if facts.is_class("UnicodeError", "UnicodeDecodeError", "UnicodeEncodeError") or facts.class_says(
        "unicode", "encoding", "charset"
    ):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    if any("Unicode" in name for name in facts.caught):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    return told(
        facts, "encoding", "utf-8", "utf8", "codec", "ascii", "unicode", "charset", "latin-1", "surrogate"
    )
