"""Git's object names, computed from bytes: what a revision is where there is no repository.

Format: git's `Documentation/gitformat-pack` and `git help hash-object`; SHA-1 object format.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_Folder = dict[bytes, "tuple[bytes, bytes] | _Folder"]


def blob_hash(data: bytes) -> str:
    """Return the name (40 hex) that git gives a file of this content."""
    digest = blob_hasher(len(data))
    digest.update(data)
    return digest.hexdigest()


def blob_hasher(size_bytes: int) -> hashlib._Hash:
    """Return a hash that becomes the blob's name once exactly `size_bytes` bytes are fed to it."""
    return hashlib.sha1(b"blob %d\0" % size_bytes, usedforsecurity=False)


def tree_hash(files: Iterable[tuple[str, str, bool]]) -> str:
    """Return the name (40 hex) of the git tree that holds `files`: (path, blob, is executable).

    Paths have `/` between parts and at most 100 of them; none is a folder of another.
    """
    top: _Folder = {}
    for path, blob, executable in files:
        *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
        folder = top
        for part in folders:
            inner = folder.setdefault(part, {})
            assert isinstance(inner, dict)
            folder = inner
        folder[name] = (b"100755" if executable else b"100644", bytes.fromhex(blob))
    return _tree(top).hex()


def _tree(folder: _Folder) -> bytes:
    rows: list[tuple[bytes, bytes]] = []
    for name, entry in folder.items():
        if isinstance(entry, dict):
            rows.append((name + b"/", b"40000 " + name + b"\0" + _tree(entry)))  # git sorts folders so
        else:
            rows.append((name, entry[0] + b" " + name + b"\0" + entry[1]))
    body = b"".join(row for _, row in sorted(rows))
    return hashlib.sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).digest()
