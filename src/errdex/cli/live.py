"""Live mode at work: an excepthook, `python -m errdex run`, `%load_ext errdex`, `pytest --errdex`.

All print the traceback as always, then what the error is. Should explaining
fail, only the traceback is printed: errdex never hides the error it explains.
"""

from __future__ import annotations

import runpy
import shutil
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TextIO

from errdex.catalog.location import catalog_location
from errdex.cli.answer_text import render_answer
from errdex.cli.options import wants_colour
from errdex.model.record import Evidence, Record
from errdex.search.answer import Explained
from errdex.search.beside import index_at
from errdex.search.live import Live, explain_exception

_WIDEST = 120
_UNEXPLAINED = (KeyboardInterrupt, SystemExit, GeneratorExit)


def install(catalog: str | None = None) -> None:
    """Explain every exception that nothing catches, in this process's threads too, after its traceback."""
    before = sys.excepthook
    threads_before = threading.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        tell(error, sys.stderr, catalog)

    def threads_hook(given: threading.ExceptHookArgs) -> None:
        threads_before(given)
        if given.exc_value is not None:
            tell(given.exc_value, sys.stderr, catalog)

    sys.excepthook = hook
    threading.excepthook = threads_hook


def tell(error: BaseException, out: TextIO, catalog: str | None = None) -> None:
    """Print what `error` is. Prints nothing for what ends a program on purpose, or where explaining fails."""
    if isinstance(error, _UNEXPLAINED):
        return
    text = explanation(error, colour=wants_colour(out, None), catalog=catalog)
    if text:
        out.write(f"\n{text}\n")


def explanation(error: BaseException, *, colour: bool, catalog: str | None = None) -> str:
    """Return what `error` is as text for a terminal; empty where explaining fails."""
    try:
        where = catalog_location(catalog)
        live = explain_exception(error, index_at(where))
        return _rendered(live, where, colour=colour)
    except Exception:  # noqa: BLE001 - the program's own error must stay the one that is seen
        return ""


def _rendered(live: Live, where: str, *, colour: bool) -> str:
    explained = live.explained
    found = explained.record(explained.answer.matches[0]) if explained.answer.matches else None
    stored = found or _stored(explained, where)
    width = min(shutil.get_terminal_size((100, 24)).columns, _WIDEST)
    return render_answer(
        explained.answer,
        explained.trace,
        stored,
        colour=colour,
        width=width,
        installed=found is not None,
        condition=live.condition,
    )


def _stored(explained: Explained, where: str) -> tuple[Record, Evidence] | None:
    if not explained.answer.matches:
        return None
    from errdex.catalog.catalog import Catalog  # noqa: PLC0415 - start-up time: SQLAlchemy costs 0.2 s

    with Catalog.open(where) as opened:
        found = opened.record(explained.answer.matches[0].id)
    return (found.record, found.evidence) if found else None


def run(arguments: Sequence[str], *, as_module: bool, catalog: str | None = None) -> int:
    """Run a script (or, `as_module`, a module) as `python` would, and explain the exception it dies of.

    Returns the program's exit status; 1 where it died of an exception.
    """
    name, *rest = arguments
    sys.argv[:] = [name, *rest]
    try:
        if as_module:
            sys.path.insert(0, "")
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(Path(name).resolve().parent))
            runpy.run_path(name, run_name="__main__")
    except SystemExit as leaving:
        return _status(leaving)
    except BaseException as error:  # noqa: BLE001 - the program's error, whatever it is, is what we are here for
        error.__traceback__ = _own_frames_cut(error.__traceback__)
        traceback.print_exception(error)
        tell(error, sys.stderr, catalog)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _status(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return leaving.code or 0
    sys.stderr.write(f"{leaving.code}\n")
    return 1


def _own_frames_cut(raised: TracebackType | None) -> TracebackType | None:
    """Return the traceback without the frames of this file and of `runpy`, which the user's program knows nothing of."""
    current = raised
    while current is not None and current.tb_frame.f_code.co_filename in {
        __file__,
        runpy.__file__,
        "<frozen runpy>",
    }:
        current = current.tb_next
    return current or raised


class _Shell(Protocol):
    """What we use of IPython's shell."""

    def set_custom_exc(self, kinds: tuple[type[BaseException], ...], handler: Any) -> None:
        """Call `handler` for exceptions of these kinds."""


def load_into(shell: _Shell) -> None:
    """Explain exceptions of a notebook's or IPython's cells after their tracebacks."""

    def handle(
        own: Any,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
        tb_offset: int | None = None,
    ) -> None:
        own.showtraceback((kind, error, trace), tb_offset=tb_offset)
        text = explanation(error, colour=False)
        if text:
            sys.stdout.write(f"{text}\n")

    shell.set_custom_exc((Exception,), handle)
