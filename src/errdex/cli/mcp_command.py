"""`errdex mcp`: the catalog for assistants, over the Model Context Protocol."""

from __future__ import annotations

import click

from errdex.cli.options import catalog_option
from errdex.errors import ErrdexError


class ExtraMissingError(ErrdexError):
    """A command needs packages that an extra of errdex brings."""

    slug = "extra-missing"

    def __init__(self, command: str, extra: str) -> None:
        super().__init__(command, extra)
        self.command, self.extra = command, extra
        self.problem = f"`errdex {command}` needs the extra [{extra}], which is not installed."
        self.hint = f"Install it with `pip install 'errdex[{extra}]'`."


@click.command(epilog="Example: errdex mcp --dataset https://errors.example.org")
@click.option(
    "--dataset", metavar="URL", help="Answer from the dataset published there, kept in the cache folder."
)
@click.option(
    "--http", is_flag=True, help="Speak streamable HTTP at /mcp instead of standard input and output."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --http.")
@click.option("--port", type=click.IntRange(1, 65535), default=8024, show_default=True, help="With --http.")
@catalog_option
def command(*, dataset: str | None, http: bool, host: str, port: int, catalog: str | None) -> None:
    """Serve assistants: explain_traceback, search_error, get_error, list_repos, errors_of."""
    try:
        from errdex.mcp.run import run  # noqa: PLC0415 - an optional dependency
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in {"mcp", "pydantic"}:
            raise ExtraMissingError("mcp", "mcp") from error
        raise
    run(catalog=catalog, dataset=dataset, transport="http" if http else "stdio", host=host, port=port)
