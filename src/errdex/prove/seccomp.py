"""Two system-call filters, built here with libseccomp and handed to the sandbox as compiled programs.

`sandbox_filter` holds for everything in the sandbox: no new namespaces, mounts,
tracing, kernel interfaces or non-local sockets. `attempt_filter` is added by the
process that runs one attempt: it may start threads, but no process.
"""

from __future__ import annotations

import errno
import tempfile
from typing import IO, Any

_CLONE_THREAD = 0x00010000
_AF_UNIX = 1
_DENIED = (
    "ptrace", "process_vm_readv", "process_vm_writev", "mount", "umount2", "pivot_root", "chroot", "setns",
    "unshare", "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "kexec_load",
    "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff", "open_by_handle_at",
    "name_to_handle_at", "io_uring_setup", "io_uring_enter", "io_uring_register", "quotactl", "acct",
    "personality", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    "pidfd_getfd", "kcmp", "syslog", "clock_settime", "settimeofday", "adjtimex", "sethostname",
)  # fmt: skip
"""System calls that no library needs to raise an error of its own."""


def sandbox_filter() -> bytes | None:
    """Return the program for the whole sandbox; None where libseccomp is missing."""
    module = _library()
    if module is None:
        return None
    program = module.SyscallFilter(module.ALLOW)
    refuse = module.ERRNO(errno.EPERM)
    for name in _DENIED:
        _add(program, refuse, name)
    _add(program, module.ERRNO(errno.ENOSYS), "clone3")  # its flags lie in memory: glibc falls back to clone
    _add(program, refuse, "clone", module.Arg(0, module.MASKED_EQ, 0x10000000, 0x10000000))
    program.add_rule(refuse, "socket", module.Arg(0, module.NE, _AF_UNIX))
    return _compiled(program)


def attempt_filter() -> bytes | None:
    """Return the program that an attempt adds: threads yes, processes no; None where libseccomp is missing."""
    module = _library()
    if module is None:
        return None
    program = module.SyscallFilter(module.ALLOW)
    refuse = module.ERRNO(errno.EPERM)
    for name in (
        "fork",
        "vfork",
        "execve",
        "execveat",
        "kill",
        "tkill",
        "pidfd_send_signal",
        "setsid",
        "setpgid",
    ):
        _add(program, refuse, name)
    _add(program, refuse, "clone", module.Arg(0, module.MASKED_EQ, _CLONE_THREAD, 0))
    return _compiled(program)


def _library() -> Any:
    try:
        import pyseccomp  # noqa: PLC0415 - part of the extra [prove]
    except (ImportError, RuntimeError, OSError):  # RuntimeError: the wheel is there, the C library is not
        return None
    return pyseccomp


def _add(program: Any, action: Any, name: str, *arguments: Any) -> None:
    """Add a rule; a call that this architecture does not have needs none."""
    try:
        program.add_rule(action, name, *arguments)
    except (OSError, ValueError, RuntimeError):
        return


def _compiled(program: Any) -> bytes:
    file: IO[bytes]
    with tempfile.TemporaryFile() as file:
        program.export_bpf(file)
        file.seek(0)
        return file.read()
