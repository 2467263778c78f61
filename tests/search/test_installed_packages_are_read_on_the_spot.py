"""Packages that are installed and not in the catalog: their frames' files are read, and answered from."""

from __future__ import annotations

import subprocess
import sys
import traceback

import pytest

from errdex.search import Index, explain


def raised(program):
    """Return the traceback that a program's error prints."""
    try:
        exec(program, {})
    except Exception as error:  # noqa: BLE001
        return traceback.format_exc(), error
    raise AssertionError


REAL = {
    "click": ("import click; click.Option(['--x'], is_flag=True, type=int, count=True)", "click"),
    "sqlalchemy": ("import sqlalchemy; sqlalchemy.create_engine('nodialect://x')", "sqlalchemy"),
    "jinja2": ("import jinja2; jinja2.Environment(loader=jinja2.DictLoader({})).get_template('x')", "jinja2"),
    "packaging": ("from packaging.version import Version; Version('not a version')", "packaging"),
    "json": ("import json; json.loads('{')", "python"),
}


@pytest.mark.parametrize("name", REAL)
def test_a_real_error_of_an_installed_package_finds_its_line(name, tmp_path):
    """The line that really raised is the answer, whatever the catalog holds."""
    program, package = REAL[name]
    text, error = raised(program)
    place = traceback.extract_tb(error.__traceback__)[-1]
    best = explain(text, Index.open(tmp_path)).answer.matches[0]
    assert best.package == package
    assert place.filename.replace("\\", "/").endswith(best.file)
    assert best.line <= place.lineno <= best.end_line or name == "json"  # its scanner in C raises for it


def test_the_whole_record_is_there_too():
    """What was read on the spot can be shown as a page's record, with the id that a catalog would give."""
    text, _ = raised(REAL["packaging"][0])
    explained = explain(text, None)
    best = explained.answer.matches[0]
    record, evidence = explained.record(best)
    assert record.id == best.id
    assert best.line in {one.line for one in evidence.sites}


def test_a_class_alone_is_enough_where_its_package_is_installed():
    """A last line with a dotted class leads into the installed package."""
    best = explain("packaging.version.InvalidVersion: Invalid version: 'x'", None).answer.matches[0]
    assert best.function == "Version.__init__"
    assert [(one.expression, one.value) for one in best.bindings] == [("version", "'x'")]


def test_what_is_not_installed_stays_unindexed():
    """A package that is neither in the catalog nor installed is named as such."""
    text = 'Traceback (most recent call last):\n  File "/x/site-packages/nosuchpkg/a.py", line 1, in f\nnosuchpkg.E: no'
    answer = explain(text, None).answer
    assert answer.verdict == "unindexed"
    assert "nosuchpkg" in answer.reason


@pytest.mark.parametrize(
    "path", ["../../../etc/passwd", "/etc/passwd", "/dev/zero", "\x00", "a" * 5000, "/proc/self/mem"]
)
def test_hostile_paths_in_a_trace_are_harmless(path):
    """Frames may name any file: none outside an installed package is read."""
    text = f'Traceback (most recent call last):\n  File "{path}", line 1, in f\nValueError: x'
    assert explain(text, None).spot is None


def test_only_what_is_needed_is_imported():
    """Answering from what is installed loads neither the database, nor the templates, nor the web."""
    program = (
        "import sys; from errdex.search import explain; "
        "explain(\"packaging.version.InvalidVersion: Invalid version: 'x'\", None); "
        "print([name for name in ('sqlalchemy', 'jinja2', 'starlette', 'rich', 'tree_sitter', 'unearth') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=240
    )
    assert done.stdout.strip() == "[]"


OTHER_VERSION = "packaging", "0.0.1"


@pytest.mark.parametrize("here", [True, False], ids=["this machine", "another machine"])
def test_another_machines_trace_is_answered_from_the_catalogs_versions(indexed, site, here):
    """What is installed here speaks for a trace of this machine; for another's, the catalog's own versions do."""
    package, version = OTHER_VERSION
    known = site("Invalid version: {v!r}", package=package, version=version, path="packaging/version.py")
    text, error = raised(REAL["packaging"][0])
    if not here:
        folder = traceback.extract_tb(error.__traceback__)[-1].filename.rpartition("/packaging/")[0]
        text = text.replace(folder, "/opt/elsewhere/site-packages")
    spot = explain(text, indexed(known)).spot
    assert (spot is not None) is here
