"""Facts of files and results of trees, kept between runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self

import zstandard

_LEVEL = 3
"""Of zstd: half a second for all facts of SGLang; higher levels cost more than parsing saves."""
_BUSY_TIMEOUT_S = 30.0
_AT_ONCE = 500


class FactsCache(Protocol):
    """What `analyze` needs of a cache. Keys hold the content's hash and the extractor's version."""

    def facts(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the facts that are known of these keys."""

    def put_facts(self, items: Iterable[tuple[str, bytes]]) -> None:
        """Keep facts of files."""

    def tree(self, key: str) -> bytes | None:
        """Return the result of a whole tree; None if it is not known."""

    def put_tree(self, key: str, value: bytes) -> None:
        """Keep the result of a whole tree."""


class SqliteFactsCache:
    """A cache in one SQLite file, safe for several processes at once."""

    def __init__(self, path: Path) -> None:
        """Open the cache at `path`, made with its folder if it is not there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        for table in ("facts", "trees"):
            self._connection.execute(
                f"CREATE TABLE IF NOT EXISTS {table} (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID"
            )
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL)
        self._decompressor = zstandard.ZstdDecompressor()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def facts(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the facts that are known of these keys."""
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._connection.execute(f"SELECT key, value FROM facts WHERE key IN ({marks})", some)  # noqa: S608
            found.update((key, self._decompressor.decompress(value)) for key, value in rows)
        return found

    def put_facts(self, items: Iterable[tuple[str, bytes]]) -> None:
        """Keep facts of files; where they cannot be kept (a full disk, say) they are read again next time."""
        self._put("facts", [(key, self._compressor.compress(value)) for key, value in items])

    def tree(self, key: str) -> bytes | None:
        """Return the result of a whole tree; None if it is not known."""
        row = self._connection.execute("SELECT value FROM trees WHERE key = ?", (key,)).fetchone()
        return self._decompressor.decompress(row[0]) if row is not None else None

    def put_tree(self, key: str, value: bytes) -> None:
        """Keep the result of a whole tree, if it can be kept."""
        self._put("trees", [(key, self._compressor.compress(value))])

    def _put(self, table: str, rows: Sequence[tuple[str, bytes]]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", rows)  # noqa: S608 - one of ours
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


@contextmanager
def facts_cache(folder: Path, warn: Callable[[str], None] | None = None) -> Iterator[SqliteFactsCache | None]:
    """Yield the cache in `folder`; None, and a warning, where none can be kept: that costs time, not the answer."""
    try:
        cache = SqliteFactsCache(folder / "facts.db")
    except (OSError, sqlite3.Error) as error:
        if warn is not None:
            warn(f"Working without a cache: {error}.")
        yield None
        return
    with cache:
        yield cache
