"""A small package in a catalog, a model's server on loopback, and a clock that nobody waits for."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from tests.assist.loopback import Loopback

from errdex.assist.bill import Price
from errdex.assist.pace import Backoff, Clock
from errdex.assist.run import Policy
from errdex.assist.server import Server
from errdex.catalog import Catalog
from errdex.catalog.ask import Terms
from errdex.catalog.build import build
from errdex.sources import open_tree, parse_coordinate

SHELF = Path(__file__).parents[1] / "fixtures" / "packages" / "shelf"


class ManualClock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        """Seconds since the start."""
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        """Let time pass at once, and others have their turn."""
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def loopback():
    """A server that answers well until a test tells it otherwise."""
    with Loopback().running() as running:
        yield running


@pytest.fixture(scope="session")
def analysed_shelf(tmp_path_factory):
    """The file of a catalog that holds the sample package."""
    folder = tmp_path_factory.mktemp("shelf")
    with Catalog.open(folder / "catalog.db", create=True) as opened:
        build(opened, open_tree(parse_coordinate(str(SHELF), repo="acme/shelf"), cache=folder / "cache"))
    return folder / "catalog.db"


@pytest.fixture
def shelf(analysed_shelf):
    """A catalog with the sample package, whose code may be sent."""
    shutil.copy(analysed_shelf, os.environ["ERRDEX_CATALOG"])
    with Catalog.open() as opened:
        opened.assists.allow_private(allowed=True)
        yield opened


@pytest.fixture
def terms(loopback, clock):
    """The terms of a run against the loopback server: one request at a time, no chance in the waits."""

    def make(*, protocol="openai", timeout_s=30.0, retries=4, concurrency=1, per_minute=None, **limits):
        base = loopback.url if protocol == "openai" else loopback.url.removesuffix("/v1")
        return Terms(
            server=Server(
                model="tiny",
                protocol=protocol,
                base_url=base,
                key="key",
                timeout_s=timeout_s,
                output_tokens=200,
            ),
            policy=Policy(
                output_tokens=200,
                concurrency=concurrency,
                per_minute=per_minute,
                backoff=Backoff(retries=retries, chance=lambda: 1.0),
                clock=Clock(clock.now, clock.sleep),
            ),
            **{"price": Price(1, 10), **limits},
        )

    return make
