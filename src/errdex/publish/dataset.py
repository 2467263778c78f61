"""The dataset of the contract: manifest, index, repository rows, each repository's records.

Beside the contract's files stand, for each repository, the evidence of its records
(`/data/evidence/{owner}/{name}.jsonl.gz`, one `{"id", "evidence"}` to a line) and what became of
records that its newest revision lacks (`/data/lineage/{owner}/{name}.json`).

Bytes depend on the records, their version and the site's address alone; a manifest's hashes cover
the bytes as written. Files stream to disk: nothing holds a whole catalog.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from errdex.catalog import Catalog, RepoRow, StoredRecord
from errdex.model.record import Record
from errdex.publish.lineage import Lineage
from errdex.publish.links import Site
from errdex.publish.wire import encode, header, index_row, lineage_row, published, repo_rows

_GZIP_LEVEL = 6
_CHUNK_BYTES = 1 << 20


class Listed(msgspec.Struct, frozen=True):
    """One file of a dataset, as its manifest names it."""

    path: str
    """From the site's top, with its first slash."""
    bytes: int
    sha256: str


def data_path(repo: str) -> str:
    """Return where a repository's records stand, from the site's top."""
    return f"/data/repos/{repo}.json"


def evidence_path(repo: str) -> str:
    """Return where the evidence of a repository's records stands."""
    return f"/data/evidence/{repo}.jsonl.gz"


def lineage_path(repo: str) -> str:
    """Return where it stands what became of a repository's former records."""
    return f"/data/lineage/{repo}.json"


PER_REPO = {"repoFiles": data_path, "evidenceFiles": evidence_path, "lineageFiles": lineage_path}
"""The manifest's lists of files, one per repository."""


def write_index(catalog: Catalog, root: Path, version: str) -> tuple[dict[str, Any], int]:
    """Write `/data/index.json` and its gzipped twin below `root`.

    Returns:
        The manifest's entries of both, and how many errors they list.
    """
    count = 0

    def rows() -> Iterator[bytes]:
        nonlocal count
        for record in catalog.bare_records():
            count += 1
            yield encode(index_row(record))

    opening = encode(header(version))[:-1] + b',"errors":['
    plain = write_array(root, "/data/index.json", rows(), opening, b"]}\n")
    packed = pack(root, "/data/index.json")
    files = {"index": _entry(plain), "indexGz": {**_entry(packed), "encoding": "gzip"}}
    return files, count


def write_repos(rows: Iterable[RepoRow], root: Path) -> Listed:
    """Write `/data/repos.json`: a bare array, as the contract's public client reads it."""
    return write_array(root, "/data/repos.json", (encode(row) for row in repo_rows(rows)))


def write_records(records: Iterable[Record], repo: str, root: Path, site: Site) -> Listed:
    """Write one repository's records: a bare array of 31-key objects."""
    return write_array(root, data_path(repo), (encode(published(record, site)) for record in records))


def write_evidence(stored: Iterable[StoredRecord], repo: str, root: Path) -> Listed:
    """Write the evidence of one repository's records, in their order."""
    rows = (encode({"id": one.record.id, "evidence": one.evidence}) + b"\n" for one in stored)
    return write_packed(root, evidence_path(repo), rows)


def write_lineage(lineage: Lineage, repo: str, root: Path) -> Listed:
    """Write what became of the records that a repository's newest revision lacks, by id."""
    rows = (encode(lineage_row(summary, fate)) for summary, fate in lineage.former())
    return write_array(root, lineage_path(repo), rows)


def write_manifest(
    root: Path,
    version: str,
    files: dict[str, Any],
    counts: dict[str, int],
    per_repo: Mapping[str, Mapping[str, Listed | None]],
) -> Listed:
    """Write `/data/manifest.json`.

    Args:
        root: The site's top.
        version: Of the dataset.
        files: The contract's entries.
        counts: Of repositories and errors.
        per_repo: By the names of `PER_REPO` and repository; None where size and hash are not known yet.
    """
    lists = {
        name: {
            repo: {"path": PER_REPO[name](repo)} if one is None else _entry(one)
            for repo, one in listed.items()
        }
        for name, listed in per_repo.items()
    }
    content = {**header(version), "counts": counts, "files": files, **lists}
    return write_file(root, "/data/manifest.json", [encode(content), b"\n"])


def write_array(
    root: Path, path: str, items: Iterable[bytes], opening: bytes = b"[", closing: bytes = b"]\n"
) -> Listed:
    """Write encoded `items` as one JSON array, one to a line, between `opening` and `closing`."""

    def pieces() -> Iterator[bytes]:
        yield opening
        separator = b"\n"
        for item in items:
            yield separator + item
            separator = b",\n"
        yield b"\n" + closing

    return write_file(root, path, pieces())


def write_file(root: Path, path: str, pieces: Iterable[bytes]) -> Listed:
    """Write `pieces` to `path` below `root`; return its size and hash."""
    target = root / path.removeprefix("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as opened:
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            opened.write(piece)
    return Listed(path, size, digest.hexdigest())


def entry_of(root: Path, path: str) -> Listed:
    """Return size and hash of a file that is there already."""
    digest, size = hashlib.sha256(), 0
    for piece in _chunks(root / path.removeprefix("/")):
        digest.update(piece)
        size += len(piece)
    return Listed(path, size, digest.hexdigest())


def pack(root: Path, path: str) -> Listed:
    """Write the gzipped twin of a file beside it."""
    return write_packed(root, path + ".gz", _chunks(root / path.removeprefix("/")))


def write_packed(root: Path, path: str, pieces: Iterable[bytes]) -> Listed:
    """Write `pieces` gzipped: no name and no time in it, so the same input gives the same bytes."""
    target = root / path.removeprefix("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        target.open("wb") as opened,
        gzip.GzipFile(filename="", mode="wb", compresslevel=_GZIP_LEVEL, fileobj=opened, mtime=0) as packer,
    ):
        for piece in pieces:
            packer.write(piece)
    return entry_of(root, path)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as opened:
        while piece := opened.read(_CHUNK_BYTES):
            yield piece


def _entry(listed: Listed) -> dict[str, Any]:
    return {"path": listed.path, "bytes": listed.bytes, "sha256": listed.sha256}
