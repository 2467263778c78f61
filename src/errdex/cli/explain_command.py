"""`errdex explain`: what is this error, and what do I do about it?"""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from errdex.cli.options import catalog_option, colour_option, wants_colour, write_line
from errdex.errors import QueryError
from errdex.search import explain_text

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
    explained = explain_text(text, catalog)
    answer = explained.answer
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    elif quiet:
        best = answer.matches[0] if answer.matches else None
        place = f" {best.id} {best.package} {best.file}:{best.line}" if best else ""
        write_line(f"{answer.verdict}{place}: {answer.reason}")
    else:
        from errdex.cli.answer_text import render_answer  # noqa: PLC0415 - only people pay for the rendering

        write_line(render_answer(explained, colour=wants_colour(sys.stdout, colour)))
    if not answer.matches or answer.verdict in {"no-match", "unindexed"}:
        context.exit(1)


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
