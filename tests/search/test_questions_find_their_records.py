"""Questions in a user's own words, put to catalogs of installed packages, with the shipped model."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errdex.catalog import Catalog
from errdex.catalog.build import build
from errdex.search.ask import Asking, MeaningUnavailableError, Only
from errdex.search.beside import index_folder
from errdex.search.question import is_named, names_of_library, spaced, words_of_question
from errdex.search.question_index import FILE, QuestionIndexError
from errdex.sources import open_tree, parse_coordinate

ROOT = Path(__file__).parents[2]
SHELF = ROOT / "tests" / "fixtures" / "packages" / "shelf"
QUESTIONS = [
    json.loads(line) for line in (ROOT / "bench" / "meaning_questions.jsonl").read_text().splitlines()
]
PACKAGES = ("click", "httpx", "jinja2", "jsonschema", "requests", "werkzeug")
"""Those that the questions are about, are installed for the tests, and are read in a few seconds."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A catalog of six installed packages."""
    with Catalog.open(tmp_path_factory.mktemp("installed") / "catalog.db", create=True) as opened:
        for name in PACKAGES:
            build(opened, open_tree(parse_coordinate(f"env:{name}")))
        yield opened


@pytest.fixture
def shelf(tmp_path):
    """A catalog of the sample package alone."""
    with Catalog.open(tmp_path / "catalog.db", create=True) as opened:
        build(opened, open_tree(parse_coordinate(str(SHELF), repo="acme/shelf")))
        yield opened


def reciprocal_rank(asking, question):
    """1 divided by the place at which the meant record is found, 0 if it is not."""
    wanted = (question["repo"], question["file"])
    for place, found in enumerate(asking.ask(question["question"], limit=50), start=1):
        is_there = (found.summary.repo, found.summary.file_path) == wanted
        if is_there and found.summary.error_message.startswith(question["message"]):
            return 1 / place
    return 0.0


def first(asking, question, **options):
    """The message of the best match."""
    return asking.ask(question, **options)[0].summary.error_message


def test_words_and_meaning_together_find_more_than_words(installed):
    """On the checked-in questions about these packages both together rank the meant record no lower than words do."""
    asked = [one for one in QUESTIONS if one["repo"].removeprefix("pypi/") in PACKAGES]
    both, words = Asking(installed), Asking(installed, by="words")
    ranked_by_both = sum(reciprocal_rank(both, one) for one in asked) / len(asked)
    ranked_by_words = sum(reciprocal_rank(words, one) for one in asked) / len(asked)
    assert len(asked) == 25
    assert ranked_by_both >= ranked_by_words
    assert ranked_by_both >= 0.6


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("why does requests complain that my url has no scheme", "No scheme supplied"),
        ("jinja sandbox does not let me loop over a huge range", "Range too big"),
        ("too many redirects", "redirects"),
    ],
)
def test_a_question_finds_what_it_means(installed, question, says):
    """The best match says what was asked for."""
    assert says in first(Asking(installed), question)


def test_a_library_that_is_named_comes_first(installed):
    """The same question names one library or the other: the first match is of that one."""
    asking = Asking(installed)
    for name in ("httpx", "requests"):
        assert asking.ask(f"{name}: invalid url")[0].summary.repo == f"pypi/{name}"


def test_only_what_is_wanted_is_found(installed):
    """Repository, family and level each leave the others out, however well they match."""
    asking = Asking(installed)
    for only in (
        Only(repo="pypi/click"),
        Only(family="timeout"),
        Only(levels=frozenset({"derived"}), repo="pypi/httpx"),
    ):
        rows = [found.summary for found in asking.ask("request timed out", only=only, limit=50)]
        assert rows
        assert all(only.repo in {None, row.repo} for row in rows)
        assert all(only.family in {None, row.background_tag} for row in rows)
        assert all(row.level in only.levels or not only.levels for row in rows)
    assert asking.ask("request timed out", only=Only(repo="nobody/nothing")) == []


def test_the_same_question_gets_the_same_answer(installed):
    """Ties are broken by the order of filing, and the best of few are the best of many."""
    asking, again = Asking(installed), Asking(installed)
    many = asking.ask("value must be positive", limit=20)
    assert again.ask("value must be positive", limit=20) == many
    assert asking.ask("value must be positive", limit=5) == many[:5]


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_nonsense_finds_nothing(installed, by):
    """Words that nobody wrote are near to nothing."""
    assert Asking(installed, by=by).ask("xyzzy qwertzuiop") == []
    assert Asking(installed, by=by).ask("   ") == []


@given(question=st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_may_be_asked(question, installed):
    """No text is refused, quotes and operators of the full-text search included, and scores only fall."""
    scores = [found.score for found in Asking(installed, by="words").ask(question)]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "question", ['"', "NEAR(a b)", "message: OR", "a* AND NOT b", "'; DROP TABLE words", "\0"]
)
def test_operators_are_words(installed, question):
    """What the full-text search would read as its own language is searched for as words."""
    assert isinstance(Asking(installed).ask(question), list)


def test_without_the_extra_search_is_by_words(installed, monkeypatch):
    """Where model2vec is not installed words alone are compared, unless meaning is asked for by name."""
    monkeypatch.setitem(
        sys.modules, "model2vec", None
    )  # what Python itself keeps of a module that is not to be had
    asking = Asking(installed)
    assert asking.by == "words"
    assert "No scheme supplied" in first(asking, "requests url no scheme")
    with pytest.raises(MeaningUnavailableError, match="semantic"):
        Asking(installed, by="meaning")


def test_meaning_is_filed_when_the_extra_is_there(shelf):
    """An index made without the model is completed by the next search that has it, its words kept."""
    assert first(Asking(shelf, by="words"), "room at least") == first(Asking(shelf), "room at least")
    assert Asking(shelf, by="meaning").ask("the space must not be smaller than one")


def test_the_index_follows_the_catalog(shelf, tmp_path):
    """A repository that is added, or analysed anew, is found at once; one that is as it was keeps its rows."""
    asking = Asking(shelf)
    before = {found.summary.id for found in asking.ask("room", limit=50)}
    added = tmp_path / "reference"
    added.mkdir()
    for words in ("this volume is a reference copy", "this volume is being rebound"):
        (added / "reference.py").write_text(f"def lend(book):\n    raise ValueError({words!r})\n")
        build(shelf, open_tree(parse_coordinate(str(added), repo="acme/reference")))
        found = [one.summary.error_message for one in asking.ask("volume", only=Only(repo="acme/reference"))]
        assert found == [words]
    assert {found.summary.id for found in asking.ask("room", limit=50)} >= before


def test_the_index_may_be_deleted_and_a_bad_one_is_named(shelf):
    """It is made anew when it is gone; a file that is none of ours is an error that says which."""
    expected = Asking(shelf).ask("room")
    file = index_folder(shelf.where) / FILE
    file.unlink()
    assert Asking(shelf).ask("room") == expected
    file.write_bytes(b"not a database, but long enough to be taken for one" * 100)
    with pytest.raises(QuestionIndexError, match=FILE):
        Asking(shelf).ask("room")


def test_identifiers_are_words_and_fillers_are_not():
    """Camel case and underscores are read as words; what every question has is left out, unless that is all."""
    assert spaced("`PackageLoader.get_source`") == "Package Loader.get source"
    assert words_of_question("Why does my PackageLoader not find it?") == ["package", "loader", "find"]
    assert words_of_question("what is it") == ["what", "is", "it"]


def test_libraries_are_named_as_people_name_them():
    """By repository or module, the number at the end left out or not, whatever the case and hyphens."""
    names = names_of_library("pypi/scikit-learn", ["sklearn/base.py", "sklearn/svm/_base.py"])
    assert is_named(names, "Scikit Learn: number of features")
    assert is_named(names, "sklearn fit fails")
    assert not is_named(names, "learn scikit")
    assert is_named(names_of_library("pypi/Jinja2", ["jinja2/loaders.py"]), "why does jinja not find it")
