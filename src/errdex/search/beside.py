"""The index that stands beside a catalog on disk: built when the catalog has changed, opened at once otherwise."""

from __future__ import annotations

import hashlib
from pathlib import Path

from platformdirs import user_cache_path

from errdex.catalog import Catalog
from errdex.search.index import Index

_STAMP = "version"
"""File that names the catalog's `dataset_version` the index was built from; written last."""


def index_folder(where: str) -> Path:
    """Return the folder of the index for the catalog at `where`, a path or a database URL."""
    if "://" not in where:
        return Path(f"{where}.index")
    return user_cache_path("errdex") / "index" / hashlib.sha256(where.encode()).hexdigest()[:16]


def catalog_index(catalog: Catalog) -> Index:
    """Return the index of everything in `catalog`, built anew first if the catalog has changed since."""
    folder = index_folder(catalog.where)
    stamp = folder / _STAMP
    version = catalog.dataset_version
    if stamp.is_file() and stamp.read_text(encoding="ascii") == version:
        return Index.open(folder)
    stamp.unlink(missing_ok=True)
    index = Index.build(catalog.entries(), folder)
    stamp.write_text(version, encoding="ascii")
    return index
