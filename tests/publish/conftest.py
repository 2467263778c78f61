"""Puts the sample records within reach of the tests beside them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def catalog(tmp_path_factory):
    """The sample catalog, read by all tests and written by none."""
    from sample_catalog import sample_catalog

    with sample_catalog(tmp_path_factory.mktemp("sample")) as opened:
        yield opened
