"""Records that answer a question in a user's own words, best first.

By words alone, or by words and meaning together: each score as a share of the best one's, then a
weighted sum. A library that the question names comes before the others.
"""

from __future__ import annotations

import threading
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from errdex.errors import QueryError
from errdex.search.beside import index_folder
from errdex.search.meaning import Meaning, load_meaning
from errdex.search.question import MOST_CHARACTERS
from errdex.search.question_index import FILE, QuestionIndex
from errdex.search.read import read_trace

if TYPE_CHECKING:
    from errdex.catalog import Catalog, Summary
    from errdex.model.explanation import Level

By = Literal["words", "meaning", "both"]
MEANING_WEIGHT = 0.6
"""What the nearest meaning counts beside the best words (set on the questions for development, ADR 0011)."""
NAMED_BONUS = 0.5
"""What a record gains for being of a library that the question names."""
LEAST_LIKENESS = 0.5
"""A record that has no word of the question must be at least so near to its meaning. Below that, nearness is chance:
the records nearest to "how do I bake a cake" have 0.4. A nonsense question may still find something."""
_CANDIDATES = 1_000
"""Records taken from each of the two lists: what comes later in both is no answer."""


class MeaningUnavailableError(QueryError):
    """Search by meaning was asked for, and the extra that brings the model's library is not installed."""

    slug = "no-meaning"
    problem = "Search by meaning needs the extra `semantic`."
    hint = "Install it (`pip install 'errdex[semantic]'`), or search by words."


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One record that may answer a question."""

    summary: Summary
    score: float
    """0 to 1; 1 would have the best words, the nearest meaning and the library named. Comparable within one question."""


class Only(msgspec.Struct, frozen=True, kw_only=True):
    """What the records shall be of; None and empty: whatever."""

    repo: str | None = None
    family: str | None = None
    levels: frozenset[Level] = frozenset()
    """Any of these."""

    @property
    def is_all(self) -> bool:
        """Whether every record will do."""
        return self.repo is None and self.family is None and not self.levels


class Asking:
    """A catalog that questions are put to, followed through its changes. Safe for several threads."""

    def __init__(self, catalog: Catalog, folder: Path | None = None, *, by: By | None = None) -> None:
        """Make ready.

        Args:
            catalog: Where the records are.
            folder: Where the index stands; None: beside the catalog.
            by: None: both where the extra is installed, else words.

        Raises:
            MeaningUnavailableError: meaning was asked for by name and cannot be had.
        """
        self._catalog = catalog
        self._folder = folder or index_folder(catalog.where)
        self._meaning: Meaning | None = None if by == "words" else load_meaning()
        if self._meaning is None and by in {"meaning", "both"}:
            raise MeaningUnavailableError
        self.by: By = by or ("both" if self._meaning else "words")
        """What records are found by."""
        self._best = (by != "meaning") + MEANING_WEIGHT * (self._meaning is not None) + NAMED_BONUS
        self._index: QuestionIndex | None = None
        self._version = ""
        self._lock = threading.Lock()

    def ask(self, question: str, *, only: Only | None = None, limit: int = 10) -> list[Found]:
        """Return up to `limit` records for `question`, best first; the same ones for the same catalog.

        Raises:
            QuestionIndexError: the index can be neither read nor written.
        """
        index = self._current()
        if only is None or only.is_all:
            scores = self._scores(index, question, _CANDIDATES)
        else:
            wanted = index.numbers(self._catalog.ids(**msgspec.structs.asdict(only)))
            scores = {
                number: score
                for number, score in self._scores(index, question, None).items()
                if number in wanted
            }
        best = nlargest(limit, scores, key=lambda number: (scores[number], -number))
        ids = index.ids(best)
        rows = self._catalog.summaries_by_id(ids.values())
        return [
            Found(summary=rows[ids[number]], score=scores[number] / self._best)
            for number in best
            if ids.get(number) in rows
        ]

    def _current(self) -> QuestionIndex:
        version = self._catalog.dataset_version
        with self._lock:
            if self._index is None:
                self._index = QuestionIndex(self._folder / FILE)
            if version != self._version:
                self._index.refresh(self._catalog, self._meaning)
                self._version = version
            return self._index

    def _scores(self, index: QuestionIndex, question: str, most: int | None) -> dict[int, float]:
        scores = _shares(index.by_words(question, most)) if self.by != "meaning" else {}
        if self._meaning is not None:
            near = index.by_meaning(question, self._meaning, most)
            for number, share in _shares(near).items():
                if number in scores or near[number] >= LEAST_LIKENESS:
                    scores[number] = scores.get(number, 0.0) + MEANING_WEIGHT * share
        for numbers in index.named(question):
            for number in scores.keys() & numbers:
                scores[number] += NAMED_BONUS
        return scores


def is_question(text: str) -> bool:
    """Whether `text` is short, and names neither a class nor a frame: a question, or a message that is worded so."""
    if len(text) > MOST_CHARACTERS:
        return False
    return all(block.error_class is None and not block.frames for block in read_trace(text).blocks)


def _shares(scores: dict[int, float]) -> dict[int, float]:
    """Return every score as a share of the best one; what speaks against a record counts as nothing."""
    best = max(scores.values(), default=0.0)
    return {number: score / best for number, score in scores.items() if score > 0.0}
