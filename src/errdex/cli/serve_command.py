"""`errdex serve`: the catalog as web pages and JSON."""

from __future__ import annotations

import click

from errdex.catalog import Catalog
from errdex.cli.options import catalog_option
from errdex.web import serve


@click.command(epilog="Example: errdex serve --port 8023")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8023, show_default=True, help="0: any free port."
)
@click.option(
    "--base-url", help="Where it is reached from outside, if not at HOST:PORT: links begin with it."
)
@click.option(
    "--report-url", default="mailto:", help="Who hears of mistakes: mailto:ADDRESS, or an issue form's URL."
)
@catalog_option
def command(*, host: str, port: int, base_url: str | None, report_url: str, catalog: str | None) -> None:
    """Serve the catalog until interrupted."""
    with Catalog.open(catalog) as opened:
        serve(opened, host=host, port=port, base_url=base_url, report_url=report_url)
