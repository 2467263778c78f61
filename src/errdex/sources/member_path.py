"""The path of an archive's member, judged before anything is written."""

from __future__ import annotations

import re

MAX_PATH_BYTES = 1024
"""Half of PATH_MAX on Linux, and above what any package of the bench has (211)."""
MAX_PART_BYTES = 240
"""NAME_MAX is 255 on the common file systems."""
MAX_DEPTH = 60

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"[A-Za-z]:")


class HostilePathError(Exception):
    """The path leads out of the archive's own folder: args are the reason."""


class UnusablePathError(Exception):
    """The path is harmless but cannot be laid out: args are the reason."""


def member_path(raw: str) -> str:
    """Return `raw` in its plain form: relative, `/` between parts, no empty or `.` part.

    An empty result stands for the archive's top folder.

    Raises:
        HostilePathError: It is absolute, climbs with `..` or hides something behind a NUL.
        UnusablePathError: Too long, too deep, not UTF-8, control characters, a backslash.
    """
    if "\0" in raw:
        raise HostilePathError("its name holds a NUL character")
    unified = raw.replace("\\", "/")
    if unified.startswith("/") or _DRIVE.match(unified):
        raise HostilePathError("its path is absolute")
    if ".." in unified.split("/"):
        raise HostilePathError("its path climbs out with `..`")
    parts = [part for part in raw.split("/") if part not in {"", "."}]
    path = "/".join(parts)
    reason = _unusable(path, parts)
    if reason:
        raise UnusablePathError(reason)
    return path


def _unusable(path: str, parts: list[str]) -> str | None:
    try:
        size_bytes = len(path.encode())
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if _CONTROL.search(path):
        return "its name holds control characters"
    if "\\" in path:
        return "its name holds a backslash"
    if size_bytes > MAX_PATH_BYTES or len(parts) > MAX_DEPTH:
        return "its path is too long"
    if any(len(part.encode()) > MAX_PART_BYTES for part in parts):
        return "its name is too long"
    return None


def printable(raw: str) -> str:
    """Return `raw` so that it can be shown and stored as UTF-8: odd characters escaped, cut at 200."""
    text = raw.encode("utf-8", "backslashreplace").decode()
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)[:200]
