"""Live mode: real exceptions, the condition with its actual values, and nothing of the program run."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from errdex.search import Index
from errdex.search.live import explain_exception, shown


def raised_by(function, *arguments):
    try:
        function(*arguments)
    except BaseException as error:  # noqa: BLE001
        return error
    raise AssertionError


class Tensor:
    """Stands for an object whose attributes are looked at and whose `__repr__` must not be called."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __repr__(self):
        raise AssertionError("the program's own code was run")

    @property
    def shape(self):
        """Fail: a property is code."""
        raise AssertionError("the program's own code was run")


def check_pool(k_pool, q):
    if k_pool.dtype != q.dtype and k_pool.shape:
        return
    if k_pool.dtype != q.dtype:
        raise ValueError("pool dtypes must match")


def refuse(size, limit=3):
    if size < 0:
        return
    if size <= limit:
        pass
    else:
        raise ValueError(f"{size} is over {limit}")


def test_the_condition_is_shown_with_the_values_of_its_parts():
    """Names and plain attributes are evaluated; an `else` is shown as the negated condition."""
    live = explain_exception(raised_by(refuse, 7), None)
    assert live.condition.text == "not (size <= limit)"
    assert dict(live.condition.values) == {"size": "7", "limit": "3"}


def test_nothing_of_the_program_is_run_to_show_a_value():
    """A property and a `__repr__` written in Python stay uncalled; plain attributes are read."""
    error = raised_by(check_pool, Quiet("float32"), Quiet("bfloat16"))
    values = dict(explain_exception(error, None).condition.values)
    assert values["k_pool.dtype"] == "'float32'"
    assert values["q.dtype"] == "'bfloat16'"
    assert values.get("k_pool", "<Quiet>") == "<Quiet>"


class Quiet(Tensor):
    """A tensor whose shape is empty, without a property."""

    shape = ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12, "12"),
        ("a" * 200, None),
        ([1, [2, [3]]], "[1, [2, [3]]]"),
        (Tensor("x"), "<Tensor>"),
        ([Tensor("x")], "[<Tensor>]"),
        (None, "None"),
        (2.5, "2.5"),
        (range(3), "range(0, 3)"),
    ],
)
def test_values_are_short_and_safe(value, text):
    """Containers are walked, long ones cut, objects with their own `__repr__` only named."""
    got = shown(value)
    assert len(got) <= 120
    assert text is None or got == text


def test_a_chain_and_a_group_are_read_as_a_traceback_prints_them():
    """Causes come first; members follow their group; a context that was suppressed is left out."""

    def chained():
        try:
            {}["k"]
        except KeyError as error:
            raise ExceptionGroup("two", [ValueError("a"), TypeError("b")]) from error

    live = explain_exception(raised_by(chained), None)
    assert [(block.error_class, block.link) for block in live.explained.trace.blocks] == [
        ("KeyError", "none"),
        ("ExceptionGroup", "direct-cause"),
        ("ValueError", "group-member"),
        ("TypeError", "group-member"),
    ]


def test_an_exception_that_cannot_be_printed_is_read_all_the_same():
    """A `__str__` that fails costs the message, not the answer."""

    class SilentError(Exception):
        def __str__(self):
            raise RuntimeError

    def fail():
        raise SilentError

    block = explain_exception(raised_by(fail), None).explained.trace.blocks[-1]
    assert block.error_class.endswith("SilentError")
    assert block.message == ""


def test_the_librarys_own_frame_gives_the_condition(tmp_path):
    """With a match, the condition is that of the matched statement, not of the frames further in."""
    import click

    def fail():
        click.Option(["--flag"], is_flag=True, multiple=True, nargs=2, count=True)

    live = explain_exception(raised_by(fail), Index.open(tmp_path))
    best = live.explained.answer.matches[0]
    assert best.package == "click"
    assert live.condition is not None


PROGRAM = """
import sys
def check(size, limit):
    if size > limit:
        raise ValueError(f"{size} is over {limit}")

"""
TOLD = "size > limit"


def run(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=240
    )
    return done.returncode, done.stdout, done.stderr


def test_run_explains_what_a_program_dies_of_and_exits_as_it_does(tmp_path):
    """`python -m errdex run` prints the traceback without our frames, then the condition; arguments are passed on."""
    (tmp_path / "app.py").write_text(PROGRAM + "print(sys.argv[1:])\ncheck(7, 3)", encoding="utf-8")
    code, out, err = run("-m", "errdex", "run", "app.py", "--flag", "x", cwd=tmp_path)
    assert (code, out) == (1, "['--flag', 'x']\n")
    assert "runpy" not in err
    assert err.index("ValueError: 7 is over 3") < err.index(TOLD)
    assert "size = 7" in err


@pytest.mark.parametrize(("start", "code"), [("sys.exit(4)", 4), ("sys.exit('so long')", 1), ("pass", 0)])
def test_run_leaves_other_ends_alone(tmp_path, start, code):
    """A program that exits on purpose is not explained, and its status is kept."""
    (tmp_path / "app.py").write_text(PROGRAM + start, encoding="utf-8")
    got, _, err = run("-m", "errdex", "run", "app.py", cwd=tmp_path)
    assert got == code
    assert TOLD not in err


def test_installed_hooks_explain_main_and_other_threads(tmp_path):
    """`errdex.install()` explains what nothing catches, in the main thread and in others."""
    start = textwrap.dedent(
        """
        import errdex, threading
        errdex.install()
        one = threading.Thread(target=check, args=(7, 3))
        one.start(); one.join()
        check(9, 3)
        """
    )
    (tmp_path / "app.py").write_text(PROGRAM + start, encoding="utf-8")
    code, _, err = run("app.py", cwd=tmp_path)
    assert code == 1
    assert err.count(TOLD) >= 2
    assert "size = 7" in err
    assert "size = 9" in err


def test_pytest_reports_carry_the_explanation_when_asked(tmp_path):
    """`pytest --errdex` adds a section to a failing test's report; without the flag there is none."""
    (tmp_path / "test_it.py").write_text(
        PROGRAM + "def test_it():\n    check(7, 3)\ndef test_assert():\n    assert 0",
        encoding="utf-8",
    )
    plugin = (
        "-m",
        "pytest",
        "-p",
        "errdex.cli.pytest_plugin",
        "-p",
        "no:errdex",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        "-q",
    )
    _, asked, _ = run(*plugin, "--errdex", "test_it.py", cwd=tmp_path)
    _, silent, _ = run(*plugin, "test_it.py", cwd=tmp_path)
    assert asked.count("what this error is") == 1
    assert "size = 7" in asked
    assert "what this error is" not in silent


def test_a_notebook_shows_the_traceback_then_the_explanation(capsys):
    """`%load_ext errdex` hands the shell a handler that prints both."""
    import errdex

    class Shell:
        def set_custom_exc(self, kinds, handler):
            self.kinds, self.handler = kinds, handler

        def showtraceback(self, given, tb_offset=None):
            sys.stdout.write("the traceback\n")

    shell = Shell()
    errdex.load_ipython_extension(shell)
    error = raised_by(refuse, 7)
    shell.handler(shell, type(error), error, error.__traceback__)
    out = capsys.readouterr().out
    assert shell.kinds == (Exception,)
    assert out.index("the traceback") < out.index("size = 7")
