"""A new interpreter that has imported one module, and runs each program in a child of its own.

Nothing of ours is in a child but these lines, run before the program: it is the interpreter that reports.
The import of the package, most of what a program of three lines costs, happens once. Started by
`errdex.prove.plain`, only behind bubblewrap: it kills every process of its namespace after each program.
"""

import builtins
import contextlib
import ctypes
import importlib
import os
import shutil
import signal
import socket
import sys
import types
from pathlib import Path

_SCRATCH = Path("/tmp")  # noqa: S108 - the sandbox's own
_PROGRAM = _SCRATCH / "program" / "program.py"
_MOST_BYTES = 1 << 20
_PR_SET_DUMPABLE = 4


def _next_program(link: socket.socket) -> str:
    """Return, in a child that has a program's own outputs, its text; the parent goes on until the link ends."""
    libc = ctypes.CDLL(None)
    kept = set(_SCRATCH.iterdir())
    while True:
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # no child reads or writes this process
        text, outputs, _, _ = socket.recv_fds(link, _MOST_BYTES, 2)
        if not text:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
            link.close()
            for standard, output in enumerate(outputs, start=1):
                os.dup2(output, standard)
                os.close(output)
            os.setsid()
            return text.decode()
        for output in outputs:
            os.close(output)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        _clear(kept)
        link.send(str(status).encode())


def _clear(kept: set[Path]) -> None:
    """End what the program left running, and remove what it left in the scratch folder."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    for path in set(_SCRATCH.iterdir()) - kept:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _as_new() -> None:
    """Draw anew what a new interpreter draws, where a fork would hand it on."""
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()


def _main_module(text: str) -> types.ModuleType:
    """Return the module `__main__` of a program, laid out as the interpreter does."""
    _PROGRAM.parent.mkdir()
    _PROGRAM.write_text(text, encoding="utf-8", newline="\n")
    sys.argv[:] = [str(_PROGRAM)]
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=str(_PROGRAM), __builtins__=builtins, __doc__=None)
    sys.modules["__main__"] = module
    return module


if __name__ == "__main__":
    link = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    sys.path[0] = str(_PROGRAM.parent)
    with contextlib.suppress(BaseException):
        importlib.import_module(sys.argv[1])
    link.send(b"ready")
    program = _next_program(link)
    main = _main_module(program)
    _as_new()
    exec(compile(program, str(_PROGRAM), "exec", dont_inherit=True), main.__dict__)  # noqa: S102 - what it is for
