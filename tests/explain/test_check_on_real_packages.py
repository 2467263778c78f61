"""`errdex check` over the records of packages that nobody here wrote."""

from datetime import UTC, datetime

import pytest

from errdex.catalog.check import check_records
from errdex.catalog.rows import StoredRecord
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate


@pytest.mark.parametrize("name", ["click", "httpx", "jinja2", "starlette", "jsonschema"])
def test_every_record_of_a_package_is_clean(name):
    """No record of these packages has a problem in any check."""
    tree = open_tree(parse_coordinate(f"env:{name}"))
    lines = LineReader(tree.root)
    described = describe(tree, analyze(tree).sites, lines, analyzed_at=datetime(2026, 11, 30, tzinfo=UTC))
    stored = [StoredRecord(record=record, evidence=evidence) for record, evidence in described]
    assert stored
    assert list(check_records(stored, lambda repo, revision, path: "\n".join(lines(path)) or None)) == []
