"""A tree into the catalog: analysed, described, written; nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from datetime import UTC, datetime

import msgspec

from errdex import __version__
from errdex.catalog.catalog import Catalog
from errdex.catalog.rows import AddReport
from errdex.catalog.write import prepare
from errdex.model.source import Skipped, SourceTree
from errdex.pipeline.analyze import analyze
from errdex.pipeline.cache import FactsCache
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.pipeline.tests import with_tests
from errdex.pipeline.version import analyzer_version

ANALYZER = f"{__version__}/{analyzer_version()}"
"""What made a record: a catalog's records of another analyzer are made anew."""


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one tree."""

    tree: SourceTree
    report: AddReport | None
    """None where this very analysis was in the catalog already."""
    skipped: tuple[Skipped, ...] = ()


def build(
    catalog: Catalog,
    tree: SourceTree,
    *,
    executor: Executor | None = None,
    cache: FactsCache | None = None,
    progress: Callable[[int, int], None] | None = None,
    force: bool = False,
) -> Built:
    """Analyse `tree` and write its records, unless the catalog has them already.

    Interrupted at any moment, the catalog is as it was and the next call goes on
    from the cached facts.

    Args:
        catalog: Where the records go.
        tree: What to analyse.
        executor: Runs the per-file work; None: this process.
        cache: Facts of files seen before.
        progress: Called with files done and files in all.
        force: Analyse even what the catalog has.
    """
    if not force and catalog.has(tree.repo, tree.revision, ANALYZER):
        return Built(tree=tree, report=None)
    found = analyze(tree, executor=executor, cache=cache, progress=progress)
    analysis = with_tests(found, executor=executor, cache=cache)
    moment = datetime.now(UTC)
    described = describe(
        tree,
        analysis.sites,
        LineReader(tree.root),
        analyzed_at=moment,
        slugs=catalog.slugs(tree.repo),
    )
    prepared = prepare(
        tree,
        described,
        skipped=analysis.skipped,
        analyzer=ANALYZER,
        analyzed_at=moment,
        dictionaries=catalog.dictionaries(),
    )
    return Built(tree=tree, report=catalog.add(prepared), skipped=analysis.skipped)
