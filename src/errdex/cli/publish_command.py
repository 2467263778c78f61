"""`errdex publish`: the catalog as a folder that any static host can serve."""

from __future__ import annotations

from pathlib import Path

import click

from errdex.catalog import Catalog
from errdex.cli.options import catalog_option, jobs_option, note
from errdex.pipeline.engine import make_executor
from errdex.publish.links import Site
from errdex.publish.site import publish


@click.command(epilog="Example: errdex publish ./public --base-url https://errors.example.org")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--base-url", required=True, help="Where the folder will be reached: scheme, host and path.")
@click.option(
    "--report-url", default="mailto:", help="Who hears of mistakes: mailto:ADDRESS, or an issue form's URL."
)
@jobs_option
@catalog_option
def command(*, folder: Path, base_url: str, report_url: str, jobs: int | None, catalog: str | None) -> None:
    """Write the dataset and every page into DIR, in place of what was published there before."""
    site = Site(base_url=base_url.rstrip("/"), mode="static", report_url=report_url)
    with Catalog.open(catalog) as opened, make_executor(jobs) as executor:
        done = publish(
            opened, folder, site, executor=executor, progress=lambda repo, _done, _of: note(f"  {repo}")
        )
    note(
        f"{done.errors} errors of {done.repos} repositories in {done.where}, version {done.dataset_version}: "
        f"{done.written} files written, {done.kept} unchanged"
    )
