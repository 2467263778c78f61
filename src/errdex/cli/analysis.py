"""What the commands that analyse share: opening a coordinate, the workers, progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from errdex.cli.options import note
from errdex.pipeline import Analysis, analyze
from errdex.pipeline.cache import facts_cache
from errdex.pipeline.engine import make_executor
from errdex.pipeline.tests import with_tests
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder


def open_analysis(
    coordinate: str, *, repo: str | None, jobs: int | None, engine: str, scheduler: str | None
) -> Analysis:
    """Fetch what `coordinate` names and analyse it, with progress on standard error."""
    tree = open_tree(parse_coordinate(coordinate, repo=repo))
    with (
        make_executor(jobs, engine, scheduler) as executor,
        facts_cache(default_folder(), note) as cache,
        progress_bar(str(tree.coordinate)) as progress,
    ):
        found = analyze(tree, executor=executor, cache=cache, progress=progress)
        return with_tests(found, executor=executor, cache=cache)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function that shows files done on standard error; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal pays for it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
