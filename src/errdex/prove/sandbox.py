"""The wall around foreign code: which one works on this machine, and a process started behind it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Literal

import msgspec

from errdex.errors import ProveError
from errdex.prove.cgroup import ProcessGroup
from errdex.prove.limits import Limits
from errdex.prove.seccomp import sandbox_filter

Wall = Literal["bubblewrap", "namespaces", "none"]
SITE = "/site"
"""Where the throw-away packages stand inside."""
INSIDE = "/errdex"
"""Where our own files for the sandbox stand inside."""
SCRATCH = "/tmp"  # noqa: S108 - the sandbox's own tmpfs
_NOBODY = "65534"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


class SandboxMissingError(ProveError):
    """No way to run foreign code apart works on this machine."""

    slug = "no-sandbox"

    def __init__(self, tried: tuple[str, ...]) -> None:
        super().__init__(tried)
        self.tried = tried
        self.problem = f"No sandbox works here: {'; '.join(tried)}."
        self.hint = "Install bubblewrap, or run in a throw-away machine with --unsafe."


class Sandbox(msgspec.Struct, frozen=True, kw_only=True):
    """A wall that was found to work, and the interpreter behind it."""

    wall: Wall
    interpreter: Path
    """The real binary, not a virtual environment's link."""
    prefix: Path

    def start(
        self,
        arguments: Sequence[str],
        *,
        site: Path | None,
        limits: Limits,
        files: Mapping[str, str] = {},
        environment: Mapping[str, str] = {},
        stdin: int | IO[bytes] = subprocess.DEVNULL,
    ) -> SandboxedProcess:
        """Start the interpreter with `arguments` behind the wall.

        Args:
            arguments: After the interpreter's own name.
            site: Folder of installed packages, seen as `/site`; read-only.
            limits: What it may use.
            files: Texts to lay into the scratch folder, by name.
            environment: Variables beside the few that every run has.
            stdin: As for `subprocess.Popen`; both outputs are pipes.
        """
        scratch = tempfile.mkdtemp(prefix="errdex-") if files or self.wall != "bubblewrap" else None
        for name, text in files.items():
            Path(scratch or "", name).write_text(text, encoding="utf-8", newline="\n")
        variables = _environment(site) | dict(environment)
        filter_file = _filter_file()
        command = self._command(arguments, site, limits, scratch, filter_file)
        group = ProcessGroup.create(limits.processes)
        try:
            process = subprocess.Popen(
                command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=variables,
                close_fds=True,
                pass_fds=(filter_file.fileno(),) if filter_file else (),
                start_new_session=True,
                preexec_fn=_prepare(limits, group),  # noqa: PLW1509 - no other threads start processes here
            )
        finally:
            if filter_file:
                filter_file.close()
        return SandboxedProcess(process, group, scratch)

    def _command(
        self,
        arguments: Sequence[str],
        site: Path | None,
        limits: Limits,
        scratch: str | None,
        filter_file: IO[bytes] | None,
    ) -> list[str]:
        program = [str(self.interpreter), *arguments]
        if self.wall != "bubblewrap":
            return program
        library = Path(sysconfig.get_path("stdlib"))
        seccomp = ["--seccomp", str(filter_file.fileno())] if filter_file else []
        return [
            "bwrap", "--unshare-all", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL",
            "--die-with-parent", "--new-session", "--hostname", "sandbox", *seccomp,
            *_system_mounts(self.prefix),
            "--tmpfs", str(library / "site-packages"), "--remount-ro", str(library / "site-packages"),
            "--ro-bind", str(Path(__file__).parent / "inside"), INSIDE,
            *(["--ro-bind", str(site), SITE] if site else []),
            "--proc", "/proc", "--dev", "/dev",
            "--size", str(limits.scratch_bytes), "--perms", "0777", "--tmpfs", SCRATCH,
            *(["--ro-bind", scratch, f"{SCRATCH}/program"] if scratch else []),
            "--remount-ro", "/", "--chdir", SCRATCH, "--", *program,
        ]  # fmt: skip


class SandboxedProcess:
    """A process behind the wall; `end` kills it with all that it started."""

    def __init__(
        self, process: subprocess.Popen[bytes], group: ProcessGroup | None, scratch: str | None
    ) -> None:
        self.process = process
        self._group, self._scratch = group, scratch

    def end(self) -> int:
        """Kill the whole tree, free what it held, return the exit status (negative: the signal)."""
        status = self.process.poll()
        if status is None:
            with suppress(ProcessLookupError):
                # process 1 of the namespace dies with it: so does the rest
                os.killpg(self.process.pid, signal.SIGKILL)
            status = self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        if self._group is not None:
            self._group.remove()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
        return status


def find_sandbox(*, unsafe: bool = False) -> Sandbox:
    """Return the best sandbox that works here, tried by running a program in it.

    Raises:
        SandboxMissingError: none works and `unsafe` was not given.
    """
    interpreter = Path(os.path.realpath(sys.executable))
    prefix = Path(os.path.realpath(sys.base_prefix))
    failures = []
    sandbox = Sandbox(wall="bubblewrap", interpreter=interpreter, prefix=prefix)
    failure = _failure(sandbox)
    if failure is None:
        return sandbox
    failures.append(f"bubblewrap: {failure}")
    if unsafe:
        return Sandbox(wall="none", interpreter=interpreter, prefix=prefix)
    raise SandboxMissingError(tuple(failures))


@cache
def _failure(sandbox: Sandbox) -> str | None:
    """Return why a sandbox does not work; None if it does, which means that it also holds."""
    if sandbox.wall == "bubblewrap" and shutil.which("bwrap") is None:
        return "bwrap is not installed"
    probe = (
        "import os,socket\n"
        "try: open('/errdex/worker.py','a'); print('writes')\n"
        "except OSError: print('holds')\n"
    )
    started = sandbox.start(["-I", "-S", "-c", probe], site=None, limits=Limits())
    try:
        output, errors = started.process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        return "it does not start"
    finally:
        started.end()
    if output.strip() == b"holds":
        return None
    return (
        errors.decode("utf-8", "replace").strip().splitlines()[-1][:200]
        if errors.strip()
        else "it does not hold"
    )


def _system_mounts(prefix: Path) -> list[str]:
    mounts = ["--ro-bind", "/usr", "/usr"]
    for name in ("lib", "lib64", "lib32", "bin"):
        path = Path("/", name)
        if path.is_symlink():
            mounts += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            mounts += ["--ro-bind", str(path), str(path)]
    for name in ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types"):
        if Path("/etc", name).exists():
            mounts += ["--ro-bind", f"/etc/{name}", f"/etc/{name}"]
    if not prefix.is_relative_to("/usr"):
        mounts += [
            "--ro-bind",
            str(prefix / "bin"),
            str(prefix / "bin"),
            "--ro-bind",
            str(prefix / "lib"),
            str(prefix / "lib"),
        ]
    return mounts


def _environment(site: Path | None) -> dict[str, str]:
    fixed = {
        "PATH": "/usr/bin", "HOME": SCRATCH, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg",
    }  # fmt: skip
    return fixed | dict.fromkeys(_THREADS, "1") | ({"PYTHONPATH": SITE} if site else {})


def _filter_file() -> IO[bytes] | None:
    program = sandbox_filter()
    if program is None:
        return None
    file = tempfile.TemporaryFile()  # noqa: SIM115 - handed to the child, closed by the caller
    file.write(program)
    file.seek(0)
    os.lseek(file.fileno(), 0, os.SEEK_SET)
    return file


def rlimits(limits: Limits) -> dict[str, int]:
    """Return the resource limits of every process inside, by the name that `resource` has for them."""
    return {
        "RLIMIT_AS": limits.memory_bytes,
        "RLIMIT_CPU": limits.worker_cpu_s,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_CORE": 0,
    }


def _prepare(limits: Limits, group: ProcessGroup | None) -> Callable[[], None]:
    values = rlimits(limits)

    def prepare() -> None:
        import resource  # noqa: PLC0415 - POSIX only, as all of this

        if group is not None:
            group.join()
        for name, value in values.items():
            resource.setrlimit(getattr(resource, name), (value, value))

    return prepare
