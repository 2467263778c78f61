"""A folder on this machine, read where it lies; in a git checkout, what git would keep of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec
from packaging.utils import canonicalize_name

from errdex.errors import FolderError
from errdex.model.source import Coordinate, SourceTree
from errdex.sources.git_program import GitFailedError, git
from errdex.sources.hosts import Remote, permalink, read_remote
from errdex.sources.listing import Listing, walk
from errdex.sources.metadata import PackageFacts, read_metadata, read_pyproject
from errdex.sources.worth import worth


class Checkout(msgspec.Struct, frozen=True, kw_only=True):
    """The git checkout that a folder belongs to."""

    top: Path
    prefix: str
    """The folder below `top`, with a `/` at its end; empty for the top itself."""
    paths: tuple[str, ...]
    """Below the folder: what git tracks, and what it neither tracks nor ignores."""
    remote: Remote | None


def open_local(coordinate: Coordinate) -> SourceTree:
    """Return the tree of a folder.

    Paths are relative to the folder; in a checkout whose `origin` is a known repository they are
    relative to that repository, so that they mean the same as in `git:`. `--repo` names the
    repository that the folder itself is the top of. `revision` is the commit when what is read is as
    committed, else the git tree hash of its files.

    Raises:
        FolderError: It cannot be read.
    """
    folder = Path(coordinate.name).resolve()
    if not os.access(folder, os.R_OK | os.X_OK):
        raise FolderError(coordinate.name, "cannot be read: permission denied")
    checkout = _checkout(folder)
    origin = checkout.remote.repo if checkout and checkout.remote and checkout.remote.host else None
    root, prefix = folder, ""
    if checkout is not None and origin and coordinate.repo is None:
        root, prefix = checkout.top, checkout.prefix
    listing = Listing(root)
    if checkout is None:
        listing.add(walk(listing))
    else:
        listing.add(prefix + path for path in checkout.paths)
    facts = _facts(folder)
    commit = _clean_commit(checkout, listing, prefix) if checkout is not None else None
    repo = coordinate.repo or origin or f"local/{_plain(folder.name)}"
    return SourceTree(
        coordinate=msgspec.structs.replace(coordinate, version=commit),
        root=root,
        repo=repo,
        package=canonicalize_name(facts.name) if facts.name else _plain(folder.name),
        version=facts.version or None,
        revision=commit or listing.revision(),
        permalink=_permalink(checkout, commit, coordinate.repo, prefix),
        description=facts.description,
        files=listing.sorted_files(),
        skipped=listing.sorted_skipped(),
    )


def _permalink(checkout: Checkout | None, commit: str | None, repo: str | None, prefix: str) -> str | None:
    if checkout is None or commit is None:
        return None
    link = permalink(checkout.remote, repo, commit)
    if link is None or prefix or not checkout.prefix:
        return link
    return link.replace("{path}", checkout.prefix.replace("{", "{{").replace("}", "}}") + "{path}")


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.") or "folder"


def _facts(folder: Path) -> PackageFacts:
    stated = read_pyproject(folder / "pyproject.toml")
    if stated.name and stated.version:
        return stated
    built = read_metadata(folder / "PKG-INFO")
    return PackageFacts(
        name=stated.name or built.name,
        version=stated.version or built.version,
        description=stated.description or built.description,
    )


def _checkout(folder: Path) -> Checkout | None:
    """Return the checkout `folder` is part of; None outside of one, or where git ignores the folder."""
    try:
        top = Path(os.fsdecode(git(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))
        prefix = os.fsdecode(git(folder, "rev-parse", "--show-prefix")).rstrip("\n")
        listed = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    except GitFailedError:
        return None
    paths = tuple(path for path in os.fsdecode(listed).split("\0") if path)
    if not paths:
        return None
    return Checkout(top=top, prefix=prefix, paths=paths, remote=_origin(folder))


def _clean_commit(checkout: Checkout, listing: Listing, prefix: str) -> str | None:
    """Return the commit whose files are exactly those listed, byte for byte; None when there is none.

    Compared by hash and not by `git status`, which runs the filters that a repository's own configuration names.
    """
    try:
        commit = git(checkout.top, "rev-parse", "--verify", "HEAD").decode("ascii").strip()
        rows = os.fsdecode(git(checkout.top, "ls-tree", "-r", "-z", "--full-tree", commit)).split("\0")
    except GitFailedError:
        return None
    start = "" if prefix else checkout.prefix
    committed: dict[str, str] = {}
    for row in rows:
        about, _, path = row.partition("\t")
        if about.startswith("100") and path.startswith(checkout.prefix) and worth(path) is not None:
            committed[path.removeprefix(start)] = about.split()[2]
    listed = {path: file.blob for path, file in listing.files.items()}
    unread = {path for path in committed if path in listing.skipped}
    return commit if listed == {path: committed[path] for path in committed.keys() - unread} else None


def _origin(folder: Path) -> Remote | None:
    try:
        url = git(folder, "config", "--get", "remote.origin.url").decode("utf-8", "replace").strip()
    except GitFailedError:
        return None
    return read_remote(url) if url else None
