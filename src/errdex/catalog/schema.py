"""The tables of a catalog, and how one is opened.

One schema for SQLite and PostgreSQL, in SQLAlchemy Core. A catalog holds several
revisions of a repository side by side. Bodies (records, evidence, source files)
are zstd blobs; what is searched or listed stands in columns.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from errdex.errors import CatalogError

SCHEMA = 1
"""Version of these tables; a catalog of another version is refused, not guessed at."""
_BUSY_TIMEOUT_S = 30

metadata = sa.MetaData()


def _table(name: str, *items: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, metadata, *items, sqlite_strict=True)


meta = _table(
    "meta",
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
dictionary = _table(
    "dictionary",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
revision = _table(
    "revision",
    sa.Column("pk", sa.Integer, primary_key=True),
    sa.Column("repo", sa.Text, nullable=False),
    sa.Column("sha", sa.Text, nullable=False),
    sa.Column("coordinate", sa.Text, nullable=False),
    sa.Column("package", sa.Text, nullable=False),
    sa.Column("version", sa.Text),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("permalink", sa.Text),
    sa.Column("analyzer", sa.Text, nullable=False),
    sa.Column("analyzed_at", sa.Text, nullable=False),
    sa.Column("file_count", sa.Integer, nullable=False),
    sa.Column("site_count", sa.Integer, nullable=False),
    sa.Column("record_count", sa.Integer, nullable=False),
    sa.Column("unresolved_count", sa.Integer, nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.UniqueConstraint("repo", "sha"),
)
skipped = _table(
    "skipped",
    sa.Column("revision", sa.ForeignKey("revision.pk", ondelete="CASCADE"), primary_key=True),
    sa.Column("path", sa.Text, primary_key=True),
    sa.Column("reason", sa.Text, nullable=False),
)
source_file = _table(
    "source_file",
    sa.Column("revision", sa.ForeignKey("revision.pk", ondelete="CASCADE"), primary_key=True),
    sa.Column("path", sa.Text, primary_key=True),
    sa.Column("blob", sa.Text, nullable=False),
)
source_blob = _table(
    "source_blob",
    sa.Column("blob", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
record = _table(
    "record",
    sa.Column("pk", sa.Integer, primary_key=True),
    sa.Column("revision", sa.ForeignKey("revision.pk", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("repo", sa.Text, nullable=False),
    sa.Column("slug", sa.Text, nullable=False),
    sa.Column("error_code", sa.Text),
    sa.Column("error_message", sa.Text, nullable=False),
    sa.Column("error_class", sa.Text),
    sa.Column("error_type", sa.Text, nullable=False),
    sa.Column("severity", sa.Text, nullable=False),
    sa.Column("file_path", sa.Text, nullable=False),
    sa.Column("line_number", sa.Integer, nullable=False),
    sa.Column("background_tag", sa.Text),
    sa.Column("level", sa.Text, nullable=False),
    sa.Column("tags", sa.Text, nullable=False),
    sa.Column("function", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("evidence", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("revision", "id"),
    sa.Index("record_by_id", "id"),
    sa.Index("record_by_slug", "repo", "slug"),
    sa.Index("record_by_place", "revision", "position"),
    sa.Index("record_by_family", "background_tag", "revision"),
)
entry = _table(
    "entry",
    sa.Column("pk", sa.Integer, primary_key=True),
    sa.Column("revision", sa.ForeignKey("revision.pk", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("slug", sa.Text, nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("end_line", sa.Integer, nullable=False),
    sa.Column("function", sa.Text, nullable=False),
    sa.Column("error_class", sa.Text),
    sa.Column("bases", sa.Text, nullable=False),
    sa.Column("template", sa.Text),
    sa.Column("error_code", sa.Text),
    sa.Column("kind", sa.Text, nullable=False),
)
proof = _table(
    "proof",
    sa.Column("repo", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("function_hash", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""Not tied to a revision: a proof holds for every revision whose function is the same."""
assist_answer = _table(
    "assist_answer",
    sa.Column("repo", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("facts", sa.Text, primary_key=True),
    sa.Column("prompt_version", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("input_tokens", sa.Integer, nullable=False),
    sa.Column("output_tokens", sa.Integer, nullable=False),
    sa.Column("suggestions", sa.LargeBinary, nullable=False),
    sa.Column("gate", sa.Text),
    sa.Column("judgements", sa.LargeBinary),
)
"""Not tied to a revision either: an answer holds for every revision whose record has the same facts."""
assist_request = _table(
    "assist_request",
    sa.Column("pk", sa.Integer, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("repo", sa.Text, nullable=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("most_input", sa.Integer, nullable=False),
    sa.Column("most_output", sa.Integer, nullable=False),
    sa.Column("input_tokens", sa.Integer),
    sa.Column("output_tokens", sa.Integer),
    sa.Column("usd", sa.Text),
)
"""One row a request to a model's server, written before it leaves; tokens are null where the server did not say."""


class CatalogMissingError(CatalogError):
    """No catalog stands at the place named."""

    slug = "catalog-missing"

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where
        self.problem = f"There is no catalog at {where}."
        self.hint = "Make one with `errdex analyze pypi:NAME`, or name another with --catalog."


class CatalogDamagedError(CatalogError):
    """The file is not a catalog, or cannot be read or written."""

    slug = "catalog-damaged"

    def __init__(self, where: str, detail: str) -> None:
        super().__init__(where, detail)
        self.where, self.detail = where, detail
        self.problem = f"The catalog at {where} cannot be used: {detail}."
        self.hint = "Check the path, its permissions and the free disk space, or name another with --catalog."


class CatalogSchemaError(CatalogError):
    """The catalog was written by an errdex with other tables."""

    slug = "catalog-of-another-schema"

    def __init__(self, where: str, found: str) -> None:
        super().__init__(where, found)
        self.where, self.found = where, found
        self.problem = f"The catalog at {where} has schema {found}; this errdex reads {SCHEMA}."
        self.hint = "Rebuild it with `errdex analyze`, or use the errdex that wrote it."


def open_engine(where: str, *, create: bool) -> Engine:
    """Return an engine on the catalog at `where`, its tables checked, made first if `create`.

    Raises:
        CatalogMissingError: it is not there and `create` is false.
        CatalogDamagedError: it is not a catalog or cannot be opened.
        CatalogSchemaError: its tables are of another version.
    """
    if "://" in where:
        engine = sa.create_engine(where)
    else:
        path = Path(where)
        if not create and not path.is_file():
            raise CatalogMissingError(where)
        try:
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CatalogDamagedError(where, error.strerror or str(error)) from error
        engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(path)),
            connect_args={"timeout": _BUSY_TIMEOUT_S, "check_same_thread": False},
        )
        sa.event.listen(engine, "connect", _set_up_sqlite)
    try:
        _check_schema(engine, where, create=create)
    except sa.exc.DBAPIError as error:
        engine.dispose()
        raise CatalogDamagedError(where, str(error.orig)) from error
    except CatalogError:
        engine.dispose()
        raise
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "cache_size = -16000"):
        connection.execute(f"PRAGMA {pragma}")


def _check_schema(engine: Engine, where: str, *, create: bool) -> None:
    present = sa.inspect(engine).has_table(meta.name)
    if not present and not create:
        raise CatalogMissingError(where)
    with engine.begin() as connection:
        if not present:
            metadata.create_all(connection)
            connection.execute(sa.insert(meta).values(key="schema", value=str(SCHEMA)))
        found = connection.scalar(sa.select(meta.c.value).where(meta.c.key == "schema"))
    if found != str(SCHEMA):
        raise CatalogSchemaError(where, str(found))
