"""What a sentence claims of a condition: of which name, what, and whether the error follows or is avoided.

Only plain patterns of English are read. What is not understood is no claim; it is never taken for a true one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from errdex.assist import wording
from errdex.assist.conditions import literal, names_in
from errdex.assist.modes import AVOIDED, REFUSED, Mode, mode_of
from errdex.assist.prose import Prose, stem, words_of_name
from errdex.model.assistance import Place
from errdex.syntax.logic import OPPOSITE, Test

What = Literal[
    "there", "order", "type", "same", "contains", "choice", "count", "value", "callable", "raised", "lowered"
]


_GROUPS = 10
"""Alternatives of one segment (`only one of a and b`) that are groups of their own, at most."""


class Claim(msgspec.Struct, frozen=True):
    """One thing that a clause says of a name."""

    name: str
    """As the source writes it, last part of a dotted one; empty for "it"."""
    what: What
    holds: bool
    """Whether it is claimed or denied."""
    mode: Mode
    group: int = 0
    """Claims of one group are told together: `pass both s and t`."""
    relation: str = ""
    """For `order`: `lt`, `le`, `gt`, `ge`."""
    value: str = ""
    """For `order`, `count`, `type`, `contains`, `value`: source text of what it is held against; may be empty."""
    is_exact: bool = False
    """For `order`: told as the whole requirement (`must be positive`); for `type`: what something is turned into."""


class Reader:
    """Reads the claims of one sentence about the names that conditions test."""

    def __init__(self, prose: Prose, place: Place, tests: Sequence[Test]) -> None:
        """Take the sentence, and the conditions on the way to the error."""
        self.prose, self.place = prose, place
        self.names = frozenset(name for test in tests for name in names_in(test))
        self._words = {name: _meaning(name) for name in self.names}
        chosen = [test for test in tests if test.relation in {"in", "not-in", "eq", "ne"}]
        self._holds_texts = any(each[:1] in "'\"" for test in chosen for each in test.objects)
        chain = [test for test in chosen if test.relation == "ne" and literal(test.objects[0])[0]]
        lists = [test for test in chosen if test.relation in {"in", "not-in"} and test.objects[:1] != ("*",)]
        lists += chain if len(chain) > 1 else []
        self._listed_name = (
            lists[0].subject.rpartition(".")[2] if len({test.subject for test in lists}) == 1 else ""
        )
        """The one name that is held against a list of values, if there is one."""
        self._looks_up = len([t for t in tests if t.relation in {"in", "not-in", "raises"}]) == 1

    def claims(self, clauses: int | None = None) -> Iterator[Claim]:
        """Yield every claim that is understood, in order, of the first `clauses` of the sentence or of all."""
        last: tuple[str, ...] = ()
        group = 0
        for clause in self.prose.clauses[:clauses]:
            mode = mode_of(clause, self.place)
            group += 1
            for joiner, segment in _segments(
                AVOIDED.sub("", clause.text) if mode == "fails" else clause.text
            ):
                group += joiner == "or"
                mentioned = self._mentioned(segment)
                about = mentioned or (last if wording.PRONOUN.search(segment) else ())
                if mentioned and wording.IT.match(segment):
                    about = tuple(dict.fromkeys((*last, *mentioned)))
                for claim in (
                    *self._moves(segment, mode, mentioned),
                    *self._values(segment, mode),
                    *self._states_told(segment, mode),
                    *self._claims(segment, mode, about),
                ):
                    yield msgspec.structs.replace(claim, group=_GROUPS * group + claim.group)
                last = mentioned or last

    def _span(self, reference: str) -> str:
        return self.prose.spans[int(reference.removeprefix("§"))]

    def _mentioned(self, segment: str) -> tuple[str, ...]:
        """Return the names that a segment speaks of: its spans, else names all of whose words it has."""
        spans = [self._span(each) for each in re.findall(r"§\d+", segment)]
        last = [span.strip("\"'").rpartition(".")[2] for span in spans if re.fullmatch(r"[\w.\"']+", span)]
        if found := [name for name in last if name in self.names]:
            return tuple(dict.fromkeys(found))
        said = {stem(word) for word in re.findall(r"[a-z]{3,}", segment.lower())}
        return tuple(
            name
            for name in sorted(self.names)
            if self._words[name] and self._words[name] <= said and not wording.STATE_NAME.match(name)
        )

    def _states_told(self, segment: str, mode: Mode) -> Iterator[Claim]:
        """Yield what is said by words of names such as `is_directed`: `undirected`, `not strongly connected`."""
        for name in sorted(self.names):
            if not wording.STATE_NAME.match(name) or not self._words[name]:
                continue
            found = [
                match for match in re.finditer(r"[a-z-]{4,}", segment, re.IGNORECASE)
                if stem(wording.UN.sub("", match.group())) in self._words[name]
            ]  # fmt: skip
            if {stem(wording.UN.sub("", match.group())) for match in found} < self._words[name]:
                continue
            denied = any(wording.UN.match(match.group()) is not None for match in found)
            denied ^= wording.NEAR_DENIAL.search(segment[: found[0].start()]) is not None
            denied ^= wording.SWITCHED_OFF.match(segment[found[-1].end() :]) is not None
            yield Claim(name, "there", not denied, mode)

    def _moves(self, segment: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        """Yield what `Raise the limit` and `Lower the limit` say."""
        if moved := wording.MOVES.match(segment):
            for name in about:
                yield Claim(name, "raised" if moved.group("up") else "lowered", holds=True, mode=mode)

    def _values(self, segment: str, mode: Mode) -> Iterator[Claim]:
        """Yield what is said of values: `name=value`, a value `for` a name, a name that `must be` a value."""
        for reference in re.findall(r"§\d+", segment):
            match = re.fullmatch(r"(\w+)\s*=\s*(?!=)(.+)", self._span(reference), re.DOTALL)
            if match is not None and match.group(1) in self.names and literal(match.group(2))[0]:
                taken = re.search(rf"(?i)\b(?:drop|remove|without|not|no)\b[^§]*{reference}\b", segment)
                yield Claim(match.group(1), "value", taken is None, mode, value=match.group(2))
        for match in wording.AS.finditer(segment):
            if (name := self._span(match.group("name"))) in self.names:
                holds = not wording.NOT_THIS.search(segment[: match.start()])
                yield from self._listed(name, match.group("values"), mode, holds=holds)
        for match in wording.KNOWN.finditer(segment) if self._listed_name else ():
            yield from self._listed(self._listed_name, match.group("values"), mode, holds=True)
        for match in wording.BE.finditer(segment):
            name = (
                self._span(match.group("name"))
                if match.group("name").startswith("§")
                else match.group("name")
            )
            if (name := name.rpartition(".")[2]) in self.names:
                denied = (match.group("no") or match.group("else")) is not None
                yield from self._listed(name, match.group("values"), mode, holds=not denied)

    def _listed(self, name: str, values: str, mode: Mode, *, holds: bool) -> Iterator[Claim]:
        for each in re.findall(r"§\d+|-?\d+(?:\.\d+)?", values):
            text = self._span(each) if each.startswith("§") else each
            if self._holds_texts and not literal(text)[0] and re.fullmatch(r"[\w+-]+", text):
                text = repr(text)
            if literal(text)[0]:
                yield Claim(name, "value", holds, mode, value=text)

    def _claims(self, segment: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        plain = REFUSED.sub(" ", segment)
        if (compared := self._order(plain, mode, about)) is not None:
            yield from compared
            return
        types = list(self._types(plain, mode, about))
        yield from types
        if told := wording.CALLABLE.search(plain):
            denied = (
                wording.DENIAL.search(f"{plain[: told.start()]} {'not' if 'not' in told.group() else ''}")
                is not None
            )
            yield from (Claim(name, "callable", not denied, mode) for name in about)
            return
        if wording.DIFFERENT.search(plain) or wording.SAME.search(plain):
            turned = re.search(
                r"(?i)\b(?:not|never) (?:the |be )*(?:same|equal|identical|different|distinct)", plain
            )
            denied = bool(wording.DIFFERENT.search(plain)) != bool(turned)
            yield from (Claim(name, "same", not denied, mode) for name in about)
        if counted := wording.COUNT.search(plain):
            value = wording.NUMBER_WORDS.get(counted.group("count").lower(), counted.group("count"))
            yield Claim("", "count", wording.OTHER_COUNT.search(plain) is None, mode, value=value)
        if choice := wording.OF_CHOICES.search(plain):
            those = about or (("",) if self._looks_up else ())
            yield from (Claim(name, "choice", choice.group("no") is None, mode) for name in those)
        if wording.CONTAINS.search(plain):
            yield from self._contents(plain, mode, about)
        elif changed := wording.PUT_OR_TAKEN.match(plain):
            yield from (Claim(name, "contains", changed.group("put") is not None, mode) for name in about)
        if types:
            plain = re.sub(r"(?i)\bor §(\d+)", self._without_none, plain)
        if len(about) > 1 and (wording.ONE_OF.search(plain) or self._are_alternatives(plain, mode)):
            for number, one in enumerate(about[: _GROUPS - 1], 1):
                yield from (Claim(name, "there", name == one, mode, group=number) for name in about)
            return
        yield from self._presence(plain, mode, about, refused=plain != segment)

    def _order(self, plain: str, mode: Mode, about: tuple[str, ...]) -> list[Claim] | None:
        """Return what the first comparison of a segment says; None where it has none."""
        for relation, bound, pattern in wording.ORDERS:
            match = pattern.search(plain)
            if match is None:
                continue
            value = bound or match.groupdict().get("value") or ""
            value = (
                self._span(value) if value.startswith("§") else wording.NUMBER_WORDS.get(value.lower(), value)
            )
            denied = (
                re.search(r"(?i)\b(?:not|never|none|cannot|no)\b[^,]{0,40}$", plain[: match.start()])
                is not None
            )
            exact = bool(re.search(r"(?i)\b(?:must|has to|have to|needs to|should)\b", plain))
            told = OPPOSITE[relation] if denied else relation
            return [
                Claim(name, "order", holds=True, mode=mode, relation=told, value=value, is_exact=exact)
                for name in self._compared(plain, match, about)
            ]
        return None

    def _compared(self, plain: str, match: re.Match[str], about: tuple[str, ...]) -> tuple[str, ...]:
        """Return what a comparison is about: the span before it, else what the segment names; empty for `it`."""
        before = re.findall(r"§\d+", plain[: match.start()])
        if before:
            name = self._span(before[-1]).rpartition(".")[2]
            return (name,) if name in self.names else ()
        return about or ("",)

    def _are_alternatives(self, plain: str, mode: Mode) -> bool:
        """Whether a segment advises one of several names: `a or b, not both`, `either a or b`."""
        if mode != "avoids" or not re.search(r"(?i)§\d+[^§]* or [^§]*§\d+", plain):
            return False
        return re.search(r"(?i)\bnot both\b|\beither\b", self.prose.plain) is not None

    def _without_none(self, match: re.Match[str]) -> str:
        return "" if self.prose.spans[int(match.group(1))] == "None" else match.group()

    def _types(self, plain: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        """Yield what a segment says of types: of the names it speaks of, else of what it calls `it`, `the object`."""
        if mode == "does":
            mode, about = "avoids", ()
        for match in wording.TYPE_PLACE.finditer(plain):
            first, second = match.group("first"), match.group("second")
            kind = self._type(first) or ("" if first == "the" else self._type(second or ""))
            if not kind:
                continue
            before, beyond = plain[: match.end()], plain[match.end() :]
            if re.match(r"\S+ (?:\S+ )?whose\b", beyond):
                continue  # what follows is said of a part of it
            denied = bool(re.search(r"(?i)\b(?:not|never|no|neither|without)\b[^,]*$", before))
            changed = bool(wording.CHANGED.search(before))
            for name in () if changed else about:
                yield Claim(name, "type", not denied, mode, value=kind)
            if changed or not about:
                yield Claim("", "type", not denied, mode, value=kind, is_exact=changed)

    def _type(self, word: str) -> str:
        """Return the type that a word or a span names; empty for none."""
        if not word.startswith("§"):
            return wording.TYPE_WORDS.get(word.lower(), "")
        span = self._span(word)
        is_type = wording.TYPE_NAME.fullmatch(span) is not None and span not in {"True", "False", "None"}
        return span.rpartition(".")[2] if is_type else ""

    def _contents(self, plain: str, mode: Mode, about: tuple[str, ...]) -> Iterator[Claim]:
        denied = bool(re.search(r"(?i)\b(?:without|not|no|never|free of)\b", plain))
        told = wording.CONTAINS.search(plain)
        assert told is not None
        values = [self._span(each).strip("\"'") for each in re.findall(r"§\d+", plain[told.end() :])]
        for name in about:
            for value in [each for each in values if each not in self.names] or [""]:
                yield Claim(name, "contains", not denied, mode, value=value)

    def _presence(self, plain: str, mode: Mode, about: tuple[str, ...], *, refused: bool) -> Iterator[Claim]:
        """Yield whether names are said to be there (given, set, not empty), each by the words next to it."""
        for reference in re.findall(r"§\d+", plain):
            if self._span(reference) in {"None", "False", "0"}:
                plain = re.sub(rf"{reference}\b", "empty", plain)
        for name in about:
            before, after = self._surroundings(name, plain)
            denials = _denials(before, after)
            if denials or refused or wording.GIVEN.search(f"{before} {after}"):
                yield Claim(name, "there", denials % 2 == 0, mode)

    def _surroundings(self, name: str, plain: str) -> tuple[str, str]:
        """Return what stands before and after a name, or before and after the list of names that it is in."""
        where = [
            match
            for match in re.finditer(r"§\d+|[A-Za-z]{3,}", plain)
            if self._is_mention(match.group(), name)
        ]
        if not where:
            return "", plain  # a pronoun stands for it
        start, end = where[0].start(), where[-1].end()
        while left := wording.LISTED_BEFORE.search(plain[:start]):
            start = left.start("item")
        while right := wording.LISTED_AFTER.match(plain[end:]):
            end += right.end()
        return wording.BOUNDARY.split(plain[:start])[-1], wording.BOUNDARY.split(plain[end:])[0]

    def _is_mention(self, word: str, name: str) -> bool:
        if word.startswith("§"):
            return self._span(word).strip("\"'").rpartition(".")[2] == name
        return stem(word) in self._words[name]


def _denials(before: str, after: str) -> int:
    after = wording.TOLD_TWICE.sub(r"\1", after)
    return len(wording.DENIED_BEFORE.findall(before)) + len(wording.DENIED_AFTER.findall(after))


def _meaning(name: str) -> frozenset[str]:
    """Return the stems of the words of a name that mean something; a name of trivial words alone means itself."""
    words = [word for word in words_of_name(name) if len(word) >= 3]
    return frozenset(
        map(
            stem,
            [word for word in words if word not in wording.TRIVIAL] or [w for w in words if len(words) == 1],
        )
    )


def _segments(text: str) -> Iterator[tuple[str, str]]:
    """Split a clause where `and` or `or` joins two statements, each with a verb of its own; yield joiner and part."""
    parts = re.split(r"(?i)\s+(and|or)\s+", text)
    joiner, whole = "", parts[0]
    for joined, part in zip(parts[1::2], parts[2::2], strict=True):
        if wording.VERB.search(whole) and wording.VERB.search(part):
            yield joiner, whole
            joiner, whole = joined.lower(), part
        else:
            whole = f"{whole} {joined} {part}"
    yield joiner, whole
