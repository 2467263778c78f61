"""The index that stands beside a catalog on disk: built when the catalog has changed, opened at once otherwise."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from errdex.catalog.location import version_in_file
from errdex.search.index import Index
from errdex.search.layout import IndexDamagedError

if TYPE_CHECKING:
    from errdex.catalog import Catalog

_STAMP = "version"
"""File that names the catalog's `dataset_version` the index was built from; written last."""


def index_folder(where: str) -> Path:
    """Return the folder of the index for the catalog at `where`, a path or a database URL."""
    if "://" not in where:
        return Path(f"{where}.index")
    return user_cache_path("errdex") / "index" / hashlib.sha256(where.encode()).hexdigest()[:16]


def index_at(where: str) -> Index | None:
    """Return the index of the catalog at `where`, a path or a database URL; None where there is no catalog.

    Where the index is up to date the catalog itself is not opened.
    """
    if "://" not in where:
        path = Path(where)
        if not path.is_file():
            return None
        index = _current(index_folder(where), version_in_file(path))
        if index is not None:
            return index
    from errdex.catalog.catalog import Catalog  # noqa: PLC0415 - start-up time: SQLAlchemy costs 0.2 s

    with Catalog.open(where) as catalog:
        return catalog_index(catalog)


def catalog_index(catalog: Catalog) -> Index:
    """Return the index of everything in `catalog`, built anew first if the catalog has changed since."""
    folder = index_folder(catalog.where)
    version = catalog.dataset_version
    known = _current(folder, version)
    if known is not None:
        return known
    stamp = folder / _STAMP
    stamp.unlink(missing_ok=True)
    index = Index.build(catalog.entries(), folder)
    stamp.write_text(version, encoding="ascii")
    return index


def _current(folder: Path, version: str | None) -> Index | None:
    """Return the index in `folder` if it is of `version` and of this layout; None means it has to be built."""
    stamp = folder / _STAMP
    if version is None or not stamp.is_file() or stamp.read_text(encoding="ascii") != version:
        return None
    try:
        index = Index.open(folder)
    except IndexDamagedError:
        return None
    return (
        index if len(index) else None
    )  # nothing was built here, or by an errdex that named its files otherwise
