"""The process tree inside the sandbox.

The root (this program) answers the host, imports the package itself and forks a
*module process* for each module it is asked about; that one imports the module
and forks an *attempt process* for each batch. So every attempt starts from the
state that `import module` leaves (and what else the programs import at their
top: a library that each of them imported anew would cost more than all the
rest), however many ran before. An attempt gets the
narrower system-call filter, may not start processes, and is killed when late.
What it reports counts only with the token that it is handed after the program
ended; any byte of its own before that is a forgery and ends it.
"""

from __future__ import annotations

import base64
import ctypes
import importlib
import json
import os
import resource
import secrets
import select
import signal
import sys
import time
from functools import partial
from typing import Any

sys.path.insert(0, __file__.rpartition("/")[0])

import attempt  # type: ignore[import-not-found, unused-ignore]
import describe  # type: ignore[import-not-found, unused-ignore]
import wire  # type: ignore[import-not-found, unused-ignore]

_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_MAX_REQUEST = 16 << 20
_MAX_RECORD = 1 << 20
_MODULE_PROCESSES = 4
_DONE = b"D"
_TICKS = os.sysconf("SC_CLK_TCK")
_PULSE_S = 0.2
_STILL = 8
"""Looks in a row that find a child asleep: it waits for what will not come."""
_MORE_CPU_S = 0.4
"""CPU seconds that an attempt may go on for after it was interrupted."""


class _Program(ctypes.Structure):
    """`struct sock_fprog` (linux/filter.h)."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _narrow(program: bytes) -> None:
    """Add a compiled system-call filter to this process, for good."""
    if not program:
        return
    buffer = ctypes.create_string_buffer(program, len(program))
    argument = _Program(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(argument), 0, 0) != 0:
        os._exit(71)


class _Pulse:
    """What the kernel tells of a child: the CPU seconds of its present program, and how long it has only slept."""

    def __init__(self, pid: int) -> None:
        self._file = f"/proc/{pid}/stat"
        self.start()

    def start(self) -> None:
        """Count from now."""
        self._before = self._last = self._read()[1]
        self.still = 0

    def feel(self) -> None:
        """Look again."""
        state, used = self._read()
        self.still = self.still + 1 if state == "S" and used == self._last else 0
        self._last = used

    @property
    def cpu_s(self) -> float:
        """CPU seconds since the start, as of the last look."""
        return self._last - self._before

    def _read(self) -> tuple[str, float]:
        with open(self._file) as file:  # noqa: PTH123 - hundreds of times
            fields = file.read().rpartition(")")[2].split()
        return fields[0], (int(fields[11]) + int(fields[12])) / _TICKS


class Attempts:
    """One batch of programs in a process of its own."""

    def __init__(self, request: dict[str, Any], observer: attempt.Observer, filters: bytes) -> None:
        self.request, self.observer, self.filters = request, observer, filters
        self.programs: list[str] = request["programs"]
        self.results: list[dict[str, Any]] = []

    def run(self) -> list[dict[str, Any]]:
        """Run all programs, in order; one that kills its process costs only itself."""
        while len(self.results) < len(self.programs):
            self._run_from(len(self.results))
        return self.results

    def _run_from(self, start: int) -> None:
        report_in, report_out = os.pipe()
        control_in, control_out = os.pipe()
        print_in, print_out = os.pipe()
        pid = os.fork()
        if pid == 0:
            for descriptor in (report_in, control_out, print_in):
                os.close(descriptor)
            self._child(start, report_out, control_in, print_out)
        for descriptor in (report_out, control_in, print_out):
            os.close(descriptor)
        try:
            self._supervise(_Pulse(pid), report_in, control_out, print_in)
        finally:
            os.kill(pid, signal.SIGKILL)
            for descriptor in (report_in, control_out, print_in):
                os.close(descriptor)
            os.waitpid(pid, 0)

    def _child(self, start: int, report: int, control: int, output: int) -> None:
        try:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            report, control = _only(report, control)
            _narrow(self.filters)
            watch = self.request.get("watch")
            if watch:
                self.observer.watch(watch["path"], watch["first"], watch["last"])
            environment = dict(os.environ)
            write, read, encode = os.write, os.read, json.JSONEncoder().encode
            for program in self.programs[start:]:
                os.chdir("/tmp")  # noqa: S108 - the sandbox's own, empty
                result = attempt.run(self.observer, program, self.request["cpu"])
                write(report, _DONE)
                token = read(control, 32)
                body = token + encode(result).encode()
                write_all(write, report, len(body).to_bytes(4, "big") + body)
                if dict(os.environ) != environment:
                    os.environ.clear()
                    os.environ.update(environment)
        finally:
            os._exit(0)

    def _supervise(self, pulse: _Pulse, report: int, control: int, output: int) -> None:
        printed = 0
        deadline = time.monotonic() + self.request["wall"]
        most_cpu = self.request["cpu"] + _MORE_CPU_S
        while len(self.results) < len(self.programs):
            left = deadline - time.monotonic()
            ready, _, _ = select.select([report, output], [], [], max(0.0, min(left, _PULSE_S)))
            if not ready:
                pulse.feel()
                if left <= 0 or pulse.cpu_s > most_cpu or pulse.still >= _STILL:
                    self._lost("killed: out of time", cpu_s=pulse.cpu_s)
                    return
                continue
            if output in ready:
                printed += len(os.read(output, 1 << 16))
                if printed > self.request["output"]:
                    self._lost("killed: too much output", cpu_s=pulse.cpu_s)
                    return
            if report not in ready:
                continue
            mark = os.read(report, 1)
            if not mark:
                self._lost("died without a report")
                return
            if mark != _DONE:
                self._lost("forged a report", "tamper:forged report")
                return
            if not self._take(report, control):
                return
            deadline = time.monotonic() + self.request["wall"]
            pulse.start()

    def _take(self, report: int, control: int) -> bool:
        """Hand out the token, read one report; False if it is not to be believed."""
        token = secrets.token_hex(16).encode()
        try:
            os.write(control, token)
            body = wire.receive(report, limit=_MAX_RECORD, deadline=time.monotonic() + 5.0)
        except (wire.BrokenFrameError, OSError):
            self._lost("forged a report", "tamper:forged report")
            return False
        if body[:32] != token:
            self._lost("forged a report", "tamper:forged report")
            return False
        self.results.append(json.loads(body[32:]))
        return True

    def _lost(self, reason: str, *flags: str, cpu_s: float = 0.0) -> None:
        self.results.append({"lost": reason, "flags": list(flags), "cpu": cpu_s})


def _only(*descriptors: int) -> list[int]:
    """Close everything but the standard streams and `descriptors`: an attempt must not reach its parents' pipes."""
    kept = sorted(descriptors)
    low = 3
    for descriptor in kept:
        os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, 4096)
    return list(descriptors)


def write_all(write: Any, descriptor: int, data: bytes) -> None:
    """Write all of `data`; `write` is `os.write` as it was before foreign code ran."""
    view = memoryview(data)
    while view:
        view = view[write(descriptor, view) :]


def _serve_module(requests: int, replies: int, module: str | None, filters: bytes) -> None:
    """Import `module`, then answer requests about it until the pipe ends."""
    failure = _import(module) if module else None
    observer = attempt.Observer()
    spent = 0.0
    loaded = {module}
    while True:
        try:
            request = json.loads(wire.receive(requests, limit=_MAX_REQUEST))
        except wire.BrokenFrameError:
            os._exit(0)
        if failure is not None:
            wire.send(replies, {"import_error": failure})
        elif request["op"] == "describe":
            wire.send(replies, _apart(partial(describe.answer, request), request["wall"]))
        else:
            for name in request["preload"]:
                if name not in loaded:
                    loaded.add(name)
                    _import(name)
            results = Attempts(request, observer, filters).run()
            before, spent = spent, sum(os.times()[:4])
            wire.send(replies, {"results": results, "cpu": spent - before})


def _import(module: str) -> str | None:
    try:
        if module.startswith("slice:"):
            import standins  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - found beside this file

            _, path, name = module.split(":")
            standins.load(path, name)
        else:
            importlib.import_module(module)
    except BaseException as error:  # noqa: BLE001 - an import may raise anything
        return f"{type(error).__name__}: {error}"[:500]
    return None


def _apart(answer: Any, wall: float) -> Any:
    """Return what `answer()` returns in a child: looking at foreign objects runs foreign code."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            wire.send(writing, answer())
        except BaseException as error:  # noqa: BLE001
            wire.send(writing, {"failed": f"{type(error).__name__}: {error}"[:300]})
        finally:
            os._exit(0)
    os.close(writing)
    try:
        return json.loads(wire.receive(reading, limit=_MAX_REQUEST, deadline=time.monotonic() + wall))
    except (wire.BrokenFrameError, ValueError) as error:
        return {"failed": str(error)}
    finally:
        os.close(reading)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def main() -> None:
    """Answer requests on standard input until it ends."""
    settings = json.loads(sys.argv[1])
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for name, value in settings["rlimits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    if settings["site"]:
        sys.path.insert(0, settings["site"])
    sys.dont_write_bytecode = True
    filters = base64.b64decode(settings["filter"])
    if settings.get("root"):
        _import(settings["root"])
    children: dict[str | None, tuple[int, int, int]] = {}
    while True:
        try:
            request = json.loads(wire.receive(requests, limit=_MAX_REQUEST))
        except wire.BrokenFrameError:
            os._exit(0)
        if request["op"] == "times":
            wire.send(replies, {"cpu": sum(os.times()[:2])})
            continue
        module = request.get("module")
        if module not in children:
            if len(children) >= _MODULE_PROCESSES:
                _end(children.pop(next(iter(children))))
            children[module] = _start(module, filters, (requests, replies), children)
        _, to_child, from_child = children[module]
        try:
            wire.send(to_child, request)
            reply = wire.receive(from_child, limit=_MAX_REQUEST)
        except (wire.BrokenFrameError, OSError) as error:
            _end(children.pop(module))
            reply = json.dumps({"import_error": f"the process died: {error}"}).encode()
        write_all(os.write, replies, len(reply).to_bytes(4, "big") + reply)


def _start(
    module: str | None, filters: bytes, host: tuple[int, int], others: dict[str | None, tuple[int, int, int]]
) -> tuple[int, int, int]:
    down_in, down_out = os.pipe()
    up_in, up_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            for descriptor in (
                down_out,
                up_in,
                *host,
                *(fd for _, to, back in others.values() for fd in (to, back)),
            ):
                os.close(descriptor)
            _serve_module(down_in, up_out, module, filters)
        finally:
            os._exit(0)
    os.close(down_in)
    os.close(up_out)
    return pid, down_out, up_in


def _end(child: tuple[int, int, int]) -> None:
    pid, to_child, from_child = child
    os.close(to_child)
    os.close(from_child)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
