"""What mail clients, loggers, containers, terminals and people do to a traceback, undone."""

from __future__ import annotations

import html
import json
import traceback
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errdex.search import read_trace


class QuotaExceededError(Exception):
    """Stands for a library's class; printed with this module's name."""


def _fail(message: str) -> None:
    raise QuotaExceededError(message)


def trace_of(message: str) -> tuple[str, list[tuple[int, str]]]:
    """Return a traceback as CPython prints it, and the lines and functions of its frames."""
    try:
        _fail(message)
    except QuotaExceededError as error:
        frames = traceback.extract_tb(error.__traceback__)
        return "".join(traceback.format_exception(error)), [(frame.lineno, frame.name) for frame in frames]
    raise AssertionError


def wrapped(text: str) -> str:
    return "\n".join(row[at : at + 80] for row in text.splitlines() for at in range(0, max(len(row), 1), 80))


def prefixed(prefix: Callable[[int], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(prefix(number) + row for number, row in enumerate(text.splitlines()))


DEEDS: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: text,
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "indented": lambda text: "".join(f"    {row}\n" for row in text.splitlines()),
    "quoted mail": lambda text: "".join(f"> {row}\n" for row in text.splitlines()),
    "code fence": lambda text: f"I get this:\n\n```python\n{text}```\n",
    "HTML entities": html.escape,
    "colours": lambda text: text.replace("File", "\x1b[35mFile\x1b[0m").replace(
        "Error", "\x1b[1;31mError\x1b[0m"
    ),
    "JSON log": lambda text: json.dumps({"level": "error", "msg": "job failed", "exc_info": text}),
    "JSON lines": lambda text: "\n".join(json.dumps({"log": row}) for row in text.splitlines()),
    "log line before": lambda text: f"2024-05-01 10:00:00,123 ERROR worker.tasks: job failed\n{text}",
    "log prefix on the first line": lambda text: f"ERROR:worker.tasks:{text}",
    "log lines after": lambda text: f"{text}2024-05-01 10:00:01,004 INFO worker.tasks: next job\n",
    "docker compose": prefixed(lambda number: "api-1     | "),
    "kubernetes time stamps": prefixed(lambda number: f"2024-05-01T10:00:{number:02d}.{number:09d}Z "),
    "CI seconds": prefixed(lambda number: f"{number * 7}s "),
    "syslog": prefixed(lambda number: f"May  1 10:00:{number:02d} host app[{4000 + number}]: "),
    "rich's box": lambda text: "\n".join(f"│ {row:<90} │" for row in text.splitlines()),
    "group bars": prefixed(lambda number: "    | "),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_class_message_and_frames_are_read_all_the_same(deed):
    """Class, message, lines and functions come out as CPython put them in."""
    text, frames = trace_of("quota of 5 GB exceeded for 'alice': 6.25 GB used")
    block = read_trace(DEEDS[deed](text)).blocks[-1]
    assert block.error_class.endswith("QuotaExceededError")
    assert block.message == "quota of 5 GB exceeded for 'alice': 6.25 GB used"
    assert [(frame.line, frame.function) for frame in block.frames] == frames


LOSSY: dict[str, Callable[[str], str]] = {
    "wrapped at 80": wrapped,
    "indentation lost": lambda text: "\n".join(row.strip() for row in text.splitlines()),
    "on one line": lambda text: " ".join(row.strip() for row in text.splitlines()),
}


@pytest.mark.parametrize("deed", LOSSY)
def test_lost_line_breaks_and_indentation_cost_white_space_only(deed):
    """Where breaks or indentation are gone, class, message (white space aside) and lines still come out."""
    message = (
        "quota exceeded for a user whose name is long enough to be broken over two lines of a terminal: "
        + "x" * 40
    )
    text, frames = trace_of(message)
    block = read_trace(LOSSY[deed](text)).blocks[-1]
    assert block.error_class.endswith("QuotaExceededError")
    assert "".join(block.message.split()) == "".join(message.split())
    assert [frame.line for frame in block.frames] == [line for line, _ in frames]


printable = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), min_size=1)


@settings(deadline=None)
@given(printable.map(str.strip).filter(bool))
def test_any_one_line_message_is_read_whole(message):
    """Whatever a one-line message says, it comes out of a plain traceback as it went in."""
    text, frames = trace_of(message)
    block = read_trace(text).blocks[-1]
    assert block.message.split() == message.split()
    assert len(block.frames) == len(frames)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=2000), st.binary(max_size=2000).map(lambda data: data.decode("latin-1"))))
def test_any_text_is_read_without_an_error(text):
    """Reading never fails, whatever the text is."""
    read_trace(text)
