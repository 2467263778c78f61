"""`errdex show`: one record, whole."""

from __future__ import annotations

import sys

import click

from errdex.catalog import Catalog, StoredRecord
from errdex.cli.options import catalog_option, colour_option, note, wants_colour, write_line, write_ready
from errdex.cli.record_text import record_text
from errdex.publish.links import Site
from errdex.publish.wire import error_body


@click.command(epilog="Example: errdex show 3467bec451853625 --json")
@click.argument("name", metavar="ID|SLUG")
@click.option("--json", "as_json", is_flag=True, help="The answer of GET /api/errors/{id}.")
@colour_option
@catalog_option
@click.pass_context
def command(
    context: click.Context, *, name: str, as_json: bool, colour: bool | None, catalog: str | None
) -> None:
    """Show the record with this id or slug (owner/name/slug where several repositories have the slug)."""
    with Catalog.open(catalog) as opened:
        candidates = find(opened, name)
        version = opened.dataset_version
    if not candidates:
        note(f"No record has the id or slug {name!r}.")
        context.exit(1)
    if len(candidates) > 1:
        note(f"{len(candidates)} repositories have an error with the slug {name!r}; name one:")
        for stored in candidates:
            write_line(f"{stored.record.repo}/{stored.record.slug}")
        context.exit(1)
    if as_json:
        sys.stdout.buffer.write(error_body(candidates[0], version, Site()) + b"\n")
    else:
        write_ready(record_text(candidates[0], colour=wants_colour(sys.stdout, colour)))


def find(catalog: Catalog, name: str) -> list[StoredRecord]:
    """Return the records that `name` (an id, a slug, or owner/name/slug) means."""
    if stored := catalog.record(name):
        return [stored]
    repo, _, slug = name.strip("/").rpartition("/")
    if repo:
        found = catalog.record_by_slug(repo, slug)
        return [found] if found else []
    return [stored for identity in catalog.ids_by_slug(name) if (stored := catalog.record(identity))]
