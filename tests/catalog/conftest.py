"""The catalog's tests run on both of its stores: a file of SQLite, and a PostgreSQL server of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from errdex.catalog import Catalog

_names = count()
_SETTINGS = "-c listen_addresses='' -c fsync=off"


def _binaries() -> Path | None:
    """Return the folder of PostgreSQL's server programs, where Debian or the search path has them."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    return max(
        Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda each: int(each.parent.name)
    )


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The folder of a running server's socket; the tests are skipped where PostgreSQL is not installed."""
    binaries = _binaries()
    if binaries is None or not (binaries / "initdb").is_file():
        pytest.skip("PostgreSQL's server is not installed")
    folder = Path(tmp_path_factory.mktemp("pg"))
    user: str | None = None
    if os.geteuid() == 0:  # the server refuses to be root
        user = "nobody"
        shutil.chown(folder, user)
        for parent in folder.parents[:3]:
            parent.chmod(parent.stat().st_mode | 0o011)
    data = folder / "data"

    def call(program: str, *arguments: str) -> None:
        subprocess.run(
            [binaries / program, *arguments], check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL
        )

    call("initdb", "-D", str(data), "-A", "trust", "-U", "errdex", "-E", "UTF8", "--no-locale", "--no-sync")
    log = str(folder / "log")
    call("pg_ctl", "-D", str(data), "-l", log, "-w", "-o", f"-k {folder} {_SETTINGS}", "start")
    yield str(folder)
    call("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty catalog may be made: the path of a file, or the URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "catalog.db")
    folder = request.getfixturevalue("postgresql")
    name = f"errdex{next(_names)}"
    with psycopg.connect(host=folder, user="errdex", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql+psycopg://errdex@/{name}?host={folder}"


@pytest.fixture
def catalog(where: str) -> Iterator[Catalog]:
    """An empty catalog."""
    with Catalog.open(where, create=True) as opened:
        yield opened
