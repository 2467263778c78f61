"""A text does not have the form that it must have.

Means: Names, addresses, URLs, dates, identifiers and the like follow a pattern, and this text does not.
Not this: A whole document cannot be parsed (`undecodable-input`); the word is well-formed and unknown
  (`unknown-choice`).
Causes:
  - White space, quotes or a line end came along from a file or a form.
  - A part is missing (a scheme, a separator) or stands in another order.
Fix: Pass text of the form that the guard asks for.
Prevent: Strip and check text where it enters the program.
Proof: Call it with text that breaks the pattern, then with text that follows it.
Source: https://docs.python.org/3/library/re.html
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, parameter, shape, told


@family(
    "malformed-value",
    situations=(
        "White space, quotes or a line end came along from a file or a form.",
        "A part of {subject} is missing (a scheme, a separator) or stands in another order.",
    ),
    prevention=("Strip and check text where it enters the program.",),
    strategy="validation",
    tags=("format", "pattern"),
    breadth="broad",
    yields_to=(
        "argument-type",
        "configuration-missing",
        "unsupported-combination",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that ask for a form of text, and messages that speak of a broken one."""
    held = [
        test
        for test in facts.tests_with("in", "not-in")
        if test.subject[:1] in "'\"" and test.objects[0] == "*" and len(test.subject) <= 6
    ]
    if not (facts.says(*_CONFIRMED) or facts.says(*_SAID)):
        held = []
    found = list(facts.tests_with("not-matches", "not-starts", "not-ends", "matches", "starts", "ends"))
    found += [test for test in facts.tests if _ASKS_FORM.search(test.subject)]
    converted = facts.guard_encloses and not facts.caught.isdisjoint(("ValueError", "TypeError"))
    broken = any(name.startswith("Invalid") for name in facts.caught) or (
        "invalid" in facts.class_claims and not _TEXTS.isdisjoint(facts.class_words)
    )
    named = own_class(
        facts,
        "InvalidURL",
        "InvalidSchema",
        "MissingSchema",
        "InvalidHeader",
        "InvalidName",
        "MalformedError",
    )
    if named is not None:
        named = Claim(Strength.CLASS, named.slots, named.distance)  # that it is invalid, not in what way
    return best(
        Claim(Strength.CLASS, parameter(facts)) if broken else None,
        named,
        shape(facts, [*found, *held], *_CONFIRMED, *_SAID),
        Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
        if converted and facts.says("invalid ", "not a valid")
        else None,
        told(facts, *_SAID),
    )


_ASKS_FORM = re.compile(
    r"\.(isidentifier|isalnum|isdigit|isascii|isalpha|isupper|islower|isspace|isprintable|partition|count)\(|len\(.*\.split\(.*['\"]|"
    r"_(re|regex|pattern)\b.*\.(full)?(match|search)\(|\b(is_|_is_)?(valid|legal|illegal|invalid)_\w+\("
)
_TEXTS = frozenset(
    ("url", "uri", "filename", "name", "version", "specifier", "marker", "metadata", "requirement", "tag", "address", "hash",
     "path", "format", "date", "time", "header", "cookie", "email", "label", "identifier")
)  # fmt: skip
"""What an `Invalid…` class may be about for the text to be to blame."""
_CONFIRMED = (
    "must not contain",
    "may not contain",
    "cannot contain",
    "can't contain",
    "invalid", "must start", "must end", "must be of the form", "format", "pattern", "valid", "illegal", "not a valid", "characters",
    "should start", "must contain", "malformed", "not a",
)  # fmt: skip
_SAID = (
    "malformed", "invalid url", "must start with", "must end with", "illegal character", "invalid name", "invalid character",
    "is not a valid identifier", "invalid identifier", "invalid uri",
    "does not match the format", "does not match the pattern", "does not match format", "wrong format", "invalid date", "not a valid url",
    "invalid email",
    "url host invalid",
    "url invalid",
    "invalid or missing url",
    "invalid duration format",
    "invalid datetime format", "url host invalid", "url invalid", "invalid or missing url", "invalid time format", "invalid datetime format", "badly formed", "should be in the format", "must be of the format", "invalid header",
)  # fmt: skip
