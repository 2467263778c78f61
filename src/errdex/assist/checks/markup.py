"""A sentence is plain text with code between backticks; nothing in it acts on a page or a terminal.

Against: `<b>Never</b> pass <script>`, `[the docs](//evil)`, bold markers, an escape sequence that recolours a terminal.
"""

import re
import unicodedata

from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import read
from errdex.model.assistance import Suggestion

_MARKUP = re.compile(
    r"<[a-zA-Z/!]|&(?:#\w+|[a-zA-Z]+);|\]\(|\[\[|(?<!\w)(?:\*\*|__)(?=\S)|^\s*(?:[#>*-]|\d+\.)\s|\{\{|\{%|```|~~~"
)
_ALLOWED_IN_CODE = frozenset("\n\t")


def _is_unsafe(character: str) -> bool:
    """Whether a character is a control, a direction mark, a private one, half of a pair, or a line separator."""
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@check()
def look(suggestion: Suggestion, _: Case) -> Finding | None:
    """Object to control characters anywhere, and to markup in a sentence."""
    if any(map(_is_unsafe, suggestion.text)) or any(
        _is_unsafe(character) and character not in _ALLOWED_IN_CODE for character in suggestion.code
    ):
        return Finding(objection="it holds control characters")
    prose = read(suggestion.text)
    if _MARKUP.search(prose.plain):
        return Finding(objection="it holds markup")
    if "`" in prose.plain:
        return Finding(objection="a code span is open")
    return None
