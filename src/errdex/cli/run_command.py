"""`errdex run`: a Python program, and what the error is that it dies of."""

from __future__ import annotations

import click

from errdex.cli.live import run
from errdex.cli.options import catalog_option


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="Example: errdex run app.py --port 8000",
)
@click.option("-m", "as_module", is_flag=True, help="The program is a module's name, as with `python -m`.")
@catalog_option
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(
    context: click.Context, *, program: str, arguments: tuple[str, ...], as_module: bool, catalog: str | None
) -> None:
    """Run PROGRAM with ARGUMENTS in this interpreter; explain the exception it dies of, with actual values.

    Exits as the program does.
    """
    context.exit(run([program, *arguments], as_module=as_module, catalog=catalog))
