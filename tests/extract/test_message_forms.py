"""Message forms: what a fixture's comments say, and what the interpreter does."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.extract.reading import FIXTURES, analysis_of, analysis_of_text, by_line, expectations, fits

FORMS = FIXTURES / "extract"
_RUN = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("forms", sys.argv[1])
module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)
for name, function in list(vars(module).items()):
    if name.startswith("fails_"):
        try:
            function()
        except Exception as error:
            frame = error.__traceback__
            while frame.tb_next is not None:
                frame = frame.tb_next
            print(json.dumps([name, type(error).__name__, [str(one) for one in error.args] + [str(error)], frame.tb_lineno]))
"""


@pytest.fixture(scope="module")
def sites():
    return analysis_of(FORMS).sites


def test_every_form_is_read_as_the_fixture_says(sites):
    """Each statement of the fixture has the class and the templates that the comment above it states."""
    found = by_line(sites, "forms.py")
    for line, (error_class, templates) in expectations(FORMS / "forms.py").items():
        if templates is None:
            assert line not in found
            continue
        site = found[line]
        if error_class is not None:
            assert site.class_written == error_class
        if templates:
            assert [template.text for template in site.templates] == templates, line
        if error_class is not None and not templates:
            assert site.templates or site.unresolved


def test_the_interpreter_agrees(sites):
    """What Python raises at a line has the site's class, and its message fits one of the site's templates."""
    command = [sys.executable, "-W", "ignore", "-c", _RUN, str(FORMS / "forms.py")]
    rows = subprocess.run(
        command, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout.splitlines()
    found = {(site.line, site.end_line): site for site in sites if site.path == "forms.py"}
    assert len(rows) > 25
    for row in rows:
        name, error_class, messages, line = json.loads(row)
        site = next(site for (start, end), site in found.items() if start <= line <= end)
        assert site.callable.name == name
        assert (site.error_class or "").rpartition(".")[2] == error_class
        assert not site.templates or any(
            fits(one, message) for one in site.templates for message in messages
        ), row


def test_holes_keep_how_they_are_written(sites):
    """A hole knows its expression, its conversion, its specification and the text that the source gives it."""
    site = next(site for site in sites if site.callable.name == "fails_percent_only")
    assert [
        (hole.expression, hole.written, hole.conversion, hole.spec) for hole in site.templates[0].holes
    ] == [
        ("name", "%r", "r", ""),
        ("ratio", "%5.2f", "", "5.2f"),
        ("3", "%-3d", "", "-3d"),
    ]
    assert site.templates[0].written == "%r is 50%% of %5.2f with %-3d"


BRANCHES = ("msg += 'part'", "msg = msg + 'part'", "msg = f'{msg} part'", "msg = 'part %s' % msg")


@pytest.mark.parametrize("statement", BRANCHES)
def test_a_message_built_in_many_branches_is_told_in_few_ways(statement, tmp_path):
    """Forty branches that each add to a message would make 2^40 wordings; a few of them are told."""
    branches = "".join(f"    if c == {number}:\n        {statement}\n" for number in range(40))
    source = f"def f(c):\n    msg = 'start of it'\n{branches}    raise ValueError(msg)\n"
    (site,) = analysis_of_text(tmp_path, source).sites
    assert 1 <= len(site.templates) <= 32
