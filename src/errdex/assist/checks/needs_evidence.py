"""Versions, addresses, dates, flags, sizes and history are said only where the sources say them.

Against: `Upgrade to click 9.2`, `see https://…/errors/500`, `run it with --allow-multiple`, `this was fixed in May`,
`a status from 300 to 399` where the guard says 500.
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import Prose, read, stem
from errdex.assist.wording import NUMBER_WORDS
from errdex.model.assistance import Suggestion

_ADDRESS = re.compile(
    r"(?i)\b(?:https?|ftp|file)://\w|\bwww\.|\b[\w-]+\.(?:com|org|net|io|dev)\b|\S+@\S+\.\w"
)
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_VARIABLE = re.compile(r"\$\w+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)*(?![\w])")
_HISTORY = re.compile(
    r"(?i)\b(?:since (?:version|v?\d|python|release)|(?:older|newer|earlier|later|recent|previous|future|current|"
    r"latest|next|old|new) (?:version|release)s?|upgrad\w+|downgrad\w+|(?:was|were|been) (?:introduced|fixed|added|"
    r"removed|deprecated|changed|renamed) in|deprecated|bug (?:in|of)|known (?:bug|issue)|will be (?:removed|fixed)|"
    r"in version|pip install|backport\w*|january|february|august|september|october|november|december|"
    r"(?:19|20)\d\d)\b"
)
_PLATFORM = re.compile(
    r"(?i)\b(?:windows|linux|macos|mac os|android|ios|posix|pypy|jython|docker|kubernetes|aws|azure|gpu|cuda)\b"
)
_SWEEPING = re.compile(
    r"(?i)\b(?:always|guarantee[ds]?|all versions|every version|100 ?%|perfectly|safe to ignore|harmless"
    r"|faster|slower|performance|secure|vulnerab\w+|thread-safe|memory leak)\b"
)
_UNIT = re.compile(
    r"(?i)\b(?:(?:milli|micro|nano)?seconds|minutes|hours|days|bytes|[kmg]i?b|kilobytes|megabytes|gigabytes|pixels"
    r"|per ?cent|percentages|degrees|radians|bits)\b"
)
_EXACT = re.compile(
    r"(?i)\b(?:exactly|precisely|at least|at most|more than|fewer than|less than)\s+"
    rf"({'|'.join(NUMBER_WORDS)})\b"
)
_LARGE_WORD = re.compile(rf"(?i)\b({'|'.join(list(NUMBER_WORDS)[3:])})\b")

_TELLING_DIGITS = 3
"""A shorter number may stand in the sources by chance."""


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first thing of that kind which nothing bears out."""
    if not suggestion.text:
        return None
    prose = read(suggestion.text)
    known = case.known
    for what, pattern in (
        ("an address", _ADDRESS),
        ("a flag", _FLAG),
        ("a variable", _VARIABLE),
        ("history", _HISTORY),
        ("a platform", _PLATFORM),
        ("a promise", _SWEEPING),
    ):
        for found in pattern.findall(prose.plain if pattern is _ADDRESS else suggestion.text):
            if found.lower() not in known.text:
                return Finding(objection=f"{found} is {what} that no source speaks of")
    for unit in _UNIT.findall(prose.plain):
        if stem(unit) not in known.words:
            return Finding(objection=f"{unit} is a unit that no source speaks of")
    for number in _numbers(prose):
        if not _is_borne_out(number, known.numbers):
            return Finding(objection=f"the number {number} stands in no source")
    told = [number for number in _numbers(prose) if len(number) >= _TELLING_DIGITS]
    return Finding(ground=f"the sources say {', '.join(told)}") if told else None


def _numbers(prose: Prose) -> list[str]:
    """Return the numbers of a sentence as digits; those of whole expressions are left to the checks that run them."""
    found = _NUMBER.findall(re.sub(r"§\d+", "", prose.plain))
    found += [NUMBER_WORDS[word.lower()] for word in _EXACT.findall(prose.plain)]
    found += [NUMBER_WORDS[word.lower()] for word in _LARGE_WORD.findall(prose.plain)]
    return found + [span for span in prose.spans if _NUMBER.fullmatch(span)]


def _is_borne_out(number: str, known: frozenset[str]) -> bool:
    """Whether a number stands in the sources, or is the last one before a bound there (599 for `< 600`)."""
    if number in known or number.removeprefix("-") in known:
        return True
    return number.isdigit() and int(number) > 2 and str(int(number) + 1) in known
