"""`pypi:NAME[==VERSION]`: a release of a package index, downloaded once, unpacked, never built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from errdex.errors import IndexUnreachableError, PackageNotFoundError, VersionNotFoundError
from errdex.model.source import Coordinate, SourceTree
from errdex.sources.artifact import tree_of, unpack_into
from errdex.sources.cache import Cache, Manifest
from errdex.sources.candidates import (
    LARGE_BYTES,
    Candidate,
    alternatives,
    choose_version,
    constraint_for,
    in_order,
    near_versions,
)
from errdex.sources.metadata import PackageFacts
from errdex.sources.pip_config import fingerprint, read_pip_config

if TYPE_CHECKING:
    from errdex.sources.index import Index


def open_pypi(coordinate: Coordinate, cache: Cache) -> SourceTree:
    """Return the tree of a release; a pinned one that is kept asks nobody.

    Raises:
        PackageNotFoundError: No configured index has the package.
        VersionNotFoundError: They have it, but not that version.
        IndexUnreachableError: An index that may have it did not answer.
        ArchiveDamagedError, ArchiveRefusedError, ArtifactHashError: The file is not what it should be.
        CacheUnusableError: There is no room to unpack it, or no permission.
    """
    found = _open(coordinate, cache, archives_only=False)
    assert found is not None
    return found


def open_source_archive(coordinate: Coordinate, *, cache: Path | None = None) -> SourceTree | None:
    """Return the source archive of a release, where the library's own tests are; None where there is none.

    Takes the coordinate of the release's tree (`pypi:NAME==VERSION`). Raises as `open_tree` does.
    """
    return _open(coordinate, Cache(cache), archives_only=True)


def _open(coordinate: Coordinate, cache: Cache, *, archives_only: bool) -> SourceTree | None:
    seal = fingerprint()
    shelf = coordinate.name + ("~source" if archives_only else "")  # no package's name holds `~`
    if coordinate.version is not None:
        key = cache.release(shelf, coordinate.version, seal)
        kept = cache.load(key) if key else None
        if kept is not None:
            return tree_of(coordinate, *kept)
    from errdex.sources.index import Index  # noqa: PLC0415  # start-up time: 0.1 s for an HTTP client

    index = Index(read_pip_config())
    try:
        ordered = _files_to_read(index, coordinate, cache)
        if archives_only:
            ordered = [candidate for candidate in ordered if not candidate.is_wheel]
        if not ordered:
            return None
        chosen = _lighter(index, ordered)
        key, kept = _bring(index, cache, chosen, coordinate.name)
    finally:
        index.close()
    for asked in {str(chosen.version), coordinate.version or str(chosen.version)}:
        cache.remember_release(shelf, asked, seal, key)
    return tree_of(coordinate, *kept)


def _files_to_read(index: Index, coordinate: Coordinate, cache: Cache) -> list[Candidate]:
    """Return the files of the release to read, the likeliest first; never empty."""
    name = coordinate.name
    offered = index.offered(name)
    allowed = SpecifierSet()
    if coordinate.version is None:
        allowed = constraint_for(name, index.constraint_lines())
    version = choose_version(offered, coordinate.version, pre=index.config.pre, allowed=allowed)
    if version is not None:
        return in_order(candidate for candidate in offered if candidate.version == version)
    if index.failures:
        where, reason = index.failures[0]
        kept = tuple(f"pypi:{name}=={known}" for known in cache.releases_of(name)[-5:])
        raise IndexUnreachableError(where, reason, kept)
    if not offered:
        raise PackageNotFoundError(name, index.asked())
    wanted = coordinate.version or str(allowed)
    near = near_versions(coordinate.version, (c.version for c in offered)) if coordinate.version else ()
    raise VersionNotFoundError(name, wanted, near)


def _lighter(index: Index, ordered: list[Candidate]) -> Candidate:
    """Return the first file, or where that is a large platform wheel, the smallest wheel of the release."""
    first = ordered[0]
    if not first.is_wheel or first.is_pure:
        return first
    size = index.size_bytes(first)
    if size is None or size <= LARGE_BYTES:
        return first
    sized = [(index.size_bytes(other) or size, other) for other in alternatives(ordered)]
    return min(sized, key=lambda pair: pair[0])[1]


def _bring(index: Index, cache: Cache, chosen: Candidate, name: str) -> tuple[str, tuple[Manifest, Path]]:
    """Return the chosen file's key and tree, from the cache where its promised sha256 is kept."""
    promised = chosen.hashes.get("sha256")
    kept = cache.load(promised) if promised else None
    if promised and kept:
        return promised, kept
    cache.sweep()
    with cache.work() as work:
        path, key = index.fetch(chosen, work)
        named = PackageFacts(name=name, version=str(chosen.version))
        return key, cache.load(key) or unpack_into(cache, path, key, named=named)
