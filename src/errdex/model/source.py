"""Code, pinned: what is analysed and where it came from."""

from pathlib import Path
from typing import Literal

import msgspec

CoordinateKind = Literal["pypi", "npm", "git", "local", "env"]


class Coordinate(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a user asks for: `pypi:requests==2.32.3`, `git:URL@REV`, `env:NAME`, a folder."""

    kind: CoordinateKind
    name: str
    """The package's name, the repository's URL or the folder's path, by kind."""
    version: str | None = None
    """Version or revision as asked for; None asks for the newest (index), HEAD (git) or what is there."""
    repo: str | None = None
    """`owner/name` when the user sets it (`--repo`)."""

    def __str__(self) -> str:
        if self.kind == "local":
            return self.name
        joiner = {"pypi": "==", "env": "==", "npm": "@", "git": "@"}[self.kind]
        return f"{self.kind}:{self.name}" + (f"{joiner}{self.version}" if self.version else "")


class SourceFile(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One file of a tree."""

    path: str
    size_bytes: int
    blob: str
    """The git blob hash (40 hex) of its content: the key of every per-file cache."""


class Skipped(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that was not read, and why. Counted and listed, never lost."""

    path: str
    reason: str


class SourceTree(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Files at a pinned revision, laid out below `root` on this machine."""

    coordinate: Coordinate
    """With the version or revision that was found, not the one asked for."""
    root: Path
    """Folder on disk that the paths of `files` are relative to. Not part of any record."""
    repo: str
    """`owner/name`, or `pypi/NAME` where no repository is known at a pinned commit."""
    package: str
    """The distribution's name, or the repository's where there is none."""
    version: str | None
    revision: str
    """40 hex: the commit; for an artifact, the git tree hash of its files."""
    permalink: str | None
    """A URL with the fields `{path}`, `{start}` and `{end}`; None where no public host is known."""
    description: str = ""
    """One line, from the package's own metadata."""
    files: tuple[SourceFile, ...] = ()
    """Sorted by path: everything readable, of any language, before exclusions."""
    skipped: tuple[Skipped, ...] = ()
    """Members that were refused while unpacking or listing (too large, not a plain file, …)."""
