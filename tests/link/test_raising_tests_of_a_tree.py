"""Tests are found beside the sources, read once, and read by whatever executes."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

from errdex.model.source import Coordinate, SourceFile, SourceTree
from errdex.pipeline.analyze import analyze
from errdex.pipeline.cache import SqliteFactsCache
from errdex.pipeline.tests import mined_tests, with_tests

FILES = {
    "pkg/__init__.py": "def check(size):\n    if size < 3:\n        raise ValueError(f'size must be 3, not {size}')\n",
    "tests/test_pkg.py": (
        "import pkg, pytest\n\ndef test_check():\n"
        "    with pytest.raises(ValueError, match='size must be 3, not 1'):\n        pkg.check(1)\n"
    ),
    "tests/test_none.py": "def test_nothing():\n    pass\n",
}


def tree_at(root):
    """Write the files and list them."""
    files = []
    for path, text in sorted(FILES.items()):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        blob = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        files.append(SourceFile(path=path, size_bytes=len(text), blob=blob))
    return SourceTree(
        coordinate=Coordinate(kind="local", name=str(root)),
        root=root,
        repo="local/pkg",
        package="pkg",
        version=None,
        revision="0" * 40,
        permalink=None,
        files=tuple(files),
    )


def test_a_site_shows_the_test_that_raises_it(tmp_path):
    """The analysis with tests is the analysis, and each test at its site."""
    plain = analyze(tree_at(tmp_path))
    (site,) = with_tests(plain).sites
    (test,) = site.tests
    assert (test.path, test.line, test.name, test.call) == (
        "tests/test_pkg.py",
        4,
        "test_check",
        "pkg.check(1)",
    )
    assert test.match == "size must be 3, not 1"


def test_cached_and_parallel_results_are_the_same(tmp_path):
    """A second reading comes from the cache; an executor gives the same tests in the same order."""
    tree = tree_at(tmp_path / "tree")
    alone = mined_tests(tree)
    with SqliteFactsCache(tmp_path / "facts.db") as cache:
        first = mined_tests(tree, cache=cache)
        for path in FILES:
            (tree.root / path).write_text("", encoding="utf-8")
        assert first == mined_tests(tree, cache=cache) == alone
    with ThreadPoolExecutor(2) as executor:
        assert mined_tests(tree_at(tmp_path / "tree"), executor=executor) == alone
