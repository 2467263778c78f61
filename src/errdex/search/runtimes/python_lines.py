"""The kinds of line that Python's tracebacks and the tools that print them are made of."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from errdex.model.answer import Frame
from errdex.search.paste.surroundings import MEMBER_RULE

Link = Literal["direct-cause", "during-handling", "group-member", "none"]

_STANDARD = re.compile(
    r'>?\s*File "(?P<path>[^"\n]{1,600})"?(?:, line (?P<line>\d{1,9}))?(?:,? in (?P<function>.{1,400}))?'
)
"""CPython, Sentry, loguru, VS Code, Django (`File "x" in f`, the line on the next row)."""
_IPYTHON = re.compile(
    r"File (?P<path>(?:[A-Za-z]:)?[^\s:\"][^:\"\n]{0,600}?):(?P<line>\d{1,9})(?:, in (?P<function>[^\n]{1,400}))?"
)
_IPYTHON_CELL = re.compile(
    r"(?:Cell|Input) In ?\[(?P<number>\d{1,6}|\*)\](?:, line (?P<line>\d{1,9}))?(?:, in (?P<function>[^\n]{1,200}))?(?::\d+)?"
)
_IPYTHON_OLD = re.compile(
    r"(?P<path>(?:~|/|[A-Za-z]:\\|<ipython-input)[^\n]{0,600}?(?:\.py[cx]?|>)) in (?P<function>[\w<>.?]{1,200})(?:\([^\n]*)?"
)
_COLON = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^\s:()\"'][^:()\"'\n]{0,600}\.(?:py[xi]?|pyc)):(?P<line>\d{1,9}|None)(?::? in (?P<function>[^\n│]{1,200}?)| - (?P<other>[\w<>.]{1,200})|(?::(?: (?P<raised>[A-Za-z_][\w.]{0,200}))?))?\s*"
)
"""pytest (`x.py:12: in f`, `x.py:12: ValueError`), rich (`x.py:12 in f`), bugsnag (`x.py:12 - f`)."""
_SENTRY = re.compile(
    r"(?P<path>[^\s:\"]{1,400}\.py) in (?P<function>[\w<>.]{1,200}) at line (?P<line>\d{1,9})\b.*"
)
_NOTEBOOK_LINE = re.compile(
    r"-{0,6}> ?(?P<line>\d{1,9}) ?(?P<source>.*)|❱ {0,6}(?P<rich>\d{1,9})(?P<code> .*)?"
)
_LISTED_LINE = re.compile(r"\d{1,9}(?: .*)?")
_CLASS = re.compile(r"(?P<name>(?:[A-Za-z_]\w{0,100}\.){0,12}[A-Za-z_]\w{0,100})(?:: ?(?P<message>.*)|\s*)")
_CLASS_WITHIN = re.compile(
    r"(?<![\w.'\"`/(=<])(?P<name>(?:[A-Za-z_]\w{0,60}\.){0,10}[A-Z]\w{0,60}(?:Error|Exception|Warning|Interrupt|Fault))(?:: (?P<message>.*)|\s*$)"
)
_REPR = re.compile(
    r"(?P<name>(?:[A-Za-z_]\w{0,60}\.){0,10}[A-Z]\w{0,80})\((?P<quote>['\"])(?P<message>.*)(?P=quote),?\)\W?\s*"
)
_REPR_WITHIN = re.compile(
    r"(?<![\w.])(?P<name>(?:[A-Za-z_]\w{0,60}\.){0,10}[A-Z]\w{0,60}(?:Error|Exception|Warning))\((?P<quote>['\"])"
)
_CLASS_ENDINGS = (
    "Error",
    "Exception",
    "Warning",
    "Exit",
    "Interrupt",
    "Iteration",
    "Fault",
    "Failure",
    "NotFound",
)
_KEYWORDS = frozenset(
    [
        "else",
        "try",
        "finally",
        "return",
        "yield",
        "raise",
        "pass",
        "break",
        "continue",
        "lambda",
        "except",
        "with",
        "while",
        "for",
        "if",
        "elif",
        "class",
        "def",
        "import",
        "from",
        "and",
        "or",
        "not",
        "in",
        "is",
        "assert",
        "del",
        "global",
        "nonlocal",
        "print",
        "async",
        "await",
        "match",
        "case",
    ]
)


class Line(NamedTuple):
    """One row of a paste, as a kind and what it carries."""

    kind: Literal["header", "link", "frame", "pytest-end", "listing", "rule", "skip", "text"]
    frame: Frame | None = None
    link: Link = "none"
    error_class: str | None = None


HEADER_WORDS = "Traceback (most recent call last)"
TEXT = Line("text")
SKIP = Line("skip")
RULE = Line("rule")
_LONGEST_LINK = 400
MEMBER = Line("link", link="group-member")
HEADER = Line("header")
_LINKS: tuple[tuple[str, Line], ...] = (
    ("the direct cause of the following exception", Line("link", link="direct-cause")),
    ("another exception occurred", Line("link", link="during-handling")),
)
_SKIPPED = re.compile(
    r"\[Previous line repeated \d+ more times?\]|\(?\d+ additional frame\(s\) were not displayed\)?|\.{3} ?(?:\d+ (?:frames|lines) .*)?"
    r"|(?:\[[^\]]{0,200}\] )?in \d+(?:\.\d+)?s"
)
_RULE = re.compile(
    r"_ (?:_ )+_?|={6,}(?: .* ={3,})?|_{6,} .* _{2,}|-{20,}|\d+ (?:failed|passed|error)\b.* in \d[\d.]*s.*|FAILED \S{1,400}::\S{1,400}(?: - .*)?"
)
"""What stands between the parts of a report: pytest's, IPython's."""


def read_line(text: str) -> Line:
    """Return what kind of line `text` (both ends stripped) is. Lines of no known kind are `text`."""
    first = text[0]
    if first in {"F", ">"}:
        found = _STANDARD.fullmatch(text)
        if found is not None:
            return Line("frame", _frame(found["path"], found["line"], found["function"]))
        found = _IPYTHON.fullmatch(text)
        if found is not None:
            return Line("frame", _frame(found["path"], found["line"], found["function"]))
    if "Traceback (" in text and (HEADER_WORDS in text or text.startswith("Traceback (innermost last)")):
        return _header(text)
    if text[-1] == ":" and len(text) < _LONGEST_LINK:
        for words, link in _LINKS:
            if words in text:
                return link
    if first in "->❱":
        found = _NOTEBOOK_LINE.fullmatch(text)
        if found is not None:
            number = found["line"] or found["rich"]
            source = (found["source"] or found["code"] or "").strip(" │")
            return Line("listing", Frame(path="", line=int(number), function=None, source=source or None))
    if first in "CI":
        found = _IPYTHON_CELL.fullmatch(text)
        if found is not None:
            return Line("frame", _frame(f"<cell {found['number']}>", found["line"], found["function"]))
    if ".py" in text or "ipython-input" in text:
        tool = _tool_frame(text)
        if tool is not None:
            return tool
    if text == MEMBER_RULE:
        return MEMBER
    if (first in "_=-F" or first.isdigit()) and _RULE.fullmatch(text):
        return RULE
    if first.isdigit() and _LISTED_LINE.fullmatch(text):
        return Line("listing")
    if first in "~^" and not text.strip("~^ "):
        return SKIP
    if first in "[(.i" and _SKIPPED.fullmatch(text):
        return SKIP
    return TEXT


def _header(text: str) -> Line:
    name = text.partition(HEADER_WORDS)[0].strip()
    if name and _CLASS.fullmatch(name) and is_class_like(name):
        return Line("header", error_class=name)
    return HEADER


def _tool_frame(text: str) -> Line | None:
    found = _COLON.fullmatch(text)
    if found is not None:
        line = None if found["line"] == "None" else found["line"]
        function = found["function"] or found["other"]
        if function is None and found["raised"] is None and " " in found["path"]:
            return None  # a sentence that ends in a place
        kind: Literal["frame", "pytest-end"] = "pytest-end" if function is None else "frame"
        return Line(kind, _frame(found["path"], line, function), error_class=found["raised"])
    found = _IPYTHON_OLD.fullmatch(text)
    if found is not None:
        return Line("frame", _frame(found["path"], None, found["function"]))
    found = _SENTRY.fullmatch(text)
    if found is not None:
        return Line("frame", _frame(found["path"], found["line"], found["function"]))
    return None


def _frame(path: str, line: str | None, function: str | None) -> Frame:
    if function is not None:
        function = function.strip()
        if function[:1] != "<":
            function = function.partition("(")[0].rpartition(".")[2]
    known = function if function != "?" else None
    return Frame(path=path.strip(), line=int(line) if line else None, function=known or None)


def split_class(text: str, *, after_frames: bool) -> tuple[str | None, str]:
    """Return (class, message) of an exception's last lines; class None where the first line names none.

    After frames any dotted name counts. Without them one capitalised word before a colon may as well be the
    message's own (`Message: …`), so it counts only if it looks like a class.
    """
    first, newline, rest = text.partition("\n")
    found = _CLASS.fullmatch(first)
    if found is not None and found["name"] not in _KEYWORDS:
        name, message = found["name"], found["message"]
        bare = message is None
        accepted = is_class_like(name) or (after_frames and not bare and " " not in name)
        if accepted and not (bare and not after_frames and not _is_certain(name)):
            return name, (message or "") + newline + rest
    found = _REPR.fullmatch(text) if "(" in first else None
    if found is not None:
        return found["name"], read_repr(found["message"])
    return None, text


def find_class(text: str) -> tuple[str, str] | None:
    """Return (class, message) of an exception named within a line (after a log's prefix), or None."""
    first, newline, rest = text.partition("\n")
    found = _CLASS_WITHIN.search(first[:2000])
    if found is not None:
        message = first[found.start("message") :] if found["message"] is not None else ""
        return found["name"], message + newline + rest
    found = _REPR_WITHIN.search(text[:4000])
    if found is not None:
        end = text.rfind(found["quote"])
        if end > found.end():
            return found["name"], read_repr(text[found.end() : end])
    return None


def is_class_like(name: str) -> bool:
    """Return whether a name reads as an exception's class: its usual endings, CamelCase, or a dotted capital."""
    last = name.rpartition(".")[2]
    return (
        _is_certain(name)
        or ("." in name and last[:1].isupper())
        or (last[:1].isupper() and sum(map(str.isupper, last)) > 1 and any(map(str.islower, last)))
    )


def _is_certain(name: str) -> bool:
    return name.endswith(_CLASS_ENDINGS) or name.endswith((".error", ".timeout", ".herror", ".gaierror"))


_REPR_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\\\": "\\", "\\r": "\r"}
_REPR_ESCAPE = re.compile(r"\\[nt'\"\\r]")


def read_repr(text: str) -> str:
    """Return the text of a `repr` string's inside."""
    return _REPR_ESCAPE.sub(lambda found: _REPR_ESCAPES[found[0]], text)
