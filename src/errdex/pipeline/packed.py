"""A tree's throw sites as bytes: what many sites share is written once, so that an unchanged tree reads fast."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

import msgspec

from errdex.model.site import (
    CallableFacts,
    Condition,
    EntryPoint,
    Helper,
    MessageTemplate,
    RaisingTest,
    SiteKind,
    ThrowSite,
)
from errdex.model.source import Skipped

T = TypeVar("T")


class _Row(msgspec.Struct, array_like=True):
    """One site; what others share is an index into a table."""

    kind: SiteKind
    path: str
    line: int
    end_line: int
    column: int
    statement: str
    callable: int
    error_class: str | None
    class_written: str | None
    bases: int
    templates: tuple[MessageTemplate, ...]
    unresolved: str | None
    argument: str | None
    error_code: str | None
    http_status: int | None
    errno: str | None
    guard: int
    path_conditions: tuple[int, ...]
    parameters: tuple[str, ...]
    entry_points: int
    tests: tuple[RaisingTest, ...]
    helper: Helper | None
    caught: str | None
    is_reraise: bool


class Packed(msgspec.Struct, array_like=True):
    """Everything of one analysis but the tree itself."""

    rows: list[_Row]
    callables: list[CallableFacts]
    conditions: list[Condition]
    entry_points: list[tuple[EntryPoint, ...]]
    bases: list[tuple[str, ...]]
    skipped: tuple[Skipped, ...]
    files_read: int
    files_parsed: int


class _Table(Generic[T]):
    """Values in order of first use; equal ones share an index."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self._by_identity: dict[int, int] = {}
        self._by_value: dict[Hashable, int] = {}

    def index(self, value: T) -> int:
        found = self._by_identity.get(id(value))
        if found is None:
            found = self._by_value.setdefault(msgspec.msgpack.encode(value), len(self.values))
            if found == len(self.values):
                self.values.append(value)
            self._by_identity[id(value)] = found
        return found


_decoder = msgspec.msgpack.Decoder(Packed)


def pack(
    sites: tuple[ThrowSite, ...], skipped: tuple[Skipped, ...], files_read: int, files_parsed: int
) -> bytes:
    """Return an analysis as bytes."""
    callables: _Table[CallableFacts] = _Table()
    conditions: _Table[Condition] = _Table()
    entries: _Table[tuple[EntryPoint, ...]] = _Table()
    bases: _Table[tuple[str, ...]] = _Table()
    rows = [
        _Row(
            site.kind,
            site.path,
            site.line,
            site.end_line,
            site.column,
            site.statement,
            callables.index(site.callable),
            site.error_class,
            site.class_written,
            bases.index(site.bases),
            site.templates,
            site.unresolved,
            site.argument,
            site.error_code,
            site.http_status,
            site.errno,
            conditions.index(site.guard) if site.guard is not None else -1,
            tuple(conditions.index(one) for one in site.path_conditions),
            site.parameters,
            entries.index(site.entry_points),
            site.tests,
            site.helper,
            site.caught,
            site.is_reraise,
        )
        for site in sites
    ]
    packed = Packed(
        rows,
        callables.values,
        conditions.values,
        entries.values,
        bases.values,
        skipped,
        files_read,
        files_parsed,
    )
    return msgspec.msgpack.encode(packed)


def unpack(data: bytes) -> tuple[tuple[ThrowSite, ...], tuple[Skipped, ...], int, int]:
    """Return what `pack` was given."""
    packed = _decoder.decode(data)
    callables, conditions, entries, bases = (
        packed.callables,
        packed.conditions,
        packed.entry_points,
        packed.bases,
    )
    sites = tuple(
        ThrowSite(
            kind=row.kind,
            path=row.path,
            line=row.line,
            end_line=row.end_line,
            column=row.column,
            statement=row.statement,
            callable=callables[row.callable],
            error_class=row.error_class,
            class_written=row.class_written,
            bases=bases[row.bases],
            templates=row.templates,
            unresolved=row.unresolved,
            argument=row.argument,
            error_code=row.error_code,
            http_status=row.http_status,
            errno=row.errno,
            guard=conditions[row.guard] if row.guard >= 0 else None,
            path_conditions=tuple([conditions[index] for index in row.path_conditions]),
            parameters=row.parameters,
            entry_points=entries[row.entry_points],
            tests=row.tests,
            helper=row.helper,
            caught=row.caught,
            is_reraise=row.is_reraise,
        )
        for row in packed.rows
    )
    return sites, packed.skipped, packed.files_read, packed.files_parsed
