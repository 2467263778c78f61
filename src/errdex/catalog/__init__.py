"""Records on disk: schema, write, read, check."""

from errdex.catalog.catalog import Catalog
from errdex.catalog.rows import AddReport, FamilyRow, RepoRow, RevisionRow, StoredRecord, Summary
from errdex.catalog.schema import (
    CatalogDamagedError,
    CatalogMissingError,
    CatalogSchemaError,
    catalog_location,
)

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
