"""Options that several commands share, and the one decision about colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TextIO, TypeVar

import click

from errdex.cli.paint import visible

_Command = TypeVar("_Command", bound=Callable[..., Any])


def catalog_option(command: _Command) -> _Command:
    """Add `--catalog PATH_OR_URL`."""
    return click.option(
        "--catalog",
        metavar="FILE|URL",
        help="The catalog to use: a file or a database URL (default: $ERRDEX_CATALOG, else the user's data folder).",
    )(command)


def jobs_option(command: _Command) -> _Command:
    """Add `--jobs N`."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=None,
        help="Worker processes (default: one per core).",
    )(command)


def engine_options(command: _Command) -> _Command:
    """Add `--engine` and `--scheduler`."""
    scheduler = click.option("--scheduler", metavar="ADDRESS", help="The dask scheduler to send work to.")
    engine = click.option(
        "--engine",
        type=click.Choice(["processes", "dask"]),
        default="processes",
        help="Where the work runs: local processes, or a dask cluster (extra [scale]).",
    )
    return engine(scheduler(command))


def wants_colour(stream: TextIO, flag: bool | None = None) -> bool:
    """Whether `stream` gets colour: the flag, then NO_COLOR, then FORCE_COLOR, then a terminal that is not dumb."""
    if flag is not None:
        return flag
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def colour_option(command: _Command) -> _Command:
    """Add `--color/--no-color`."""
    return click.option(
        "--color/--no-color",
        "colour",
        default=None,
        help="Colour, or none (default: as the terminal and NO_COLOR say).",
    )(command)


def write_line(text: str) -> None:
    """Write one line of the answer to standard output, what is not printable as escapes."""
    write_ready(visible(text))


def write_ready(text: str) -> None:
    """Write text that is harmless already (painted, or JSON), whatever standard output's encoding can carry."""
    try:
        sys.stdout.write(text + "\n")
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def note(text: str) -> None:
    """Write one line to standard error: progress, warnings, summaries; what is not printable as escapes."""
    sys.stderr.write(visible(text) + "\n")
