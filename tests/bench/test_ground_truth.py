"""The yardstick itself: the independent walk, the sample and its comparison."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture(scope="module")
def truth():
    """The bench's module, which lies outside the package."""
    sys.path.insert(0, str(BENCH))
    try:
        import ground_truth
    finally:
        sys.path.remove(str(BENCH))
    return ground_truth


def test_the_walk_finds_every_raise_with_an_expression(truth, tmp_path):
    """Bare raises are kept apart, tests are told by their paths, unreadable files are named."""
    (tmp_path / "pkg" / "tests").mkdir(parents=True)
    (tmp_path / "pkg" / "a.py").write_text(
        "def f():\n    raise ValueError(\n        'x')\ntry: f()\nexcept E: raise\n"
    )
    (tmp_path / "pkg" / "tests" / "b.py").write_text("raise ValueError('y')\n")
    (tmp_path / "pkg" / "c.py").write_text("print 'old'\n")
    found = truth.read_truth(tmp_path)
    assert [statement.place for statement in found.outside_tests] == [("pkg/a.py", 2, 3)]
    assert found.bare == {("pkg/a.py", 5, 5)}
    assert list(found.unreadable) == ["pkg/c.py"]
    assert found.files == 3


def test_repeated_statements_are_grouped_within_a_file(truth, tmp_path):
    """Two statements that raise the same words in one file each count."""
    (tmp_path / "a.py").write_text(
        "if x: raise ValueError('same')\nelse: raise ValueError('same')\nraise KeyError(1)\n"
    )
    assert [statement.line for statement in truth.read_truth(tmp_path).repeated()] == [1, 2]


def test_the_sample_is_whole_and_readable(truth):
    """300 sites in order, words for all kinds but `none`, and every template reads back as it is written."""
    sample = truth.read_sample()
    assert len(sample) == truth.SAMPLE_SIZE
    places = [(site.coordinate, site.file, site.line) for site in sample]
    assert places == sorted(set(places))
    for site in sample:
        assert bool(site.templates) == (site.kind != "none")
        for template in site.templates:
            parts = truth.read_template(template)
            assert written(parts) == template


def written(parts):
    return "".join(
        text.replace("{", "{{").replace("}", "}}") if kind == "literal" else "{" + text + "}"
        for kind, text in parts
    )


def test_holes_end_where_their_expression_is_whole(truth):
    """Braces and quotes inside an expression do not end its hole."""
    assert truth.read_template("a {x['}']} {{b}} {f({1: 2})}") == (
        ("literal", "a "),
        ("hole", "x['}']"),
        ("literal", " {b} "),
        ("hole", "f({1: 2})"),
    )


def test_white_space_counts_unless_the_library_wraps_anew(truth):
    """Literals and hole positions are compared exactly; expressions by how `ast` spells them."""
    one, other = truth.read_template("a\n{x}  b"), truth.read_template("a {y} b")
    assert truth.skeletons([one], any_white_space=False) != truth.skeletons([other], any_white_space=False)
    assert truth.skeletons([one], any_white_space=True) == truth.skeletons([other], any_white_space=True)
    assert truth.expressions([one]) != truth.expressions([other])
    quoted = truth.read_template('{a["k"]}')
    assert truth.expressions([quoted]) == truth.expressions([truth.read_template("{a['k']}")])


@given(st.text(alphabet="ab{} %\n'\""))
def test_any_literal_text_reads_back(text):
    """A literal of any characters survives the normal form."""
    sys.path.insert(0, str(BENCH))
    try:
        from ground_truth import read_template
    finally:
        sys.path.remove(str(BENCH))
    assert written(read_template(text.replace("{", "{{").replace("}", "}}"))) == text.replace(
        "{", "{{"
    ).replace("}", "}}")
