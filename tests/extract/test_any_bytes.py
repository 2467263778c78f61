"""Whatever the bytes, reading a file ends with facts whose places lie in it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.extract.reading import FIXTURES, analysis_of_text

from errdex.extract import read_python
from errdex.extract.python import TOKENS

FORMS = (FIXTURES / "extract" / "forms.py").read_bytes()


def _check(data: bytes) -> None:
    facts = read_python(data)
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for site in facts.sites:
        assert 1 <= site.line <= site.end_line <= lines
        assert all(0 <= index < len(facts.conditions) for index in site.conditions)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes(data):
    """Random bytes never break the reader."""
    _check(data + b"\nraise ValueError('x')\n")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(FORMS)), st.binary(max_size=6), st.integers(0, 40))
def test_broken_sources(position, inserted, removed):
    """A source cut open anywhere is read as far as it goes."""
    _check(FORMS[:position] + inserted + FORMS[position + removed :])


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        (b"\xef\xbb\xbfraise ValueError('with a mark')\n", ["with a mark"]),
        (
            "# -*- coding: latin-1 -*-\nraise ValueError('caf\xe9 is closed')\n".encode("latin-1"),
            ["café is closed"],
        ),
        (b"def f():\r\n    raise ValueError('crlf')\r\n", ["crlf"]),
        (b"def f():\r    raise ValueError('old mac')\r", ["old mac"]),
        (b"\x0cdef f():\n    raise ValueError('form feed')\n", ["form feed"]),
        (b"def f(x):\n    raise ValueError, 'python %s' % x\n", ["python {x}"]),
        (b"x = 1\x00\ndef f(x):\n    raise ValueError('nul')\n", ["nul"]),
        (b"(" * 5000 + b"\nraise ValueError('deep')\n", None),
        (b"x = " + b"-" * 100_000 + b"1\nraise ValueError('deep')\n", None),
        ("raise ValueError('" + "名" * 200_000 + "')\n", None),
    ],
)
def test_odd_files(data, messages):
    """Marks, encodings, line ends, old syntax, NUL bytes, depth and size do not stop the reader."""
    facts = read_python(data if isinstance(data, bytes) else data.encode())
    if messages is not None:
        assert [template.text for site in facts.sites for template in site.templates] == messages


def test_undecodable_bytes_are_a_reason():
    """A file that is not in the encoding it claims is left out with a reason."""
    assert read_python(b"raise ValueError('\xff')\n").error == "not UTF-8 at byte 18"


def test_tokens_find_every_site(tmp_path):
    """A file without a raising token is not parsed, and holds no site."""
    quiet = "def f(x):\n    return x\n"
    assert not any(token in quiet.encode() for token in TOKENS)
    analysis = analysis_of_text(tmp_path, quiet)
    assert (analysis.files_read, analysis.files_parsed, analysis.sites) == (1, 0, ())


@pytest.mark.slow
def test_the_standard_library():
    """Every module of this interpreter's own library is read without a crash."""
    root = Path(sys.modules["os"].__file__ or "").parent
    for path in sorted(root.glob("*.py")):
        facts = read_python(path.read_bytes())
        assert facts.error is None, path
