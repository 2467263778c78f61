"""Which side a clause speaks of: what leads to the error, what keeps from it, or neither."""

from __future__ import annotations

import re
from typing import Literal

from errdex.assist.prose import Clause, Prose
from errdex.model.assistance import Place

Mode = Literal["fails", "avoids", "does", "open"]
"""What leads to the error, what keeps from it, what the callable does with good arguments, none of these."""

ADVICE: frozenset[Place] = frozenset({"solutions", "preventionTips"})
NEED_GROUND: frozenset[Place] = frozenset({"documentation", "triggerScenarios"})
"""Places that say what the error is: a sentence there is a claim, understood or not."""
REFUSED = re.compile(
    r"(?i)\b(?:refus\w+|reject\w+|rais(?:es|ed|ing)|fails?|failed|forbid\w*|forbidden|"
    r"(?:is|are|was|were) (?:not|never) (?:accepted|allowed|supported|permitted|possible|defined|permitted|valid)|"
    r"not (?:defined|supported|allowed|permitted|possible)|"
    r"(?:do|does|did) not (?:accept|allow|know|take|support|understand|work)|makes? no sense|ha(?:s|ve) no meaning|"
    r"contradict\w*|cannot be (?:used|given|combined|passed|set))\b"
)
"""Words that say that something is turned away; what they are said of leads to the error."""
_WANTED = re.compile(
    r"(?i)\b(?:must|ha(?:s|ve) to|needs?|needed|wants?|wanted|should|requires?|required|demands?|demanded"
    r"|accepts?|accepted|allows?|allowed|works? (?:on|with|for)|expects?|expected|may (?:only )?be|ought"
    r"|makes? sure|ensures?|(?:are|is) (?:known|possible|valid|accepted)|knows|exactly|only (?:when|if|with|on|for)|can only)\b|\bonly$"
)
_LIMIT = re.compile(r"(?i)\bthan §?\w+ (?:allows|demands|permits|expects|wants|needs|requires)\b")
"""`more fields than max_fields allows`: a comparison, not a wish."""
_LOOKED_AT = re.compile(r"(?i)(?:and |or )?(?:test|check|look|see|find out|inspect|verify|log|print)\b")
_POSSIBLE = re.compile(r"(?i)\b(?:would|could(?! not)|might)\b")
AVOIDED = re.compile(r"(?i)^(?:and |or |then )?(?:skip|avoid|do not|never|don't|stop)\b")
_ASIDE = frozenset(
    {"if", "unless", "when", "whenever", "where", "while", "until", "although", "though", "which"}
)
_REASON = frozenset({"so", "so that", "because"})
_IS_ABOUT_CALLABLE = re.compile(
    r"§\d+ (?!is\b|are\b|was\b|were\b|has\b|have\b|gets?\b|may\b|must\b)[a-z]+s\b"
)
"""`Session.send` transmits …: a name that does something."""


def mode_of(clause: Clause, place: Place) -> Mode:
    """Return what a clause of a sentence for `place` speaks of."""
    text = _LIMIT.sub(" than it ", clause.text)
    if _POSSIBLE.search(text):
        return "open"
    if clause.opener in {"instead of", "rather than"}:
        return "fails"
    if place in ADVICE:
        return _mode_of_advice(clause, text)
    if REFUSED.search(text):
        return "fails"
    if _WANTED.search(text):
        return "avoids"
    if clause.opener in _REASON:
        return "open"
    return "does" if _IS_ABOUT_CALLABLE.match(text) else "fails"


def _mode_of_advice(clause: Clause, text: str) -> Mode:
    if clause.opener in _ASIDE | _REASON:
        return "open"
    if clause.opener in {"before", "after"} or _LOOKED_AT.match(text):
        return "open"
    return "fails" if AVOIDED.match(text) or REFUSED.search(text) else "avoids"


_CLAIMING = re.compile(
    r"(?i)\b(?:not|no|never|without|none|neither|nor|nothing|cannot|less|more|greater|smaller|larger|longer|shorter|lower"
    r"|higher|fewer|below|above|exceed\w*|negative|positive|absent|only|must|has to|have to|exactly|both|same|different"
    r"|differs?|equals?|before|after|inside|outside|already|yet|at least|at most|as an? §\d+)\b|n't\b"
)
_CHANGING = re.compile(
    r"(?i)\b(?:remov\w+|drop\w*|delet\w+|omit\w*|add|append|insert|strip|trim|swap|invert|raise|lower|turn\w*|empty|missing"
    r"|open|closed?)\b"
)


_STATE = re.compile(r"(?i)(?:before|after) (?!it\b|they\b)")


def claims_something(prose: Prose, place: Place) -> bool:
    """Whether a sentence uses words that make a claim of what leads to the error, or keeps from it."""
    is_aside = False
    for clause in prose.clauses:
        text = clause.text[len(clause.opener) :]
        tells_state = place in ADVICE and _STATE.match(clause.text) is not None
        if tells_state and not is_aside and "§" not in text:
            return True
        is_aside = mode_of(clause, place) == "open"
        if is_aside:
            continue
        if _CLAIMING.search(text) or (place in ADVICE and _CHANGING.search(text)):
            return True
    return False
