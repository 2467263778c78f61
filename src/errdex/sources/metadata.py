"""What a package says about itself: METADATA and PKG-INFO, pyproject.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

MAX_METADATA_BYTES = 4 * 1024 * 1024
MAX_DESCRIPTION_CHARACTERS = 300


class PackageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Name, version and one line about a package; each empty where it is not stated."""

    name: str = ""
    version: str = ""
    description: str = ""


def read_metadata(path: Path) -> PackageFacts:
    """Read a METADATA or PKG-INFO file; nothing where it is missing."""
    try:
        with path.open("rb") as file:
            return parse_metadata(file.read(MAX_METADATA_BYTES).decode("utf-8", "replace"))
    except OSError:
        return PackageFacts()


def parse_metadata(text: str) -> PackageFacts:
    """Read the headers of core metadata (an e-mail's header format, ended by an empty line)."""
    headers: dict[str, str] = {}
    for line in text.replace("\r\n", "\n").partition("\n\n")[0].split("\n"):
        key, colon, value = line.partition(":")
        if colon and not line.startswith((" ", "\t")):
            headers.setdefault(key.lower(), value.strip())
    return PackageFacts(
        name=headers.get("name", ""),
        version=headers.get("version", ""),
        description=one_line(headers.get("summary", "")),
    )


def read_pyproject(path: Path) -> PackageFacts:
    """Read `[project]` (or poetry's table) of a pyproject.toml; nothing where it is missing or broken."""
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8", "replace"))
    except (OSError, tomllib.TOMLDecodeError, RecursionError):
        return PackageFacts()
    tool = table.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    project = table.get("project") or poetry
    if not isinstance(project, dict):
        return PackageFacts()
    name, version, description = (project.get(key) for key in ("name", "version", "description"))
    return PackageFacts(
        name=name if isinstance(name, str) else "",
        version=version if isinstance(version, str) else "",
        description=one_line(description) if isinstance(description, str) else "",
    )


def one_line(text: str) -> str:
    """Return `text` on one line, cut at 300 characters; UNKNOWN (old setuptools) says nothing."""
    line = " ".join(text.split())
    return "" if line == "UNKNOWN" else line[:MAX_DESCRIPTION_CHARACTERS]
