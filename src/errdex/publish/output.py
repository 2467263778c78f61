"""A folder that is replaced in whole: written beside, swapped in by rename, unchanged files kept.

Readers of the folder see the old site or the new one. Whoever dies while writing leaves the old
one; the next run clears what was left behind and starts over, keeping every finished file that
is the same. Unchanged files are hard links to the old ones: their times and inodes stay, so what
copies the folder elsewhere copies only what changed.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import glob
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from errdex.errors import ErrdexError

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


class PublishError(ErrdexError):
    """The folder to publish into cannot be written."""

    slug = "cannot-publish"

    def __init__(self, where: Path, detail: str) -> None:
        super().__init__(where, detail)
        self.where, self.detail = where, detail
        self.problem = f"Cannot publish into {where}: {detail}."
        self.hint = "Name a folder that errdex made, or a new one, on a disk with room."


class Output:
    """Files of the next version of a folder."""

    def __init__(self, current: Path, root: Path) -> None:
        self.current, self.root = current, root
        self.written = 0
        """Files that are new or differ."""
        self.kept = 0
        """Files that are the same as before."""
        self._folders: set[Path] = set()

    def write(self, path: str, content: bytes) -> None:
        """Put `content` at an address (`/a/b.json`; one that ends in a slash gets `index.html`)."""
        relative = file_of(path)
        target = self._target(relative)
        old = self.current / relative
        if _holds(old, content):
            os.link(old, target)
            self.kept += 1
        else:
            target.write_bytes(content)
            self.written += 1

    def adopt(self, path: str) -> None:
        """Count a file that was written below `root` by other means; an unchanged one becomes a link."""
        relative = file_of(path)
        target, old = self.root / relative, self.current / relative
        if old.is_file() and _same(old, target):
            target.unlink()
            os.link(old, target)
            self.kept += 1
        else:
            self.written += 1

    def keep(self, path: str) -> bool:
        """Link a file, or a folder with all that is in it, from the current version; whether it was there."""
        relative = file_of(path.rstrip("/")) if path.rstrip("/") else Path()
        old = self.current / relative
        if old.is_file():
            os.link(old, self._target(relative))
            self.kept += 1
            return True
        if not old.is_dir():
            return False
        for folder, _, names in os.walk(old):
            below = relative / Path(folder).relative_to(old)
            for name in names:
                os.link(Path(folder) / name, self._target(below / name))
                self.kept += 1
        return True

    def _target(self, relative: Path) -> Path:
        target = self.root / relative
        if target.parent not in self._folders:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(target.parent)
        return target


@contextmanager
def replacing(target: Path) -> Iterator[Output]:
    """Yield where to write the next version of `target`; swap it in when the block ends well.

    Raises:
        PublishError: `target` is not a folder of ours, is being written by another process, or the disk says no.
    """
    target = target.absolute()
    # A name of its own: what another run's process, killed but not dead yet, still writes is not in this one.
    staging = target.with_name(f".{target.name}.next-{os.getpid()}-{secrets.token_hex(4)}")
    retired = target.with_name(f".{target.name}.old")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(target):
            _recover(target, retired)
            _check(target)
            for left in target.parent.glob(f".{glob.escape(target.name)}.next-*"):
                shutil.rmtree(left, ignore_errors=True)
            staging.mkdir()
            output = Output(target, staging)
            yield output
            _swap(staging, target, retired)
            shutil.rmtree(staging, ignore_errors=True)
            shutil.rmtree(retired, ignore_errors=True)
    except OSError as error:
        raise PublishError(target, error.strerror or str(error)) from error


STATE = "/.errdex.json"
"""What the folder was made from; also the sign that it is ours to replace."""


def file_of(path: str) -> Path:
    """Return the file, relative to the site's top, that a static host answers an address with."""
    parts = [unquote(part, errors="strict") for part in path.removeprefix("/").split("/")]
    if parts[-1] == "":
        parts[-1] = "index.html"
    if any(part in {"", ".", ".."} or "/" in part or "\0" in part for part in parts):
        raise ValueError(path)
    return Path(PurePosixPath(*parts))


def _check(target: Path) -> None:
    """Refuse to replace a folder that we did not make."""
    if target.is_dir() and any(target.iterdir()) and not (target / STATE.removeprefix("/")).is_file():
        raise PublishError(target, "it holds files that errdex did not publish")
    if target.exists() and not target.is_dir():
        raise PublishError(target, "it is a file")


def _recover(target: Path, retired: Path) -> None:
    """Put the old version back if a run died between its two renames."""
    if retired.is_dir() and not target.exists():
        retired.rename(target)


def _swap(staging: Path, target: Path, retired: Path) -> None:
    if not target.exists():
        staging.rename(target)
    elif not _exchange(staging, target):
        shutil.rmtree(retired, ignore_errors=True)
        target.rename(retired)
        staging.rename(target)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    done = call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    if done == 0:
        return True
    code = ctypes.get_errno()
    if code in {errno.ENOSYS, errno.EINVAL, errno.EXDEV}:
        return False
    raise OSError(code, os.strerror(code), str(other))


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Hold the right to write `target`; freed by the system if we die."""
    path = target.with_name(f".{target.name}.lock")
    with path.open("w") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PublishError(target, "another process is publishing into it") from error
        yield


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _same(one: Path, other: Path) -> bool:
    size = 1 << 20
    if one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as left, other.open("rb") as right:
        while piece := left.read(size):
            if piece != right.read(size):
                return False
    return True
