"""Records on disk: schema, write, read, check."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errdex.catalog.catalog import Catalog
    from errdex.catalog.location import catalog_location
    from errdex.catalog.rows import (
        AddReport,
        FamilyRow,
        RepoRow,
        RevisionRow,
        StoredRecord,
        Summary,
    )
    from errdex.catalog.schema import CatalogDamagedError, CatalogMissingError, CatalogSchemaError

__all__ = [
    "AddReport",
    "Catalog",
    "CatalogDamagedError",
    "CatalogMissingError",
    "CatalogSchemaError",
    "FamilyRow",
    "RepoRow",
    "RevisionRow",
    "StoredRecord",
    "Summary",
    "catalog_location",
]

_HOMES = {
    "Catalog": "catalog",
    "CatalogDamagedError": "schema",
    "CatalogMissingError": "schema",
    "CatalogSchemaError": "schema",
    "catalog_location": "location",
}
"""The module of each name, `rows` for the others: loaded when asked for, since `explain` on a machine
without a catalog must not pay for SQLAlchemy (0.2 s)."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'rows')}"), name)
