"""The index for questions: one SQLite file beside the index of templates.

Words are found by SQLite's own full-text search (FTS5, BM25, English stems), meanings by comparing
vectors. A repository is filed whole under a run of numbers; when its newest revision changes, its
rows are written anew and no others. The catalog stays the source: the file may be deleted at any time.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from errdex.errors import CatalogError
from errdex.search.question import (
    MOST_CHARACTERS,
    Texts,
    is_named,
    names_of_library,
    spaced,
    texts_of,
    words_of_question,
)

if TYPE_CHECKING:
    from errdex.catalog import Catalog, RepoRow
    from errdex.search.meaning import Meaning

FILE = "questions-1.db"
"""The number is the layout's: raise it when tables or texts change, and another file is begun."""
_BUSY_S = 60.0
"""How long one process waits for another that is filing."""
_TABLES = (
    "state (catalog TEXT NOT NULL)",
    "library (repo TEXT PRIMARY KEY, revision TEXT, names TEXT, first INTEGER, count INTEGER, model TEXT, vectors BLOB)",
    "record (number INTEGER PRIMARY KEY, id TEXT NOT NULL)",
)
_WORDS = f"words USING fts5({', '.join(Texts.__struct_fields__)}, tokenize = 'porter unicode61')"


class QuestionIndexError(CatalogError):
    """The index for questions cannot be written or read."""

    slug = "question-index-unusable"

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(path, detail)
        self.path, self.detail = path, detail
        self.problem = f"{path}: the index for questions cannot be used ({detail})."
        self.hint = "Delete it; errdex makes it anew from the catalog."


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """One repository's place in the index."""

    repo: str
    names: frozenset[tuple[str, ...]]
    first: int
    count: int

    @property
    def numbers(self) -> range:
        """The numbers of its records."""
        return range(self.first, self.first + self.count)


class Loaded(msgspec.Struct, frozen=True):
    """What questions are held against at once, put in place in one step."""

    libraries: tuple[Library, ...] = ()
    """By their numbers."""
    vectors: bytes = b""
    """Of all records in the order of their numbers; empty where there is no model."""


class QuestionIndex:
    """Records found by a question's words or meaning. Numbers stand for records. Safe for several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        with self._translated():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
        self._loaded = Loaded()

    def refresh(self, catalog: Catalog, meaning: Meaning | None) -> None:
        """File what is new in `catalog`, and the vectors of `meaning` where they are missing.

        Raises:
            QuestionIndexError: the file cannot be written.
        """
        with self._lock, self._translated():
            if not self._is_current(catalog.dataset_version, meaning):
                self._bring_up_to_date(catalog, meaning)
            self._loaded = self._load(meaning)

    def named(self, question: str) -> list[range]:
        """Return the numbers of the libraries that a question names."""
        return [one.numbers for one in self._loaded.libraries if is_named(one.names, question)]

    def by_words(self, question: str, most: int | None) -> dict[int, float]:
        """Return records that have a word of the question, with their BM25 scores (greater is better).

        Args:
            question: What is asked.
            most: Only so many, the best; None: all.
        """
        words = words_of_question(question)
        if not words:
            return {}
        wanted = " OR ".join(f'"{word}"' for word in words)  # only letters and digits: nothing to escape
        best = "SELECT rowid, -rank FROM words WHERE words MATCH ? ORDER BY rank, rowid LIMIT ?"
        with self._lock, self._translated():
            return dict(self._connection.execute(best, (wanted, -1 if most is None else most)).fetchall())

    def by_meaning(self, question: str, meaning: Meaning, most: int | None) -> dict[int, float]:
        """Return how near records are to the question's meaning, 1 being the nearest there can be.

        Args:
            question: What is asked.
            meaning: The model that the index was refreshed with.
            most: Only so many, the nearest; None: all.
        """
        loaded = self._loaded
        numbers = list(chain.from_iterable(one.numbers for one in loaded.libraries))
        return {
            numbers[row]: near
            for row, near in meaning.nearest(spaced(question[:MOST_CHARACTERS]), loaded.vectors, most)
        }

    def ids(self, numbers: Sequence[int]) -> dict[int, str]:
        """Return the ids of records by their numbers; one that another process dropped meanwhile has none."""
        marks = ",".join("?" * len(numbers))
        query = f"SELECT number, id FROM record WHERE number IN ({marks})"  # noqa: S608 - question marks only
        with self._lock, self._translated():
            return dict(self._connection.execute(query, numbers).fetchall())

    def numbers(self, ids: Iterable[str]) -> frozenset[int]:
        """Return the numbers of the records with these ids, as far as they are filed."""
        query = "SELECT number FROM record WHERE id IN (SELECT value FROM json_each(?))"
        with self._lock, self._translated():
            rows = self._connection.execute(query, (msgspec.json.encode(list(ids)).decode(),))
            return frozenset(number for (number,) in rows)

    def _is_current(self, version: str, meaning: Meaning | None) -> bool:
        (is_made,) = self._connection.execute("PRAGMA user_version").fetchone()
        if not is_made:
            return False
        if self._connection.execute("SELECT 1 FROM state WHERE catalog = ?", (version,)).fetchone() is None:
            return False
        if meaning is None:
            return True
        missing = self._connection.execute("SELECT 1 FROM library WHERE model IS NOT ?", (meaning.name,))
        return missing.fetchone() is None

    def _bring_up_to_date(self, catalog: Catalog, meaning: Meaning | None) -> None:
        """File what is new, whole or not at all; of several processes one does, the others find it done."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for table in _TABLES:
                self._connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
            self._connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {_WORDS}")
            self._connection.execute("PRAGMA user_version = 1")
            version = catalog.dataset_version
            self._file(catalog, meaning)
            self._connection.execute("DELETE FROM state")
            self._connection.execute("INSERT INTO state VALUES (?)", (version,))
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _file(self, catalog: Catalog, meaning: Meaning | None) -> None:
        filed = {
            repo: (revision, model)
            for repo, revision, model in self._connection.execute("SELECT repo, revision, model FROM library")
        }
        present = catalog.repos()
        for repo in filed.keys() - {row.repo for row in present}:
            self._drop(repo)
        for row in present:
            revision, model = filed.get(row.repo, (None, None))
            if revision != _revision_of(row):
                self._drop(row.repo)
                self._add(catalog, row, meaning)
            elif meaning is not None and model != meaning.name:
                texts = [texts for _, texts, _ in _records(catalog, row)]
                self._connection.execute(
                    "UPDATE library SET model = ?, vectors = ? WHERE repo = ?",
                    (meaning.name, _vectors(texts, meaning), row.repo),
                )

    def _drop(self, repo: str) -> None:
        row = self._connection.execute("SELECT first, count FROM library WHERE repo = ?", (repo,)).fetchone()
        if row is None:
            return
        span = (row[0], row[0] + row[1] - 1)
        self._connection.execute("DELETE FROM words WHERE rowid BETWEEN ? AND ?", span)
        self._connection.execute("DELETE FROM record WHERE number BETWEEN ? AND ?", span)
        self._connection.execute("DELETE FROM library WHERE repo = ?", (repo,))

    def _add(self, catalog: Catalog, row: RepoRow, meaning: Meaning | None) -> None:
        (first,) = self._connection.execute("SELECT coalesce(max(first + count), 1) FROM library").fetchone()
        records = list(_records(catalog, row))
        numbered = list(enumerate(records, start=first))
        columns = Texts.__struct_fields__
        self._connection.executemany(
            f"INSERT INTO words (rowid, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})",  # noqa: S608 - our own names
            ((number, *msgspec.structs.astuple(texts)) for number, (_, texts, _) in numbered),
        )
        self._connection.executemany(
            "INSERT INTO record VALUES (?, ?)",
            ((number, record_id) for number, (record_id, _, _) in numbered),
        )
        names = names_of_library(row.repo, {path for _, _, path in records})
        self._connection.execute(
            "INSERT INTO library VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                row.repo,
                _revision_of(row),
                "\n".join(sorted(" ".join(name) for name in names)),
                first,
                len(records),
                meaning.name if meaning else None,
                _vectors([texts for _, texts, _ in records], meaning) if meaning else None,
            ),
        )

    def _load(self, meaning: Meaning | None) -> Loaded:
        vectors = "vectors" if meaning is not None else "NULL"
        query = f"SELECT repo, names, first, count, {vectors} FROM library ORDER BY first"  # noqa: S608 - one of two words
        rows = self._connection.execute(query).fetchall()
        libraries = tuple(
            Library(
                repo=repo,
                names=frozenset(tuple(name.split()) for name in names.split("\n")),
                first=first,
                count=count,
            )
            for repo, names, first, count, _ in rows
        )
        return Loaded(libraries, b"".join(row[-1] or b"" for row in rows))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise QuestionIndexError(str(self._path), str(error)) from error


def _revision_of(row: RepoRow) -> str:
    return f"{row.analyzed_sha} {row.analyzed_at}"


def _records(catalog: Catalog, row: RepoRow) -> Iterator[tuple[str, Texts, str]]:
    """Yield id, texts and path of each record of a repository's newest revision, in one order always."""
    from errdex.explain.interface import families  # noqa: PLC0415 - start-up time: only filing needs them

    known = families()
    summaries = catalog.summaries(row.repo, limit=row.error_count)
    for record, summary in zip(catalog.bare_records(row.repo), summaries, strict=True):
        family = known.get(record.background_tag or "")
        yield record.id, texts_of(record, summary, family.page.title if family else ""), record.file_path


def _vectors(texts: list[Texts], meaning: Meaning) -> bytes:
    return meaning.of_records([one.message for one in texts], [one.documentation for one in texts])
