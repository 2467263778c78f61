"""What a sentence claims of a condition: of which name, what, and whether the error follows or is avoided.

Only plain patterns of English are read. What is not understood is no claim; it is never taken for a true one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from errdex.assist.conditions import literal, names_in, word_stems
from errdex.assist.prose import Clause, Prose, stem
from errdex.model.assistance import Place
from errdex.syntax.logic import OPPOSITE, Relation, Test

Mode = Literal["fails", "avoids", "does", "open"]
"""Whether a clause tells what leads to the error, what keeps from it, what the callable does with good arguments, or
none of these."""

_ADVICE: frozenset[Place] = frozenset({"solutions", "preventionTips"})
_REFUSED = re.compile(
    r"(?i)\b(?:refus\w+|reject\w+|rais\w+|fails?|failed|forbid\w*|forbidden|(?:is|are|was|were) (?:not|never) "
    r"(?:accepted|allowed|supported|permitted|possible)|does not (?:accept|allow)|makes? no sense|ha(?:s|ve) no meaning"
    r"|contradict\w*|cannot be (?:used|given|combined))\b"
)
_WANTED = re.compile(
    r"(?i)\b(?:must|ha(?:s|ve) to|needs?|needed|wants?|wanted|should|requires?|required|demands?|demanded"
    r"|accepts?|accepted|allows?|allowed|works? (?:on|with|for)|expects?|expected|may be|ought"
    r"|makes? sure|ensures?|are known|is known|knows|exactly|only)\b"
)
_POSSIBLE = re.compile(r"(?i)\b(?:would|could|might)\b")
_AVOIDED = re.compile(
    r"(?i)^(?:and |or |then )?(?:skip|avoid|do not (?:pass|use|call|give)|never|don't|stop)\b"
)
_ASIDE = frozenset(
    {"if", "unless", "when", "whenever", "where", "while", "until", "although", "though", "which"}
)


def mode_of(clause: Clause, place: Place) -> Mode:
    """Return what a clause of a sentence for `place` speaks of."""
    text = clause.text
    if _POSSIBLE.search(text):
        return "open"
    if clause.opener in {"instead of", "rather than"}:
        return "fails"
    if place in _ADVICE:
        if clause.opener in _ASIDE | {"so", "because", "so that", "before", "after"}:
            return "open"
        return "fails" if _AVOIDED.match(text) or _REFUSED.search(text) else "avoids"
    if _REFUSED.search(text):
        return "fails"
    if _WANTED.search(text):
        return "avoids"
    if clause.opener in {"so", "so that", "because"}:
        return "open"
    return "does" if _IS_ABOUT_CALLABLE.match(text) else "fails"


_IS_ABOUT_CALLABLE = re.compile(r"§\d+ (?!is\b|are\b|was\b|were\b|has\b|have\b|gets?\b)[a-z]+s\b")
"""`Session.send` transmits …: a name that does something."""


_CLAIMING = re.compile(
    r"(?i)\b(?:not|no|never|without|none|neither|nor|nothing|cannot|less|more|greater|smaller|larger|longer|shorter|lower"
    r"|higher|fewer|below|above|exceed\w*|negative|positive|empty|missing|absent|remov\w+|drop\w*|delet\w+|omit\w*|add"
    r"|append|insert|strip|trim|swap|invert|only|must|has to|have to|exactly|both|same|different|differs?|equals?"
    r"|before|after|inside|outside|already|yet|open|closed?|turn\w*|at least|at most)\b|n't\b"
)


def claims_something(prose: Prose, place: Place) -> bool:
    """Whether a sentence uses words that make a claim of what leads to the error, or keeps from it."""
    return any(mode_of(clause, place) != "open" and _CLAIMING.search(clause.text) for clause in prose.clauses)


class Claim(msgspec.Struct, frozen=True):
    """One thing that a clause says of a name."""

    name: str
    """As it is written in the source; a plain word's stem where the sentence uses one; empty for "it"."""
    what: Literal["there", "order", "type", "same", "contains", "choice", "count", "value"]
    holds: bool
    """Whether it is claimed or denied."""
    mode: Mode
    relation: str = ""
    """For `order`: `lt`, `le`, `gt`, `ge`."""
    value: str = ""
    """For `order`, `count`, `type`, `contains`, `value`: source text of what it is held against; may be empty."""
    is_exact: bool = False
    """Whether a requirement is told as the whole of it (`must be positive`), not as one way (`pass 5`)."""


NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
_VALUE = r"(?P<value>-?\d+(?:\.\d+)?|§\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten)"
_ORDERS: tuple[tuple[Relation, str, re.Pattern[str]], ...] = (
    (
        "ge",
        "0",
        re.compile(r"(?i)\b(?:non-?negative|zero or (?:more|greater|above)|not (?:be |being )?negative)\b"),
    ),
    ("lt", "0", re.compile(r"(?i)\bnegative\b")),
    ("gt", "0", re.compile(r"(?i)\bpositive\b")),
    ("ge", "", re.compile(rf"(?i)\b(?:at least|no less than|not less than) {_VALUE}")),
    ("ge", "", re.compile(rf"(?i){_VALUE} or (?:more|greater|above|higher)\b")),
    ("le", "", re.compile(rf"(?i)\b(?:at most|no more than|not more than|up to) {_VALUE}")),
    ("le", "", re.compile(rf"(?i){_VALUE} or (?:less|fewer|below|lower|smaller)\b")),
    ("lt", "", re.compile(rf"(?i)\b(?:(?:less|smaller|lower|fewer) than|below|under)\b(?: {_VALUE})?")),
    (
        "gt",
        "",
        re.compile(
            rf"(?i)\b(?:(?:greater|more|larger|higher|bigger) than|above|over|exceeds?|beyond)\b(?: {_VALUE})?"
        ),
    ),
)
"""Comparisons: relation, bound where the words hold it, pattern; the first that is found counts."""
_DENIAL = re.compile(
    r"(?i)\b(?:without|no|not|never|missing|omit\w*|absent|unset|off|out|empty|lacks?|lacking|drop\w*|remov\w+|delet\w+"
    r"|false|disabled|neither|nor|nothing|none|cannot|before|until|untouched|outside|stays? away)\b|n't\b"
)
_GIVEN = re.compile(
    r"(?i)\b(?:given|gives?|pass\w*|set|sets|provid\w*|suppl\w*|with|ha[sd]|have|adds?|added|uses?|used|keep\w*|on"
    r"|enabled?|true|needs?|needed|wants?|required?|after|already|create\w*|register\w*|write|put|mount|there|present"
    r"|fill\w*|open|either|made|is|are|was|were)\b"
)
_SAME = re.compile(r"(?i)\b(?:same|equals?|identical|coincide|match\w*)\b")
_DIFFERENT = re.compile(r"(?i)\b(?:different|differs?|other than|unequal|mismatch\w*|distinct)\b")
_CONTAINS = re.compile(r"(?i)\b(?:contain\w*|holds?|includ\w*|with|without|in)\b")
_OF_CHOICES = re.compile(
    r"(?i)\b(?:(?P<no>not among|none of|not one of|no longer|unknown|unsupported|unrecogni\w+|not known|not there|not in"
    r"|not listed|not registered|other than|never)|among|one of|known|there|listed|only)\b"
)
_TYPE_WORDS = {
    "string": "str", "strings": "str", "text": "str", "integer": "int", "integers": "int", "float": "float",
    "list": "list", "tuple": "tuple", "dictionary": "dict", "dict": "dict", "boolean": "bool", "bytes": "bytes",
    "instance": "", "class": "",
}  # fmt: skip
_TYPE_NAME = re.compile(r"(?:[a-z_]\w*\.)*(?:[A-Z]\w*|str|int|float|bytes|bool|list|tuple|dict|set|type)$")


_UN = re.compile(r"(?i)^(?:un|non-?)(?=[a-z]{4})")
_STATE_NAME = re.compile(r"_*(?:is|has|can|was|are)_[a-z]")
_PRONOUN = re.compile(
    r"(?i)\b(?:it|its|they|them|their|one|ones|this|these|that|those|none|value|given|first|third|both)\b"
)
"""Words by which a clause goes on about what the one before named."""


_TYPE_PLACE = re.compile(
    r"(?i)\b(?:(?:an?|another|as|into|to|be|is|are|was|were|with|or|of type|instance of|still|plain|single)\s+)+"
    r"(?=(?P<first>§\d+|[a-z]+)(?:\s+(?P<second>§\d+|[a-z]+))?)"
)
"""Where a sentence names a type: `is a plain string`, `into a list`, `with §0`."""
_CHANGED = re.compile(
    r"(?i)\b(?:convert|cast|turn|change|coerce|parse|wrap|transform)\w*\b[^,]*\b(?:with|to|into|by|in)\b"
)


class Reader:
    """Reads the claims of one sentence about the names that conditions test."""

    def __init__(self, prose: Prose, place: Place, tests: Sequence[Test]) -> None:
        """Take the sentence, and the conditions on the way to the error."""
        self.prose, self.place = prose, place
        self.names = frozenset(name for test in tests for name in names_in(test))
        self.stems = word_stems(self.names)
        self.states = word_stems(name for name in self.names if _STATE_NAME.match(name))

    def claims(self, clauses: int | None = None) -> Iterator[Claim]:
        """Yield every claim that is understood, in order, of the first `clauses` of the sentence or of all."""
        last: tuple[str, ...] = ()
        for clause in self.prose.clauses[:clauses]:
            mode = mode_of(clause, self.place)
            for segment in _segments(clause.text):
                mentioned = self._mentioned(segment)
                yield from self._values(segment, mode)
                yield from self._claims(
                    segment, mode, mentioned or (last if _PRONOUN.search(segment) else ())
                )
                last = mentioned or last

    def _mentioned(self, segment: str) -> tuple[str, ...]:
        """Return the names that a segment speaks of: its spans, else its plain words; words of states always."""
        spans = [self.prose.spans[int(index)] for index in re.findall(r"§(\d+)", segment)]
        last = [span.rpartition(".")[2] for span in spans if re.fullmatch(r"[\w.]+", span)]
        found = [name for name in last if name in self.names]
        words = [stem(_UN.sub("", word)) for word in re.findall(r"[a-z-]{4,}", segment.lower())]
        wanted = self.states if found else self.stems
        return tuple(dict.fromkeys((*found, *(word for word in words if word in wanted))))

    def _values(self, segment: str, mode: Mode) -> Iterator[Claim]:
        """Yield what `name=value` spans say."""
        for index in re.findall(r"§(\d+)", segment):
            match = re.fullmatch(r"(\w+)\s*=\s*(?!=)(.+)", self.prose.spans[int(index)], re.DOTALL)
            if match is None or match.group(1) not in self.names or not literal(match.group(2))[0]:
                continue
            holds = not re.search(rf"(?i)\b(?:drop|remove|without|not|no)\b[^§]*§{index}\b", segment)
            yield Claim(match.group(1), "value", holds, mode, value=match.group(2))
        for value, name in re.findall(r"§(\d+) (?:for|as|to) (?:the )?(?:[a-z]+ )?§(\d+)", segment):
            text, known = self.prose.spans[int(value)], self.prose.spans[int(name)]
            if known in self.names and literal(text)[0]:
                yield Claim(known, "value", holds=True, mode=mode, value=text)

    def _claims(self, segment: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        plain = _REFUSED.sub(" ", segment)
        order = _order(plain, self.prose)
        if order is not None:
            relation, value, exact = order
            for name in about or ("",):
                yield Claim(
                    name, "order", holds=True, mode=mode, relation=relation, value=value, is_exact=exact
                )
            return
        yield from self._types(plain, mode, about)
        if _DIFFERENT.search(plain) or _SAME.search(plain):
            holds = not _DIFFERENT.search(plain)
            denied = bool(re.search(r"(?i)\b(?:not|never)\b", plain))
            for name in about:
                yield Claim(name, "same", holds != denied, mode)
        if number := re.search(
            r"(?i)\b(?:exactly |only )?(\d+|two|three|four|one) (?:[a-z]+ )?(?:columns?|declarations?|elements?|items?|values?|parts?|arguments?|entries|dimensions?|characters?)\b",
            plain,
        ):
            other = bool(re.search(r"(?i)\b(?:other than|not|more than|fewer than)\b", plain))
            yield Claim(
                "", "count", not other, mode, value=NUMBER_WORDS.get(number.group(1).lower(), number.group(1))
            )
        choice = _OF_CHOICES.search(plain)
        if choice is not None:
            for name in about:
                yield Claim(name, "choice", choice.group("no") is None, mode)
        if _CONTAINS.search(plain):
            yield from self._contents(plain, mode, about)
        yield from self._presence(plain, mode, about)

    def _types(self, plain: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        """Yield what a segment says of types: of the names it speaks of, else of what it calls `it`, `the object`."""
        mode = "avoids" if mode == "does" else mode
        for match in _TYPE_PLACE.finditer(plain):
            kind = self._type(match.group("first")) or self._type(match.group("second") or "")
            if not kind:
                continue
            before = plain[: match.end()]
            denied = bool(re.search(r"(?i)\b(?:not|never|no|neither|without)\b[^,]*$", before))
            changed = bool(_CHANGED.search(before))
            for name in () if changed else about:
                yield Claim(name, "type", not denied, mode, value=kind)
            if changed or not about:
                yield Claim("", "type", not denied, mode, value=kind, is_exact=changed)

    def _type(self, word: str) -> str:
        """Return the type that a word or a span names; empty for none."""
        if not word.startswith("§"):
            return _TYPE_WORDS.get(word.lower(), "")
        span = self.prose.spans[int(word[1:])]
        return (
            span.rpartition(".")[2]
            if _TYPE_NAME.fullmatch(span) and span not in {"True", "False", "None"}
            else ""
        )

    def _contents(self, plain: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        denied = bool(re.search(r"(?i)\b(?:without|not|no|never|free of)\b", plain))
        values = [self.prose.spans[int(index)] for index in re.findall(r"§(\d+)", plain)]
        values = [each.strip("\"'") for each in values if each.strip("\"'") not in self.names]
        for name in about:
            for value in values or [""]:
                yield Claim(name, "contains", not denied, mode, value=value)

    def _presence(self, plain: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        for index in re.findall(r"§(\d+)", plain):
            if self.prose.spans[int(index)] in {"None", "False", "0"}:
                plain = re.sub(rf"§{index}\b", "empty", plain)
        denials = len(_DENIAL.findall(re.sub(r"(?i)\b(?:leave|left|leaves|leaving)\b", "", plain)))
        denials += sum(
            stem(_UN.sub("", word)) in self.stems
            for word in re.findall(r"(?i)\b(?:un|non-?)[a-z]{4,}", plain)
        )
        if denials or _GIVEN.search(plain):
            for name in about:
                yield Claim(name, "there", denials % 2 == 0, mode)


def _segments(text: str) -> Iterator[str]:
    """Split a clause where `and` or `or` joins two statements, each with a verb of its own."""
    parts = re.split(r"(?i)\s+(?:and|or)\s+", text)
    whole = parts[0]
    verb = re.compile(
        r"(?i)\b(?:is|are|was|were|has|have|pass|leave|set|drop|give|keep|refuses?|wants?|needs?|create|handle)\b"
    )
    for part in parts[1:]:
        if verb.search(whole) and verb.search(part):
            yield whole
            whole = part
        else:
            whole = f"{whole} and {part}"
    yield whole


def _order(plain: str, prose: Prose) -> tuple[Relation, str, bool] | None:
    """Return relation, bound and whether it is told as the whole requirement, of the first comparison."""
    for relation, bound, pattern in _ORDERS:
        match = pattern.search(plain)
        if match is None:
            continue
        value = bound or match.groupdict().get("value") or ""
        if value.startswith("§"):
            value = prose.spans[int(value[1:])]
        denied = (
            re.search(r"(?i)\b(?:not|never|none|cannot|no)\b[^,]{0,20}$", plain[: match.start()]) is not None
        )
        told = OPPOSITE[relation] if denied else relation
        exact = bool(re.search(r"(?i)\b(?:must|has to|have to|needs to|should)\b", plain))
        return told, NUMBER_WORDS.get(value.lower(), value), exact
    return None
