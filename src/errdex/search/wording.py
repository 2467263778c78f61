"""Which shapes of the index a message may have been made from, and how it fits them."""

from __future__ import annotations

from errdex.search.index import Index
from errdex.search.shape import HOLE, NO_FIT, Fit, find_literals, fit_cut, fit_found, loosened, squeeze, weigh
from errdex.search.words import gram_hashes, grams_of, whole_words_of, words_of

MOST_CHARACTERS = 20_000
_HEAD_WORDS, _TAIL_WORDS = 120, 40
"""Of a longer message only the first and the last words are looked up."""
MOST_SHAPES = 160
"""Shapes verified word for word."""
ENOUGH_SHAPES = 16
"""… of which no more than so many once one fits whole."""
MOST_LENIENT = 24
"""Shapes compared leniently, when none fits word for word."""
TELLING_LETTERS = 20
"""A whole fit of so many literal letters settles the wording: nothing else is looked for."""


class Wording:
    """A message held against the shapes of an index. Fits are computed once per shape."""

    def __init__(self, index: Index, message: str) -> None:
        self.index = index
        self.message = message
        words = words_of(message[:MOST_CHARACTERS])
        if len(words) > _HEAD_WORDS + _TAIL_WORDS:
            words = words[:_HEAD_WORDS] + words[-_TAIL_WORDS:]
        self._grams = gram_hashes(words)
        self._squeezed: str | None = None
        self._pairs: frozenset[int] | None = None
        self._strict: dict[tuple[int, int], Fit] = {}
        self._lenient: dict[tuple[int, int], Fit] = {}

    def fitting(self) -> list[tuple[int, int]]:
        """Return (segment, shape) of every shape found by the message's words that it fits."""
        found: list[tuple[int, int]] = []
        settled = False
        for number, segment in enumerate(self.index.segments):
            for looked, shape in enumerate(segment.shapes_of(self._grams, "gram", MOST_SHAPES)):
                got = self.strict(number, shape)
                if got.kind != "none":
                    found.append((number, shape))
                    settled = settled or (got.kind == "whole" and got.literal >= TELLING_LETTERS)
                if settled and looked >= ENOUGH_SHAPES:
                    break  # the rest is filed under more common words
        return found if settled else found + self.leniently_fitting()

    def leniently_fitting(self) -> list[tuple[int, int]]:
        """Return the shapes that a cut, wrapped or retyped message fits; those found word for word left out."""
        found: list[tuple[int, int]] = []
        for number, segment in enumerate(self.index.segments):
            found.extend(
                (number, shape)
                for shape in segment.shapes_of(self._grams, "spare", MOST_LENIENT)
                if self.strict(number, shape).kind == "none" and self.lenient(number, shape).kind != "none"
            )
        return found

    def strict(self, segment: int, shape: int) -> Fit:
        """Return how the message holds the literals of `shape`, word for word: `whole`, `inside` or `none`."""
        key = (segment, shape)
        known = self._strict.get(key)
        if known is None:
            literals = self.index.segments[segment].literals(shape).split(HOLE)
            spans = find_literals(literals, self.message)
            known = NO_FIT if spans is None else fit_found(literals, spans, self.message)
            self._strict[key] = known
        return known

    def lenient(self, segment: int, shape: int) -> Fit:
        """Return how the message fits `shape`, cut, wrapped or retyped as it may be."""
        strict = self.strict(segment, shape)
        if strict.kind != "none":
            return strict
        key = (segment, shape)
        known = self._lenient.get(key)
        if known is None:
            if self._squeezed is None:
                self._squeezed = squeeze(self.message)
            text = self.index.segments[segment].literals(shape)
            known = fit_cut(text.split(HOLE), self.message)
            if known.kind == "none":
                known = loosened(text, self._squeezed)
            if known.kind == "none":
                known = self._near(text)
            self._lenient[key] = known
        return known

    def _near(self, shape: str) -> Fit:
        """Return a `near` fit if the message has most of the word pairs of `shape`: it was worded otherwise then."""
        if self._pairs is None:
            self._pairs = frozenset(self._grams)
        literals = shape.split(HOLE)
        last = len(literals) - 1
        pairs = [
            gram
            for number, literal in enumerate(literals)
            for gram, _, size in grams_of(
                whole_words_of(literal, after_hole=number > 0, before_hole=number < last)
            )
            if size == PAIR
        ]
        shared = sum(pair in self._pairs for pair in pairs) / len(pairs) if len(pairs) >= MIN_PAIRS else 0.0
        return Fit("near", int(weigh(shape) * shared), shared) if shared >= NEAR_SHARE else NO_FIT


PAIR = 2
MIN_PAIRS = 4
NEAR_SHARE = 0.6
