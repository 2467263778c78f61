"""The proof itself: the program run alone in a new interpreter behind a new wall, nothing of ours inside.

What the search saw came from a process that the foreign code shared with our
tracer. Here the interpreter's own report on standard error must say the same:
class, words, file and line, and nothing may stand after it.
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from pathlib import Path
from typing import IO

import msgspec

from errdex.prove.limits import Limits
from errdex.prove.observation import ErrorSeen
from errdex.prove.sandbox import INSIDE, Sandbox
from errdex.prove.target import Target

PROGRAM = "/tmp/program/program.py"  # noqa: S108 - inside the sandbox
_HEAD = "Traceback (most recent call last):"
_FRAME = re.compile(r'^  (?:\+ )?File "(.*)", line (\d+)(?:, in (.*))?$', re.MULTILINE)
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}|(?<= id=')\d+(?=')")
_WALL_S = 60.0
READERS = {
    "HOME": "/nonexistent", "USER": "reader", "LOGNAME": "reader", "SHELL": "/bin/bash", "TERM": "xterm-256color",
    "LANG": "en_US.UTF-8", "PYTHONHASHSEED": "random", "COLUMNS": "100", "TZ": "Europe/Berlin",
}  # fmt: skip
"""As a reader may have it, and other than in the search: an error that hangs on one of these is not proved."""


class PlainRun(msgspec.Struct, frozen=True, kw_only=True):
    """A program run as a person runs it."""

    status: int
    output: str
    errors: str
    killed: str | None = None


def run_plainly(
    sandbox: Sandbox, site: Path | None, program: str, limits: Limits, *, importable: bool = True
) -> PlainRun:
    """Run `program` in a new interpreter; killed when late or when it prints without end."""
    started = sandbox.start(
        ["-X", "utf8", PROGRAM],
        site=site,
        limits=limits,
        files={"program.py": program},
        environment=READERS | ({} if importable else {"PYTHONPATH": INSIDE}),
    )
    assert started.process.stdout is not None
    assert started.process.stderr is not None
    try:
        output, errors, killed = drained(
            started.process.stdout, started.process.stderr, limits.output_bytes, _WALL_S
        )
        status = started.process.wait(timeout=10) if killed is None else -9
    except subprocess.TimeoutExpired:
        output, errors, killed, status = b"", b"", "out of time", -9
    finally:
        started.end()
    return PlainRun(
        status=status,
        output=output.decode("utf-8", "replace"),
        errors=errors.decode("utf-8", "replace"),
        killed=killed,
    )


def drained(
    output: IO[bytes], errors: IO[bytes], limit: int, seconds: float
) -> tuple[bytes, bytes, str | None]:
    """Read both until they end; the third tells why it was given up: late, or more than `limit` bytes."""
    texts: dict[IO[bytes], bytearray] = {output: bytearray(), errors: bytearray()}
    deadline = time.monotonic() + seconds
    killed = None
    with selectors.DefaultSelector() as selector:
        for stream in texts:
            selector.register(stream, selectors.EVENT_READ, stream)
        while selector.get_map() and killed is None:
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                killed = "out of time"
            for key, _ in ready:
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    selector.unregister(key.fileobj)
                texts[key.data] += piece
            if sum(map(len, texts.values())) > limit:
                killed = "too much output"
    return bytes(texts[output]), bytes(texts[errors]), killed


def agrees(run: PlainRun, error: ErrorSeen, target: Target) -> bool:
    """Whether the interpreter's own report of an uncaught error is `error`, at the target's line."""
    interrupted = target.class_name == "KeyboardInterrupt" and run.status in (-2, 130)
    if run.killed is not None or (run.status != 1 and not interrupted):
        return False
    report = run.errors.replace("\r\n", "\n")
    head = report.rfind(_HEAD)
    if head < 0:
        return target.class_name == "SystemExit" and report.rstrip("\n").endswith(error.text)
    block = report[head:]
    frames = [(path, int(line)) for path, line, _ in _FRAME.findall(block)]
    if not frames or not _is_at(frames, target):
        return False
    found, expected = _cut(block), _ending(error)
    if _steady(found) == _steady(expected):
        return True
    name = expected.partition(":")[0]
    return found.startswith(f"{name}: ") and bool(target.patterns) and target.renders(found[len(name) + 2 :])


def _steady(text: str) -> str:
    """Return a message without what differs from one process to the next: addresses of objects."""
    return _ADDRESS.sub("0x…", text)


def _is_at(frames: list[tuple[str, int]], target: Target) -> bool:
    hits = [path == target.inside and target.line <= line <= target.end_line for path, line in frames]
    return any(hits) if target.by_call else hits[-1]


def _ending(error: ErrorSeen) -> str:
    name = error.name.removeprefix("builtins.").removeprefix("__main__.")
    return f"{name}: {error.text}" if error.text else name


def _cut(block: str) -> str:
    """Return the report's last part: the line with the class, and all that follows."""
    lines = block.rstrip("\n").split("\n")
    start = max(index for index, line in enumerate(lines) if _FRAME.match(line))
    after = start + 1
    while after < len(lines) and lines[after].startswith("    "):
        after += 1
    return "\n".join(lines[after:])
