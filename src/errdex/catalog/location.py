"""Where the catalog is, and what version it holds: asked before anything heavy is loaded."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from platformdirs import user_data_path

EPOCH = "1970-01-01T00:00:00.000Z"
"""The dataset version of a catalog that nothing was added to."""


def catalog_location(where: str | Path | None = None) -> str:
    """Return where the catalog is: the argument, `ERRDEX_CATALOG`, or a file in the platform's data folder.

    A path, or a SQLAlchemy URL (holds `://`).
    """
    given = where or os.environ.get("ERRDEX_CATALOG")
    return str(given) if given else str(user_data_path("errdex") / "catalog.db")


def version_in_file(path: Path) -> str | None:
    """Return the dataset version that a catalog file holds, without SQLAlchemy; None if it cannot be read so."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            row = connection.execute("SELECT value FROM meta WHERE key = 'dataset_version'").fetchone()
        finally:
            connection.close()
    except sqlite3.Error:
        return None
    return str(row[0]) if row else EPOCH
