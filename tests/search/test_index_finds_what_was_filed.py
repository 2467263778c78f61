"""The index on disk: what goes in comes out, is found by its words, and is never torn."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errdex.errors import CatalogError
from errdex.search import Index, answer
from errdex.search.layout import IndexDamagedError

names = st.text("abcdefgh_.", min_size=1, max_size=12)
rows_of_words = st.fixed_dictionaries(
    {
        "template": st.none() | st.text(max_size=60),
        "package": names,
        "version": st.none() | st.sampled_from(["1.0", "2.0.1"]),
        "path": st.builds("{}/{}.py".format, names, names),
        "line": st.integers(1, 10**6),
        "lines": st.integers(1, 40),
        "function": names,
        "error_class": st.none() | names,
        "bases": st.lists(names, max_size=2).map(tuple),
        "code": st.none() | st.just("E0012"),
    }
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(facts=st.lists(rows_of_words, max_size=20))
def test_every_entry_comes_back_as_it_went_in(indexed, site, facts):
    """Iterating over an index gives the entries it was built from, field by field."""
    rows = [site(**one) for one in facts]
    assert sorted(map(repr, indexed(*rows))) == sorted(map(repr, rows))


@pytest.mark.parametrize(
    "message",
    [
        "unable to frobnicate the widget",
        "设备内存不足,无法分配张量",
        "ファイルを開くことができません",
        "\u041d\u0435 \u0443\u0434\u0430\u043b\u043e\u0441\u044c \u043f\u043e\u0434\u043a\u043b\u044e\u0447\u0438\u0442\u044c\u0441\u044f",  # Cyrillic
        "ไม่สามารถเปิดไฟล์ได้ในขณะนี้",
        "Die Datei »a.txt« läßt sich nicht öffnen",
    ],
)
def test_words_of_any_script_find_their_site(indexed, message, site):
    """A last line alone leads to its site, in scripts with and without spaces between words."""
    index = indexed(
        site(message), *(site(f"another error number {number}", line=number) for number in range(50))
    )
    got = answer(f"ValueError: {message}", index)
    assert got.matches[0].template == message
    assert got.verdict == "exact"


def test_what_is_added_is_found_beside_what_was_there(tmp_path, site):
    """Segments added later answer as if the index had been built at once, and are folded before there are many."""
    Index.build([site("the first error of all")], tmp_path)
    for number in range(8):
        index = Index.add([site(f"the later error number {number} of them", line=number + 1)], tmp_path)
        assert len(index.segments) <= 5
    assert len(index) == 9
    assert answer("ValueError: the first error of all", index).matches[0].line == 10
    assert answer("ValueError: the later error number 7 of them", index).matches[0].line == 8


def test_an_index_that_was_never_built_is_empty(tmp_path):
    """No folder, no entries, and an answer that says so."""
    index = Index.open(tmp_path / "nothing")
    assert len(index) == 0
    assert answer("acme.EngineError: stopped", index).verdict == "unindexed"


@pytest.mark.parametrize("damage", ["empty", "cut", "foreign", "scrambled"])
def test_a_damaged_file_is_refused_by_name(tmp_path, damage, site):
    """A segment that is empty, cut short, of another program or unreadable is an error that names the file."""
    Index.build([site("the first error of all")], tmp_path)
    (path,) = tmp_path.glob("*.segment")
    data = path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "cut": data[:400],
            "foreign": b"\x7fELF" + data,
            "scrambled": data[:16] + b"x" * len(data),
        }[damage]
    )
    with pytest.raises(IndexDamagedError, match="segment") as caught:
        Index.open(tmp_path)
    assert isinstance(caught.value, CatalogError)


def test_a_failed_build_leaves_the_old_index(tmp_path, site):
    """Entries that break off half-way leave what was there, and no partial file."""
    Index.build([site("the first error of all")], tmp_path)

    def broken():
        yield site("the second error of all")
        raise OSError("the catalog went away")

    with pytest.raises(OSError, match="went away"):
        Index.build(broken(), tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".segment"]
    assert len(Index.open(tmp_path)) == 1


def test_a_build_that_was_cut_short_leaves_one_index(tmp_path, site):
    """Segments of two generations side by side (a kill between writing and clearing up) count as the newer one."""
    Index.build([site("the first error of all")], tmp_path / "old")
    Index.build([site("the first error of all"), site("the second error of all", line=9)], tmp_path / "new")
    Index.build([site("the first error of all"), site("the second error of all", line=9)], tmp_path / "new")
    (old,) = (tmp_path / "old").glob("*.segment")
    old.rename(tmp_path / "new" / old.name)
    assert len(list((tmp_path / "new").glob("*.segment"))) == 2
    assert len(Index.open(tmp_path / "new")) == 2


def test_two_repositories_of_one_package_keep_apart(indexed, site):
    """The same file of the same version, analysed from the index and from its repository, is two files."""
    from msgspec.structs import replace

    rows = [site(f"error number {number} of the lot", line=number) for number in (1, 5, 9)]
    index = indexed(*rows, *(replace(row, repo="acme/acme") for row in rows))
    assert sorted((entry.repo, entry.line) for entry in index) == sorted(
        (repo, line) for repo in ("acme/acme", "pypi/acme") for line in (1, 5, 9)
    )
