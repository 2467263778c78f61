"""A model answers, it does not recite its instructions or their examples.

Against: `You are an expert who explains Python errors`, a placeholder of the prompt (`<function name>`) left in an
answer, `As an AI language model`.
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.model.assistance import Suggestion

_ABOUT_ITSELF = re.compile(
    r"(?i)\b(?:as an ai|language model|i (?:am|cannot|can't|will|have)|you are an?|here is|sure,|certainly|the prompt"
    r"|in (?:the )?json|your answer|this (?:record|sentence|suggestion)|lorem ipsum|placeholder|your_\w+|foo ?bar"
    r"|todo|xxx+)\b"
)
_RUN = 7
"""So many words in a row that the instructions hold too are copied."""


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a run of words of the prompt, and to talk about answering."""
    text = suggestion.text or suggestion.code
    if _ABOUT_ITSELF.search(text):
        return Finding(objection="it speaks of answering, not of the error")
    words = _words(text)
    told = " ".join(word for each in case.prompt for word in _words(each))
    for start in range(len(words) - _RUN + 1):
        if f" {' '.join(words[start : start + _RUN])} " in f" {told} ":
            return Finding(objection="it copies the prompt")
    return None
