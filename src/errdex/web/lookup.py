"""Answering questions from a catalog that may change: the index is built when first needed, then kept."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from pathlib import Path

from errdex.catalog import Catalog
from errdex.model.answer import Answer
from errdex.search import Index, answer
from errdex.web.state import Answerer


def answerer(catalog: Catalog, index: Index | None) -> Answerer:
    """Return what answers a pasted text: from `index`, else from one built of the catalog's entries."""
    if index is not None:
        return lambda text: answer(text, index)
    return _CatalogIndex(catalog).answer


class _CatalogIndex:
    """An index in a scratch folder, built anew when the catalog's version grows. Safe for several threads."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._version = ""

    def answer(self, text: str) -> Answer:
        """Answer a pasted text."""
        return answer(text, self._current())

    def _current(self) -> Index:
        version = self._catalog.dataset_version
        with self._lock:
            if self._index is None or version != self._version:
                folder = Path(tempfile.mkdtemp(prefix="errdex-index-"))
                self._index = Index.build(self._catalog.entries(), folder)
                self._version = version
                weakref.finalize(self._index, shutil.rmtree, folder, ignore_errors=True)
            return self._index
