"""The rules of the house, held by tools."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import errdex
from errdex import errors
from errdex.errors import ErrdexError

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "format", "--check", "--quiet", "."],
        ["ruff", "check", "--quiet", "."],
        ["mypy"],
        ["lint-imports"],
    ],
    ids=["format", "lint", "types", "layers"],
)
def test_a_tool_finds_nothing(command):
    """Format, lint, strict types and the layers hold."""
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_public_surface_is_a_list():
    """`errdex.__all__` is sorted and names exactly what the package exposes."""
    names = errdex.__all__
    assert names == sorted(set(names))
    for name in names:
        assert hasattr(errdex, name)
    exposed = {name for name in vars(errdex) if not name.startswith("_")}
    modules = {name for name in exposed if type(getattr(errdex, name)).__name__ == "module"}
    assert exposed - modules == {name for name in names if not name.startswith("_")}


def test_no_lock_file_names_a_place():
    """Lock files carry versions and hashes, and no address to fetch them from."""
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text
        pins = re.findall(r"^[A-Za-z0-9].*?==", text, re.MULTILINE)
        assert pins
        assert text.count("--hash=sha256:") >= len(pins)


def _subclasses(cls: type[ErrdexError]) -> list[type[ErrdexError]]:
    return [each for child in cls.__subclasses__() for each in (child, *_subclasses(child))]


def test_every_error_has_a_slug_of_its_own():
    """Slugs are kebab-case, and none is used twice."""
    classes = _subclasses(ErrdexError)
    slugs = [cls.slug for cls in classes]
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug) for slug in slugs)
    own = [cls.__dict__.get("slug") for cls in classes]
    named = [slug for slug in own if slug]
    assert len(named) == len(set(named))


def test_errors_survive_the_way_back_from_a_worker():
    """An error raised in a worker process arrives with its facts."""
    error = errors.SourceError("a fact")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.args == error.args
