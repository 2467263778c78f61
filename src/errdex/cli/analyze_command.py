"""`errdex analyze`: packages into the catalog."""

from __future__ import annotations

import time
from collections import Counter

import click
import msgspec

from errdex.catalog import Catalog
from errdex.catalog.build import Built, build
from errdex.cli.analysis import progress_bar
from errdex.cli.main import EXIT_ERROR
from errdex.cli.options import catalog_option, engine_options, jobs_option, note, write_ready
from errdex.errors import SourceError
from errdex.pipeline.cache import facts_cache
from errdex.pipeline.engine import make_executor
from errdex.search.beside import catalog_index
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder

_SHOWN_REASONS = 8


@click.command(
    epilog="Example: errdex analyze pypi:requests==2.32.3 git:https://host/owner/name@v1.0 ./my-project"
)
@click.argument("coordinates", metavar="COORD...", nargs=-1, required=True)
@click.option("--repo", help="owner/name, where the coordinate does not say it.")
@click.option("--force", is_flag=True, help="Analyse even what the catalog has already.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object that says what was done.")
@jobs_option
@engine_options
@catalog_option
@click.pass_context
def command(
    context: click.Context,
    *,
    coordinates: tuple[str, ...],
    repo: str | None,
    force: bool,
    as_json: bool,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    catalog: str | None,
) -> None:
    """Read each COORD and keep a record of every error it can raise.

    COORD is pypi:NAME[==VERSION], env:NAME (what is installed here), git:URL@REV or a folder.
    """
    parsed = [parse_coordinate(text, repo=repo) for text in coordinates]
    results: list[dict[str, object]] = []
    failed = False
    with (
        Catalog.open(catalog, create=True) as opened,
        make_executor(jobs, engine, scheduler) as executor,
        facts_cache(default_folder(), note) as cache,
    ):
        for coordinate in parsed:
            started = time.monotonic()
            try:
                tree = open_tree(coordinate)
            except SourceError as error:
                failed = True
                note(f"{coordinate}: {error}")
                results.append({"coordinate": str(coordinate), "error": error.slug, "problem": error.problem})
                continue
            with progress_bar(str(tree.coordinate)) as progress:
                built = build(opened, tree, executor=executor, cache=cache, progress=progress, force=force)
            _tell(built, time.monotonic() - started)
            results.append(_outcome(built))
        catalog_index(opened)
    if as_json:
        write_ready(msgspec.json.encode({"schema": 1, "results": results}).decode())
    if failed:
        context.exit(EXIT_ERROR)


def _tell(built: Built, seconds: float) -> None:
    name = str(built.tree.coordinate)
    if built.report is None:
        note(f"{name}: already in the catalog ({built.tree.repo}@{built.tree.revision[:10]})")
        return
    report = built.report
    share = report.unresolved / report.sites if report.sites else 0.0
    note(
        f"{name}: {report.records} errors from {report.sites} throw sites "
        f"({share:.1%} without words in the source), {report.skipped} files skipped, {seconds:.1f} s"
    )
    reasons = Counter(skip.reason for skip in built.skipped)
    for reason, count in reasons.most_common(_SHOWN_REASONS):
        note(f"  skipped {count}: {reason}")
    if len(reasons) > _SHOWN_REASONS:
        note(f"  … and {len(reasons) - _SHOWN_REASONS} other reasons")


def _outcome(built: Built) -> dict[str, object]:
    outcome: dict[str, object] = {
        "coordinate": str(built.tree.coordinate),
        "repo": built.tree.repo,
        "sha": built.tree.revision,
        "version": built.tree.version,
        "new": built.report is not None,
    }
    if built.report is not None:
        outcome |= {
            "records": built.report.records,
            "sites": built.report.sites,
            "unresolved": built.report.unresolved,
            "skipped": built.report.skipped,
        }
    return outcome
