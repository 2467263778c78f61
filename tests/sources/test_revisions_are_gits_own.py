"""The revision of an artifact is the hash git itself would give its files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from errdex.sources import open_tree, parse_coordinate
from errdex.sources.git_objects import blob_hash, tree_hash

FILES = {
    "a.py": b"a = 1\n",
    "a/b.py": b"",
    "a-b/c.py": b"raise ValueError('x')\n",
    "a.b/d.so": bytes(range(256)) * 5000,
    "b/ünïcode/é.py": "é = 'é'\n".encode(),
    "b/deep/er/still/x.bin": b"\0" * 100,
    "z": b"no suffix",
}
"""`a.py`, `a/`, `a-b/`, `a.b/`: git sorts a folder as if its name ended in `/`."""


def _with_mode(path: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path)
    info.external_attr = (0o100755 if path == "z" else 0o100644) << 16
    return info


def test_a_wheel_has_the_hash_git_gives_its_files(tmp_path: Path, git: Callable[..., str]) -> None:
    """Every regular member counts, read or not, with its executable bit."""
    wheel = tmp_path / "x-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, data in FILES.items():
            if path != "a.py":
                archive.writestr(_with_mode(path), data)
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(io.BytesIO(wheel.read_bytes())) as archive:
        archive.extractall(folder)
    (folder / "z").chmod(0o755)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    tree = open_tree(parse_coordinate(str(wheel)), cache=tmp_path / "cache")
    assert tree.revision == git(folder, "write-tree")
    for file in tree.files:
        assert file.blob == git(folder, "hash-object", file.path)


def test_trees_sort_as_git_sorts_them(tmp_path: Path, git: Callable[..., str]) -> None:
    """A file and folders with a common start come in git's order."""
    git(tmp_path, "init", "--quiet")
    names = ["a.py", "a-b/x", "a/x", "a.b/x", "a0", "a/y/z"]
    blob = git(tmp_path, "hash-object", "-w", "--stdin", stdin="same\n")
    assert blob == blob_hash(b"same\n")
    for name in names:
        git(tmp_path, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    assert tree_hash((name, blob, False) for name in reversed(names)) == git(tmp_path, "write-tree")


@given(
    data=st.dictionaries(st.from_regex(r"[a-c]/[a-c]{1,2}|[d-f]{1,2}", fullmatch=True), st.binary(max_size=8))
)
def test_the_order_of_files_does_not_matter(data: dict[str, bytes]) -> None:
    """A tree is what it holds, not how it was listed."""
    rows = [(path, blob_hash(content), False) for path, content in data.items()]
    assert tree_hash(rows) == tree_hash(reversed(rows))
