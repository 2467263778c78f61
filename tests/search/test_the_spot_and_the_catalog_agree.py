"""An error found on the spot has the id that the catalog gives it."""

from datetime import UTC, datetime

from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.search.entries import entries_of
from errdex.sources import open_tree, parse_coordinate

SOURCE = r"""
def f(key, text):
    if not key:
        raise KeyError(key)
    if not text:
        raise ValueError("a lone \ud800 surrogate is no text")
    raise ValueError(f"no {key} in {text!r}")
"""


def test_ids_are_the_same(tmp_path):
    """Words, no words, and words that JSON cannot carry as they are."""
    (tmp_path / "module.py").write_text(SOURCE)
    tree = open_tree(parse_coordinate(str(tmp_path)))
    sites = analyze(tree).sites
    moment = datetime(2026, 12, 1, tzinfo=UTC)
    records = [record for record, _ in describe(tree, sites, LineReader(tree.root), analyzed_at=moment)]
    assert len(records) == 3
    assert [entry.id for entry in entries_of(tree, sites)] == [record.id for record in records]
