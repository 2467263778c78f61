"""`errdex explain`: what is this error, and what do I do about it?"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click
import msgspec

from errdex.catalog.location import catalog_location
from errdex.cli.main import EXIT_NO
from errdex.cli.options import catalog_option, colour_option, wants_colour, write_line, write_ready
from errdex.errors import QueryError
from errdex.search import Explained, explain
from errdex.search.beside import index_at

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
    where = catalog_location(catalog)
    explained = explain(text, index_at(where))
    answer = explained.answer
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    elif quiet:
        best = answer.matches[0] if answer.matches else None
        place = f" {best.id} {best.package} {best.file}:{best.line}" if best else ""
        write_line(f"{answer.verdict}{place}: {answer.reason}")
    else:
        write_ready(_for_people(explained, where, colour=wants_colour(sys.stdout, colour)))
    if answer.verdict in {"no-match", "unindexed"}:
        context.exit(EXIT_NO)


def _for_people(explained: Explained, where: str, *, colour: bool) -> str:
    from errdex.cli.answer_text import render_answer  # noqa: PLC0415 - start-up time: only people pay for it

    stored = None
    installed = False
    if explained.answer.matches:
        best = explained.answer.matches[0]
        stored = explained.record(best)
        installed = stored is not None
        if stored is None:
            from errdex.catalog.catalog import Catalog  # noqa: PLC0415 - start-up time: SQLAlchemy costs 0.2 s

            with Catalog.open(where) as opened:
                found = opened.record(best.id)
            stored = (found.record, found.evidence) if found else None
    width = shutil.get_terminal_size((100, 24)).columns
    return render_answer(
        explained.answer, explained.trace, stored, colour=colour, width=min(width, 120), installed=installed
    )


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
