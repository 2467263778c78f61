"""The members of a wheel or source archive, read one after the other and never trusted.

Formats are told by their first bytes, not by the file's name: zip, and tar plain or packed
with gzip, bzip2 or xz. Nothing is written here.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Literal

import msgspec

from errdex.errors import ArchiveDamagedError, ArchiveRefusedError

CHUNK_BYTES = 1024 * 1024
MAX_READ_BYTES = 16 * 1024 * 1024
"""tarfile reads a whole extended header at once; a larger one is an attack, not a header."""
MAX_ZIP_DIRECTORY_BYTES = 64 * 1024 * 1024
"""zipfile reads the central directory at once; 64 MiB hold more than 500,000 members."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How large an archive may be."""

    members: int = 300_000
    """sglang 0.5.23 has 5,000; the largest wheel of the bench (torch) 12,000."""
    total_bytes: int = 16 * 1024**3
    """CUDA builds of torch and vllm unpack to 3 GiB."""
    ratio: int = 200
    """Unpacked to packed. Source text packs to 1/4; deflate cannot do better than 1/1032."""
    ratio_from_bytes: int = 256 * 1024 * 1024
    """Below this size the ratio does not matter."""

    def allowed_bytes(self, packed_bytes: int) -> int:
        """Return how many bytes an archive of `packed_bytes` may unpack to."""
        return min(self.total_bytes, max(self.ratio_from_bytes, self.ratio * packed_bytes))


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of an archive that is not a folder."""

    name: str
    """As the archive writes it."""
    kind: Literal["file", "symbolic link", "hard link"]
    size_bytes: int
    executable: bool
    target: str = ""
    """Where a link points to, as written."""


DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError),
    *(NotImplementedError, RuntimeError, ValueError, struct.error, OverflowError),  # zipfile, of odd members
)
"""What reading an archive raises when the archive is at fault; gzip's and bz2's OSError is told by its lack of errno."""

Opener = Callable[[], AbstractContextManager[IO[bytes]]]
"""Opens the member just yielded; only before the next one is asked for."""


@contextmanager
def reading(filename: str) -> Iterator[None]:
    """Turn what the archive libraries raise into ours; errors of the disk (with an errno) pass."""
    try:
        yield
    except DAMAGE as damage:
        raise ArchiveDamagedError(filename, _said(damage)) from damage
    except OSError as damage:
        # Damaged data makes gzip and bz2 raise it without an errno, and zipfile seek before the file's start.
        if damage.errno not in {None, errno.EINVAL}:
            raise
        raise ArchiveDamagedError(filename, _said(damage)) from damage


def _said(damage: Exception) -> str:
    text = str(damage).strip() or type(damage).__name__
    return (text[0].lower() + text[1:]).rstrip(".")[:200]


def members(path: Path, limits: Limits) -> Iterator[tuple[Member, Opener]]:
    """Yield the members of the archive at `path` in their order, folders left out.

    Raises:
        ArchiveDamagedError: It is not an archive, or a part of it is missing or wrong.
        ArchiveRefusedError: It unpacks to too much, is encrypted, or holds devices.
    """
    with path.open("rb") as file:
        head = file.read(512)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_members(path, limits)
    if path.suffix == ".whl":
        raise ArchiveDamagedError(path.name, "it is not a zip file, as a wheel must be")
    unpacker = _unpacker(head)
    if unpacker is None:
        raise ArchiveDamagedError(path.name, "it is not an archive (zip, tar, tar.gz, tar.bz2, tar.xz)")
    return _tar_members(path, limits, unpacker)


def _unpacker(head: bytes) -> Callable[[IO[bytes]], IO[bytes]] | None:
    if head.startswith(b"\x1f\x8b"):
        return lambda raw: gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]  # reads alike
    if head.startswith(b"BZh"):
        return bz2.BZ2File
    if head.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile
    if head[257:262] == b"ustar":
        return lambda raw: raw
    return None


def _zip_members(path: Path, limits: Limits) -> Iterator[tuple[Member, Opener]]:
    packed = path.stat().st_size
    _check_zip_directory(path)
    with reading(path.name), zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        _check_size(path.name, sum(info.file_size for info in infos), packed, limits)
        _check_count(path.name, len(infos), limits)
        for info in infos:
            if "\0" in info.orig_filename:
                raise ArchiveRefusedError(path.name, info.orig_filename, "its name holds a NUL character")
            if not info.is_dir():
                yield _zip_member(path.name, archive, info)


def _zip_member(filename: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[Member, Opener]:
    if info.flag_bits & 1:
        raise ArchiveRefusedError(filename, info.filename, "it is encrypted")
    mode = info.external_attr >> 16
    link = stat.S_ISLNK(mode)
    if stat.S_IFMT(mode) and not (link or stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ArchiveRefusedError(filename, info.filename, "it is a device, not a file")
    target = ""
    if link:
        with archive.open(info) as file:
            target = file.read(4096).decode("utf-8", "surrogateescape")
    member = Member(
        name=info.filename,
        kind="symbolic link" if link else "file",
        size_bytes=info.file_size,
        executable=bool(mode & 0o100),
        target=target,
    )
    return member, lambda: archive.open(info)


def _check_zip_directory(path: Path) -> None:
    """Refuse a central directory too large to be read at once (sizes as the zip specification, 4.3.16, has them)."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 65_557))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        raise ArchiveDamagedError(path.name, "the end of the zip file is missing (truncated?)")
    directory_bytes = int(struct.unpack_from("<L", tail, at + 12)[0])
    wide = tail.rfind(b"PK\x06\x06", 0, at)
    if directory_bytes == 0xFFFFFFFF and 0 <= wide <= at - 48:
        directory_bytes = int(struct.unpack_from("<Q", tail, wide + 40)[0])
    if directory_bytes > MAX_ZIP_DIRECTORY_BYTES:
        raise ArchiveRefusedError(path.name, "", "its directory is absurdly large")


def _check_size(filename: str, unpacked: int, packed: int, limits: Limits) -> None:
    if unpacked > limits.allowed_bytes(packed):
        raise ArchiveRefusedError(filename, "", f"its {packed:,} bytes would unpack to {unpacked:,} or more")


def _check_count(filename: str, count: int, limits: Limits) -> None:
    if count > limits.members:
        raise ArchiveRefusedError(filename, "", f"it holds more than {limits.members:,} members")


class _Forward:
    """A file that is only read onwards, and only so far: what tarfile reads a packed archive through."""

    def __init__(self, raw: IO[bytes], filename: str, limit_bytes: int) -> None:
        self._raw, self._filename, self._limit = raw, filename, limit_bytes
        self._position = 0

    def read(self, size: int = -1, /) -> bytes:
        if not 0 <= size <= MAX_READ_BYTES:
            raise ArchiveRefusedError(self._filename, "", "a header of it is absurdly large")
        data = self._raw.read(size)
        self._position += len(data)
        if self._position > self._limit:
            raise ArchiveRefusedError(self._filename, "", f"it unpacks to more than {self._limit:,} bytes")
        return data

    def tell(self) -> int:
        return self._position

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        if whence != os.SEEK_SET or position < self._position:
            raise tarfile.ReadError("members overlap")
        while self._position < position:
            if not self.read(min(CHUNK_BYTES, position - self._position)):
                raise tarfile.ReadError("unexpected end of data")
        return position


class _Part:
    """The next bytes of a forward file: one member's content."""

    def __init__(self, source: _Forward, size_bytes: int) -> None:
        self._source, self._left = source, size_bytes

    def read(self, size: int = -1, /) -> bytes:
        wanted = min(self._left if size < 0 else size, self._left, CHUNK_BYTES)
        data = self._source.read(wanted)
        if wanted and not data:
            raise tarfile.ReadError("unexpected end of data")
        self._left -= len(data)
        return data


def _tar_members(
    path: Path, limits: Limits, unpacker: Callable[[IO[bytes]], IO[bytes]]
) -> Iterator[tuple[Member, Opener]]:
    packed = path.stat().st_size
    with reading(path.name), path.open("rb") as file, unpacker(file) as raw:
        # Every member takes a header of 512 bytes, so this bound also ends an endless list of empty ones.
        forward = _Forward(raw, path.name, limits.allowed_bytes(packed))
        archive = tarfile.open(fileobj=forward, mode="r:")  # type: ignore[call-overload]  # noqa: SIM115
        total = count = 0
        while (info := archive.next()) is not None:
            archive.members = []  # tarfile keeps every header otherwise
            count += 1
            _check_count(path.name, count, limits)
            if info.isdir():
                continue
            total += info.size
            _check_size(path.name, total, packed, limits)
            yield _tar_member(path.name, forward, info)
        while forward.read(CHUNK_BYTES):  # to the end: there stands the checksum
            pass


def _tar_member(filename: str, forward: _Forward, info: tarfile.TarInfo) -> tuple[Member, Opener]:
    if info.issparse():
        raise ArchiveRefusedError(filename, info.name, "it is a sparse file")
    if not (info.isreg() or info.issym() or info.islnk()):
        raise ArchiveRefusedError(filename, info.name, "it is a device, not a file")
    member = Member(
        name=info.name,
        kind="symbolic link" if info.issym() else "hard link" if info.islnk() else "file",
        size_bytes=info.size if info.isreg() else 0,
        executable=bool(info.mode & 0o100),
        target=info.linkname,
    )

    @contextmanager
    def content() -> Iterator[IO[bytes]]:
        forward.seek(info.offset_data)
        yield _Part(forward, info.size)  # type: ignore[misc]  # reads like a file, and no more is asked

    return member, content
