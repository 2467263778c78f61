"""A disk that fills up ends the command with a sentence and leaves the catalog as it was."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHELF = Path(__file__).parents[1] / "fixtures" / "packages" / "shelf"


def _errdex(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "errdex", *map(str, arguments)],
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
        timeout=120,
    )


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 400 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(disk: Path) -> None:
    filler = os.open(disk / "filler", os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(filler, b"\0" * 4096):
            pass
    except OSError:
        pass
    finally:
        os.close(filler)


def test_a_full_disk_under_the_catalog_keeps_what_was_there(small_disk):
    """The package that no longer fits is refused whole; the records before it are still served."""
    catalog = small_disk / "catalog.db"
    assert _errdex("analyze", SHELF, "--repo", "acme/shelf", "--catalog", catalog).returncode == 0
    before = _errdex("list", "--jsonl", "--catalog", catalog).stdout
    _fill(small_disk)
    done = _errdex("analyze", SHELF, "--repo", "acme/other", "--catalog", catalog)
    assert done.returncode == 3
    assert b"full" in done.stderr
    assert b"Traceback" not in done.stderr
    (small_disk / "filler").unlink()
    after = _errdex("list", "--jsonl", "--catalog", catalog).stdout
    assert after == before
    assert json.loads(after.splitlines()[0])["repo"] == "acme/shelf"


def test_a_full_disk_under_the_cache_is_no_failure(small_disk, tmp_path):
    """A cache that cannot be written costs time, not the answer."""
    (small_disk / "cache").mkdir()
    _fill(small_disk)
    done = _errdex("analyze", SHELF, ERRDEX_CACHE=str(small_disk / "cache"))
    assert done.returncode == 0, done.stderr.decode()
    assert b"errors from" in done.stderr
