"""The catalog: one object to write analyses to and read records from."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import sqlalchemy as sa
import zstandard
from packaging.version import InvalidVersion, Version

from errdex.catalog import assistance, proofs, schema
from errdex.catalog.blobs import BlobCodec
from errdex.catalog.location import EPOCH, catalog_location
from errdex.catalog.rows import AddReport, FamilyRow, RepoRow, RevisionRow, StoredRecord, Summary
from errdex.catalog.write import PreparedRevision, insert_revision
from errdex.model.answer import IndexEntry
from errdex.model.explanation import Level
from errdex.model.record import Evidence, Proof, Record

_read_record = msgspec.json.Decoder(Record).decode
_read_evidence = msgspec.msgpack.Decoder(Evidence).decode
_BOUND_PARAMETERS = 500
"""Under every database's limit."""
_SUMMARY_COLUMNS = tuple(schema.record.c[name] for name in Summary.__struct_fields__)


class Catalog:
    """Records of many repositories at one or more revisions each.

    Where a question names no revision, the newest of the repository answers
    (highest version, else the last one analysed). Use as a context manager or call `close`.
    """

    def __init__(self, engine: sa.Engine, where: str) -> None:
        self._engine = engine
        self.where = where
        self._codecs: dict[str, BlobCodec] = {}

    @classmethod
    def open(cls, where: str | Path | None = None, *, create: bool = False) -> Self:
        """Open the catalog at `where` (a path or a SQLAlchemy URL; None: see `catalog_location`).

        Raises:
            errdex.CatalogError: it is missing (and `create` is false), damaged, or of another schema.
        """
        location = catalog_location(where)
        return cls(schema.open_engine(location, create=create), location)

    def close(self) -> None:
        """Release the connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- reading -----------------------------------------------------------------

    @property
    def dataset_version(self) -> str:
        """ISO 8601 UTC time of the last change; it only grows."""
        with self._engine.connect() as connection:
            return _dataset_version(connection)

    def repos(self) -> list[RepoRow]:
        """Return every repository at its newest revision, by name."""
        return self._repo_rows()

    def repo(self, repo: str) -> RepoRow | None:
        """Return one repository at its newest revision; None if it is not in the catalog."""
        return next(iter(self._repo_rows(schema.revision.c.repo == repo)), None)

    def _repo_rows(self, *where: sa.ColumnElement[bool]) -> list[RepoRow]:
        table = schema.revision
        query = sa.select(table).where(table.c.rank == 0, *where).order_by(table.c.repo)
        with self._engine.connect() as connection:
            return [_repo_row(row) for row in connection.execute(query)]

    def revisions(self, repo: str | None = None) -> list[RevisionRow]:
        """Return every analysed revision, newest of a repository first; of one repository if named."""
        table = schema.revision
        query = sa.select(table).order_by(table.c.repo, table.c.rank)
        if repo is not None:
            query = query.where(table.c.repo == repo)
        with self._engine.connect() as connection:
            return [
                RevisionRow(
                    is_newest=row.rank == 0,
                    **{
                        name: getattr(row, name)
                        for name in RevisionRow.__struct_fields__
                        if name != "is_newest"
                    },
                )
                for row in connection.execute(query)
            ]

    def has(self, repo: str, sha: str, analyzer: str) -> bool:
        """Whether this very analysis is in the catalog already."""
        table = schema.revision
        query = sa.select(table.c.pk).where(
            table.c.repo == repo, table.c.sha == sha, table.c.analyzer == analyzer
        )
        with self._engine.connect() as connection:
            return connection.execute(query).first() is not None

    def skipped(self, repo: str, sha: str) -> list[tuple[str, str]]:
        """Return path and reason of every file of a revision that was not read."""
        query = (
            sa.select(schema.skipped.c.path, schema.skipped.c.reason)
            .join(schema.revision)
            .where(schema.revision.c.repo == repo, schema.revision.c.sha == sha)
            .order_by(schema.skipped.c.path)
        )
        with self._engine.connect() as connection:
            return [(row.path, row.reason) for row in connection.execute(query)]

    def record(self, record_id: str) -> StoredRecord | None:
        """Return the record with this id at the newest revision that has it; None if there is none."""
        return self._one(schema.record.c.id == record_id)

    def record_by_slug(self, repo: str, slug: str) -> StoredRecord | None:
        """Return the record that `slug` names in `repo`; None if there is none."""
        return self._one(schema.record.c.repo == repo, schema.record.c.slug == slug)

    def ids_by_slug(self, slug: str) -> list[str]:
        """Return the ids of all records with this slug, of whatever repository."""
        query = sa.select(schema.record.c.id).where(schema.record.c.slug == slug).distinct()
        with self._engine.connect() as connection:
            return sorted(connection.scalars(query))

    def _one(self, *where: sa.ColumnElement[bool]) -> StoredRecord | None:
        query = self._bodies().where(*where).order_by(schema.revision.c.rank).limit(1)
        with self._engine.connect() as connection:
            row = connection.execute(query).first()
        return self._stored(row) if row else None

    @staticmethod
    def _bodies() -> sa.Select[Any]:
        return sa.select(schema.record.c.body, schema.record.c.evidence).join(schema.revision)

    def records(self, repo: str | None = None, sha: str | None = None) -> Iterator[StoredRecord]:
        """Yield records in the order of repository, file and line; of one repository (and revision) if named."""
        query = self._bodies().order_by(schema.revision.c.repo, schema.record.c.position)
        query = query.where(schema.revision.c.sha == sha if sha else schema.revision.c.rank == 0)
        if repo is not None:
            query = query.where(schema.revision.c.repo == repo)
        with self._rows(query, 500) as rows:
            for row in rows:
                yield self._stored(row)

    @contextmanager
    def _rows(self, query: sa.Select[Any], at_a_time: int) -> Iterator[sa.CursorResult[Any]]:
        """Give a query's rows, fetched some at a time; the server's cursor ends even where not all are read."""
        with (
            self._engine.connect() as connection,
            connection.execution_options(yield_per=at_a_time).execute(query) as result,
        ):
            yield result

    def records_of(self, repo: str, sha: str, ids: Sequence[str]) -> Iterator[StoredRecord]:
        """Yield those of `ids` that a revision has, in no order."""
        for start in range(0, len(ids), _BOUND_PARAMETERS):
            batch = ids[start : start + _BOUND_PARAMETERS]
            query = self._bodies().where(
                schema.revision.c.repo == repo, schema.revision.c.sha == sha, schema.record.c.id.in_(batch)
            )
            with self._engine.connect() as connection:
                for row in connection.execute(query):
                    yield self._stored(row)

    def bare_records(self, repo: str | None = None) -> Iterator[Record]:
        """Yield records of the newest revisions without their evidence, in the order of `records`."""
        query = (
            sa.select(schema.record.c.body)
            .join(schema.revision)
            .where(schema.revision.c.rank == 0)
            .order_by(schema.revision.c.repo, schema.record.c.position)
        )
        if repo is not None:
            query = query.where(schema.revision.c.repo == repo)
        with self._rows(query, 500) as rows:
            for row in rows:
                try:
                    yield _read_record(self._unpack("record", row.body))
                except (zstandard.ZstdError, msgspec.DecodeError) as error:
                    raise schema.CatalogDamagedError(
                        self.where, f"a record does not read back ({error})"
                    ) from error

    def digest(self, repo: str) -> str:
        """Return a hash of everything that pages of `repo` at its newest revision are made from."""
        query = (
            sa.select(schema.record.c.slug, schema.record.c.body, schema.record.c.evidence)
            .join(schema.revision)
            .where(schema.revision.c.rank == 0, schema.revision.c.repo == repo)
            .order_by(schema.record.c.position)
        )
        hashed = hashlib.sha256(repr(self.revisions(repo)).encode())
        with self._rows(query, 500) as rows:
            for row in rows:
                for part in (row.slug.encode(), row.body, row.evidence):
                    hashed.update(len(part).to_bytes(8) + part)
        return hashed.hexdigest()

    def _stored(self, row: sa.Row[Any]) -> StoredRecord:
        try:
            return StoredRecord(
                record=_read_record(self._unpack("record", row.body)),
                evidence=_read_evidence(self._unpack("evidence", row.evidence)),
            )
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise schema.CatalogDamagedError(self.where, f"a record does not read back ({error})") from error

    def summaries(
        self,
        repo: str,
        *,
        offset: int = 0,
        limit: int = 100,
        family: str | None = None,
        path: str | None = None,
    ) -> list[Summary]:
        """Return a page of the newest revision's records, by file and line; of one family or file if named."""
        query = _summaries().where(schema.revision.c.repo == repo).order_by(schema.record.c.position)
        if family is not None:
            query = query.where(schema.record.c.background_tag == family)
        if path is not None:
            query = query.where(schema.record.c.file_path == path)
        return self._summary_page(query, offset, limit)

    def all_summaries(self, repo: str, sha: str) -> list[Summary]:
        """Return every record of one revision, by file and line."""
        query = (
            sa.select(*_SUMMARY_COLUMNS)
            .join(schema.revision)
            .where(schema.revision.c.repo == repo, schema.revision.c.sha == sha)
            .order_by(schema.record.c.position)
        )
        with self._engine.connect() as connection:
            return [_summary(row) for row in connection.execute(query)]

    def family_members(self, slug: str, *, offset: int = 0, limit: int = 100) -> list[Summary]:
        """Return a page of all records of a family, by repository, file and line."""
        query = (
            _summaries()
            .where(schema.record.c.background_tag == slug)
            .order_by(schema.revision.c.repo, schema.record.c.position)
        )
        return self._summary_page(query, offset, limit)

    def summaries_by_id(self, ids: Iterable[str]) -> dict[str, Summary]:
        """Return the summaries of those of `ids` that are in the catalog, each at its newest revision."""
        wanted = list(ids)
        query = (
            sa.select(*_SUMMARY_COLUMNS)
            .join(schema.revision)
            .where(schema.record.c.id.in_(wanted))
            .order_by(schema.revision.c.rank.desc())
        )
        with self._engine.connect() as connection:
            return {row.id: _summary(row) for row in connection.execute(query)}

    def ids(
        self, *, repo: str | None = None, family: str | None = None, levels: Collection[Level] = ()
    ) -> frozenset[str]:
        """Return the ids of the newest revisions' records: all, or those of a repository, family or some levels."""
        table = schema.record
        query = sa.select(table.c.id).join(schema.revision).where(schema.revision.c.rank == 0)
        if repo is not None:
            query = query.where(table.c.repo == repo)
        if family is not None:
            query = query.where(table.c.background_tag == family)
        if levels:
            query = query.where(table.c.level.in_(levels))
        with self._engine.connect() as connection:
            return frozenset(connection.scalars(query))

    def _summary_page(self, query: sa.Select[Any], offset: int, limit: int) -> list[Summary]:
        with self._engine.connect() as connection:
            return [_summary(row) for row in connection.execute(query.offset(offset).limit(limit))]

    def families(self) -> list[FamilyRow]:
        """Return every family that claims a record, most errors first."""
        table = schema.record
        count = sa.func.count()
        query = (
            sa.select(
                table.c.background_tag.label("slug"),
                count.label("error_count"),
                sa.func.count(table.c.repo.distinct()).label("repo_count"),
            )
            .join(schema.revision)
            .where(schema.revision.c.rank == 0, table.c.background_tag.is_not(None))
            .group_by(table.c.background_tag)
            .order_by(count.desc(), table.c.background_tag)
        )
        with self._engine.connect() as connection:
            return [FamilyRow(**row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - SQLAlchemy's public name

    def family_repos(self, slug: str) -> list[tuple[str, int]]:
        """Return every repository that a family claims errors of, and how many, most first."""
        table, count = schema.record, sa.func.count()
        query = (
            sa.select(table.c.repo, count)
            .join(schema.revision)
            .where(schema.revision.c.rank == 0, table.c.background_tag == slug)
            .group_by(table.c.repo)
            .order_by(count.desc(), table.c.repo)
        )
        with self._engine.connect() as connection:
            return [(repo, number) for repo, number in connection.execute(query)]

    def source(self, repo: str, revision: str, path: str) -> str | None:
        """Return the text of an analysed file that holds a record; None if there is none such."""
        query = (
            sa.select(schema.source_blob.c.body)
            .join(schema.source_file, schema.source_file.c.blob == schema.source_blob.c.blob)
            .join(schema.revision)
            .where(
                schema.revision.c.repo == repo,
                schema.revision.c.sha == revision,
                schema.source_file.c.path == path,
            )
        )
        with self._engine.connect() as connection:
            body = connection.scalar(query)
        return None if body is None else self._unpack("source", body).decode("utf-8")

    def entries(self) -> Iterator[IndexEntry]:
        """Yield one entry for each site and wording of every revision: what the search index is built from."""
        entry, revision = schema.entry, schema.revision
        query = (
            sa.select(entry, revision.c.repo, revision.c.package, revision.c.version)
            .join(revision)
            .order_by(revision.c.repo, revision.c.rank, entry.c.pk)
        )
        with self._rows(query, 5000) as rows:
            for row in rows:
                yield IndexEntry(
                    id=row.id,
                    repo=row.repo,
                    slug=row.slug,
                    package=row.package,
                    version=row.version,
                    path=row.path,
                    line=row.line,
                    end_line=row.end_line,
                    function=row.function,
                    error_class=row.error_class,
                    bases=tuple(row.bases.split()),
                    template=row.template,
                    error_code=row.error_code,
                    kind=row.kind,
                )

    def slugs(self, repo: str) -> Mapping[str, str]:
        """Return every slug that `repo` has given, with the id that holds it."""
        query = sa.select(schema.record.c.slug, schema.record.c.id).where(schema.record.c.repo == repo)
        with self._engine.connect() as connection:
            return {row.slug: row.id for row in connection.execute(query.distinct())}

    # --- writing -----------------------------------------------------------------

    def add(self, prepared: PreparedRevision) -> AddReport:
        """Write one analysed revision, whole or not at all; the same revision again replaces what was there.

        Raises:
            CatalogDamagedError: the disk is full, or the catalog cannot be written.
        """
        try:
            with self._engine.begin() as connection:
                report = insert_revision(connection, prepared)
                _rank_revisions(connection, prepared.tree.repo)
                self._show_proofs(connection, prepared.tree.repo)
                _advance(connection)
        except sa.exc.DBAPIError as error:
            raise schema.CatalogDamagedError(self.where, str(error.orig)) from error
        return report

    def add_proof(self, repo: str, record_id: str, proof: Proof) -> None:
        """Keep a proof; records whose function is the proved one show it from now on.

        Raises:
            CatalogDamagedError: the disk is full, or the catalog cannot be written.
        """
        try:
            with self._engine.begin() as connection:
                proofs.keep(connection, repo, record_id, proof)
                self._show_proofs(connection, repo, record_id)
                _advance(connection)
        except sa.exc.DBAPIError as error:
            raise schema.CatalogDamagedError(self.where, str(error.orig)) from error

    def drop_proof(self, repo: str, record_id: str) -> None:
        """Forget every proof of a record: one that no longer holds must not be shown."""
        with self._engine.begin() as connection:
            proofs.forget(connection, repo, record_id)
            self._show_proofs(connection, repo, record_id)
            _advance(connection)

    def proof(self, repo: str, record_id: str) -> Proof | None:
        """Return the proof that a record shows; None if it has none of its present code."""
        stored = self._one(schema.record.c.repo == repo, schema.record.c.id == record_id)
        return stored.evidence.proof if stored else None

    def _show_proofs(self, connection: sa.Connection, repo: str, only: str | None = None) -> None:
        """Bring the records of a repository, or one of them, in line with its proofs."""
        rows = connection.execute(sa.select(schema.dictionary.c.kind, schema.dictionary.c.body)).all()
        evidences, records, sources = (
            BlobCodec([row.body for row in rows if row.kind == kind])
            for kind in ("evidence", "record", "source")
        )

        def source(revision: int, path: str) -> str | None:
            query = (
                sa.select(schema.source_blob.c.body)
                .join(schema.source_file, schema.source_file.c.blob == schema.source_blob.c.blob)
                .where(schema.source_file.c.revision == revision, schema.source_file.c.path == path)
            )
            body = connection.scalar(query)
            return None if body is None else sources.unpack(body).decode("utf-8")

        proofs.show(connection, repo, evidences, records, source, only=only)
        assistance.show(connection, repo, None if only is None else [only])

    @property
    def assists(self) -> assistance.Assists:
        """What models said of the records, what it cost, and what of it is shown."""
        return assistance.Assists(self._engine, self.where, _advance)

    def dictionaries(self) -> dict[str, bytes]:
        """Return the compression dictionary to write with, by kind of body."""
        table = schema.dictionary
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(table.c.kind, table.c.body).order_by(table.c.id))
            return {row.kind: row.body for row in rows}

    def _unpack(self, kind: str, blob: bytes) -> bytes:
        codec = self._codecs.get(kind)
        if codec is None or not codec.reads(blob):  # another process may have added a dictionary
            query = sa.select(schema.dictionary.c.body).where(schema.dictionary.c.kind == kind)
            with self._engine.connect() as connection:
                codec = self._codecs[kind] = BlobCodec(list(connection.scalars(query)))
        return codec.unpack(blob)


def _summaries() -> sa.Select[Any]:
    return sa.select(*_SUMMARY_COLUMNS).join(schema.revision).where(schema.revision.c.rank == 0)


def _summary(row: sa.Row[Any]) -> Summary:
    fields = dict(zip(Summary.__struct_fields__, row, strict=True))
    return Summary(**{**fields, "tags": fields["tags"].split()})


def _repo_row(row: sa.Row[Any]) -> RepoRow:
    return RepoRow(
        repo=row.repo,
        description=row.description,
        language="Python",
        stars=0,
        source_files=row.file_count,
        default_branch="",
        analyzed_sha=row.sha,
        analyzed_at=row.analyzed_at,
        error_count=row.record_count,
    )


def _dataset_version(connection: sa.Connection) -> str:
    query = sa.select(schema.meta.c.value).where(schema.meta.c.key == "dataset_version")
    return connection.scalar(query) or EPOCH


def _advance(connection: sa.Connection) -> None:
    """Set the dataset's version to now, or a millisecond past the last one if the clock stands behind it."""
    last = datetime.fromisoformat(_dataset_version(connection))
    moment = max(datetime.now(UTC), last + timedelta(milliseconds=1))
    value = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    connection.execute(sa.delete(schema.meta).where(schema.meta.c.key == "dataset_version"))
    connection.execute(sa.insert(schema.meta).values(key="dataset_version", value=value))


def _rank_revisions(connection: sa.Connection, repo: str) -> None:
    table = schema.revision
    rows = connection.execute(sa.select(table).where(table.c.repo == repo)).all()
    ordered = sorted(
        rows, key=lambda row: (_version_key(row.version), row.analyzed_at, row.sha), reverse=True
    )
    for rank, row in enumerate(ordered):
        connection.execute(sa.update(table).where(table.c.pk == row.pk).values(rank=rank))


def _version_key(version: str | None) -> tuple[int, Version | str]:
    """Sort releases by PEP 440 above versions of other schemes, those above none."""
    if version is None:
        return (0, "")
    try:
        return (2, Version(version))
    except InvalidVersion:
        return (1, version)
