"""Files that lie on this machine already: listed and hashed where they are, never copied.

Links are not followed out of the folder, devices and pipes are not opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from errdex.model.source import Skipped, SourceFile
from errdex.sources.git_objects import blob_hash, tree_hash
from errdex.sources.member_path import printable
from errdex.sources.worth import max_bytes, worth

PASSED_FOLDERS = frozenset(
    {
        *(".git", ".hg", ".svn", ".bzr", ".venv", ".tox", ".nox", ".eggs", ".idea", ".vscode"),
        *("__pycache__", "node_modules", "__pypackages__"),
        *(".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints"),
    }
)
"""Never a project's own code."""
MAX_FILES = 500_000


class Listing:
    """The files found below one folder so far, and those that were passed over."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, SourceFile] = {}
        self.skipped: dict[str, Skipped] = {}
        self._executable: set[str] = set()

    def skip(self, path: str, reason: str) -> None:
        """Note a path that is not read."""
        shown = printable(path)
        self.skipped[shown] = Skipped(path=shown, reason=reason)

    def add(self, paths: Iterable[str], *, follow_links: bool = False) -> None:
        """Hash every path (relative, `/` between parts) that is worth reading."""
        for path in paths:
            if path not in self.files and worth(path) is not None:
                self._add(path, follow_links=follow_links)

    def _add(self, path: str, *, follow_links: bool) -> None:
        kind = worth(path)
        assert kind is not None
        try:
            path.encode()
        except UnicodeEncodeError:
            self.skip(path, "its name is not UTF-8")
            return
        place = os.path.join(self.root, path)  # noqa: PTH118  # 5,000 times for one package
        try:
            found = os.stat(place, follow_symlinks=follow_links)  # noqa: PTH116
            if not stat.S_ISREG(found.st_mode):
                self.skip(path, _kind_of(found.st_mode))
                return
            if found.st_size > max_bytes(kind):
                self.skip(
                    path, f"too large: {found.st_size:,} bytes, {kind}s are read up to {max_bytes(kind):,}"
                )
                return
            with open(place, "rb") as file:  # noqa: PTH123
                data = file.read(max_bytes(kind) + 1)
        except OSError as error:
            self.skip(path, f"cannot be read: {(error.strerror or 'error').lower()}")
            return
        self.files[path] = SourceFile(path=path, size_bytes=len(data), blob=blob_hash(data))
        if found.st_mode & 0o100:
            self._executable.add(path)

    def revision(self) -> str:
        """Return the git tree hash of the files listed."""
        return tree_hash((path, file.blob, path in self._executable) for path, file in self.files.items())

    def sorted_files(self) -> tuple[SourceFile, ...]:
        """Return the files by path."""
        return tuple(self.files[path] for path in sorted(self.files))

    def sorted_skipped(self) -> tuple[Skipped, ...]:
        """Return the rows of what was passed over, by path."""
        return tuple(self.skipped[path] for path in sorted(self.skipped))


def walk(listing: Listing, below: str = "") -> Iterator[str]:
    """Yield the paths of all plain files below a folder of the listing's root, in order of name.

    Passes over links, version control, caches and virtual environments, and notes what a reader may miss.
    """
    start = listing.root / below
    for folder, folders, names in os.walk(start, onerror=lambda error: _note_unreadable(listing, error)):
        inner = Path(folder).relative_to(listing.root).as_posix()
        prefix = "" if inner == "." else inner + "/"
        folders[:] = [name for name in sorted(folders) if _enter(listing, prefix + name, name)]
        for name in sorted(names):
            yield prefix + name


def _enter(listing: Listing, path: str, name: str) -> bool:
    place = listing.root / path
    if name in PASSED_FOLDERS:
        return False
    if place.is_symlink():
        listing.skip(path, "it is a symbolic link")
        return False
    if (place / "pyvenv.cfg").exists():
        listing.skip(path, "it is a virtual environment")
        return False
    return True


def _note_unreadable(listing: Listing, error: OSError) -> None:
    path = os.path.relpath(error.filename, listing.root) if error.filename else "."
    listing.skip(path, f"cannot be read: {(error.strerror or 'error').lower()}")


def _kind_of(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "it is a symbolic link"
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return "it is not a plain file"
