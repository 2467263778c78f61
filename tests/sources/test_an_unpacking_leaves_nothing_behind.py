"""Whatever goes wrong while code is fetched and unpacked, the cache is as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errdex.errors import CacheUnusableError
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import Cache
from errdex.sources.unpack import file_sha256

SLOW_READER = """
import sys
from pathlib import Path
from errdex.sources import open_tree, parse_coordinate
from errdex.sources import unpack

class Pausing(unpack._Unpacking):
    def take(self, member, opener):
        super().take(member, opener)
        print("one member", flush=True)
        sys.stdin.read()  # until the test has sent its signal

unpack._Unpacking = Pausing
open_tree(parse_coordinate(sys.argv[1]), cache=Path(sys.argv[2]))
"""

READER = """
import sys
from pathlib import Path
from errdex.sources import open_tree, parse_coordinate

print("ready", flush=True)
sys.stdin.readline()
tree = open_tree(parse_coordinate(sys.argv[1]), cache=Path(sys.argv[2]))
print(tree.revision, (tree.root / "pkg/core.py").read_text())
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 kB of its own."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("mounting a small tmpfs is not allowed here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_said_and_freed_again(small_disk: Path, make_wheel: Callable[..., Path]) -> None:
    """What was written before the disk was full is removed, and a smaller package still fits."""
    noise = {f"pkg/{number}.py": os.urandom(20_000) for number in range(40)}
    cache = small_disk / "cache"
    with pytest.raises(CacheUnusableError, match="disk is full"):
        open_tree(parse_coordinate(str(make_wheel(files=noise))), cache=cache)
    assert list(cache.glob("tmp/*")) == []
    assert list(cache.glob("trees/*")) == []
    assert open_tree(parse_coordinate(str(make_wheel(version="2.0"))), cache=cache).version == "2.0"


def test_a_full_disk_stops_a_download_too(
    small_disk: Path, make_wheel: Callable[..., Path], index: object
) -> None:
    """A wheel that does not fit is not left half downloaded."""
    index.add("pkg", make_wheel(files={"pkg/data.bin": os.urandom(400_000)}))  # type: ignore[attr-defined]
    with pytest.raises(CacheUnusableError, match="disk is full"):
        open_tree(parse_coordinate("pypi:pkg"), cache=small_disk / "cache")
    assert list((small_disk / "cache").glob("tmp/*")) == []


def test_a_cache_that_is_a_file_is_said_to_be_unusable(
    tmp_path: Path, make_wheel: Callable[..., Path]
) -> None:
    """The error names the folder and the way out."""
    (tmp_path / "cache").write_text("")
    with pytest.raises(CacheUnusableError, match="ERRDEX_CACHE"):
        open_tree(parse_coordinate(str(make_wheel())), cache=tmp_path / "cache")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are POSIX's here")
def test_a_cache_without_permission_is_said_to_be_unusable(
    tmp_path: Path, make_wheel: Callable[..., Path]
) -> None:
    """Even root may not write to a disk that is mounted read-only."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    if os.geteuid() == 0:
        mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(folder)]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("mounting a read-only tmpfs is not allowed here")
    else:
        folder.chmod(0o500)
    try:
        with pytest.raises(CacheUnusableError, match=r"read-only|permission denied"):
            open_tree(parse_coordinate(str(make_wheel())), cache=folder / "cache")
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", str(folder)], check=True)


def _paused(wheel: Path, cache: Path) -> subprocess.Popen[str]:
    """Start a process that has unpacked one member and waits."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_READER, str(wheel), str(cache)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "one member\n"
    assert len(list(cache.glob("tmp/*"))) == 1
    return process


def test_an_interrupt_leaves_nothing(tmp_path: Path, make_wheel: Callable[..., Path]) -> None:
    """Ctrl-C in the middle of an archive removes what was unpacked of it."""
    cache = tmp_path / "cache"
    process = _paused(make_wheel(), cache)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert "KeyboardInterrupt" in errors
    assert list(cache.glob("tmp/*")) == []
    assert list(cache.glob("trees/*")) == []


def test_what_a_killed_process_left_goes_with_the_next(
    tmp_path: Path, make_wheel: Callable[..., Path], index: object
) -> None:
    """After `kill -9` the next download sweeps up, and leaves the work of living processes alone."""
    cache = tmp_path / "cache"
    process = _paused(make_wheel(), cache)
    process.kill()
    process.communicate()
    assert len(list(cache.glob("tmp/*"))) == 1
    index.add("pkg", make_wheel(version="2.0"))  # type: ignore[attr-defined]
    with Cache(cache).work() as alive:
        open_tree(parse_coordinate("pypi:pkg"), cache=cache)
        assert list(cache.glob("tmp/*")) == [alive]


def test_processes_may_open_the_same_artifact_at_once(
    tmp_path: Path, make_wheel: Callable[..., Path]
) -> None:
    """Each gets the whole tree; it is kept once."""
    cache = tmp_path / "cache"
    command = [sys.executable, "-c", READER, str(make_wheel()), str(cache)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    outputs = {process.communicate("go\n")[0] for process in processes}
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(outputs) == 1
    assert "must not be negative" in outputs.pop()
    assert len(list(cache.glob("trees/*"))) == 1
    assert list(cache.glob("tmp/*")) == []


def test_the_second_of_two_unpackings_finds_the_first(
    tmp_path: Path, make_wheel: Callable[..., Path]
) -> None:
    """A tree that appeared meanwhile is used, and not replaced."""
    wheel, cache = make_wheel(), Cache(tmp_path / "cache")
    tree = open_tree(parse_coordinate(str(wheel)), cache=cache.folder)
    kept = cache.load(file_sha256(wheel))
    assert kept is not None
    before = tree.root.stat().st_ino
    with cache.work() as work:
        (work / "files").mkdir()
        cache.keep(file_sha256(wheel), work, kept[0])
    assert tree.root.stat().st_ino == before


def test_a_damaged_tree_is_made_anew(tmp_path: Path, make_wheel: Callable[..., Path]) -> None:
    """A manifest that cannot be read, or files that are gone, cost one more unpacking."""
    wheel, cache = make_wheel(), tmp_path / "cache"
    first = open_tree(parse_coordinate(str(wheel)), cache=cache)
    (first.root.parent / "manifest").write_bytes(b"\xc1")
    assert open_tree(parse_coordinate(str(wheel)), cache=cache) == first
    first.root.rename(tmp_path / "gone")
    assert open_tree(parse_coordinate(str(wheel)), cache=cache) == first
    assert (first.root / "pkg/core.py").is_file()
    assert list(cache.glob("tmp/*")) == []
