"""A limit on the number of processes that holds for root too: the pids controller, where we may use it.

RLIMIT_NPROC does not bind the user who started the machine's first process, and
that is who root in a user namespace is outside. Any other user gets RLIMIT_NPROC.
"""

from __future__ import annotations

import os
import resource
import secrets
import time
from pathlib import Path
from typing import Self

_CONTROLLERS = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"))
"""Of version 1 and version 2."""


class ProcessGroup:
    """A control group with a limit on processes; or, without one, the limit of the user."""

    def __init__(self, folder: Path | None, processes: int) -> None:
        self._folder, self._processes = folder, processes

    @classmethod
    def create(cls, processes: int) -> Self:
        """Make a group that may hold `processes` processes and threads."""
        if os.geteuid() == 0:
            for root in _CONTROLLERS:
                folder = root / f"errdex-{os.getpid()}-{secrets.token_hex(4)}"
                try:
                    folder.mkdir()
                    (folder / "pids.max").write_text(str(processes))
                except OSError:
                    folder.rmdir() if folder.is_dir() else None
                    continue
                return cls(folder, processes)
        return cls(None, processes)

    def join(self) -> None:
        """Put the calling process and its future children into the group."""
        if self._folder is not None:
            (self._folder / "cgroup.procs").write_text(str(os.getpid()))
        else:
            resource.setrlimit(resource.RLIMIT_NPROC, (self._processes, self._processes))

    def remove(self) -> None:
        """Remove the group; its processes must have ended."""
        if self._folder is None:
            return
        for _ in range(50):  # the kernel takes a moment to reap what was killed
            try:
                self._folder.rmdir()
            except OSError:
                time.sleep(0.02)
            else:
                return
