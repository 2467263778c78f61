"""How a segment of the search index lies on disk: named little-endian arrays behind a JSON table of contents.

```text
magic (8 bytes) · length of the table of contents (8 bytes) · table of contents (JSON) · sections, 8-byte aligned
```

Everything is read in place through a memory map. `NONE` marks an absent string.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from errdex.errors import CatalogError

MAGIC = b"errdexS2"
NONE = 0xFFFFFFFF
_ALIGNMENT = 8


class IndexDamagedError(CatalogError):
    """A file of the search index is not one, is cut short, or is of another layout."""

    slug = "index-damaged"

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(path, detail)
        self.path, self.detail = path, detail
        self.problem = f"{path}: not a usable search index ({detail})."
        self.hint = "Delete it; errdex rebuilds it from the catalog."


def key_of(text: str) -> int:
    """Return the 32-bit key under which the index files `text`."""
    return crc32(text.encode("utf-8", "replace"))


def write_sections(path: Path, facts: Mapping[str, Any], sections: Mapping[str, array[int] | bytes]) -> None:
    """Write a segment beside `path`, then put it in its place in one step.

    Raises:
        OSError: the disk is full or the folder cannot be written; nothing is left behind.
    """
    table: dict[str, tuple[str, int, int]] = {}
    offset = 0
    for name, data in sections.items():
        size = len(data) * (data.itemsize if isinstance(data, array) else 1)
        table[name] = (data.typecode if isinstance(data, array) else "B", offset, size)
        offset += -(-size // _ALIGNMENT) * _ALIGNMENT
    head = json.dumps({"facts": dict(facts), "sections": table, "size": offset}).encode()
    head += b" " * (-len(head) % _ALIGNMENT)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as out:
            out.write(MAGIC + len(head).to_bytes(8, "little") + head)
            for data in sections.values():
                if isinstance(data, array) and sys.byteorder == "big":
                    data = array(data.typecode, data)  # noqa: PLW2901  # swapped in a copy
                    data.byteswap()
                out.write(data)
                size = len(data) * (data.itemsize if isinstance(data, array) else 1)
                out.write(b"\0" * (-size % _ALIGNMENT))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def map_sections(path: Path) -> tuple[dict[str, Any], dict[str, memoryview]]:
    """Map a segment: its facts, and its sections as typed views of the file.

    Raises:
        IndexDamagedError: the file is no segment, or shorter than it says.
    """
    try:
        with path.open("rb") as source:
            view = memoryview(mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ))
    except ValueError as error:  # an empty file cannot be mapped
        raise IndexDamagedError(str(path), "empty") from error
    if bytes(view[:8]) != MAGIC or sys.byteorder != "little":
        raise IndexDamagedError(str(path), "other layout")
    start = 16 + int.from_bytes(view[8:16], "little")
    try:
        head = json.loads(bytes(view[16:start]))
        if len(view) < start + head["size"]:
            raise IndexDamagedError(str(path), "cut short")
        sections = {
            name: view[start + offset : start + offset + size].cast(code)
            for name, (code, offset, size) in head["sections"].items()
        }
        return head["facts"], sections
    except (ValueError, KeyError, TypeError) as error:
        raise IndexDamagedError(str(path), "unreadable table of contents") from error
