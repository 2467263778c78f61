"""Answering questions from a catalog that may change: its index is opened when first needed, and again when it grows."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from errdex.catalog import Catalog
from errdex.model.answer import Answer
from errdex.search import Index, answer
from errdex.search.ask import Asking, Found, Only, is_question
from errdex.search.beside import catalog_index
from errdex.search.question_index import QuestionIndexError

SHORT_CHARACTERS = 20_000
"""A text of this size is answered in about a millisecond: less than handing it to a thread costs under load."""


class Lookup:
    """The index that answers, followed through the catalog's changes. Safe for several threads."""

    def __init__(self, catalog: Catalog, index: Index | None = None) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._index = index
        self._is_given = index is not None
        self._version = ""
        self._asking: Asking | None = None

    async def answer(self, text: str, version: str) -> Answer:
        """Answer a pasted text from the catalog as it is at `version`.

        What takes long (building the index, reading a long text) leaves the event loop to others.
        """
        if len(text) <= SHORT_CHARACTERS and self._index is not None and self._is_current(version):
            return answer(text, self._index)
        return await run_in_threadpool(lambda: answer(text, self._current(version)))

    async def near(self, text: str, *, only: Only, limit: int) -> list[Found]:
        """Return the records nearest to a question in a user's own words, of those that `only` lets through.

        None for a text that is no question, and where the index for questions can be neither read nor written.
        """
        if not is_question(text):
            return []
        return await run_in_threadpool(lambda: self._near(text, only, limit))

    def _near(self, text: str, only: Only, limit: int) -> list[Found]:
        with self._lock:
            if self._asking is None:
                self._asking = Asking(self._catalog)
        try:
            return self._asking.ask(text, only=only, limit=limit)
        except QuestionIndexError:
            return []

    def _is_current(self, version: str) -> bool:
        return self._is_given or version == self._version

    def _current(self, version: str) -> Index:
        with self._lock:
            if self._index is None or not self._is_current(version):
                self._index = _index_of(self._catalog)
                self._version = version
            return self._index


def _index_of(catalog: Catalog) -> Index:
    """Return the index beside the catalog; one in a scratch folder where nothing may be written there."""
    try:
        return catalog_index(catalog)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="errdex-index-"))
        index = Index.build(catalog.entries(), folder)
        weakref.finalize(index, shutil.rmtree, folder, ignore_errors=True)
        return index
