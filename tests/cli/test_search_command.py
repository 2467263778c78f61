"""`errdex search`, run as a user runs it."""

import json
import os
import subprocess
import sys

import pytest

SOURCE = '''
def lend(book, days):
    """Hand a book out.

    Args:
        days: How long it may be kept.
    """
    if days > 30:
        raise ValueError("a loan \\x1b[31mlasts\\u202e at most thirty days")
    if book is None:
        raise LookupError("no such volume")
'''


def errdex(*arguments) -> subprocess.CompletedProcess:
    """Run errdex in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "errdex", *map(str, arguments)],
        capture_output=True,
        env=os.environ.copy(),
        check=False,
        timeout=120,
    )


@pytest.fixture
def lending(tmp_path):
    """A catalog with two errors of one function, one message of which is hostile."""
    package = tmp_path / "lending"
    package.mkdir()
    (package / "__init__.py").write_text(SOURCE)
    done = errdex("analyze", tmp_path, "--repo", "acme/lending")
    assert done.returncode == 0, done.stderr.decode()


def test_search_prints_the_best_matches(lending):
    """Message, meaning and place of each, the best first; as JSON the same with keys for programs."""
    done = errdex("search", "how", "long", "may", "I", "keep", "a", "loan", "--limit", 1)
    assert done.returncode == 0, done.stderr.decode()
    assert b"lending/__init__.py:9" in done.stdout
    assert b"acme/lending" in done.stdout
    body = json.loads(errdex("search", "no such volume", "--json").stdout)
    assert (body["schema"], body["by"]) == (1, "both")
    best = body["matches"][0]
    assert best["message"] == "no such volume"
    assert best["url"] == f"/acme/lending/{best['message'].replace(' ', '-')}/"
    assert {"id", "repo", "file", "line", "function", "class", "family", "level", "score"} <= set(best)


def test_what_is_hostile_is_shown_harmlessly(lending):
    """Colour codes and direction marks of a message do not reach the terminal."""
    shown = errdex("search", "loan thirty days").stdout.decode()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\u001b" in shown


def test_finding_nothing_and_asking_wrongly_differ(lending):
    """Exit 1 for nothing found, 2 for a wrong option, 3 for a question that is none."""
    assert errdex("search", "xyzzy").returncode == 1
    assert errdex("search", "loan", "--repo", "nobody/nothing").returncode == 1
    assert json.loads(errdex("search", "xyzzy", "--json").stdout)["matches"] == []
    assert errdex("search", "loan", "level:proved").returncode == 1
    assert errdex("search", "loan", "level:derived").returncode == 0
    assert errdex("search", "loan", "--level", "certain").returncode == 2
    empty = errdex("search", " ")
    assert (empty.returncode, empty.stdout) == (3, b"")
    assert b"empty" in empty.stderr
