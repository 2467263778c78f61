"""Live mode: a real exception instead of its text, so that the condition is shown with its actual values.

Frames are read from the traceback object. Values come from `pure_eval`, which
evaluates without calling anything of the program's; values are shown without
calling a `__repr__` that is written in Python.
"""

from __future__ import annotations

import ast
import reprlib
import traceback
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import executing
from pure_eval import Evaluator
from pure_eval.utils import CannotEval

from errdex.model.answer import Frame, Match, Trace, TraceBlock
from errdex.search.answer import Explained, explain_trace
from errdex.search.index import Index
from errdex.search.runtimes.python_lines import Link

MOST_EXCEPTIONS = 20
MOST_FRAMES = 200
MOST_VALUES = 6
_LONGEST_CONDITION = 200


class Value(NamedTuple):
    """One part of a condition and what it was."""

    expression: str
    value: str


class Condition(NamedTuple):
    """The condition that led to a raise, as the source writes it, and the values of its parts."""

    text: str
    """`not (…)` where the raise stands in the `else`."""
    values: tuple[Value, ...]


class Live(NamedTuple):
    """An exception, explained."""

    explained: Explained
    condition: Condition | None
    """None where no condition encloses the raise, or its source is not there."""


def explain_exception(error: BaseException, index: Index | None) -> Live:
    """Return what `error` is. The traceback's frames are read, none of the program's code is run."""
    chain = list(_chain(error))
    trace = Trace(runtime="python", blocks=tuple(_block(one, link) for one, link in chain))
    explained = explain_trace(trace, index)
    best = explained.answer.matches[0] if explained.answer.matches else None
    shown = chain[best.block][0] if best is not None else chain[-1][0]
    return Live(explained, _condition(shown.__traceback__, best))


def _chain(error: BaseException) -> Iterator[tuple[BaseException, Link]]:
    """Yield `error` and what led to it, causes first, as a traceback prints them; members after their group."""
    links: list[tuple[BaseException, Link]] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(links) < MOST_EXCEPTIONS:
        seen.add(id(current))
        if current.__cause__ is not None:
            links.append((current, "direct-cause"))
            current = current.__cause__
        elif current.__context__ is not None and not current.__suppress_context__:
            links.append((current, "during-handling"))
            current = current.__context__
        else:
            links.append((current, "none"))
            current = None
    for one, link in reversed(links):
        yield one, link
        yield from _members(one)


def _members(error: BaseException) -> Iterator[tuple[BaseException, Link]]:
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions[:MOST_EXCEPTIONS]:
            yield member, "group-member"
            yield from _members(member)


def _block(error: BaseException, link: Link) -> TraceBlock:
    kind = type(error)
    name = (
        kind.__qualname__
        if kind.__module__ in {"builtins", "__main__"}
        else f"{kind.__module__}.{kind.__qualname__}"
    )
    frames = [
        Frame(path=frame.f_code.co_filename, line=line, function=frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - a program's own `__str__` may do anything
        message = ""
    notes = tuple(str(note) for note in getattr(error, "__notes__", ()))
    return TraceBlock(
        error_class=name, message=message, frames=tuple(frames[-MOST_FRAMES:]), link=link, notes=notes
    )


def _condition(raised: TracebackType | None, best: Match | None) -> Condition | None:
    """Return the condition around the raise of the best match; of the innermost frame where there is no match."""
    at = _traceback_at(raised, best)
    if at is None:
        return None
    running = executing.Source.executing(at)
    for statement in running.statements or ():
        found = _enclosing_test(statement)
        if found is not None:
            test, negated = found
            text = ast.get_source_segment(running.source.text, test) or ast.unparse(test)
            text = " ".join(text.split())
            if len(text) > _LONGEST_CONDITION:
                text = text[: _LONGEST_CONDITION - 1] + "…"
            return Condition(f"not ({text})" if negated else text, tuple(_values(test, at.tb_frame)))
    return None


def _traceback_at(raised: TracebackType | None, best: Match | None) -> TracebackType | None:
    """Return the entry of the traceback that is in the statement of `best`, else the innermost."""
    last = None
    while raised is not None:
        last = raised
        path = raised.tb_frame.f_code.co_filename.replace("\\", "/")
        if best is not None and path.endswith(best.file) and best.line <= raised.tb_lineno <= best.end_line:
            return raised
        raised = raised.tb_next
    return last


def _enclosing_test(statement: ast.AST) -> tuple[ast.expr, bool] | None:
    """Return the test of the nearest `if`, `while` or `assert` around a statement, and whether it must be false."""
    if isinstance(statement, ast.Assert):
        return statement.test, True
    child, parent = statement, getattr(statement, "parent", None)
    while parent is not None and not isinstance(
        parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
    ):
        if isinstance(parent, ast.If | ast.While) and child is not parent.test:
            return parent.test, child in parent.orelse
        child, parent = parent, getattr(parent, "parent", None)
    return None


def _values(test: ast.expr, frame: FrameType) -> Iterator[Value]:
    """Yield the parts of a condition that can be evaluated without side effects, as written, with their values."""
    names = Evaluator.from_frame(frame)
    seen: set[str] = set()
    for node in ast.walk(test):
        if (
            not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
            or len(seen) >= MOST_VALUES
        ):
            continue
        text = ast.unparse(node)
        if text in seen:
            continue
        try:
            value = names[node]
        except CannotEval:
            continue
        if _is_telling(value):
            seen.add(text)
            yield Value(text, shown(value))


def _is_telling(value: Any) -> bool:
    """Return whether a reader gains from seeing a value: functions, classes and modules say their own name."""
    return not isinstance(value, type) and not callable(value) and type(value).__name__ != "module"


class _Shown(reprlib.Repr):
    """Short representations that run no Python code of the value's class."""

    def repr_instance(self, value: Any, level: int) -> str:  # noqa: ARG002 - reprlib's signature
        kind: Any = type(value)
        written = kind.__repr__
        in_c = type(written).__name__ in {"wrapper_descriptor", "method_descriptor"}
        if in_c and written is not object.__repr__:
            return str(written(value))[: self.maxother]
        return f"<{kind.__qualname__}>"


_shown = _Shown()
_shown.maxstring = _shown.maxother = 80
_shown.maxlong = 40


def shown(value: Any) -> str:
    """Return a short text for a value; a class whose `__repr__` is written in Python is only named."""
    if isinstance(value, float | complex | bool) or value is None:
        return repr(value)
    return _shown.repr(value)
