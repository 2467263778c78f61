"""What a library's tests expect to raise is read where it is written out."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.link.expected_text import (
    GAP,
    agreement,
    exact_agreement,
    literal_expectation,
    regex_expectations,
)
from errdex.link.raising_tests import is_test_file, mine_tests

SOURCE = """
import re
import unittest
import pytest
import pkg
from pkg.errors import Refused as No

MESSAGE = "is gone"


class TestThings(unittest.TestCase):
    def test_context(self):
        with self.assertRaisesRegex(ValueError, r"must be \\d+ or more"):
            pkg.check(3)

    def test_django(self):
        self.assertRaisesMessage(No, "Cannot (yet) do %s" % self.x, pkg.do, 1, key=2)


def test_lambda():
    pytest.raises(No, lambda: pkg.load("x"))


def test_names():
    msg = f"{pkg.name} {MESSAGE}"
    with pytest.raises((No, KeyError), match=msg):
        @pkg.register
        def nothing(): ...


@pytest.mark.parametrize("error, text", [(No, "first"), pytest.param(TypeError, "second", id="b")])
def test_rows(error, text):
    with pytest.raises(error, match=re.escape(text + ".")):
        pkg.run(text)


def test_branch(flag):
    if flag:
        msg = "one"
    else:
        msg = "two"
    with pytest.warns(UserWarning, match=msg):
        pkg.warn()


def test_other():
    with pkg.raises(ValueError):
        pkg.fine()
"""


def mined():
    return mine_tests("tests/test_it.py", SOURCE.encode())


def test_every_form_of_expecting_an_error_is_read():
    """Context managers, callables, lambdas and rows give name, class, call and text as they stand."""
    found = [(one.test.name, one.error_classes, one.test.call, one.test.match) for one in mined()]
    assert found == [
        ("TestThings.test_context", ("ValueError",), "pkg.check(3)", r"must be \d+ or more"),
        ("TestThings.test_django", ("pkg.errors.Refused",), "pkg.do(1, key=2)", "Cannot (yet) do …"),
        ("test_lambda", ("pkg.errors.Refused",), "pkg.load('x')", None),
        (
            "test_names",
            ("pkg.errors.Refused", "KeyError"),
            "@pkg.register\ndef nothing(): ...",
            "… is gone",
        ),
        ("test_rows", ("pkg.errors.Refused",), "pkg.run(text)", "first."),
        ("test_rows", ("TypeError",), "pkg.run(text)", "second."),
        ("test_branch", ("UserWarning",), "pkg.warn()", None),
    ]


def test_a_name_set_on_some_paths_only_expects_nothing():
    """A text that depends on a branch is known to be expected and not guessed."""
    last = mined()[-1]
    assert last.has_match
    assert last.expectations == ()
    assert last.is_warning


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"must be \(a, b\)\.", ["must be (a, b)."]),
        (r"got [0-9]+ of .*", [f"got {GAP} of {GAP}"]),
        (r"axis|order", ["axis", "order"]),
        (r"a(b|c)d", [f"a{GAP}d"]),
        (r"colou?r", [f"colo{GAP}r"]),
        (r"dict {'a': 1}", ["dict {'a': 1}"]),
        (r"x{2,3}y", [f"{GAP}y"]),
        (r"not (?!this)", []),
        (r"unbalanced (", []),
    ],
)
def test_a_pattern_is_read_for_the_letters_it_spells_out(pattern, texts):
    """Groups, classes and repetitions are gaps; what changes the meaning of the rest is not read."""
    assert [one.text for one in regex_expectations(pattern)] == texts


def test_agreement_counts_letters_that_both_spell_out():
    """Letters that only a hole could give do not count."""
    (expected,) = regex_expectations("got 5 of 6 items")
    fit = agreement(expected, f"got {GAP} of {GAP} items")
    assert fit is not None
    assert (fit.letters, fit.share) == (10, 10 / 12)
    assert agreement(expected, "got five of six items") is None
    assert agreement(literal_expectation("of items", whole=True), "got of items") is None


@given(st.text(alphabet="ab |()[]{}\\.*+?^$dZ", max_size=30))
def test_any_pattern_is_read_without_an_error(pattern):
    """Malformed patterns spell out nothing or something, and never fail."""
    for expected in regex_expectations(pattern):
        assert expected.letters > 0


@given(st.text(min_size=1, max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_a_text_agrees_with_whatever_contains_it(text, before, after):
    """An expectation stands in every template that spells it out, whole."""
    if GAP in text + before + after or not text.strip():
        return
    exact = exact_agreement(literal_expectation(text), before + text + after)
    placed = agreement(literal_expectation(text), before + text + after)
    assert exact is not None
    assert placed is not None
    assert exact.letters == placed.letters


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/x.py", True),
        ("pkg/sub/tests/test_a.py", True),
        ("pkg/a_test.py", True),
        ("app/tests.py", True),
        ("pkg/contest.py", False),
        ("pkg/latest/core.py", False),
    ],
)
def test_test_files_are_told_by_their_paths(path, is_test):
    """Folders and names say which files hold tests."""
    assert is_test_file(path) is is_test


def test_broken_test_files_hold_no_tests():
    """A file that does not parse is passed over."""
    assert mine_tests("tests/test_a.py", dedent("def test(:\n  pytest.raises").encode()) == ()
    assert mine_tests("tests/test_a.py", b"raises\xff") == ()
