"""What became of an error that its library's newest analysed revision does not have.

Its successor is the one error of the newest revision that stands in the same function (by qualified
name), has the same class and is raised under the same guard: reworded, or moved with its file. Two
such errors are no answer; then it counts as removed.
"""

from __future__ import annotations

import msgspec

from errdex.catalog import Catalog, RevisionRow, StoredRecord, Summary
from errdex.model.record import Record

_PAGE = 5_000


class Moved(msgspec.Struct, frozen=True):
    """The error lives on under another id."""

    successor: str


class Gone(msgspec.Struct, frozen=True):
    """The error is no longer raised."""

    record: Record
    last_seen: str
    """Package and version that had it last."""
    left_in: str
    """Package and version that no longer has it: the first analysed after that."""


def lineage(catalog: Catalog, record_id: str) -> Moved | Gone | None:
    """Return what became of a record; None for an id that no revision ever had."""
    stored = catalog.record(record_id)
    if stored is None:
        return None
    revisions = catalog.revisions(stored.record.repo)
    place = next((at for at, row in enumerate(revisions) if row.sha == stored.record.analyzed_sha), 0)
    if place == 0:
        return None
    successor = _successor(catalog, stored)
    if successor is not None:
        return Moved(successor)
    return Gone(stored.record, _release(revisions[place]), _release(revisions[place - 1]))


def _successor(catalog: Catalog, stored: StoredRecord) -> str | None:
    old = stored.evidence.sites[0] if stored.evidence.sites else None
    if old is None:
        return None
    guard = old.guard.text if old.guard else None
    found = []
    for row in _same_place(catalog, stored, old.callable.name):
        candidate = catalog.record(row.id)
        sites = candidate.evidence.sites if candidate else ()
        if any((site.guard.text if site.guard else None) == guard for site in sites):
            found.append(row.id)
    return found[0] if len(found) == 1 else None


def _same_place(catalog: Catalog, stored: StoredRecord, function: str) -> list[Summary]:
    """Return the newest revision's errors of the same function and class."""
    record = stored.record
    rows: list[Summary] = []
    offset = 0
    while page := catalog.summaries(record.repo, offset=offset, limit=_PAGE):
        rows += (row for row in page if row.function == function and row.error_class == record.error_class)
        offset += _PAGE
    return [row for row in rows if row.id != record.id]


def _release(row: RevisionRow) -> str:
    return f"{row.package} {row.version or row.sha[:10]}"
