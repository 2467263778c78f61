"""An archive, laid out in a folder: every member hashed, those worth reading written."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path
from typing import IO

import msgspec

from errdex.errors import ArchiveDamagedError, ArchiveRefusedError
from errdex.model.source import Skipped, SourceFile
from errdex.sources.archive import CHUNK_BYTES, Limits, Member, Opener, members, reading
from errdex.sources.git_objects import blob_hasher, tree_hash
from errdex.sources.member_path import HostilePathError, UnusablePathError, member_path, printable
from errdex.sources.worth import max_bytes, worth

DEFAULT_LIMITS = Limits()


class Unpacked(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive turned out to hold."""

    top: str
    """The single top folder, left out of the paths; empty where there is none (a wheel)."""
    revision: str
    """Git tree hash of every regular file, read or not."""
    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]


def unpack(archive: Path, into: Path, *, strip_top: bool, limits: Limits = DEFAULT_LIMITS) -> Unpacked:
    """Unpack `archive` into the new, empty folder `into` and say what it holds.

    The caller owns `into` and removes it when this raises.

    Raises:
        ArchiveDamagedError: It is not an archive, or truncated, or its checksums are wrong.
        ArchiveRefusedError: It leaves its folder, is a bomb, or contradicts itself.
        OSError: The disk is full, or `into` cannot be written.
    """
    unpacking = _Unpacking(archive.name, into)
    for member, opener in members(archive, limits):
        unpacking.take(member, opener)
    if not unpacking.blobs:
        raise ArchiveDamagedError(archive.name, "it holds no file")
    return unpacking.result(strip_top=strip_top)


class _Unpacking:
    """The state of one unpacking: what was seen so far."""

    def __init__(self, filename: str, into: Path) -> None:
        self.filename, self.into = filename, into
        self.blobs: dict[str, tuple[str, bool, int]] = {}
        """By path: blob hash, executable, size."""
        self.written: set[str] = set()
        self.skipped: list[Skipped] = []
        self.folded: dict[str, str] = {}
        """By case-folded path, the path seen first: on some disks both are one file."""
        self.folders: set[str] = {""}

    def take(self, member: Member, opener: Opener) -> None:
        """Hash one member, and write it if it is worth it."""
        try:
            path = member_path(member.name)
        except HostilePathError as hostile:
            raise ArchiveRefusedError(self.filename, printable(member.name), str(hostile)) from None
        except UnusablePathError as unusable:
            self.skipped.append(Skipped(path=printable(member.name), reason=str(unusable)))
            return
        self.claim(path)
        if member.kind != "file":
            self.take_link(path, member)
            return
        reason = self.unwritable(path, member.size_bytes)
        if reason:
            self.skipped.append(Skipped(path=path, reason=reason))
        write = reason is None and worth(path) is not None and path not in self.blobs
        with reading(self.filename), opener() as source:
            blob = self.copy(source, member.size_bytes, self.into / path if write else None)
        self.remember(path, blob, member)
        if write:
            self.written.add(path)

    def take_link(self, path: str, member: Member) -> None:
        """Refuse a link that leaves the archive; a link within it is skipped, or is the file it names."""
        base = "" if member.kind == "hard link" else path.rpartition("/")[0]
        target = _resolve(base, member.target)
        if target is None:
            raise ArchiveRefusedError(
                self.filename,
                printable(member.name),
                f"it is a {member.kind} to {printable(member.target)!r}, outside the archive",
            )
        reason = f"it is a {member.kind} to {printable(target)}"
        if member.kind == "hard link" and target in self.blobs:
            self.remember(path, self.blobs[target][0], member, size_bytes=self.blobs[target][2])
            reason = f"it is the same file as {printable(target)}"
        self.skipped.append(Skipped(path=path, reason=reason))

    def unwritable(self, path: str, size_bytes: int) -> str | None:
        """Return why a file is hashed only, or None when it may be written."""
        folded = unicodedata.normalize("NFC", path).casefold()
        first = self.folded.setdefault(folded, path)
        if first != path:
            return f"its path differs from {first} in case only"
        kind = worth(path)
        if kind is not None and size_bytes > max_bytes(kind):
            return f"too large: {size_bytes:,} bytes, {kind}s are read up to {max_bytes(kind):,}"
        return None

    def claim(self, path: str) -> None:
        """Refuse a path that is both a file and a folder, before it is written."""
        if path in self.folders:
            raise ArchiveRefusedError(self.filename, path, "it is both a file and a folder")
        folder = path.rpartition("/")[0]
        while folder not in self.folders:
            if folder in self.blobs:
                raise ArchiveRefusedError(self.filename, folder, "it is both a file and a folder")
            self.folders.add(folder)
            folder = folder.rpartition("/")[0]

    def remember(self, path: str, blob: str, member: Member, size_bytes: int | None = None) -> None:
        """Note a file, and refuse a second one of other content."""
        seen = self.blobs.get(path)
        if seen is not None and seen[0] != blob:
            raise ArchiveRefusedError(self.filename, path, "it is there twice, with different contents")
        self.blobs[path] = (blob, member.executable, member.size_bytes if size_bytes is None else size_bytes)

    def copy(self, source: IO[bytes], size_bytes: int, target: Path | None) -> str:
        """Read one member to its end, write it to `target` if given, return its blob hash."""
        digest = blob_hasher(size_bytes)
        found = 0
        descriptor = None if target is None else self.create(target)
        try:
            while chunk := source.read(CHUNK_BYTES):
                found += len(chunk)
                digest.update(chunk)
                if descriptor is not None:
                    _write(descriptor, chunk)
        finally:
            if descriptor is not None:
                os.close(descriptor)
        if found != size_bytes:
            raise ArchiveDamagedError(self.filename, f"a member has {found} of {size_bytes} bytes")
        return digest.hexdigest()

    def create(self, target: Path) -> int:
        """Create `target`; nothing here ever makes a link, so the path cannot lead elsewhere."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            return os.open(target, flags, 0o644)
        except FileNotFoundError:
            target.parent.mkdir(parents=True, exist_ok=True)
            return os.open(target, flags, 0o644)

    def result(self, *, strip_top: bool) -> Unpacked:
        """Sum up, paths without the single top folder where there is one to strip."""
        top = self.single_top() if strip_top else ""
        start = len(top) + 1 if top else 0
        return Unpacked(
            top=top,
            revision=tree_hash((path[start:], blob, x) for path, (blob, x, _) in self.blobs.items()),
            files=tuple(
                SourceFile(path=path[start:], size_bytes=self.blobs[path][2], blob=self.blobs[path][0])
                for path in sorted(self.written)
            ),
            skipped=tuple(
                Skipped(path=row.path.removeprefix(top + "/") if top else row.path, reason=row.reason)
                for row in sorted(self.skipped, key=lambda row: row.path)
            ),
        )

    def single_top(self) -> str:
        """Return the one folder that holds everything, or nothing."""
        tops = {path.partition("/")[0] for path in self.blobs}
        top = tops.pop()
        return "" if tops or top in self.blobs else top


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _resolve(folder: str, target: str) -> str | None:
    """Return where a link in `folder` leads, from the archive's top; None when outside it."""
    if "\0" in target or target.replace("\\", "/").startswith("/") or target[1:2] == ":":
        return None
    parts = folder.split("/") if folder else []
    for part in target.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def file_sha256(path: Path) -> str:
    """Return the sha256 (hex) of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
