"""What Python itself raises is told from what a library raises, and said to be so."""

from __future__ import annotations

import traceback

import pytest

from errdex.search import answer
from errdex.search.interpreter import is_interpreter_error

DEEDS = (
    "(1).missing",
    "import json; json.missing_thing",
    "no_such_name",
    "def f():\n    x += 1\nf()",
    "import no_such_module_at_all",
    "from json import no_such_thing",
    "(lambda x: x)()",
    "(lambda: 0)(1)",
    "(lambda: 0)(x=1)",
    "1 + 'a'",
    "1 < 'a'",
    "[*1]",
    "x = 1; x()",
    "x = 1; x[0]",
    "a, b = (1,)",
    "a, b = None",
    "{}['k']",
    "[][0]",
    "[].pop()",
    "1 / 0",
    "int('x')",
    "float('x')",
    "b'\\xff'.decode()",
    "{[]: 1}",
    "len(1)",
    "'a' + 1",
    "''.join([1])",
    "'%d' % 'x'",
    "open('/no/such/file')",
    "compile('f(', 'x', 'exec')",
    "f = lambda: f(); f()",
    "[].remove(1)",
    "import io; s = io.StringIO(); s.close(); s.read()",
    "with 1: pass",
    "for key in (d := {1: 1}): d[2] = 2",
    "import json; json.dumps({1, 2})",
    "next(iter([]))",
    "'a'.index('b')",
    "max([])",
)
"""Programs that the interpreter, not a `raise`, ends with an error."""


@pytest.mark.parametrize("deed", DEEDS)
def test_what_this_interpreter_raises_is_known_as_its_own(deed):
    """The running interpreter's own messages, made here and now, are recognised."""
    try:
        exec(deed, {})
    except Exception as error:  # noqa: BLE001
        text = traceback.format_exception_only(error)[-1].strip()
    name, _, message = text.partition(": ")
    assert is_interpreter_error(name, message), text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AttributeError", "module 'numpy' has no attribute 'bool'.\n`np.bool` was a deprecated alias"),
        ("ValueError", "You are trying to merge on object and int64 columns"),
        ("TypeError", "Expected tensor for argument #1 'indices'"),
        ("KeyError", "\"None of [Index(['a'], dtype='object')] are in the [columns]\" because of x"),
        ("RuntimeError", "Working outside of application context."),
        ("ImportError", "Missing optional dependency 'openpyxl'. Use pip or conda to install openpyxl."),
    ],
)
def test_what_libraries_say_is_not_taken_for_the_interpreters(name, message):
    """Messages of libraries in classes that the interpreter raises too."""
    assert not is_interpreter_error(name, message)


def test_an_interpreter_error_near_raises_is_no_match(indexed, site, trace):
    """A function full of raises does not explain an attribute that is missing in it; the place is named."""
    index = indexed(
        *(site(f"a message of its own, number {number}", line=number) for number in range(1, 60, 5))
    )
    got = answer(
        trace("AttributeError: 'Engine' object has no attribute '_gear'", ("acme/core.py", 33, "start")),
        index,
    )
    assert got.verdict == "no-match"
    assert "acme/core.py:33" in got.reason


def test_a_library_that_raises_in_the_interpreters_words_is_believed_at_its_line(indexed, site, trace):
    """`__getattr__` that raises as the interpreter would is found by the line of its raise, and by that only."""
    words = "module {__name__!r} has no attribute {name!r}"
    index = indexed(
        site(words, function="__getattr__", error_class="AttributeError", path="acme/__init__.py")
    )
    at_line = trace(
        "AttributeError: module 'acme' has no attribute 'x'", ("acme/__init__.py", 10, "__getattr__")
    )
    assert answer(at_line, index).verdict == "exact"
    assert answer("AttributeError: module 'time' has no attribute 'clock'", index).verdict == "no-match"


def test_a_key_that_a_library_raises_is_told_from_one_that_is_looked_up(indexed, site, trace):
    """`raise KeyError(key)` is a site; `d[key]` a line further is the interpreter's."""
    index = indexed(site(None, error_class="KeyError", line=20))
    assert answer(trace("KeyError: 'zz'", ("acme/core.py", 20, "start")), index).matches[0].line == 20
    assert answer(trace("KeyError: 'zz'", ("acme/core.py", 22, "start")), index).verdict == "no-match"


def test_an_unknown_library_is_named(indexed, site, trace):
    """A trace that ends in a package the catalog lacks says which, instead of guessing."""
    index = indexed(site("a message of its own"))
    got = answer(trace("formal.FieldError: strange words indeed", ("formal/fields.py", 3, "clean")), index)
    assert got.verdict == "unindexed"
    assert "formal" in got.reason


def test_ones_own_code_is_named(indexed, site, trace):
    """An error that the reader's own file raises is said to be theirs."""
    got = answer(
        trace("ValueError: my own words", ("/home/me/app.py", 41, "main")), indexed(site("a message"))
    )
    assert got.verdict == "no-match"
    assert "app.py:41" in got.reason


@pytest.mark.parametrize("text", ["", "   \n ", "hello there, how are you?", "\x00\x01", "{}", "[]", '""'])
def test_text_without_an_error_is_no_match(indexed, text, site):
    """Nothing to explain gives a verdict, not a failure."""
    assert answer(text, indexed(site("a message of its own"))).verdict in {"no-match", "unindexed"}
