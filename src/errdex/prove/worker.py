"""Our end of the worker in the sandbox: requests out, typed observations in, restarted when it dies."""

from __future__ import annotations

import base64
import json
import re
import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from errdex.prove.inside import wire
from errdex.prove.limits import Limits
from errdex.prove.observation import Description, Observation, Reply
from errdex.prove.plain import STAND_INS, PlainServer
from errdex.prove.sandbox import INSIDE, SITE, Sandbox, SandboxedProcess, rlimits
from errdex.prove.seccomp import attempt_filter

_IMPORT = re.compile(r"^(?:import|from) ([\w.]+)", re.MULTILINE)
_read_reply = msgspec.json.Decoder(Reply).decode
_read_description = msgspec.json.Decoder(Description).decode


class Watch(msgspec.Struct, frozen=True):
    """The function whose lines are reported: file as seen inside, first and last line."""

    path: str
    first: int
    last: int
    imports: tuple[str, ...] = ()
    """Modules that it imports when it runs: loaded beforehand, once for all attempts."""


class Worker:
    """A worker for one environment; use as a context manager. Not for use by two threads at once."""

    def __init__(
        self,
        sandbox: Sandbox,
        site: Path | None,
        *,
        root: str | None,
        limits: Limits | None = None,
        importable: bool = True,
    ) -> None:
        """Start nothing yet; with `importable` false the site's files can be read but not imported."""
        self.importable = importable
        self.sandbox, self.site, self.root = sandbox, site, root
        self.limits = limits or Limits()
        self.plain = PlainServer(sandbox, site, root if importable else STAND_INS, self.limits)
        self._running: SandboxedProcess | None = None
        self.cpu_s = 0.0
        """CPU seconds spent behind the wall, as far as replies have told."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def attempt(
        self, programs: Sequence[str], *, module: str | None, watch: Watch | None = None
    ) -> tuple[Observation, ...]:
        """Run each program in a process that has imported `module` and what programs import; one observation each."""
        limits = self.limits
        request = {
            "op": "attempts",
            "module": module,
            "programs": list(programs),
            "preload": _preload(programs, watch) if self.importable else [],
            "watch": None if watch is None else msgspec.to_builtins(watch),
            "cpu": limits.attempt_cpu_s,
            "wall": limits.attempt_wall_s,
            "output": limits.output_bytes,
        }
        body = self._ask(request, limits.import_wall_s + len(programs) * (limits.attempt_wall_s + 1))
        if body is None:
            return (Observation(lost="the worker died"),) * len(programs)
        try:
            reply = _read_reply(body)
        except msgspec.DecodeError:
            return (Observation(lost="not an answer", flags=("tamper:reply",)),) * len(programs)
        self.cpu_s += reply.cpu
        if reply.import_error is not None:
            return (Observation(lost=f"import: {reply.import_error}"),) * len(programs)
        missing = len(programs) - len(reply.results)
        return reply.results[: len(programs)] + (Observation(lost="no report"),) * missing

    def describe(self, *, module: str, target: str | None, names: Sequence[str]) -> Description:
        """Return what `target` and `names` are in `module`."""
        request = {
            "op": "describe",
            "module": module,
            "target": target,
            "names": list(names),
            "wall": self.limits.attempt_wall_s,
        }
        body = self._ask(request, self.limits.import_wall_s + self.limits.attempt_wall_s)
        if body is None:
            return Description(failed="the worker died")
        try:
            return _read_description(body)
        except msgspec.DecodeError as error:
            return Description(failed=f"not an answer: {error}")

    def root_cpu_s(self) -> float:
        """Return the CPU seconds of the first process, which imported the package itself."""
        body = self._ask({"op": "times"}, 5.0) if self._running is not None else None
        return _read_reply(body).cpu if body is not None else 0.0

    def move(self, site: Path) -> None:
        """Work on another folder of installed packages from now on."""
        self.end()
        self.site = self.plain.site = site

    def end(self) -> None:
        """Kill the worker and all its children."""
        self.plain.end()
        self._stop()

    def _stop(self) -> None:
        if self._running is not None:
            self._running.end()
            self._running = None

    def _ask(self, request: dict[str, Any], seconds: float) -> bytes | None:
        """Send one request; None if the worker died or was late (it is then started anew by the next)."""
        if self._running is None:
            self._running = self._start()
        process = self._running.process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            wire.send(process.stdin.fileno(), request)
            return wire.receive(
                process.stdout.fileno(),
                limit=self.limits.reply_bytes,
                deadline=time.monotonic() + seconds + self.limits.grace_s,
            )
        except (wire.BrokenFrameError, OSError):
            self._stop()
            return None

    def _site(self) -> str | None:
        if not self.importable:
            return None
        return SITE if self.sandbox.wall == "bubblewrap" else str(self.site)

    def _start(self) -> SandboxedProcess:
        settings = {
            "site": self._site(),
            "root": self.root,
            "filter": base64.b64encode(attempt_filter() or b"").decode(),
            "rlimits": {
                name: value for name, value in rlimits(self.limits).items() if hasattr(resource, name)
            },
        }
        inside = INSIDE if self.sandbox.wall == "bubblewrap" else str(Path(wire.__file__).parent)
        return self.sandbox.start(
            ["-X", "utf8", f"{inside}/worker.py", json.dumps(settings)],
            site=self.site,
            limits=self.limits,
            environment={} if self.importable else {"PYTHONPATH": INSIDE},
            stdin=subprocess.PIPE,
        )


def _preload(programs: Sequence[str], watch: Watch | None) -> list[str]:
    """Return the modules that programs import at their top, and those that the watched function does."""
    found = dict.fromkeys(name for program in programs for name in _IMPORT.findall(program))
    return list(found | dict.fromkeys(watch.imports if watch else ()))
