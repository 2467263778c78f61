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
from errdex.explain.matching import parameter, shape, told


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
    """Claim the site, or None."""
    found = list(facts.tests_with("not-matches", "not-starts", "not-ends", "matches", "starts", "ends"))
    found += [
        test
        for test in facts.tests
        if re.search(
            r"\.(isidentifier|isalnum|isdigit|isascii|isalpha|isupper|islower|isspace|isprintable|partition|count)\(|_(re|regex|pattern)\b.*\.(full)?(match|search)\(",
            test.subject,
        )
    ]
    found += [
        test
        for test in facts.tests_with("in", "not-in")
        if test.subject[:1] in "'\"" and test.objects[0] == "*" and len(test.subject) <= 6
    ]
    said = (
        "invalid",
        "must start",
        "must end",
        "format",
        "must be",
        "form",
        "pattern",
        "valid",
        "illegal",
        "cannot contain",
        "may not contain",
        "must not contain",
        "should start",
        "must contain",
        "characters",
        "malformed",
        "should be",
        "name",
        "url",
        "expected",
        "not a",
    )
    return shape(facts, found, *said) or (
        Claim(Strength.CLASS, parameter(facts))
        if facts.is_class("InvalidURL", "InvalidSchema", "MissingSchema", "InvalidHeader", "InvalidName")
        else told(
            facts,
            "malformed",
            "invalid url",
            "must start with",
            "must end with",
            "illegal character",
            "invalid name",
            "invalid character",
            "is not a valid identifier",
            "invalid identifier",
            "must not contain",
            "may not contain",
            "cannot contain",
            "invalid uri",
            "does not match",
            "wrong format",
            "invalid date",
            "not a valid url",
            "invalid email",
            "badly formed",
            "should be in the format",
        )
    )
