"""Advice does not go against what the message itself advises.

Against: "Remove `https://` from the front" where the library says "Perhaps you meant https://…?".
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import read, stem
from errdex.model.assistance import Suggestion

_ADVISES = re.compile(
    r"(?i)\b(?:perhaps you meant|did you mean|you need to|you (?:must|should|may) |please|consider|try|use|instead|need to)\b(.*)",
    re.DOTALL,
)
_TAKES_AWAY = re.compile(
    r"(?i)\b(?:remove|drop|delete|omit|strip|avoid|leave out|take out|outside|do not|never|stop)\b(.*)"
)
_WORD = re.compile(r"[\w-]{4,}|\w+://")


def _content(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text)}


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a sentence that takes away what the message tells to add."""
    advice = _ADVISES.search(case.record.error_message)
    if advice is None or not suggestion.text:
        return None
    prose = read(suggestion.text)
    for clause in prose.clauses:
        taken = _TAKES_AWAY.search(
            re.sub(r"§(\d+)", lambda match: prose.spans[int(match.group(1))], clause.text)
        )
        if taken is not None and (shared := _content(taken.group(1)) & _content(advice.group(1))):
            return Finding(objection=f"the message advises otherwise: {', '.join(sorted(shared))}")
    return None
