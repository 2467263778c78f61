"""Advice does not go against what the message itself advises.

Against: "Remove `https://` from the front" where the library says "Perhaps you meant https://…?".
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.modes import mode_of
from errdex.assist.prose import read, stem, with_spans
from errdex.model.assistance import Suggestion

_ADVISES = re.compile(
    r"(?i)\b(?:perhaps you meant|did you mean|you need to|you (?:must|should|may) |please|consider|try|use|instead|need to)\b(.*)",
    re.DOTALL,
)
_TAKES_AWAY = re.compile(
    r"(?i)\b(?:remove|drop|delete|omit|strip|avoid|leave out|take out|outside|do not|never|stop)\b(.*)"
)
_WORD = re.compile(r"\w+://|[\w-]{5,}")


def _content(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text)}


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a sentence that takes away what the message tells to add; a ground where it says the same."""
    advice = _ADVISES.search(case.record.error_message)
    if advice is None or not suggestion.text:
        return None
    prose, advised, agreed = read(suggestion.text), _content(advice.group(1)), set[str]()
    for clause in prose.clauses:
        text = with_spans(clause.text, prose)
        taken = _TAKES_AWAY.search(text)
        if taken is not None and (shared := _content(taken.group(1)) & advised):
            return Finding(objection=f"the message advises otherwise: {', '.join(sorted(shared))}")
        if mode_of(clause, suggestion.place) == "avoids":
            agreed |= _content(text) & advised
    return Finding(ground=f"the message advises it: {', '.join(sorted(agreed))}") if agreed else None
