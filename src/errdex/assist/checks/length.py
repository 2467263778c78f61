"""One sentence, or one block, of a size that is read.

Against: a paragraph of six sentences offered as one, an answer of a single word, a program of two hundred lines.
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import read
from errdex.model.assistance import Suggestion

_SENTENCE_CHARACTERS, _LEAST_WORDS = 320, 3
_CODE_CHARACTERS, _CODE_LINES = 1_600, 40
_NEXT = re.compile(r"[.!?]\s+(?=[A-Z§])")


@check()
def look(suggestion: Suggestion, _: Case) -> Finding | None:
    """Object to what is too short, too long, or more than one sentence."""
    text, code = suggestion.text.strip(), suggestion.code
    if bool(text) == bool(code.strip()):
        return Finding(objection="it is neither a sentence nor a block of code")
    if len(code) > _CODE_CHARACTERS or code.count("\n") > _CODE_LINES:
        return Finding(objection="the code is too long")
    if not text:
        return None
    if len(text) > _SENTENCE_CHARACTERS or len(text.split()) < _LEAST_WORDS:
        return Finding(objection="it is no sentence of a readable length")
    if text[-1] not in ".!" or not (text[0].isupper() or not text[0].isalpha()):
        return Finding(objection="it is no whole sentence")
    return Finding(objection="it is more than one sentence") if _NEXT.search(read(text).plain) else None
