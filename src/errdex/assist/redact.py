"""Secrets out of a text that is about to leave the machine: keys, tokens, passwords, mail addresses, home folders.

Works by shape. What looks like a secret and is none is lost too: for a model that is no harm.
"""

from __future__ import annotations

import re

REMOVED = "[redacted]"

_PREFIXED = (
    r"(?:sk|rk|pk)-(?:[A-Za-z0-9]+-)*[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic, Stripe with a hyphen
    r"|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"  # Stripe
    r"|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"  # GitHub
    r"|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}"  # GitLab, Slack
    r"|(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}"  # AWS, Google
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[\w-]{20,}|dop_v1_[a-f0-9]{40,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"  # a JSON web token
)
_NAMED = (
    r"(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|auth)"
)

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
        ),
        REMOVED,
    ),
    (re.compile(rf"(?<![A-Za-z0-9])(?:{_PREFIXED})"), REMOVED),
    (re.compile(r"(\b[A-Za-z][A-Za-z0-9+.-]*://)[^\s/@'\"`{}]+@"), rf"\1{REMOVED}@"),
    (re.compile(r"((?:Bearer|Basic|Token)\s+)[A-Za-z0-9+/_.~=-]{12,}", re.IGNORECASE), rf"\1{REMOVED}"),
    (
        # a literal in quotes that is given to a name which says what it is
        re.compile(
            rf"(\b\w*{_NAMED}\w*[\"']?\s*[:=]\s*[bruf]*)([\"'])(?=\S{{6,}}?\2)[^\s{{}}]+?\2", re.IGNORECASE
        ),
        rf"\1\2{REMOVED}\2",
    ),
    (
        # and one without quotes in a line of settings
        re.compile(
            rf"^(\s*(?:export\s+)?[A-Z0-9_]*{_NAMED.upper()}[A-Z0-9_]*=)[^\s\"'(){{}}]{{6,}}$", re.MULTILINE
        ),
        rf"\1{REMOVED}",
    ),
    (
        re.compile(
            r"(?<![\w./+-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[A-Za-z0-9+-]{40,}={0,2}(?!\w)"
        ),
        REMOVED,
    ),
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b"), "[mail address]"),
    (
        re.compile(
            r"(?<![\w/])(?:/home/|/Users/|(?:[A-Za-z]:)?(?:\\{1,2}|/)Users(?:\\{1,2}|/))[^/\\\s'\"`:<>|]+"
        ),
        "~",
    ),
    (re.compile(r"(?<![\w./])/root(?=[/\s'\":]|$)"), "~"),
)


def redacted(text: str) -> str:
    """Return `text` without what looks like a secret; again applied, it changes nothing more."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
