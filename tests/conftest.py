"""What all tests share: where ../shared is, and that a test never touches the user's own catalog or cache."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory, monkeypatch):
    """Every test has an empty catalog and a cache of its own."""
    home = tmp_path_factory.mktemp("errdex")
    monkeypatch.setenv("ERRDEX_CATALOG", str(home / "catalog.db"))
    monkeypatch.setenv("ERRDEX_CACHE", str(home / "cache"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder ../shared; the test is skipped where a clone does not have it."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not beside this clone")
    return SHARED
