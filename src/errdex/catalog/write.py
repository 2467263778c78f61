"""One analysed revision, made ready for the catalog and written in a single short transaction.

Everything slow (explaining, encoding, compressing) happens in `prepare`, before the
catalog is locked; what waits in memory is compressed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice
from typing import Any

import msgspec
import sqlalchemy as sa

from errdex.catalog import schema
from errdex.catalog.blobs import BlobCodec, train
from errdex.catalog.rows import AddReport
from errdex.model.record import Evidence, Record
from errdex.model.source import Skipped, SourceTree

_encode_record = msgspec.json.Encoder().encode
_encode_evidence = msgspec.msgpack.Encoder().encode
_TRAINING_RECORDS = 4000
_BATCH = 2000


class PreparedRevision(msgspec.Struct, kw_only=True):
    """A revision's rows, compressed, without the keys that the catalog gives."""

    tree: SourceTree
    analyzer: str
    analyzed_at: str
    skipped: tuple[Skipped, ...]
    site_count: int
    unresolved_count: int
    record_rows: list[dict[str, Any]]
    entry_rows: list[dict[str, Any]]
    source_rows: list[tuple[str, str, bytes]]
    """Path, blob hash and packed text of each file that holds a record."""
    dictionaries: dict[str, bytes]
    """By kind; those that this revision trained, or that the catalog held."""


def prepare(
    tree: SourceTree,
    described: Iterable[tuple[Record, Evidence]],
    *,
    skipped: Iterable[Skipped],
    analyzer: str,
    analyzed_at: datetime,
    dictionaries: dict[str, bytes],
) -> PreparedRevision:
    """Encode and compress everything that `Catalog.add` writes.

    Args:
        tree: What was analysed; its files that hold a record are kept whole.
        described: Records with evidence, in the order lists show them.
        skipped: Files that were not read.
        analyzer: Names the code that made the records; another one's records are replaced.
        analyzed_at: The time that the records carry.
        dictionaries: The catalog's, by kind; where one is missing it is trained here.
    """
    stream = iter(described)
    head = list(islice(stream, _TRAINING_RECORDS))
    known = dict(dictionaries)
    for kind, encode, member in (("record", _encode_record, 0), ("evidence", _encode_evidence, 1)):
        if kind not in known and (body := train([encode(pair[member]) for pair in head])):
            known[kind] = body
    codecs = {kind: BlobCodec([known[kind]] if kind in known else []) for kind in ("record", "evidence")}
    prepared = PreparedRevision(
        tree=tree,
        analyzer=analyzer,
        analyzed_at=analyzed_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        skipped=tuple({each.path: each for each in skipped}.values()),
        site_count=0,
        unresolved_count=0,
        record_rows=[],
        entry_rows=[],
        source_rows=[],
        dictionaries=known,
    )
    seen: set[tuple[str, int, int]] = set()
    for position, (record, evidence) in enumerate(chain(head, stream)):
        prepared.record_rows.append(
            {
                **_record_columns(record, evidence, position),
                "body": codecs["record"].pack(_encode_record(record)),
                "evidence": codecs["evidence"].pack(_encode_evidence(evidence)),
            }
        )
        prepared.entry_rows.extend(_entry_rows(record, evidence))
        for site in evidence.sites:
            place = (site.path, site.line, site.column)
            if place not in seen:
                seen.add(place)
                prepared.site_count += 1
                prepared.unresolved_count += not site.templates
    prepared.source_rows = list(_source_rows(tree, {path for path, _, _ in seen}))
    return prepared


def _record_columns(record: Record, evidence: Evidence, position: int) -> dict[str, Any]:
    columns = {
        name: getattr(record, name)
        for name in (
            "id", "repo", "slug", "error_code", "error_message", "error_class", "error_type", "severity",
            "file_path", "line_number", "background_tag",
        )
    }  # fmt: skip
    return {
        **columns,
        "position": position,
        "level": evidence.level,
        "tags": " ".join(record.tags),
        "function": evidence.sites[0].callable.name,
    }


def _entry_rows(record: Record, evidence: Evidence) -> Iterator[dict[str, Any]]:
    for site in evidence.sites:
        yield {
            "id": record.id,
            "slug": record.slug,
            "path": site.path,
            "line": site.line,
            "end_line": site.end_line,
            "function": site.callable.name,
            "error_class": site.known_class,
            "bases": " ".join(site.bases),
            "template": evidence.template,
            "error_code": site.error_code,
            "kind": site.kind,
        }


def _source_rows(tree: SourceTree, paths: set[str]) -> Iterator[tuple[str, str, bytes]]:
    codec = BlobCodec()
    for file in tree.files:
        if file.path in paths:
            text = (tree.root / file.path).read_bytes().decode("utf-8", "replace")
            yield file.path, file.blob, codec.pack(text.encode())


def insert_revision(connection: sa.Connection, prepared: PreparedRevision) -> AddReport:
    """Insert every row of `prepared`; what the same revision had before is removed first."""
    tree = prepared.tree
    table = schema.revision
    connection.execute(sa.delete(table).where(table.c.repo == tree.repo, table.c.sha == tree.revision))
    pk = connection.scalar(
        sa.insert(table)
        .values(
            repo=tree.repo,
            sha=tree.revision,
            coordinate=str(tree.coordinate),
            package=tree.package,
            version=tree.version,
            description=tree.description,
            permalink=tree.permalink,
            analyzer=prepared.analyzer,
            analyzed_at=prepared.analyzed_at,
            file_count=len(tree.files),
            site_count=prepared.site_count,
            record_count=len(prepared.record_rows),
            unresolved_count=prepared.unresolved_count,
            rank=0,
        )
        .returning(table.c.pk)
    )
    assert pk is not None
    _insert_dictionaries(connection, prepared.dictionaries)
    _insert(connection, schema.record, ({**row, "revision": pk} for row in prepared.record_rows))
    _insert(connection, schema.entry, ({**row, "revision": pk} for row in prepared.entry_rows))
    _insert(
        connection,
        schema.skipped,
        ({"revision": pk, "path": each.path, "reason": each.reason} for each in prepared.skipped),
    )
    _insert_sources(connection, pk, prepared.source_rows)
    return AddReport(
        repo=tree.repo,
        sha=tree.revision,
        records=len(prepared.record_rows),
        sites=prepared.site_count,
        unresolved=prepared.unresolved_count,
        skipped=len(prepared.skipped),
    )


def _insert_dictionaries(connection: sa.Connection, dictionaries: dict[str, bytes]) -> None:
    """Keep every dictionary that a blob was made with: two processes may have trained one each."""
    held = set(connection.scalars(sa.select(schema.dictionary.c.id)))
    rows = [
        {"id": hashlib.sha256(body).hexdigest(), "kind": kind, "body": body}
        for kind, body in dictionaries.items()
    ]
    _insert(connection, schema.dictionary, (row for row in rows if row["id"] not in held))


def _insert_sources(connection: sa.Connection, pk: int, rows: list[tuple[str, str, bytes]]) -> None:
    blobs = {blob: body for _, blob, body in rows}
    present: set[str] = set()
    names = iter(blobs)
    while batch := list(islice(names, 500)):  # under every database's limit on bound parameters
        query = sa.select(schema.source_blob.c.blob).where(schema.source_blob.c.blob.in_(batch))
        present.update(connection.scalars(query))
    new = ({"blob": blob, "body": body} for blob, body in blobs.items() if blob not in present)
    _insert(connection, schema.source_blob, new)
    _insert(
        connection,
        schema.source_file,
        ({"revision": pk, "path": path, "blob": blob} for path, blob, _ in rows),
    )


def _insert(connection: sa.Connection, table: sa.Table, rows: Iterable[dict[str, Any]]) -> None:
    stream = iter(rows)
    while batch := list(islice(stream, _BATCH)):
        connection.execute(sa.insert(table), batch)
