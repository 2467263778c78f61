"""What a message claims, apart from the things that it only names.

"Unknown encoding: {name}" claims that something is unknown, not that an encoding failed; "timeout must be
positive" claims nothing about waiting. The reading is of positions, not of meaning: a subject before a verb, the
noun behind an adjective like "invalid", quoted names, identifiers, asides, advice and circumstances ("when …") are
what the message is about; what remains is what it says of them.
"""

from __future__ import annotations

import re
from functools import lru_cache

ADJECTIVES = frozenset(
    ("invalid", "illegal", "unknown", "unsupported", "unrecognized", "unrecognised", "unexpected", "missing", "duplicate", "duplicated",
     "malformed", "bad", "wrong", "incorrect", "improper", "ambiguous", "conflicting", "undefined", "unregistered", "multiple", "empty",
     "truncated", "corrupt", "corrupted", "incompatible", "inconsistent", "mismatched", "mismatching", "insufficient", "incomplete",
     "unspecified", "unbalanced", "unterminated", "unclosed", "deprecated", "obsolete", "disallowed", "unauthorized", "extra", "only")
)  # fmt: skip
"""Words that say, before a noun, what is wrong with it."""
_VERBS = (
    "must", "should", "shall", "cannot", "can", "can't", "could", "couldn't", "may", "might", "will", "won't", "would", "wouldn't", "is",
    "isn't", "are", "aren't", "was", "wasn't", "were", "weren't", "has", "hasn't", "have", "haven't", "had", "hadn't", "does", "doesn't",
    "do", "don't", "did", "didn't", "need", "needs", "require", "requires", "required", "expect", "expects", "expected", "got", "contain",
    "contains", "contained", "exceed", "exceeds", "exceeded", "fails", "failed", "takes", "accepts", "returned", "received", "timed",
    "lacks", "lost", "refused", "expired", "mismatch", "conflicts", "already", "not",
)  # fmt: skip
_VERB = re.compile(rf"(?<![\w'-])(?:{'|'.join(_VERBS)})(?![\w'-])")
_CLAIMING = ADJECTIVES | frozenset(_VERBS) | frozenset(
    ("no", "non", "without", "unable", "too", "error", "errors", "fail", "be", "been", "time", "out", "denied", "closed", "open",
     "removed", "renamed", "replaced", "longer", "ignored", "ignoring", "unused", "found", "find", "install", "installed", "please",
     "either", "one", "exclusive", "both", "before", "first", "least", "most", "more", "enough", "itself", "exhausted",
     "cancelled", "canceled", "aborted", "interrupted", "terminated", "revoked", "unreachable", "disconnected", "running")
)  # fmt: skip
"""Words that make a phrase a claim wherever it stands: "no more", "is closed". A phrase without any names a topic."""
_ASIDE = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"(?<!\w)(['\"`]{1,2})[^'\"`\n]{1,80}\1(?!\w)")
_IDENTIFIER = re.compile(
    r"(?<![\w-])(?:\w*_\w+|\w+_|[a-z]+[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,}\w*|\w+(?:\.\w+)+|--\w[\w-]*)(?:\(\))?"
)
_CLAUSE_END = re.compile(r"[.;!?](?=\s|$)|[,:](?=\s|$)|\n+| - | but | then ")
_CIRCUMSTANCE = re.compile(
    r"(?<![\w-])(?:when|whenever|whether|if|because|unless|while|whilst|since|so that|in order to|where|whereas|although|even though)(?![\w-])"
)
_ADVICE = re.compile(
    r"(?:please|use|try|pass|call|set|check|see|consider|install|make|ensure|provide|specify|add|remove|instead)(?![\w-])"
)
"""First words of a clause that tells the reader what to do: it speaks of the cure."""
_ABSENT = re.compile(
    r"no (?:.* )?(?:was |were |is |are |been |could be )?(found|available|installed|registered|supplied|provided)\b"
)


@lru_cache(maxsize=4_000)
def claimed_text(text: str) -> str:
    """Return what `text` (literal words, each hole a null character) claims, lower case, clauses apart by ` | `."""
    bare = _IDENTIFIER.sub("\0", _QUOTED.sub("\0", _ASIDE.sub("", text))).lower()
    found = (_claim(clause.strip()) for clause in _CLAUSE_END.split(bare))
    return " | ".join(claim for claim in found if claim)


def _claim(clause: str) -> str:
    """Return what one clause says of its subject: from its verb on, or the adjective before its noun."""
    circumstance = _CIRCUMSTANCE.search(clause)
    if circumstance is not None:
        clause = clause[: circumstance.start()].strip()
    if _ADVICE.match(clause):
        return ""
    absent = _ABSENT.match(clause)
    if absent is not None:
        return f"no not {absent[1]}"
    first, _, rest = clause.partition(" ")
    if first in ADJECTIVES:
        return f"{first} {_from_verb(rest, otherwise='')}".strip()
    return _from_verb(clause, otherwise=clause)


def _from_verb(clause: str, *, otherwise: str) -> str:
    verb = _VERB.search(clause)
    return clause[verb.start() :] if verb is not None else otherwise


class Phrases:
    """Phrases that families ask for, found in a text together.

    A record is asked for some 900 phrases, and its message holds a handful: all are looked for in one walk over the
    words of the message. A phrase counts from the start of a word on ("sparse" is no "parse"), so it is kept under
    its first characters.
    """

    def __init__(self) -> None:
        self.asked: dict[tuple[str, ...], frozenset[str]] = {}
        """The phrases that were asked for together: a set is held against a set faster than a tuple is hashed through."""
        self.known: set[str] = set()
        self.topics: set[str] = set()
        """Those that claim nothing by themselves: they name what a claim may be about."""
        self._by_start: dict[str, list[str]] = {}
        self._elsewhere: list[str] = []
        """Phrases that start with no word, or are shorter than `_START`."""

    def add(self, phrases: tuple[str, ...]) -> frozenset[str]:
        """Know these phrases from now on; return them as a set."""
        for phrase in phrases:
            if phrase in self.known:
                continue
            self.known.add(phrase)
            if _CLAIMING.isdisjoint(re.findall(r"[a-z']+", phrase)):
                self.topics.add(phrase)
            if phrase[0].isalnum() and len(phrase) >= _START:
                self._by_start.setdefault(phrase[:_START], []).append(phrase)
            else:
                self._elsewhere.append(phrase)
        return self.asked.setdefault(phrases, frozenset(phrases))

    def within(self, text: str) -> frozenset[str]:
        """Return the known phrases that `text` holds."""
        found = [phrase for phrase in self._elsewhere if phrase in text]
        for word in _WORD_START.finditer(text):
            at = word.start()
            near = self._by_start.get(text[at : at + _START])
            if near is not None:
                found += [phrase for phrase in near if text.startswith(phrase, at)]
        return frozenset(found)


_START = 3
_WORD_START = re.compile(r"\b\w")
PHRASES = Phrases()
"""Filled as families ask: what they know stands in their own files."""
