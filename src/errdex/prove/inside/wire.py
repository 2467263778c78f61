"""Frames on a pipe: four bytes of length, then JSON in UTF-8. Used on both sides of the sandbox's wall."""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any


class BrokenFrameError(Exception):
    """The other side is gone, late, or does not speak in frames."""


def send(descriptor: int, message: Any) -> None:
    """Write one frame, whole."""
    body = json.dumps(message, ensure_ascii=True).encode()
    data = memoryview(struct.pack(">I", len(body)) + body)
    while data:
        data = data[os.write(descriptor, data) :]


def receive(descriptor: int, *, limit: int, deadline: float | None = None) -> bytes:
    """Read one frame's body.

    Args:
        descriptor: A pipe's reading end.
        limit: Longest body in bytes.
        deadline: On `time.monotonic`'s scale; None waits for ever.

    Raises:
        BrokenFrameError: the pipe ended, the frame is too long, or the deadline passed.
    """
    (size,) = struct.unpack(">I", _read(descriptor, 4, deadline))
    if size > limit:
        raise BrokenFrameError(f"a frame of {size} bytes")
    return _read(descriptor, size, deadline)


def _read(descriptor: int, size: int, deadline: float | None) -> bytes:
    pieces = bytearray()
    while len(pieces) < size:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise BrokenFrameError("late")
        piece = os.read(descriptor, min(size - len(pieces), 1 << 16))
        if not piece:
            raise BrokenFrameError("end of stream")
        pieces += piece
    return bytes(pieces)
