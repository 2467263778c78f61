"""Records that someone else published: checked against the contract, with their evidence or the little that they imply."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping

import msgspec

from errdex.model.record import SCHEMA_VERSION, Evidence, Record
from errdex.model.site import CallableFacts, Hole, MessageTemplate, ThrowSite
from errdex.publish.shards import pieces_of

_ID = re.compile(r"[0-9a-f]{16}")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SHA = re.compile(r"[0-9a-f]{40}")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class _StrictRecord(Record, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A record that has the contract's keys and no others."""


class _Row(msgspec.Struct, frozen=True):
    id: str
    evidence: Evidence


_read_row = msgspec.json.Decoder(_Row).decode
_MAX_ROW_BYTES = 8_000_000
_MAX_EVIDENCE_BYTES = 4_000_000_000
"""A million records' worth; beyond it a small file that unpacks without end is cut."""
_read_records = msgspec.json.Decoder(list[_StrictRecord]).decode


def read_records(content: bytes, repo: str) -> list[Record]:
    """Return the records of one repository's file.

    Raises:
        ValueError: it is no array of the contract's records, or one breaks its rules.
    """
    try:
        records = _read_records(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error
    for record in records:
        if problem := _problem(record, repo):
            raise ValueError(f"record {record.id[:16]!r}: {problem}")
    return [Record(**{name: getattr(one, name) for name in Record.__struct_fields__}) for one in records]


def _problem(record: Record, repo: str) -> str | None:
    """Return which rule of the contract a record breaks; None if none."""
    rules = {
        f"its repo is not {repo}": record.repo == repo,
        "its id is not 16 hex digits": _ID.fullmatch(record.id),
        "its slug is not one": _SLUG.fullmatch(record.slug),
        "its message is empty": record.error_message,
        "its pattern is too long": len(record.message_pattern) <= 500,
        "its lines are out of order": 1
        <= record.source_code_start
        <= record.line_number
        <= record.source_code_end,
        "its revision is not 40 hex digits": _SHA.fullmatch(record.analyzed_sha),
        "its schema is another": record.schema_version == SCHEMA_VERSION,
        "its family is no slug": record.background_tag is None or _KEBAB.fullmatch(record.background_tag),
        "its source is no web address": record.github_url.startswith(("https://", "http://", "/source/")),
    }
    return next((words for words, holds in rules.items() if not holds), None)


def read_evidence(packed: bytes, records: Mapping[str, Record], url: str) -> dict[str, Evidence]:
    """Return the evidence of `records` that a dataset's file holds, by id, marked as taken from `url`.

    A line that is no evidence of ours, or speaks of another place than its record, is left out: the
    records stand without it, and another errdex may know more kinds of evidence than this one.
    """
    found: dict[str, Evidence] = {}
    for line in _lines(packed) if packed else ():
        try:
            row = _read_row(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        record, sites = records.get(row.id), row.evidence.sites
        if (
            record is not None
            and sites
            and (sites[0].path, sites[0].line)
            == (
                record.file_path,
                record.line_number,
            )
        ):
            first = row.evidence.taken_from or ""  # a dataset may pass on what it took over itself
            is_address = first.startswith(("https://", "http://"))
            found[row.id] = msgspec.structs.replace(row.evidence, taken_from=first if is_address else url)
    return found


def _lines(packed: bytes) -> Iterator[bytes]:
    """Yield the lines of a gzipped file, as far as it can be read and stays within its bounds."""
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as opened:
            while line := opened.readline(_MAX_ROW_BYTES):
                size += len(line)
                if size > _MAX_EVIDENCE_BYTES:
                    return
                yield line
    except (OSError, EOFError, zlib.error):
        return


def evidence_of(record: Record, url: str) -> Evidence:
    """Return what a record alone implies: one site at its line, its wording with unnamed holes, no provenance."""
    template = _template(record)
    site = ThrowSite(
        kind="raise",
        path=record.file_path,
        line=record.line_number,
        end_line=record.line_number,
        column=0,
        statement="",
        callable=CallableFacts(
            name="<module>",
            module="",
            path=record.file_path,
            line=1,
            end_line=record.line_number,
            kind="module",
        ),
        error_class=record.error_class,
        class_written=record.error_class,
        templates=(template,) if template is not None else (),
        error_code=record.error_code,
        http_status=record.http_status,
    )
    return Evidence(
        coordinate=url,
        taken_from=url,
        package=record.repo.rpartition("/")[2],
        version=None,
        level="inferred",
        template=template.text if template is not None else None,
        sites=(site,),
        sentences={},
    )


def _template(record: Record) -> MessageTemplate | None:
    pieces = record.message_pattern.split("(.+?)")
    if not pieces_of(record.message_pattern):
        return None
    parts: list[str | Hole] = []
    for number, piece in enumerate(pieces):
        if number:
            parts.append(Hole(expression=f"value {number}", written=""))
        if literal := re.sub(r"\\(.)", r"\1", piece, flags=re.DOTALL):
            parts.append(literal)
    return MessageTemplate(parts=tuple(parts), written=record.error_message, form="mixed", origin="inline")
