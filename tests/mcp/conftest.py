"""The sample catalog within reach of the MCP tests."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the extra [mcp] is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "publish"))


@pytest.fixture(scope="session")
def catalog(tmp_path_factory):
    """The sample catalog, read by all tests and written by none."""
    from sample_catalog import sample_catalog

    with sample_catalog(tmp_path_factory.mktemp("sample")) as opened:
        yield opened
