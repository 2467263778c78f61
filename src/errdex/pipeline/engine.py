"""Where work runs: this process, a pool of processes, or a dask cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import cast

from errdex.errors import ErrdexError


class EngineMissingError(ErrdexError):
    """The engine asked for is not installed."""

    slug = "engine-missing"

    def __init__(self, engine: str) -> None:
        super().__init__(engine)
        self.engine = engine
        self.problem = f"The engine {engine!r} is not installed."
        self.hint = "Install `errdex[scale]`, or leave --engine out."


@contextmanager
def make_executor(
    jobs: int | None = None, engine: str = "processes", scheduler: str | None = None
) -> Iterator[Executor | None]:
    """Yield what runs tasks; None runs them in this process.

    Args:
        jobs: How many at once; None means one per core.
        engine: `processes`, or `dask` (a cluster of its own on this machine, or the one at `scheduler`).
        scheduler: Address of a dask scheduler.

    Raises:
        EngineMissingError: `dask` is asked for and not installed.
    """
    workers = (
        jobs
        if jobs is not None
        else len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1
    )
    if engine == "dask":
        yield from _dask(workers, scheduler)
    elif workers <= 1:
        yield None
    else:
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_end_with_parent) as pool:
            yield pool


def _end_with_parent() -> None:
    """End this worker when its parent is gone: left alone after a `kill -9` it would wait, or write, for ever."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _dask(workers: int, scheduler: str | None) -> Iterator[Executor]:
    try:
        from dask.distributed import Client, LocalCluster  # noqa: PLC0415 - an optional dependency
    except ImportError as error:
        raise EngineMissingError("dask") from error
    if scheduler is not None:
        with Client(scheduler) as client:  # type: ignore[no-untyped-call]
            yield cast("Executor", client.get_executor())
        return
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        yield cast("Executor", client.get_executor())
