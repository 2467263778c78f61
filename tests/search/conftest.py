"""What the tests of search share: plain entries, plain tracebacks, and the index of given entries."""

from __future__ import annotations

from itertools import count

import pytest

from errdex.model.answer import IndexEntry
from errdex.model.record import record_id, record_slug
from errdex.search import Index


@pytest.fixture
def indexed(tmp_path):
    """A function that builds the index of the entries it is given."""
    numbers = count()

    def build(*entries):
        return Index.build(entries, tmp_path / f"index-{next(numbers)}")

    return build


@pytest.fixture(scope="session")
def site():
    """A function that makes the entry of one throw site: only what a test is about is said."""
    return _site


@pytest.fixture(scope="session")
def trace():
    """A function that writes a traceback with given frames and last line."""
    return _trace


def _site(
    template: str | None,
    *,
    package: str = "acme",
    version: str | None = "1.0",
    path: str = "acme/core.py",
    line: int = 10,
    lines: int = 1,
    function: str = "Engine.start",
    error_class: str | None = "ValueError",
    bases: tuple[str, ...] = (),
    code: str | None = None,
) -> IndexEntry:
    """Return the entry of one throw site."""
    repo = f"pypi/{package}"
    key = code or template or error_class or "Exception"
    return IndexEntry(
        id=record_id(repo, key, path),
        repo=repo,
        slug=record_slug(key),
        package=package,
        version=version,
        path=path,
        line=line,
        end_line=line + lines - 1,
        function=function,
        error_class=error_class,
        bases=bases,
        template=template,
        error_code=code,
    )


def _trace(last: str, *frames: tuple[str, int, str], root: str = "/usr/lib/python3/site-packages/") -> str:
    """Return a traceback with these frames below `root` (absolute paths are kept)."""
    rows = ["Traceback (most recent call last):"]
    for path, line, function in frames:
        rows.append(f'  File "{path if path.startswith("/") else root + path}", line {line}, in {function}')
        rows.append("    call(something)")
    return "\n".join([*rows, last])
