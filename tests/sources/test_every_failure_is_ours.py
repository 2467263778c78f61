"""Errors of the sources: they travel between processes, and no foreign error gets past the seam."""

from __future__ import annotations

import errno
import gzip
import inspect
import lzma
import pickle
import tarfile
import zipfile
import zlib

import httpx2
import pytest
import unearth.errors

from errdex import errors
from errdex.errors import ArchiveDamagedError, SourceError
from errdex.sources.archive import DAMAGE, reading
from errdex.sources.index import FOREIGN_ERRORS

FACTS = {
    "near": ("1.0", "1.1"),
    "asked": ("https://a.example",),
    "cached": ("pypi:a==1",),
    "size_bytes": 12,
    "limit_bytes": 5,
}
SOURCE_ERRORS = [
    found for found in vars(errors).values()
    if isinstance(found, type) and issubclass(found, SourceError) and found is not SourceError
]  # fmt: skip


@pytest.mark.parametrize("kind", SOURCE_ERRORS, ids=lambda kind: kind.__name__)
def test_each_error_survives_a_pickle(kind: type[SourceError]) -> None:
    """Facts, problem and hint come back from a worker process."""
    names = list(inspect.signature(kind.__init__).parameters)[1:]
    error = kind(*(FACTS.get(name, f"the {name}\n'\x1b[31m") for name in names))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert vars(again) == vars(error)
    assert str(again) == str(error)
    assert error.problem.endswith(".")
    assert error.slug != SourceError.slug


def test_slugs_are_unique() -> None:
    """A slug is a page: two errors never share one."""
    assert len({kind.slug for kind in SOURCE_ERRORS}) == len(SOURCE_ERRORS)


def exceptions_of(module: object) -> list[type[Exception]]:
    return [
        found for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Exception) and not issubclass(found, Warning)
    ]  # fmt: skip


def test_every_error_of_the_index_library_is_mapped() -> None:
    """What the HTTP client and the index library raise is all caught at one place."""
    for kind in (*exceptions_of(httpx2), *exceptions_of(unearth.errors)):
        assert issubclass(kind, FOREIGN_ERRORS), kind


@pytest.mark.parametrize("module", [zipfile, tarfile, lzma, zlib], ids=lambda module: module.__name__)
def test_every_error_of_the_archive_libraries_is_mapped(module: object) -> None:
    """A damaged archive is ours to name, whatever noticed it."""
    for kind in exceptions_of(module):
        assert issubclass(kind, DAMAGE), kind


@pytest.mark.parametrize(
    "damage",
    [gzip.BadGzipFile("Not a gzipped file"), OSError("Invalid data stream"), zlib.error("invalid distance")],
)
def test_damage_is_told_from_a_failing_disk(damage: Exception) -> None:
    """Gzip and bz2 raise OSError for damaged data; with an errno it is the disk's."""
    with pytest.raises(ArchiveDamagedError), reading("a.tar.gz"):
        raise damage
    with pytest.raises(OSError, match="Input/output"), reading("a.tar.gz"):
        raise OSError(errno.EIO, "Input/output error")
