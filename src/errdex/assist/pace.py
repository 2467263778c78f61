"""When the next request may leave: requests a minute, a server's wish to be left alone, and waits that grow."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

import msgspec


class Clock(msgspec.Struct, frozen=True):
    """The time, and how one waits: passed in, so that tests wait for nothing."""

    now: Callable[[], float] = time.monotonic
    """Seconds since whenever."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Backoff(msgspec.Struct, frozen=True):
    """How long to wait before a failed request is sent again."""

    retries: int = 4
    """How often a request is sent again."""
    first_s: float = 1.0
    most_s: float = 60.0
    patience_s: float = 600.0
    """The longest wait that a server may ask for; one that asks for more ends the run."""
    chance: Callable[[], float] = random.random
    """0 to 1: spreads the waits, lest all requests come back at once."""

    def seconds(self, attempt: int, asked_s: float | None) -> float:
        """Return the wait after attempt number `attempt` (from 1): what the server asked for, or twice the last one."""
        if asked_s is not None:
            return max(0.0, asked_s)
        return min(self.most_s, self.first_s * 2.0 ** (attempt - 1)) * (0.5 + self.chance() / 2)


class Pace:
    """Lets requests through one by one: at most so many a minute, none before a moment that a server named."""

    def __init__(self, clock: Clock, per_minute: float | None = None) -> None:
        """Let all through at once where `per_minute` is None."""
        self._clock = clock
        self._gap_s = 60 / per_minute if per_minute else 0.0
        self._next = clock.now()

    @property
    def wait_s(self) -> float:
        """Seconds until a request may leave; none or less where one may leave now."""
        return self._next - self._clock.now()

    def leave(self) -> None:
        """Note that a request leaves now."""
        self._next = self._clock.now() + self._gap_s

    def hold(self, seconds: float) -> None:
        """Let nothing leave for `seconds`: a rate limit holds for every request, not only for the refused one."""
        self._next = max(self._next, self._clock.now() + seconds)
