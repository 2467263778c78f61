"""What becomes of a site that was to be proved."""

from __future__ import annotations

import msgspec

from errdex.model.record import Proof


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one site."""

    proof: Proof | None
    reason: str
    """Why there is no proof; empty where there is one."""
    runs: int = 0
    cpu_s: float = 0.0
    """CPU seconds of this process, the sandbox's not counted."""
    fix: str = ""
    """`returned`, `raised-later`, or why there is no fix."""
