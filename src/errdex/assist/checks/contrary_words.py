"""A sentence does not say the opposite of the library's own words.

Against: "the body was not read yet" where the message says "was already consumed"; "source and target are different
nodes" where it says "have to be different".
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.modes import mode_of
from errdex.assist.prose import read, stem, with_spans
from errdex.assist.wording import DENIAL, UN
from errdex.model.assistance import Suggestion

_PAIRS = tuple(
    (re.compile(rf"(?i)\b(?:{one})\b"), re.compile(rf"(?i)\b(?:{other})\b"))
    for one, other in (
        ("already|twice|again", "yet|never before"),
        ("inside|within|in an?", "outside"),
        ("same|equal|identical|match(?:es|ing)?", "different|distinct|unequal|differs?"),
        ("positive|non-?negative|non negative", "(?<!non )(?<!non-)negative"),
        ("less|smaller|lower|below|fewer|short", "greater|larger|higher|above|more|bigger|longer"),
        ("minimum|at least|too (?:small|short|few)", "maximum|at most|too (?:large|long|many|big)"),
        ("open(?:ed)?", "closed"),
        ("empty", "non-?empty|not empty"),
        ("known|supported|valid|recognized", "unknown|unsupported|invalid|unrecognized"),
        ("connected", "disconnected|unconnected"),
        ("directed", "undirected"),
        ("required|mandatory", "optional"),
        ("mutable", "immutable|read-only"),
        ("relative", "absolute"),
        ("encod(?:e|ed|ing)", "decod(?:e|ed|ing)"),
        ("a string|strings", "not (?:be )?a string|no string"),
    )
)
"""Words and their opposites, of which a message holds one."""


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object where message and sentence speak of the same side and one uses the other's opposite."""
    if not suggestion.text:
        return None
    told = [
        (mode_of(clause, "documentation"), clause.text)
        for clause in read(re.sub(r"\{[^{}]*\}", "…", case.record.error_message.replace("`", "'"))).clauses
    ]
    prose, grounds = read(suggestion.text), list[str]()
    for clause in prose.clauses:
        text = with_spans(clause.text, prose)
        mode = mode_of(clause, suggestion.place)
        if mode not in {"fails", "avoids"}:
            continue
        for known_mode, known_text in told:
            if known_mode in {"fails", "avoids"} and (
                words := _clash(clause.text, known_text, same=mode == known_mode)
            ):
                return Finding(objection=f"the message says otherwise: {words}")
            if mode != known_mode:
                grounds += ["its words, turned round"] if _retold(text, known_text) is False else ()
                continue
            retold = _retold(text, known_text)
            if retold is False:
                return Finding(objection=f"the message says otherwise: {known_text[:80]}")
            grounds += ["its words"] if retold else _shared(clause.text, known_text)
    return Finding(ground=f"the message says so: {', '.join(grounds)}") if grounds else None


_WORD = re.compile(r"[a-z]{4,}")
_ORDINARY = frozenset(
    map(
        stem,
        [
            "with",
            "without",
            "that",
            "this",
            "must",
            "have",
            "been",
            "given",
            "passed",
            "value",
            "argument",
            "when",
            "must",
            "from",
            "input",
            "does",
            "which",
        ],
    )
)


_MUCH = 0.75
"""Share of the message's words that a sentence has to use before it can be said to turn them round."""


def _retold(text: str, known: str) -> bool | None:
    """Return whether a clause says what the message says; None where it shares fewer than two of its words."""
    mine, theirs = (
        {stem(UN.sub("", word)) for word in _WORD.findall(each.lower())} - _ORDINARY for each in (text, known)
    )
    shared = len(mine & theirs)
    if shared < 2 or 2 * shared < len(theirs) - 1:
        return None
    if _COMPARES.search(f"{text} {known}"):
        return None
    if _parity(text) == _parity(known):
        return True
    if shared < _MUCH * len(theirs):
        return None
    return False if _SAYS_HOW_IT_IS.search(text) and not _REFUSES.search(known) else None


_COMPARES = re.compile(
    r"(?i)\b(?:less|greater|more|fewer|smaller|larger|at least|at most|before|after|than|between)\b"
)
_NOT_ALLOWED = re.compile(r"(?i)\bnot (?:be )?(?:supported|allowed|accepted|permitted|possible|defined)\b")
_REFUSES = re.compile(r"(?i)\b(?:cannot|can't|could not|does not|do not|is not valid|unable)\b")
_SAYS_HOW_IT_IS = re.compile(r"(?i)\b(?:is|are|was|were|has|have|had|with|without|contains?)\b")


def _parity(text: str) -> int:
    text = _NOT_ALLOWED.sub(" ", text)
    return (len(DENIAL.findall(text)) + sum(UN.match(word) is not None for word in text.lower().split())) % 2


def _shared(text: str, known: str) -> list[str]:
    """Return the words of the pairs that both use, and not their opposites."""
    return [
        said.group()
        for pair in _PAIRS
        for mine, opposite in (pair, pair[::-1])
        if (said := mine.search(text)) and mine.search(known) and not opposite.search(f"{text} {known}")
    ]


_DENIED = re.compile(r"(?i)\b(?:not|never|no|neither|none|without|other than)\b[^,]{0,24}$")


def _clash(text: str, known: str, *, same: bool) -> str:
    """Return the words that clash; where the two speak of different sides, the same word is what clashes."""
    if _REFUSES.search(known):
        return ""
    for one, other in _PAIRS:
        for mine, opposite in ((one, other), (other, one)):
            said, known_same, known_opposite = mine.search(text), mine.search(known), opposite.search(known)
            if said is None or opposite.search(text) or _DENIED.search(text[: said.start()]):
                continue
            if same and known_opposite and not known_same:
                return f"{said.group()} against {known_opposite.group()}"
            if not same and known_same and not known_opposite:
                return said.group()
    return ""
