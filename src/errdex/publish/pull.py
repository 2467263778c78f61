"""`errdex pull URL`: someone else's dataset of this contract, read into a catalog.

Each repository is written whole in one transaction and remembered with the hashes of its files, so a
run that was killed, or met a bad file, leaves the rest as it was, and the next one fetches only
what is missing or changed. Evidence is taken over where the dataset has it (the contract asks for
none); it stays marked with the address it was taken from.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import msgspec

from errdex.catalog import Catalog
from errdex.catalog.write import prepare
from errdex.model.record import SCHEMA_VERSION, Evidence, Record
from errdex.model.source import Coordinate, SourceTree
from errdex.publish.download import DatasetCorruptError, DatasetUnreachableError, fetch
from errdex.publish.foreign import evidence_of, read_evidence, read_records

_REPO = re.compile(r"(?!\.+/)[^/\s]+/(?!\.+$)[^/\s]+")
_MANIFEST_BYTES = 100_000_000


class _File(msgspec.Struct, frozen=True):
    path: str
    sha256: str | None = None


class _Manifest(msgspec.Struct, frozen=True, rename="camel"):
    schema_version: int
    dataset_version: str
    files: dict[str, _File]
    repo_files: dict[str, _File] = {}
    evidence_files: dict[str, _File] = {}


class _Repo(msgspec.Struct, frozen=True, rename="camel"):
    repo: str
    description: str | None = None


class _Taken(msgspec.Struct, frozen=True):
    errors: int
    bare: int


class Refused(msgspec.Struct, frozen=True):
    """A repository that was not taken over, and why."""

    repo: str
    reason: str


class Pulled(msgspec.Struct, frozen=True, kw_only=True):
    """What one pull did."""

    url: str
    dataset_version: str
    repos: int
    """Repositories written."""
    unchanged: int
    errors: int
    """Records written."""
    bare: int
    """Of these, records that the dataset has no evidence for, or none that can be read."""
    refused: tuple[Refused, ...] = ()


def pull(url: str, catalog: Catalog, *, progress: Callable[[str, int, int], None] | None = None) -> Pulled:
    """Read the dataset published at `url` into `catalog`.

    Raises:
        DatasetUnreachableError: the manifest or the list of repositories cannot be fetched.
        DatasetCorruptError: one of these two is not of the contract.
    """
    base = url.rstrip("/")
    manifest = _manifest(base)
    rows = _repos(base, manifest)
    taken, unchanged, refused = [], 0, []
    for done, row in enumerate(rows):
        if progress is not None:
            progress(row.repo, done, len(rows))
        try:
            done_repo = _pull_repo(base, manifest, row, catalog)
        except (DatasetUnreachableError, DatasetCorruptError) as error:
            refused.append(Refused(row.repo, error.problem))
        else:
            unchanged += done_repo is None
            taken += [done_repo] if done_repo is not None else []
    return Pulled(
        url=base,
        dataset_version=manifest.dataset_version,
        repos=len(taken),
        unchanged=unchanged,
        errors=sum(one.errors for one in taken),
        bare=sum(one.bare for one in taken),
        refused=tuple(refused),
    )


def dataset_version(url: str) -> str:
    """Return the version of the dataset published at `url` now."""
    return _manifest(url.rstrip("/")).dataset_version


def _manifest(base: str) -> _Manifest:
    url = f"{base}/data/manifest.json"
    try:
        manifest = msgspec.json.decode(fetch(url, most=_MANIFEST_BYTES), type=_Manifest)
        datetime.fromisoformat(manifest.dataset_version)
    except (msgspec.DecodeError, ValueError) as error:
        raise DatasetCorruptError(url, str(error)) from error
    if manifest.schema_version != SCHEMA_VERSION:
        raise DatasetCorruptError(url, f"its schema is {manifest.schema_version}, not {SCHEMA_VERSION}")
    return manifest


def _repos(base: str, manifest: _Manifest) -> list[_Repo]:
    listed = manifest.files.get("repos")
    url = base + (listed.path if listed else "/data/repos.json")
    try:
        rows = msgspec.json.decode(fetch(url, sha256=listed.sha256 if listed else None), type=list[_Repo])
    except msgspec.DecodeError as error:
        raise DatasetCorruptError(url, str(error)) from error
    if bad := next((row.repo for row in rows if not _REPO.fullmatch(row.repo)), None):
        raise DatasetCorruptError(url, f"{bad[:80]!r} is no owner/name")
    return rows


def _pull_repo(base: str, manifest: _Manifest, row: _Repo, catalog: Catalog) -> _Taken | None:
    """Fetch and write one repository; None if the catalog has these very files."""
    files = (manifest.repo_files.get(row.repo), manifest.evidence_files.get(row.repo))
    hashes = [file.sha256 for file in files if file is not None and file.sha256 is not None]
    if files[0] is not None and files[0].sha256 is not None and _has(catalog, row.repo, hashes):
        return None
    url = base + (files[0].path if files[0] else f"/data/repos/{quote(row.repo)}.json")
    content = fetch(url, sha256=files[0].sha256 if files[0] else None)
    packed = fetch(base + files[1].path, sha256=files[1].sha256) if files[1] else b""
    hashes = [hashlib.sha256(part).hexdigest() for part in (content, packed) if part]
    if _has(catalog, row.repo, hashes):
        return None
    try:
        records = read_records(content, row.repo)
    except ValueError as error:
        raise DatasetCorruptError(url, str(error)[:300]) from error
    known = read_evidence(packed, {record.id: record for record in records}, base)
    if records:
        described = [(record, known.get(record.id) or evidence_of(record, base)) for record in records]
        _write(described, row, catalog, base, hashes)
    return _Taken(len(records), len(records) - len(known))


def _has(catalog: Catalog, repo: str, hashes: Sequence[str]) -> bool:
    return any(catalog.has(repo, one.sha, _analyzer(hashes)) for one in catalog.revisions(repo))


def _write(
    described: Sequence[tuple[Record, Evidence]],
    row: _Repo,
    catalog: Catalog,
    base: str,
    hashes: Sequence[str],
) -> None:
    first, evidence = described[0]
    tree = SourceTree(
        coordinate=Coordinate(kind="git", name=f"{base}/{row.repo}/", version=first.analyzed_sha),
        root=Path(),
        repo=row.repo,
        package=evidence.package,
        version=evidence.version,
        revision=first.analyzed_sha,
        permalink=_permalink(first),
        description=(row.description or "")[:400],
    )
    prepared = prepare(
        tree,
        described,
        skipped=(),
        analyzer=_analyzer(hashes),
        analyzed_at=datetime.fromisoformat(first.analyzed_at),
        dictionaries=catalog.dictionaries(),
    )
    catalog.add(prepared)


def _permalink(record: Record) -> str | None:
    """Return the pattern of the permalinks, worked out from one of them."""
    path, _, fragment = record.github_url.partition("#")
    for written in (record.file_path, quote(record.file_path)):
        if fragment and path.endswith(written):
            return f"{path.removesuffix(written)}{{path}}#L{{start}}-L{{end}}"
    return None


def _analyzer(hashes: Sequence[str]) -> str:
    """Return what stands for the files that a repository was read from."""
    return "pull/" + "+".join(hashes)
