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
from errdex.explain.matching import best, own_class, parameter, told


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
    caught = any("Unicode" in name for name in facts.caught)
    return best(
        Claim(Strength.CLASS, parameter(facts))
        if caught and (not facts.words or facts.says(*_CODECS, "encod", "decod"))
        else None,
        own_class(
            facts, "UnicodeError", "UnicodeDecodeError", "UnicodeEncodeError", words=("unicode", "charset")
        ),
        told(facts, *_CODECS, words=("encoding",)),
    )


_CODECS = ("utf-8", "utf8", "codec", "ascii", "unicode", "latin-1", "surrogate")
