"""Answering questions from a catalog that may change: its index is opened when first needed, and again when it grows."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from pathlib import Path

from errdex.catalog import Catalog
from errdex.model.answer import Answer
from errdex.search import Index, answer
from errdex.search.beside import catalog_index
from errdex.web.state import Answerer


def answerer(catalog: Catalog, index: Index | None) -> Answerer:
    """Return what answers a pasted text: from `index`, else from the one beside the catalog."""
    if index is not None:
        return lambda text: answer(text, index)
    return _CatalogIndex(catalog).answer


class _CatalogIndex:
    """The catalog's index, followed through the catalog's changes. Safe for several threads."""

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
