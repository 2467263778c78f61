"""What one sandboxed run may use. Measured reasons in `docs/adr` (sandbox limits)."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on a sandbox and on each attempt inside it."""

    attempt_cpu_s: float = 0.6
    """CPU seconds of one attempt; then it is interrupted, and killed if it goes on."""
    attempt_wall_s: float = 4.0
    """Wall-clock seconds of one attempt, then SIGKILL: what sleeps uses no CPU."""
    import_wall_s: float = 60.0
    """Wall-clock seconds to import one module."""
    grace_s: float = 15.0
    """Wall-clock seconds that the worker may be late beyond its own limits, on a busy machine."""
    worker_cpu_s: int = 900
    """CPU seconds of one process in the sandbox, whatever it does."""
    memory_bytes: int = 3 << 30
    """Address space of one process (numpy with its BLAS reserves about 1 GiB)."""
    file_bytes: int = 64 << 20
    """Size of one file written."""
    scratch_bytes: int = 256 << 20
    """Size of the scratch folder: it lives in memory."""
    processes: int = 64
    """Processes and threads in the sandbox; an attempt may start none at all."""
    open_files: int = 256
    output_bytes: int = 64 << 10
    """Standard output and error of one attempt; more of it ends the attempt."""
    reply_bytes: int = 16 << 20
    """One reply of the worker; a longer one is hostile."""
