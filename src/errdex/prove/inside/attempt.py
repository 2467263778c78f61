"""One program run and observed: which lines of the watched function ran, what was raised, and where."""

from __future__ import annotations

import dis
import hashlib
import os
import signal
import sys
import time
from types import CodeType, FrameType, TracebackType
from typing import Any

_RAISE = dis.opmap["RAISE_VARARGS"]
_MAX_LINES = 600
_MAX_TEXT = 4000
_MAX_FRAMES = 40
_TAMPER_EVENTS = frozenset({
    "sys.settrace", "sys.setprofile", "sys.monitoring.register_callback", "gc.get_objects", "gc.get_referrers",
    "gc.get_referents", "ctypes.string_at", "ctypes.cdata", "ctypes.dlsym/handle", "sys.remote_exec",
    "cpython.run_interactivehook",
})  # fmt: skip
"""What only code that wants to change its observer does during a call."""
_NETWORK_EVENTS = frozenset(
    {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind"}
)
_PROCESS_EVENTS = frozenset(
    {"os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system", "subprocess.Popen", "os.kill"}
)


class OutOfTimeError(BaseException):
    """The attempt used up its CPU time; no `except Exception` of the library's may swallow this."""


class Observer:
    """Watches one function of one file while a program runs. One instance per process: audit hooks stay."""

    def __init__(self) -> None:
        self.armed = False
        self.flags: set[str] = set()
        self.path = ""
        self.first = self.last = 0
        self.lines: list[int] = []
        self.entered = 0
        self.locals: dict[str, str] = {}
        self.depth = 0
        sys.addaudithook(self._audit)

    def watch(self, path: str, first: int, last: int) -> None:
        """Watch the functions that start in lines `first` to `last` of `path`."""
        self.path, self.first, self.last = path, first, last

    def begin(self) -> None:
        """Forget what was seen and observe from now."""
        self.flags, self.lines, self.locals, self.entered = set(), [], {}, 0
        sys.settrace(self._enter)
        self.armed = True

    def end(self) -> None:
        """Stop observing; note where somebody has taken our tracer away."""
        if sys.gettrace() != self._enter:
            self.flags.add("tamper:tracer replaced")
        self.armed = False
        sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self.path or not self.first <= code.co_firstlineno <= self.last:
            return None
        if event == "call":
            self.entered += 1
            if code.co_name not in {"<listcomp>", "<genexpr>", "<lambda>", "<setcomp>", "<dictcomp>"}:
                self.lines.append(-code.co_firstlineno)
        return self._step

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            line = frame.f_lineno
            if len(self.lines) < _MAX_LINES:
                if not self.lines or self.lines[-1] != line:
                    self.lines.append(line)
            elif self.lines[-1] != line:
                self.lines[-1] = line
        elif event in ("return", "exception"):
            self.armed = False
            self.locals = {name: _brief(value) for name, value in list(frame.f_locals.items())[:40]}
            self.armed = True
        return self._step

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.armed:
            return
        if event in _TAMPER_EVENTS:
            self.flags.add(f"tamper:{event}")
        elif event in _NETWORK_EVENTS:
            self.flags.add(f"network:{event}")
        elif event in _PROCESS_EVENTS:
            self.flags.add(f"process:{event}")
        elif event == "errdex.standin":
            self.flags.add("standin")
        elif event == "errdex.standin.decided":
            self.flags.add("standin:decided")
        elif event == "open" and arguments and isinstance(arguments[0], str):
            self._audit_open(arguments)

    def _audit_open(self, arguments: tuple[Any, ...]) -> None:
        path, mode, flags = (*arguments, None, None)[:3]
        writes = (isinstance(mode, str) and any(each in mode for each in "wax+")) or (
            isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
        )
        if path.startswith("/proc/") and ("/fd" in path or path.endswith(("/mem", "/environ"))):
            self.flags.add(f"tamper:open {path}")
        elif path.startswith("/proc/") and not path.startswith("/proc/self/"):
            self.flags.add(f"machine:{path}")
        elif writes and path.startswith("/") and not path.startswith(("/tmp", "/dev/null", "/dev/shm")):  # noqa: S108
            self.flags.add(f"write:{path}")


def run(observer: Observer, program: CodeType | str, cpu_s: float) -> dict[str, Any]:
    """Run `program` as `__main__` and return what was observed; whatever it raises is part of that."""
    started = time.process_time()
    error: BaseException | None = None
    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    try:
        code = compile(program, "<witness>", "exec") if isinstance(program, str) else program
        signal.signal(signal.SIGVTALRM, _out_of_time)
        signal.setitimer(signal.ITIMER_VIRTUAL, cpu_s)
        observer.begin()
        try:
            exec(code, namespace)  # noqa: S102 - this is what the sandbox is for
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            observer.end()
    except BaseException as raised:  # noqa: BLE001 - SystemExit and KeyboardInterrupt are findings too
        error = raised
    return {
        "error": None if error is None else _error(error),
        "lines": observer.lines,
        "entered": observer.entered,
        "locals": observer.locals,
        "flags": sorted(observer.flags),
        "cpu": time.process_time() - started,
    }


def _out_of_time(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError


def _error(error: BaseException) -> dict[str, Any]:
    kind = type(error)
    try:
        text = str(error)[:_MAX_TEXT]
    except BaseException:  # noqa: BLE001 - a hostile or broken __str__
        text = ""
    frames = list(_frames(error.__traceback__))[-_MAX_FRAMES:]
    return {
        "class": f"{kind.__module__}.{kind.__qualname__}",
        "mro": [f"{each.__module__}.{each.__qualname__}" for each in kind.__mro__],
        "text": text.encode("utf-8", "replace").decode(),
        "frames": frames,
        "timeout": isinstance(error, OutOfTimeError),
        "words": [_words(each) for each in error.args[:4] if type(each) is str],
    }


def _words(text: str) -> str:
    return text[:_MAX_TEXT].encode("utf-8", "replace").decode()


def _frames(trace: TracebackType | None) -> Any:
    while trace is not None:
        code = trace.tb_frame.f_code
        raises = trace.tb_lasti >= 0 and code.co_code[trace.tb_lasti] == _RAISE
        digest = hashlib.sha256(code.co_code).hexdigest()[:16]
        yield [code.co_filename, trace.tb_lineno or 0, code.co_name, raises, digest]
        trace = trace.tb_next


def _brief(value: Any) -> str:
    """Return what the search may learn from a local: its type, and its value where that is plain and short."""
    kind = type(value)
    if kind in (int, float, bool, str, bytes, type(None)):
        return f"{kind.__name__}:{value!r:.60}"
    if kind in (list, tuple, dict, set):
        return f"{kind.__name__}:len={len(value)}"
    shape = kind.__dict__.get("shape") and getattr(value, "shape", None)
    return f"{kind.__name__}:{shape!r:.60}" if isinstance(shape, tuple) else kind.__name__
