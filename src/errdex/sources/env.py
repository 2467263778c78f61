"""`env:NAME`: what is installed in this interpreter, read where it lies."""

from __future__ import annotations

import difflib
import re
import sys
import sysconfig
from collections.abc import Collection
from pathlib import Path

from errdex.errors import NotInstalledError, VersionNotFoundError
from errdex.model.source import Coordinate, SourceTree
from errdex.sources.distributions import (
    SITE_FOLDERS,
    Installed,
    by_name,
    editable_owner,
    names,
    normal_name,
    owner_of,
    recorded_paths,
)
from errdex.sources.listing import PASSED_FOLDERS, Listing, walk

STDLIB = "python"
"""The name under which the standard library is opened: `env:python`."""
STDLIB_REPO = "python/cpython"
_STDLIB_PASSED = frozenset({*SITE_FOLDERS, "test", "idlelib", "lib2to3", "turtledemo", "ensurepip"})
"""Folders of it that no user's error comes from: its own tests, bundled programs, pip's wheels."""
_IN_SITE = re.compile(rf"(.*?(?:^|[\\/])(?:{'|'.join(SITE_FOLDERS)}))[\\/](.+)", re.DOTALL)
_IN_STDLIB = re.compile(
    r"(?:.*[\\/]lib[\\/]python3(?:\.\d+)?t?|[A-Za-z]:.*[\\/]lib)[\\/](.+)", re.DOTALL | re.IGNORECASE
)
"""`/usr/lib/python3.12/…`, and on Windows `C:\\Python312\\Lib\\…`; a project's own `lib/` is neither."""


def open_env(coordinate: Coordinate) -> SourceTree:
    """Return the tree of an installed distribution; an import name (`sklearn`) will do, `python` is the library.

    Raises:
        NotInstalledError: This interpreter has no such distribution.
        VersionNotFoundError: It has another version than the one asked for.
    """
    if coordinate.name == STDLIB:
        return _stdlib_tree(None)
    found = by_name(coordinate.name)
    if found is None:
        near = difflib.get_close_matches(coordinate.name, names(), n=3, cutoff=0.7)
        raise NotInstalledError(coordinate.name, sys.executable or "this interpreter", tuple(near))
    if coordinate.version is not None and not _same_version(coordinate.version, found.version):
        raise VersionNotFoundError(found.name, coordinate.version, (found.version,) if found.version else ())
    return _tree(found, repo=coordinate.repo, only=None)


def installed_tree(where: str | Path, *, only: Collection[str] | None = None) -> SourceTree | None:
    """Return the tree of the installed distribution that owns a file, or None when none does.

    `where` is a file's path as a traceback writes it, or an import name. A path inside an existing
    site-packages folder is read there; one from another machine is looked up, by its part behind
    `site-packages`, in this interpreter, whose version may differ. A file of the standard library
    gives `env:python`, its paths relative to `Lib/`. With `only` (paths below the root), just those
    files are listed and hashed: `revision` is then the hash of these alone.
    """
    text = str(where)
    if not re.search(r"[\\/]|\.pyi?$", text):
        found = by_name(text)
        return None if found is None else _tree(found, repo=None, only=only)
    found = _owner(text)
    if found is not None:
        return _tree(found, repo=None, only=only)
    if _in_stdlib(text) is not None:
        return _stdlib_tree(only)
    return None


def path_in_tree(where: str | Path, tree: SourceTree) -> str | None:
    """Return which file of `tree` a path in a traceback means, None when it is none of them.

    Several distributions share one site-packages folder: only what the tree lists is its own.
    """
    text = str(where)
    inside = _IN_SITE.fullmatch(text)
    candidates = [inside[2].replace("\\", "/")] if inside else []
    absolute = Path(text)
    if absolute.is_absolute() and absolute.exists():
        resolved = absolute.resolve()
        if resolved.is_relative_to(tree.root):
            candidates.insert(0, resolved.relative_to(tree.root).as_posix())
    elif not inside and tree.package == STDLIB and (behind := _IN_STDLIB.fullmatch(text)):
        candidates.append(behind[1].replace("\\", "/"))
    return next((file.path for file in tree.files if file.path in candidates), None)


def _owner(text: str) -> Installed | None:
    inside = _IN_SITE.fullmatch(text)
    if inside is None:
        path = Path(text)
        return editable_owner(path.resolve()) if path.is_absolute() and path.exists() else None
    relative = inside[2].replace("\\", "/")
    if ".." in relative.split("/"):
        return None
    for site in dict.fromkeys([Path(inside[1]), *_own_sites()]):
        if site.is_absolute() and (site / relative).is_file():
            return owner_of(site, relative) or _unowned(site, relative)
    return None


def _own_sites() -> list[Path]:
    sites = [Path(entry) for entry in sys.path if Path(entry).name in SITE_FOLDERS]
    return [*sites, Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))]


def _unowned(site: Path, relative: str) -> Installed:
    """Return a stand-in for a module that lies in site-packages without a distribution."""
    top = relative.partition("/")[0]
    name = normal_name(top.removesuffix(".py"))
    return Installed(name=name, version=None, description="", root=site.resolve(), tops=(top,))


def _tree(found: Installed, *, repo: str | None, only: Collection[str] | None) -> SourceTree:
    listing = Listing(found.root)
    if only is not None:
        listing.add(only, follow_links=True)
    elif found.record is not None:
        listing.add(recorded_paths(found.record), follow_links=True)
    else:
        for top in found.tops:
            listing.add([top] if (found.root / top).is_file() else walk(listing, top))
    return _seen(listing, found.name, found.version, found.description, repo or f"pypi/{found.name}")


def _in_stdlib(text: str) -> str | None:
    """Return the path below this interpreter's standard library that `text` names, if it is there."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    path = Path(text)
    if path.is_absolute() and path.exists() and path.resolve().is_relative_to(stdlib.resolve()):
        relative = path.resolve().relative_to(stdlib.resolve()).as_posix()
    elif behind := _IN_STDLIB.fullmatch(text):
        relative = behind[1].replace("\\", "/")
    else:
        return None
    parts = relative.split("/")
    if parts[0] in SITE_FOLDERS or ".." in parts or not (stdlib / relative).is_file():
        return None
    return relative


def _stdlib_tree(only: Collection[str] | None) -> SourceTree:
    listing = Listing(Path(sysconfig.get_path("stdlib")).resolve())
    if only is not None:
        listing.add(only)
    else:
        for entry in sorted(listing.root.iterdir()):
            if entry.is_file():
                listing.add([entry.name])
            elif entry.name not in _STDLIB_PASSED and entry.name not in PASSED_FOLDERS:
                listing.add(walk(listing, entry.name))
    version = ".".join(str(part) for part in sys.version_info[:3])
    return _seen(listing, STDLIB, version, "The Python standard library", STDLIB_REPO)


def _seen(listing: Listing, name: str, version: str | None, description: str, repo: str) -> SourceTree:
    return SourceTree(
        coordinate=Coordinate(kind="env", name=name, version=version),
        root=listing.root,
        repo=repo,
        package=name,
        version=version,
        revision=listing.revision(),
        permalink=None,
        description=description,
        files=listing.sorted_files(),
        skipped=listing.sorted_skipped(),
    )


def _same_version(wanted: str, found: str | None) -> bool:
    # Start-up time: `explain` never asks for a version.
    from packaging.version import InvalidVersion, Version  # noqa: PLC0415

    try:
        return found is not None and Version(wanted) == Version(found)
    except InvalidVersion:
        return wanted == found
