"""`git:URL@REV`: one revision of a repository, fetched by git's own program and laid out by us.

Nothing is checked out: objects are read (`ls-tree`, `cat-file`) and written through the same
rules as an archive's members, so links, odd names and attributes (`export-ignore`, filters) do nothing.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from errdex.errors import GitError
from errdex.model.source import Coordinate, Skipped, SourceFile, SourceTree
from errdex.sources.cache import Cache, Manifest
from errdex.sources.git_program import GitFailedError, git
from errdex.sources.hosts import permalink, read_remote, without_secrets
from errdex.sources.member_path import HostilePathError, UnusablePathError, member_path, printable
from errdex.sources.metadata import read_metadata, read_pyproject
from errdex.sources.worth import max_bytes, worth

_COMMIT = re.compile(r"[0-9a-f]{40}")
_BATCH_BYTES = 32 * 1024 * 1024


class _Entry(msgspec.Struct, frozen=True):
    """One blob of a commit's tree that is worth reading."""

    path: str
    blob: str
    size_bytes: int


def open_git(coordinate: Coordinate, cache: Cache) -> SourceTree:
    """Return the tree of a repository at a revision; a full commit that is kept asks nobody.

    Raises:
        GitError: Git is missing, the repository cannot be reached, or the revision is not in it.
        CacheUnusableError: There is no room to lay it out, or no permission.
    """
    revision = coordinate.version or "HEAD"
    kept = cache.load(_key(revision)) if _COMMIT.fullmatch(revision) else None
    if kept is None:
        kept = _fetched(coordinate, revision, cache)
    manifest, root = kept
    remote = read_remote(coordinate.name)
    own = remote.repo or f"local/{remote.path.rpartition('/')[2] or 'repository'}"
    return SourceTree(
        coordinate=msgspec.structs.replace(
            coordinate, name=without_secrets(coordinate.name), version=manifest.revision
        ),
        root=root,
        repo=coordinate.repo or own,
        package=manifest.package or (coordinate.repo or own).rpartition("/")[2],
        version=manifest.version,
        revision=manifest.revision,
        permalink=permalink(remote, coordinate.repo, manifest.revision),
        description=manifest.description,
        files=manifest.files,
        skipped=manifest.skipped,
    )


def _key(commit: str) -> str:
    return hashlib.sha256(b"git\0" + commit.encode()).hexdigest()


def _fetched(coordinate: Coordinate, revision: str, cache: Cache) -> tuple[Manifest, Path]:
    cache.sweep()
    with cache.work() as work:
        repository = work / "repository"
        repository.mkdir()
        try:
            commit = _fetch(repository, coordinate.name, revision)
            kept = cache.load(_key(commit))
            if kept is not None:
                return kept
            draft = work / "tree"
            (draft / "files").mkdir(parents=True)
            manifest = _lay_out(repository, commit, draft / "files")
        except GitFailedError as failed:
            raise _error(coordinate, failed) from failed
        cache.keep(_key(commit), draft, manifest)
    kept = cache.load(_key(commit))
    assert kept is not None
    return kept


def _error(coordinate: Coordinate, failed: GitFailedError) -> GitError:
    url = without_secrets(coordinate.name)
    said = failed.said.replace(coordinate.name, url)
    hint = ""
    if "couldn't find remote ref" in said or "Needed a single revision" in said or "not our ref" in said:
        said, hint = "it has no such revision", f"`git ls-remote {url}` lists its branches and tags."
    elif "could not read Username" in said or "Authentication failed" in said or "Permission denied" in said:
        hint = "Set up git's own credentials for it first; errdex never asks for a password."
    elif "does not appear to be a git repository" in said or "not found" in said:
        hint = "Check the URL; a private repository answers like a missing one."
    return GitError(url, coordinate.version or "", said, hint)


def _fetch(repository: Path, url: str, revision: str) -> str:
    """Fetch `revision` as shallowly as the server allows and return its commit."""
    git(repository, "init", "--quiet", "--template=", ".")
    source = str(Path(url).resolve()) if "://" not in url and Path(url).exists() else url
    shallow = (
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-write-fetch-head",
    )
    target = "refs/errdex/wanted"
    if re.fullmatch(r"[0-9a-f]{4,39}", revision) is None:
        try:
            git(repository, *shallow, "--", source, f"+{revision}:{target}")
            return _commit(repository, target)
        except GitFailedError:
            if _COMMIT.fullmatch(revision) is None:
                raise
    # A short or unadvertised commit: only the whole history shows which one it is.
    git(repository, "fetch", "--quiet", "--no-recurse-submodules", "--", source, "+refs/*:refs/remote/*")
    return _commit(repository, revision)


def _commit(repository: Path, name: str) -> str:
    return git(repository, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").decode().strip()


def _lay_out(repository: Path, commit: str, files: Path) -> Manifest:
    entries, skipped = _entries(repository, commit)
    _write(repository, entries, files)
    stated = read_pyproject(files / "pyproject.toml")
    built = read_metadata(files / "PKG-INFO")
    return Manifest(
        package=_normal(stated.name or built.name),
        version=stated.version or built.version or None,
        revision=commit,
        top="",
        description=stated.description or built.description,
        files=tuple(
            SourceFile(path=entry.path, size_bytes=entry.size_bytes, blob=entry.blob)
            for entry in sorted(entries, key=lambda entry: entry.path)
        ),
        skipped=tuple(sorted(skipped, key=lambda row: row.path)),
    )


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _entries(repository: Path, commit: str) -> tuple[list[_Entry], list[Skipped]]:
    """Return the commit's files worth reading, and what is passed over."""
    entries: list[_Entry] = []
    skipped: list[Skipped] = []
    folded: set[str] = set()
    listing = git(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    for row in listing.decode("utf-8", "surrogateescape").split("\0"):
        about, _, raw = row.partition("\t")
        if not raw:
            continue
        mode, _, blob, size = about.split()
        reason = _refusal(mode, raw, size)
        if reason is None and raw.casefold() in folded:
            reason = "its path differs from another in case only"
        if reason is not None:
            skipped.append(Skipped(path=printable(raw), reason=reason))
        elif worth(raw) is not None:
            folded.add(raw.casefold())
            entries.append(_Entry(raw, blob, int(size)))
    return entries, skipped


def _refusal(mode: str, raw: str, size: str) -> str | None:
    if mode == "160000":
        return "it is a submodule"
    if mode == "120000":
        return "it is a symbolic link"
    try:
        if member_path(raw) != raw:
            return "its path is not plain"
    except (HostilePathError, UnusablePathError) as refused:
        return str(refused)
    kind = worth(raw)
    if kind is not None and int(size) > max_bytes(kind):
        return f"too large: {int(size):,} bytes, {kind}s are read up to {max_bytes(kind):,}"
    return None


def _write(repository: Path, entries: list[_Entry], files: Path) -> None:
    """Write the blobs, some MiB of them at a time."""
    batch: list[_Entry] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += entry.size_bytes
        if size > _BATCH_BYTES:
            _write_batch(repository, batch, files)
            batch, size = [], 0
    _write_batch(repository, batch, files)


def _write_batch(repository: Path, batch: list[_Entry], files: Path) -> None:
    if not batch:
        return
    names = "".join(f"{entry.blob}\n" for entry in batch).encode()
    output = memoryview(git(repository, "cat-file", "--batch", stdin=names))
    at = 0
    for entry in batch:
        at += len(f"{entry.blob} blob {entry.size_bytes}\n")
        target = files / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(output[at : at + entry.size_bytes])
        at += entry.size_bytes + 1
