"""The plain server says what a new interpreter says, and what one program does is gone before the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from errdex.prove.confirm import PlainRun, run_plainly
from errdex.prove.limits import Limits
from errdex.prove.plain import PlainServer, begins_with_import
from errdex.prove.sandbox import Sandbox

MODULE = """
import os
COUNT = []
LEVEL = os.environ.get("LEVEL", "none")
def fail(x):
    if x > 3:
        raise ValueError(f"too large: {x}")
    return x
"""
PROGRAMS = {
    "raises": "import lib\n\nlib.fail(4)\n",
    "returns and prints": "import sys\n\nimport lib\n\nprint(lib.fail(2), __name__, __file__, sys.argv)\n",
    "chained": "import lib\n\ntry:\n    lib.fail(5)\nexcept ValueError as error:\n    raise KeyError('next') from error\n",
    "group": "import lib\n\nraise ExceptionGroup('several', [ValueError('a'), TypeError('b')])\n",
    "exits with words": "import lib\n\nraise SystemExit('bye ü')\n",
    "exits with a number": "import lib\n\nraise SystemExit(3)\n",
    "interrupted": "import lib\n\nraise KeyboardInterrupt\n",
    "in a function": "import lib\n\ndef main():\n    lib.fail(\n        9,\n    )\n\nif __name__ == '__main__':\n    main()\n",
    "its own hook": "import sys\nimport lib\n\nsys.excepthook = lambda *error: print('hooked', error[0].__name__)\nlib.fail(4)\n",
    "at exit": "import atexit\nimport lib\n\natexit.register(print, 'later')\nlib.fail(4)\n",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with one installed module."""
    (tmp_path / "lib.py").write_text(MODULE)
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.fixture
def server(sandbox: Sandbox, site: Path) -> Iterator[PlainServer]:
    """A server for that module."""
    with PlainServer(sandbox, site, "lib", Limits()) as made:
        yield made


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_it_says_what_a_new_interpreter_says(
    server: PlainServer, sandbox: Sandbox, site: Path, program: str
) -> None:
    """Status, output and the interpreter's own report are the same, to the byte."""
    assert server.run(program) == run_plainly(sandbox, site, program, Limits())


def test_nothing_is_left_for_the_next_program(server: PlainServer) -> None:
    """What a program changed in the module, in the scratch folder or in the environment is not there for the next."""
    first = (
        "import os\nimport lib\n\nlib.COUNT.append(1)\nos.makedirs('/tmp/left/there')\nopen('/tmp/file', 'w').close()\n"
        "os.environ['LEFT'] = '1'\nos.symlink('/site', '/tmp/link')\nprint(len(lib.COUNT))\n"
    )
    second = (
        "import os\nimport lib\n\nprint(len(lib.COUNT), sorted(os.listdir('/tmp')), os.environ.get('LEFT'))\n"
    )
    assert _output(server.run(first)) == "1\n"
    assert _output(server.run(second)) == "0 ['program'] None\n"


@pytest.mark.parametrize(
    "deed",
    [
        "os.kill(os.getppid(), 9)",
        "os.kill(-1, 9)",
        "[os.close(each) for each in range(3, 256) if not os.path.exists(f'/proc/self/fd/{each}') or True]",
        "open(f'/proc/{os.getppid()}/fd/0', 'wb').write(b'0')",
        "open(f'/proc/{os.getppid()}/mem', 'r+b').write(b'0')",
        "os.fork() or __import__('time').sleep(1000)",
        "__import__('time').sleep(0.1) or os._exit(7)",
    ],
)
def test_a_program_cannot_speak_for_another(server: PlainServer, deed: str) -> None:
    """Whatever a program does to the server or leaves running, the next one's report is its own or none."""
    attack = f"import os\nimport lib\n\ntry:\n    {deed}\nexcept OSError:\n    pass\n"
    server.run(attack)
    said = server.run(PROGRAMS["raises"])
    if said is None:  # the server was killed: the next program gets a new one
        said = server.run(PROGRAMS["raises"])
    assert said is not None
    assert said.status == 1
    assert said.errors.endswith("ValueError: too large: 4\n")


def test_a_program_that_may_change_the_import_runs_alone(server: PlainServer) -> None:
    """Where anything stands before the import, the server would answer from another state than a reader has."""
    early = "import os\n\nos.environ['LEVEL'] = 'high'\nimport lib\n\nprint(lib.LEVEL)\n"
    assert server.run(early) is None


@pytest.mark.parametrize(
    ("program", "begins"),
    [
        ("import lib\n", True),
        ("from lib.part import x\n", True),
        ("import os, sys\nfrom unittest import mock\nimport numpy as np\nimport lib.part\n", True),
        ("import sys\n\nsys.modules['ujson'] = None\nimport lib\n", False),
        ("import gevent\nimport lib\n", False),
        ("x = 1\n", False),
        ("from . import lib\n", False),
        ("import lib (\n", False),
        ("if 1:\n    import lib\n", False),
    ],
)
def test_what_may_stand_before_the_import(program: str, *, begins: bool) -> None:
    """Imports of the standard library and of numpy, nothing else."""
    assert begins_with_import(program, "lib") is begins


def test_one_that_hangs_is_given_up(sandbox: Sandbox, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that never ends is no answer, and the server is new for the next."""
    monkeypatch.setattr("errdex.prove.plain._WALL_S", 0.5)
    with PlainServer(sandbox, site, "lib", Limits()) as server:
        assert server.run("import time\nimport lib\n\ntime.sleep(1000)\n") is None
        assert _output(server.run("import lib\n\nprint('on')\n")) == "on\n"


def _output(run: PlainRun | None) -> str:
    assert run is not None
    assert run.errors == ""
    return run.output
