"""What each piece of evidence is worth, in units of log odds.

The sum over a candidate's evidence, held against "it is none of these" at 0,
gives its probability (`rank`). The figures were set on the search corpus and
the wild cases of development and hold for kinds of evidence, not for cases.
"""

from __future__ import annotations

from errdex.search.shape import Fit

INSIDE = 5.5
"""The frame's line lies inside the raising statement."""
SAME_FUNCTION = 2.6
SAME_FILE = 1.6
OTHER_FUNCTION = 1.3
"""The same file, but the frame is in another function than the site: the trace may have been cut."""
SAME_PACKAGE = 0.6
ELSEWHERE = -2.5
"""The trace's innermost library frame is in another package than the candidate."""
PER_FRAME_OUT = 0.35
"""Taken off for each frame further in: a helper raised on its behalf, or frames are printed innermost first."""
_PER_LINE_OFF = 0.006
_MOST_LINES_OFF = 150
LINE_REFUTED = -2.5
"""The very version is known, and in it the frame's line is not in the statement."""

CLASS_SAME = 1.6
CLASS_RARE = 1.2
"""Added when few sites anywhere raise the class."""
CLASS_KIN = 0.9
"""One is an alias or a base of the other."""
CLASS_OTHER = -3.2

NO_WORDS = -0.6
"""The source gives no words: only the place speaks."""
TEXT_REFUTED = -5.5
TEXT_REFUTED_WEAK = -1.5
TEXT_UNSURE = -3.6
"""… though the innermost frame is in the very function and the class is right: the words may be known in part only."""
NOTHING_SAID = -2.2
"""The trace tells neither class nor message: it passes through many functions that raise."""
INTERPRETER = -7.0
"""The message is worded as the interpreter words it, and nothing but a statement's own line says otherwise."""

VERSION_SAME = 0.8
VERSION_OTHER = -0.3
ERA_SAME = 0.5
ERA_OTHER = -4.5
"""The candidate's version lacks files that the trace's frames name: it is of another time."""
FURTHER_VERSION = 0.35
"""A place that several versions have is likelier than one that only one has, whichever version it was."""
CODE_SAME = 3.0
"""The message carries the error code that the site gives."""

_PER_LETTER = 0.24
_ENOUGH_LETTERS = 40
_PER_FURTHER_LETTER = 0.02
_MOST_LETTERS = 140
_FLOOR = {"whole": -1.6, "loose": -1.9, "inside": -2.4, "cut": -2.2, "near": -3.6}
_UNCOVERED = {"inside": 3.0, "near": 5.0}
"""Taken off for what the fit does not cover."""


def lines_off(line: int, first: int) -> float:
    """Return what a distance in lines takes off; nothing where the trace shows no line."""
    return _PER_LINE_OFF * min(abs(line - first), _MOST_LINES_OFF) if line > 0 else 0.0


def text_worth(fit: Fit) -> float:
    """Return the worth of a message's fit: more for more literal letters, less for a message only partly covered."""
    if fit.kind == "none":
        return TEXT_REFUTED
    further = min(max(fit.literal - _ENOUGH_LETTERS, 0), _MOST_LETTERS)
    worth = _FLOOR[fit.kind] + _PER_LETTER * min(fit.literal, _ENOUGH_LETTERS) + _PER_FURTHER_LETTER * further
    return worth - _UNCOVERED.get(fit.kind, 0.0) * (1.0 - fit.covered)
