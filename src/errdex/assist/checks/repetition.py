"""A sentence says something that the record does not say yet, and says it once.

Against: the message word for word as its own explanation; a derived sentence with two words changed; a loop of a
small model (`the value the value the value`).
"""

import itertools
import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import stem
from errdex.model.assistance import Suggestion

_WORD = re.compile(r"[A-Za-z_]\w*|\d+")
_MUCH = 0.85
"""Share of a sentence's words, two by two, that another text may have too."""
_LEAST_PAIRS = 4


def _pairs(text: str) -> list[tuple[str, str]]:
    words = [stem(word) for word in _WORD.findall(text)]
    return list(itertools.pairwise(words))


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a sentence that repeats the message, a sentence of the record, or itself."""
    pairs = _pairs(suggestion.text)
    if not suggestion.text or len(pairs) < _LEAST_PAIRS:
        return None
    if len(set(pairs)) < 0.7 * len(pairs):
        return Finding(objection="it repeats itself")
    others = [case.record.error_message]
    others += [sentence.text for many in case.evidence.sentences.values() for sentence in many]
    for other in others:
        known = set(_pairs(other))
        if known and sum(pair in known for pair in pairs) >= _MUCH * len(pairs):
            return Finding(objection="it repeats what the record says")
    return None
