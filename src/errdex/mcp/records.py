"""The two sources of records: the local catalog, and a published dataset with its copy on this machine."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path

from platformdirs import user_cache_path

from errdex.catalog import Catalog, CatalogDamagedError
from errdex.errors import CatalogError
from errdex.mcp.interface import Refreshed
from errdex.publish.pull import pull
from errdex.search import Index
from errdex.search.ask import Asking
from errdex.search.beside import catalog_index


class LocalRecords:
    """The catalog of this machine; it changes when `errdex analyze` runs."""

    note = ""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._index: Index | None = None
        self._version = ""

    @cached_property
    def asking(self) -> Asking:
        """What answers questions; it follows the catalog by itself."""
        return Asking(self.catalog)

    @property
    def index(self) -> Index:
        """The catalog's index, opened anew when the catalog has changed."""
        version = self.catalog.dataset_version
        if self._index is None or version != self._version:
            self._index, self._version = catalog_index(self.catalog), version
        return self._index

    def refresh(self) -> Refreshed:
        """Say which version is there: a local catalog is always its own newest."""
        before, now = self._version, self.catalog.dataset_version
        return Refreshed(
            updated=before not in {"", now},
            dataset_version=now,
            errors=_errors(self.catalog),
            stale=False,
            detail=f"The local catalog at {self.catalog.where}.",
        )


class PublishedRecords(LocalRecords):
    """A published dataset, copied into a catalog below the user's cache folder and read from there.

    A bad or missing download leaves the copy as it was; answers then say that they may be stale.
    """

    def __init__(self, url: str, cache: Path | None = None) -> None:
        self.url = url.rstrip("/")
        folder = cache if cache is not None else user_cache_path("errdex") / "datasets"
        name = hashlib.sha256(self.url.encode()).hexdigest()[:16]
        super().__init__(_opened(folder / f"{name}.db"))
        self.note = ""
        self.refresh()

    def refresh(self) -> Refreshed:
        """Fetch what is new of the dataset; keep the copy where that fails."""
        try:
            done = pull(self.url, self.catalog)
        except CatalogError as error:
            return self._stale(error.problem)
        if done.refused:
            names = ", ".join(one.repo for one in done.refused)
            return self._stale(f"{names}: {done.refused[0].reason}")
        self.note = ""
        return Refreshed(
            updated=done.repos > 0,
            dataset_version=done.dataset_version,
            errors=_errors(self.catalog),
            stale=False,
            detail=f"{done.repos} libraries fetched, {done.unchanged} unchanged.",
        )

    def _stale(self, problem: str) -> Refreshed:
        if self.catalog.repos():
            self.note = f"Stale: answered from the copy of an earlier day. {problem}"
        else:
            self.note = f"There is no copy of the dataset yet. {problem}"
        return Refreshed(
            updated=False,
            dataset_version=self.catalog.dataset_version,
            errors=_errors(self.catalog),
            stale=True,
            detail=problem,
        )


def _opened(path: Path) -> Catalog:
    """Open the copy; one that cannot be read is begun anew, for it can be fetched again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return Catalog.open(path, create=True)
    except CatalogDamagedError:
        path.unlink(missing_ok=True)
        return Catalog.open(path, create=True)


def _errors(catalog: Catalog) -> int:
    return sum(row.error_count for row in catalog.repos())
