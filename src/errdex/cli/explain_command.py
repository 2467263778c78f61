"""`errdex explain`: what is this error, and what do I do about it?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from errdex.catalog import Catalog, CatalogMissingError
from errdex.cli.options import catalog_option, colour_option, wants_colour, write_line
from errdex.cli.record_text import record_text
from errdex.errors import QueryError
from errdex.search import answer
from errdex.search.beside import catalog_index

_MAX_PASTE_BYTES = 16 * 1024 * 1024
"""More than any traceback; what a person pastes by mistake is cut here, not refused."""


class EmptyPasteError(QueryError):
    """The pasted text holds nothing but white space."""

    slug = "nothing-pasted"
    problem = "There is nothing to explain: the text is empty."
    hint = "Pipe a traceback in, as in `python app.py 2>&1 | errdex explain -`."


class UnreadablePasteError(QueryError):
    """The file that holds the pasted text cannot be read."""

    slug = "paste-unreadable"

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(path, detail)
        self.path, self.detail = path, detail
        self.problem = f"{path} cannot be read: {detail}."
        self.hint = "Name a text file that holds the error, or - for standard input."


@click.command(epilog="Example: python app.py 2>&1 | errdex explain -")
@click.argument("file", metavar="[FILE|-]", default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Only the verdict and the best match, one line.")
@colour_option
@catalog_option
@click.pass_context
def command(
    context: click.Context, *, file: str, as_json: bool, quiet: bool, colour: bool | None, catalog: str | None
) -> None:
    """Explain a pasted error or traceback, of FILE or standard input. Exit 1: nothing fits."""
    text = _pasted(file)
    if not text.strip():
        raise EmptyPasteError
    with _opened(catalog) as opened:
        explained = answer(text, catalog_index(opened) if opened else None, installed=True)
        best = explained.matches[0] if explained.matches else None
        stored = opened.record(best.id) if opened and best and not (as_json or quiet) else None
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(explained) + b"\n")
    elif quiet:
        place = f" {best.id} {best.package} {best.file}:{best.line}" if best else ""
        write_line(f"{explained.verdict}{place}: {explained.reason}")
    else:
        write_line(f"{explained.verdict}: {explained.reason}")
        for binding in best.bindings if best else ():
            write_line(f"  {binding.expression} = {binding.value}")
        if stored:
            write_line("")
            write_line(record_text(stored, colour=wants_colour(sys.stdout, colour)))
    if explained.verdict in {"no-match", "unindexed"}:
        context.exit(1)


@contextmanager
def _opened(where: str | None) -> Iterator[Catalog | None]:
    """Yield the catalog; None where there is none: what is installed here can be explained all the same."""
    try:
        catalog = Catalog.open(where)
    except CatalogMissingError:
        yield None
        return
    with catalog:
        yield catalog


def _pasted(file: str) -> str:
    if file == "-":
        data = sys.stdin.buffer.read(_MAX_PASTE_BYTES)
    else:
        try:
            with Path(file).open("rb") as opened:
                data = opened.read(_MAX_PASTE_BYTES)
        except OSError as error:
            raise UnreadablePasteError(file, error.strerror or str(error)) from error
    return data.decode("utf-8", "replace")
