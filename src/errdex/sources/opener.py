"""A coordinate, opened: the one door to every origin."""

# Each origin is imported when it is asked for: start-up time of `errdex explain` (no network, no git).
# ruff: noqa: PLC0415
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errdex.errors import FolderError, OriginNotReadError
from errdex.model.source import Coordinate, SourceTree

if TYPE_CHECKING:
    from errdex.sources.cache import Cache


def open_tree(coordinate: Coordinate, *, cache: Path | None = None) -> SourceTree:
    """Return the files of what `coordinate` names, at a pinned revision, readable below `root`.

    `cache` is where fetched code is kept: by default `ERRDEX_CACHE`, else the platform's cache
    folder. `env:` and folders are read where they are. Reads the network for `pypi:` and `git:`
    unless the pinned release is kept already. Never runs or builds what it reads.

    Raises:
        SourceError: One of its subclasses, by what went wrong; nothing half-written is left.
    """
    if coordinate.kind == "env":
        from errdex.sources.env import open_env

        return open_env(coordinate)
    if coordinate.kind == "npm":
        raise OriginNotReadError(str(coordinate), "npm")
    from errdex.sources.cache import Cache

    store = Cache(cache)
    if coordinate.kind == "pypi":
        from errdex.sources.pypi import open_pypi

        return open_pypi(coordinate, store)
    if coordinate.kind == "git":
        from errdex.sources.git import open_git

        return open_git(coordinate, store)
    return _open_path(coordinate, store)


def _open_path(coordinate: Coordinate, store: Cache) -> SourceTree:
    from errdex.sources.artifact import is_archive_name, open_archive
    from errdex.sources.local import open_local

    path = Path(coordinate.name)
    try:
        if path.is_file():
            if is_archive_name(path.name):
                return open_archive(coordinate, store)
            hint = f"Name the folder that holds it: {str(path.parent)!r}."
            raise FolderError(coordinate.name, "is a file, neither a folder nor an archive", hint)
        if not path.exists():
            raise FolderError(coordinate.name, "does not exist", "Check the path, or write `pypi:NAME`.")
        if not path.is_dir():
            raise FolderError(coordinate.name, "is no folder")
    except OSError as error:
        raise FolderError(
            coordinate.name, f"cannot be read: {(error.strerror or 'error').lower()}"
        ) from error
    return open_local(coordinate)
