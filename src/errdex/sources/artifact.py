"""A wheel or source archive on disk, as a tree: unpacked once, kept by the sha256 of its bytes."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from packaging.utils import (
    InvalidName,
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion

from errdex.errors import FolderError
from errdex.model.source import Coordinate, SourceTree
from errdex.sources.cache import Cache, Manifest
from errdex.sources.metadata import PackageFacts, read_metadata, read_pyproject
from errdex.sources.unpack import file_sha256, unpack

ARCHIVE_SUFFIXES = (".whl", ".tar.gz", ".tgz", ".tar.bz2", ".tbz", ".tar.xz", ".txz", ".tar", ".zip")


def is_archive_name(name: str) -> bool:
    """Say whether a file of this name claims to be a wheel or source archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def open_archive(coordinate: Coordinate, cache: Cache) -> SourceTree:
    """Return the tree of the archive file that a local coordinate names, as if an index had served it."""
    path = Path(coordinate.name)
    try:
        key = file_sha256(path)
    except OSError as error:
        raise FolderError(
            coordinate.name, f"cannot be read: {(error.strerror or 'error').lower()}"
        ) from error
    kept = cache.load(key) or unpack_into(cache, path, key)
    return tree_of(coordinate, *kept)


def unpack_into(
    cache: Cache, path: Path, key: str, *, named: PackageFacts | None = None
) -> tuple[Manifest, Path]:
    """Unpack the archive at `path`, whose sha256 is `key`, into the cache; return what it holds and where.

    `named` is the name and version the index has it under; else the file's own name and metadata say.
    """
    with cache.work() as work:
        files = work / "files"
        files.mkdir()
        unpacked = unpack(path, files, strip_top=path.suffix != ".whl")
        facts = _facts(files / unpacked.top if unpacked.top else files, path.name, named)
        manifest = Manifest(
            package=facts.name,
            version=facts.version or None,
            description=facts.description,
            revision=unpacked.revision,
            top=unpacked.top,
            files=unpacked.files,
            skipped=unpacked.skipped,
        )
        cache.keep(key, work, manifest)
    kept = cache.load(key)
    assert kept is not None
    return kept


def tree_of(coordinate: Coordinate, manifest: Manifest, root: Path) -> SourceTree:
    """Return the kept tree as `coordinate` asked for it."""
    is_local = coordinate.kind == "local"
    package = manifest.package if is_local else coordinate.name
    version = coordinate.version if is_local else manifest.version
    return SourceTree(
        coordinate=msgspec.structs.replace(coordinate, version=version),
        root=root,
        repo=coordinate.repo or f"pypi/{package}",
        package=package,
        version=manifest.version,
        revision=manifest.revision,
        permalink=None,
        description=manifest.description,
        files=manifest.files,
        skipped=manifest.skipped,
    )


def _facts(root: Path, filename: str, named: PackageFacts | None) -> PackageFacts:
    stated = next(
        (
            read_metadata(found)
            for found in (*sorted(root.glob("*.dist-info/METADATA")), root / "PKG-INFO")
            if found.is_file()
        ),
        None,
    ) or read_pyproject(root / "pyproject.toml")
    name, version = (named.name, named.version) if named else _from_filename(filename)
    try:
        package = str(canonicalize_name(name or stated.name, validate=True))
    except InvalidName:
        package = re.sub(r"[^a-z0-9]+", "-", filename.lower()).strip("-") or "unknown"
    return PackageFacts(name=package, version=version or stated.version, description=stated.description)


def _from_filename(filename: str) -> tuple[str, str]:
    """Return name and version as the file's name has them; empty for a name of another form."""
    try:
        if filename.endswith(".whl"):
            wheel = parse_wheel_filename(filename)
            return wheel[0], str(wheel[1])
        sdist = parse_sdist_filename(filename)
        return sdist[0], str(sdist[1])
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return "", ""
