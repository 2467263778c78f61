"""Plain runs that share one import: a new interpreter has the package's top, each program a child of it.

What a child starts from is what `import PACKAGE` leaves in a new interpreter, so a program
whose own first statement may come before that import must run alone (`errdex.prove.confirm`).
So must one that this way does not end as expected: what is refused is refused by a run alone.
"""

from __future__ import annotations

import ast
import os
import re
import socket
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from errdex.prove.confirm import READERS, PlainRun, drained
from errdex.prove.limits import Limits
from errdex.prove.sandbox import INSIDE, Sandbox, SandboxedProcess

_SERVER = f"{INSIDE}/plain.py"
_OWN_FRAME = re.compile(
    rf'^(?:  \| )?  File "{re.escape(_SERVER)}", line \d+, in <module>\n(?:(?:  \| )?    .*\n)*', re.MULTILINE
)
_READY_BYTES = 16
_STATUS_BYTES = 16
_SIGNALLED = 128
"""Exit status, less the signal's number, of what a signal ended, as bubblewrap tells it."""
_LEAVES = frozenset({"numpy"})
"""Libraries that programs import for their values, and that are the same whether they come before or after."""
_WALL_S = 15.0
"""Seconds for one program; a later one is run again alone, with more."""


class PlainServer:
    """Runs programs plainly, one after the other; use as a context manager. Starts at the first, again after a failure."""

    def __init__(self, sandbox: Sandbox, site: Path | None, top: str | None, limits: Limits) -> None:
        """Start nothing yet.

        Args:
            sandbox: Where it runs; without bubblewrap it runs nothing.
            site: Folder of installed packages.
            top: The module that every program imports first; None runs nothing.
            limits: What each program may use.
        """
        self.sandbox, self.site, self.top, self.limits = sandbox, site, top, limits
        self._running: SandboxedProcess | None = None
        self._link: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def run(self, program: str) -> PlainRun | None:
        """Run `program`; None where only a run alone can tell."""
        if self.top is None or self.sandbox.wall != "bubblewrap" or not begins_with_import(program, self.top):
            return None
        try:
            link = self._link or self._start()
            return self._run(link, program)
        except (OSError, ValueError):
            self.end()
            return None

    def end(self) -> None:
        """Kill the server and what it runs."""
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._running is not None:
            self._running.end()
            self._running = None

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._running = self.sandbox.start(
                ["-X", "utf8", _SERVER, str(self.top)],
                site=self.site,
                limits=self.limits,
                environment=READERS | ({"PYTHONPATH": INSIDE} if self.top == STAND_INS else {}),
                stdin=theirs.fileno(),
            )
        self._link = ours
        ours.settimeout(self.limits.import_wall_s)
        if ours.recv(_READY_BYTES) != b"ready":
            raise ValueError(self.top)
        return ours

    def _run(self, link: socket.socket, program: str) -> PlainRun:
        pipes = [os.pipe(), os.pipe()]
        try:
            socket.send_fds(link, [program.encode()], [writing for _, writing in pipes])
        finally:
            for _, writing in pipes:
                os.close(writing)
        with os.fdopen(pipes[0][0], "rb") as output, os.fdopen(pipes[1][0], "rb") as errors:
            printed, reported, killed = drained(output, errors, self.limits.output_bytes, _WALL_S)
        if killed is not None:
            raise ValueError(killed)
        link.settimeout(_WALL_S)
        status = int(link.recv(_STATUS_BYTES))
        return PlainRun(
            status=status if status >= 0 else _SIGNALLED - status,
            output=printed.decode("utf-8", "replace"),
            errors=_OWN_FRAME.sub("", reported.decode("utf-8", "replace")),
        )


STAND_INS = "standins"
"""The module that every program of a slice imports first."""


def begins_with_import(program: str, top: str) -> bool:
    """Whether nothing but imports of other libraries stands before a program's first import of `top`."""
    try:
        statements = ast.parse(program).body
    except (SyntaxError, ValueError):
        return False
    for statement in statements:
        if isinstance(statement, ast.Import):
            names = [each.name for each in statement.names]
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            names = [statement.module or ""]
        else:
            return False
        tops = {name.partition(".")[0] for name in names}
        if top in tops:
            return True
        if not tops <= sys.stdlib_module_names | _LEAVES:
            return False
    return False
