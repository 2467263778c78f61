"""`errdex list`: the records of the catalog."""

from __future__ import annotations

import sys
from typing import get_args

import click

from errdex.catalog import Catalog, StoredRecord
from errdex.cli.options import catalog_option, write_line
from errdex.model.explanation import Level
from errdex.publish.links import Site
from errdex.publish.wire import encode, published


@click.command(epilog="Example: errdex list --repo pypi/requests --jsonl | head -1")
@click.option("--repo", help="Only this repository (owner/name, or pypi/NAME).")
@click.option("--jsonl", is_flag=True, help="One record a line, exactly the keys of the wire contract.")
@click.option("--family", help="Only records of this family.")
@click.option("--level", type=click.Choice(get_args(Level)), help="Only records of this level of proof.")
@catalog_option
@click.pass_context
def command(
    context: click.Context,
    *,
    repo: str | None,
    jsonl: bool,
    family: str | None,
    level: Level | None,
    catalog: str | None,
) -> None:
    """List the records of the catalog, by repository, file and line."""
    found = False
    with Catalog.open(catalog) as opened:
        for stored in opened.records(repo):
            if family not in {None, stored.record.background_tag} or level not in {
                None,
                stored.evidence.level,
            }:
                continue
            found = True
            if jsonl:
                sys.stdout.buffer.write(encode(published(stored.record, Site())) + b"\n")
            else:
                write_line(_row(stored))
    if not found:
        context.exit(1)


def _row(stored: StoredRecord) -> str:
    record = stored.record
    message = " ".join(record.error_message.split())
    named = record.error_class is not None and not message.startswith(record.error_class)
    shown = f"{record.error_class}: {message}" if named else message
    return f"{record.id}  {record.repo}  {record.file_path}:{record.line_number}  {shown}"
