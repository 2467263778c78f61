"""Names as traces and indexes write them: paths, classes, packages, functions.

Paths are compared from their end, since only the end is the library's own.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from functools import lru_cache

from errdex.search.layout import key_of

_SITE_FOLDERS = frozenset({"site-packages", "dist-packages"})
_DOORSTEPS = frozenset({*_SITE_FOLDERS, "src", "lib", "python", "Lib"})
"""Folders above which nothing belongs to the library."""
_ARCHIVES = (".egg", ".whl", ".zip")
BUILTIN_ERRORS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)

ALIASES = {
    "IOError": "OSError",
    "EnvironmentError": "OSError",
    "WindowsError": "OSError",
    "socket.error": "OSError",
    "select.error": "OSError",
    "socket.timeout": "TimeoutError",
    "asyncio.TimeoutError": "TimeoutError",
    "concurrent.futures.TimeoutError": "TimeoutError",
}
"""Names that Python prints as another one (CPython 3.3 and 3.10/3.11, What's New)."""


@lru_cache(maxsize=8192)
def path_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a path of any system, the root, drive and `.` left out."""
    parts = path.replace("\\", "/").split("/") if "\\" in path else path.split("/")
    return tuple(part for part in parts if part and part != "." and part[-1] != ":")


def library_parts(parts: Sequence[str]) -> tuple[str, ...] | None:
    """Return the parts below the folder that packages are installed in, or None if there is no such folder."""
    for at in range(len(parts) - 2, -1, -1):
        part = parts[at]
        if part in _SITE_FOLDERS or (part == "egg" and at and parts[at - 1].startswith("bdist.")):
            below = tuple(parts[at + 1 :])
            return below[1:] if len(below) > 1 and below[0].endswith(_ARCHIVES) else below
        if part.endswith(_ARCHIVES):
            return tuple(parts[at + 1 :])
    return None


def path_key(path: str) -> int:
    """Return the key a file is filed under: its last two parts (its name alone where there is no folder)."""
    return key_of("/".join(path_parts(path)[-2:]))


def path_lookup_keys(parts: Sequence[str]) -> tuple[int, ...]:
    """Return the keys under which the file of a frame may be filed."""
    key = key_of("/".join(parts[-2:]))
    if len(parts) < 2 or parts[-2] in _DOORSTEPS or parts[-2].startswith("python"):
        return key, key_of(parts[-1])
    return (key,)


def root_of(path: str) -> str:
    """Return the top-level module of a path inside a distribution or a repository."""
    parts = [part for part in path.split("/") if part not in _DOORSTEPS]
    return parts[0].removesuffix(".py") if parts else ""


def common_tail(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many parts two paths share, counted from their ends."""
    most = min(len(left), len(right))
    if left[-most:] == right[-most:]:
        return most
    count = 0
    while left[-1 - count] == right[-1 - count]:
        count += 1
    return count


def last_name(dotted: str) -> str:
    """Return what stands after the last dot."""
    return dotted.rpartition(".")[2]


@lru_cache(maxsize=4096)
def class_name(dotted: str) -> str:
    """Return a class's last name, aliases resolved: what two spellings of one class share."""
    resolved = ALIASES.get(dotted, dotted)
    name = resolved.rpartition(".")[2]
    return ALIASES.get(name, name)


@lru_cache(maxsize=4096)
def distribution_name(name: str) -> str:
    """Return a distribution's name in its normal form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
