"""The folder that fetched code is kept in: trees by content, and which release was which content.

```text
CACHE/trees/KEY/            a finished tree, never changed again
CACHE/trees/KEY/manifest    what it holds (msgpack)
CACHE/trees/KEY/files/      its files
CACHE/releases/NAME/…       a pinned release of an index -> KEY
CACHE/tmp/HOST-PID-…/       work in progress; removed at its end, or by the next process if it was killed
```

A tree appears by one rename, so that a reader never sees half of it and two processes
that fetch the same thing do not disturb each other: the second finds it there.
"""

from __future__ import annotations

import errno
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from errdex.errors import CacheUnusableError
from errdex.model.source import Skipped, SourceFile

LAYOUT = 1
"""Part of every key: raised when what is laid out, or how it is hashed, changes."""
STALE_S = 24 * 3600
"""Age at which another machine's leftover is taken for abandoned."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a kept tree holds."""

    package: str
    version: str | None
    revision: str
    top: str
    """Folder below `files/` that the paths start from; empty for `files/` itself."""
    description: str = ""
    files: tuple[SourceFile, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class Cache:
    """Kept trees below one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else default_folder()

    def load(self, key: str) -> tuple[Manifest, Path] | None:
        """Return the tree kept under `key` and its root; None when there is none, or it is unreadable."""
        place = self._place(key)
        try:
            manifest = msgspec.msgpack.decode((place / "manifest").read_bytes(), type=Manifest)
        except (OSError, msgspec.DecodeError):
            return None
        root = place / "files" / manifest.top if manifest.top else place / "files"
        return (manifest, root) if root.is_dir() else None

    def keep(self, key: str, work: Path, manifest: Manifest) -> None:
        """Keep the folder `work` (which holds `files/`) under `key`; another process may have been first."""
        (work / "manifest").write_bytes(msgspec.msgpack.encode(manifest))
        place = self._place(key)
        place.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(2):
            try:
                work.rename(place)
            except OSError as taken:
                if taken.errno not in {errno.ENOTEMPTY, errno.EEXIST} and not place.is_dir():
                    raise
                if self.load(key) is not None:
                    return
                self._discard(place)  # damaged: put ours in its place
            else:
                return
        raise CacheUnusableError(str(self.folder), f"{place.name} in it cannot be replaced")

    def release(self, name: str, version: str, fingerprint: str) -> str | None:
        """Return the key of a pinned release, as the index with this fingerprint served it before."""
        try:
            key = self._release(name, version, fingerprint).read_text("ascii").strip()
        except (OSError, ValueError):
            return None
        return key if len(key) == 64 and key.isalnum() else None

    def remember_release(self, name: str, version: str, fingerprint: str, key: str) -> None:
        """Note which content a pinned release is."""
        path = self._release(name, version, fingerprint)
        with self.work() as work:
            draft = work / "release"
            draft.write_text(key + "\n", "ascii")
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.replace(path)

    def releases_of(self, name: str) -> list[str]:
        """Return the versions of `name` that are kept here, sorted as text."""
        try:
            found = {path.name.partition("@")[0] for path in (self.folder / "releases" / name).iterdir()}
        except OSError:
            return []
        return sorted(found)

    @contextmanager
    def work(self) -> Iterator[Path]:
        """Yield a new folder on the cache's disk; whatever happens, it is gone afterwards.

        Raises:
            CacheUnusableError: The disk is full or the cache cannot be written.
        """
        with writing(self.folder):
            parent = self.folder / "tmp"
            parent.mkdir(parents=True, exist_ok=True)
            folder = tempfile.mkdtemp(prefix=f"{_host()}-{os.getpid()}-", dir=parent)
            try:
                yield Path(folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def sweep(self) -> None:
        """Remove the work of processes that were killed."""
        with suppress(OSError):
            for folder in (self.folder / "tmp").iterdir():
                if _is_abandoned(folder):
                    shutil.rmtree(folder, ignore_errors=True)

    def _place(self, key: str) -> Path:
        return self.folder / "trees" / f"{LAYOUT}-{key}"

    def _release(self, name: str, version: str, fingerprint: str) -> Path:
        return self.folder / "releases" / name / f"{version}@{LAYOUT}-{fingerprint}"

    def _discard(self, place: Path) -> None:
        with self.work() as work, suppress(FileNotFoundError):
            place.rename(work / "damaged")


def default_folder() -> Path:
    """Return `ERRDEX_CACHE`, else the platform's folder for caches."""
    named = os.environ.get("ERRDEX_CACHE")
    if named:
        return Path(named).absolute()
    from platformdirs import user_cache_path  # noqa: PLC0415  # start-up time: env: and folders need no cache

    return user_cache_path("errdex", appauthor=False)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into our error."""
    try:
        yield
    except OSError as refused:
        if refused.errno is None:
            raise
        if refused.errno in _FULL:
            reason = "the disk is full"
        elif refused.errno in _DENIED:
            reason = "permission denied" if refused.errno != errno.EROFS else "the disk is read-only"
        else:
            reason = (refused.strerror or type(refused).__name__).lower()
        raise CacheUnusableError(str(folder), reason) from refused


def _host() -> str:
    return "".join(letter for letter in socket.gethostname() if letter.isalnum())[:40] or "host"


def _is_abandoned(folder: Path) -> bool:
    host, _, rest = folder.name.partition("-")
    pid = rest.partition("-")[0]
    if os.name == "posix" and host == _host() and pid.isdigit():
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            pass
    return time.time() - folder.stat().st_mtime > STALE_S
