"""`errdex search`: which error is meant, asked in one's own words."""

from __future__ import annotations

import sys
import textwrap
from typing import get_args

import click
import msgspec

from errdex.catalog import Catalog
from errdex.cli.main import EXIT_NO
from errdex.cli.options import catalog_option, colour_option, wants_colour, write_ready
from errdex.cli.paint import BOLD, DIM, Paint, paint_for, visible
from errdex.errors import QueryError
from errdex.model.explanation import Level
from errdex.publish.text import shorten
from errdex.search.ask import Asking, By, Found, Only
from errdex.search.levels import levels_asked

_MOST = 100
_WIDTH = 92
_LONGEST_MESSAGE = 240


class EmptyQuestionError(QueryError):
    """The question holds nothing but white space."""

    slug = "nothing-asked"
    problem = "There is nothing to search for: the question is empty."
    hint = "Ask in your own words, as in `errdex search url without a scheme`."


@click.command(epilog="Example: errdex search why does requests complain that my url has no scheme")
@click.argument("question", nargs=-1, required=True)
@click.option("--repo", help="Only errors of this repository (owner/name, or pypi/NAME).")
@click.option("--family", help="Only errors of this family.")
@click.option("--level", type=click.Choice(get_args(Level)), help="Only errors of this level of proof.")
@click.option(
    "--limit", type=click.IntRange(1, _MOST), default=5, show_default=True, help="Show at most so many."
)
@click.option(
    "--by",
    type=click.Choice(get_args(By)),
    help="Compare words, meaning, or both (default: both where the extra [semantic] is installed, else words).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@colour_option
@catalog_option
@click.pass_context
def command(
    context: click.Context,
    *,
    question: tuple[str, ...],
    repo: str | None,
    family: str | None,
    level: Level | None,
    limit: int,
    by: By | None,
    as_json: bool,
    colour: bool | None,
    catalog: str | None,
) -> None:
    """Search the catalog for the error that QUESTION means, in your own words.

    For a traceback or a printed message use `errdex explain`: it knows exactly. Exit 1: nothing found.
    """
    text, named = levels_asked(" ".join(question))
    if not text.strip():
        raise EmptyQuestionError
    with Catalog.open(catalog) as opened:
        asking = Asking(opened, by=by)
        only = Only(repo=repo, family=family, levels=named | ({level} if level else set()))
        matches = asking.ask(text, only=only, limit=limit)
        if as_json:
            body = {"schema": 1, "by": asking.by, "matches": [_row(found) for found in matches]}
            sys.stdout.buffer.write(msgspec.json.encode(body) + b"\n")
        else:
            paint = paint_for(colour=wants_colour(sys.stdout, colour))
            for found in matches:
                write_ready(_lines(found, opened, paint))
    if not matches:
        context.exit(EXIT_NO)


def _row(found: Found) -> dict[str, object]:
    summary = found.summary
    return {
        "id": summary.id,
        "repo": summary.repo,
        "file": summary.file_path,
        "line": summary.line_number,
        "function": summary.function,
        "class": summary.error_class,
        "message": summary.error_message,
        "family": summary.background_tag,
        "level": summary.level,
        "score": round(found.score, 4),
        "url": f"/{summary.repo}/{summary.slug}/",
    }


def _lines(found: Found, catalog: Catalog, paint: Paint) -> str:
    """Return what a person reads of one match: its words, its place, what it means."""
    summary = found.summary
    name = (summary.error_class or "").rpartition(".")[2]
    message = " ".join(summary.error_message.split())
    title = message if message.startswith(name) else f"{name}: {message}"
    place = f"{summary.repo} · {summary.file_path}:{summary.line_number} · {summary.function}"
    stored = catalog.record(summary.id)
    means = stored.record.documentation if stored else ""
    return "\n".join(
        (
            paint(shorten(title, _LONGEST_MESSAGE), BOLD),
            visible(textwrap.fill(means, _WIDTH, initial_indent="  ", subsequent_indent="  ")),
            paint(f"  {place} · {summary.level} · {summary.id}", DIM),
            "",
        )
    )
