"""`errdex pull`: someone else's dataset of this contract into the catalog."""

from __future__ import annotations

import click

from errdex.catalog import Catalog
from errdex.cli.options import catalog_option, note
from errdex.publish.pull import pull


@click.command(epilog="Example: errdex pull https://errors.example.org")
@click.argument("url", metavar="URL")
@catalog_option
@click.pass_context
def command(context: click.Context, *, url: str, catalog: str | None) -> None:
    """Read the dataset published at URL into the catalog, verified. Exit 1: some libraries were refused."""
    with Catalog.open(catalog, create=True) as opened:
        done = pull(url, opened, progress=lambda repo, _done, _of: note(f"  {repo}"))
    for refused in done.refused:
        note(f"  refused {refused.repo}: {refused.reason}")
    note(
        f"{done.errors} errors of {done.repos} libraries written, {done.unchanged} libraries unchanged, "
        f"{len(done.refused)} refused; dataset {done.dataset_version}"
    )
    if done.bare:
        note(f"{done.bare} of them came without evidence: their pages say so")
    if done.refused:
        context.exit(1)
