"""What reading a catalog yields."""

from __future__ import annotations

import msgspec

from errdex.model.explanation import ErrorType, Level, Severity
from errdex.model.record import Evidence, Record


class RepoRow(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One repository at its newest revision: the contract's row of `/api/repos`, then what we know beyond it."""

    repo: str
    description: str
    language: str
    stars: int
    source_files: int
    default_branch: str
    analyzed_sha: str
    analyzed_at: str
    error_count: int


class RevisionRow(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One analysed revision of a repository."""

    repo: str
    sha: str
    coordinate: str
    package: str
    version: str | None
    permalink: str | None
    analyzed_at: str
    file_count: int
    site_count: int
    record_count: int
    unresolved_count: int
    is_newest: bool


class Summary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A record as lists show it."""

    id: str
    repo: str
    slug: str
    error_code: str | None
    error_message: str
    error_class: str | None
    error_type: ErrorType
    severity: Severity
    file_path: str
    line_number: int
    background_tag: str | None
    level: Level
    tags: list[str]
    function: str


class FamilyRow(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A family, and how many errors in how many libraries it claims."""

    slug: str
    error_count: int
    repo_count: int


class StoredRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record and its evidence."""

    record: Record
    evidence: Evidence


class AddReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one `add` wrote."""

    repo: str
    sha: str
    records: int
    sites: int
    unresolved: int
    skipped: int
