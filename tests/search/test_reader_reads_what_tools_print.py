"""Traces as real tools printed them (requests 2.34, flask 3.1, django 5.2, pytest 9.2, IPython 8.37, rich, loguru)."""

from __future__ import annotations

from pathlib import Path

import pytest

from errdex.search import read_trace

TRACES = Path(__file__).parent / "fixtures" / "traces"
SCHEMA = "Invalid URL 'example.com': No scheme supplied. Perhaps you meant https://example.com?"
PREPARE_URL = ("requests/models.py", 514, "prepare_url")
FIELD = "Cannot resolve keyword 'nonsense' into field. Choices are: date_joined, email"
BUILD = "Could not build url for endpoint 'signin'. Did you mean 'index' instead?"

SHAPES = {
    "plain": ("requests.exceptions.MissingSchema", SCHEMA, PREPARE_URL, 9),
    "stdlog": ("requests.exceptions.MissingSchema", SCHEMA, PREPARE_URL, 9),
    "jsonlog": ("requests.exceptions.MissingSchema", SCHEMA, PREPARE_URL, 9),
    "loguru": ("requests.exceptions.MissingSchema", SCHEMA, PREPARE_URL, 9),
    "ipython8": ("MissingSchema", SCHEMA, PREPARE_URL, 10),
    "rich_colour": ("MissingSchema", SCHEMA, PREPARE_URL, 9),
    "rich_locals": ("MissingSchema", SCHEMA, PREPARE_URL, 9),
    "django_plain": ("FieldError", FIELD, ("sql/query.py", 1813, "names_to_path"), 12),
    "django_copy": ("FieldError", FIELD, ("sql/query.py", 1813, "names_to_path"), 12),
    "werkzeug_entities": (
        "werkzeug.routing.exceptions.BuildError",
        BUILD,
        ("routing/map.py", 901, "build"),
        11,
    ),
    "werkzeug_copy": ("werkzeug.routing.exceptions.BuildError", BUILD, ("routing/map.py", 901, "build"), 11),
    "syntax": ("SyntaxError", "invalid syntax", ("bad.py", 1, None), 1),
}


def said(name: str):
    return read_trace((TRACES / f"{name}.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("shape", SHAPES)
def test_class_message_and_place_survive_every_tool(shape):
    """Whatever printed the trace, class, message, innermost frame and the number of frames are read."""
    error_class, message, place, frames = SHAPES[shape]
    block = said(shape).blocks[-1]
    assert block.error_class == error_class
    assert " ".join(block.message.split()).startswith(message)
    innermost = block.frames[-1]
    assert innermost.path.endswith(place[0])
    assert (innermost.line, innermost.function) == place[1:]
    assert len(block.frames) == frames


def test_a_chain_is_read_in_printed_order_with_its_links():
    """A cause comes before what it caused, and each link is told."""
    chain = said("chain")
    assert [(block.error_class, block.link) for block in chain.blocks] == [
        ("json.decoder.JSONDecodeError", "none"),
        ("click.exceptions.BadParameter", "direct-cause"),
        ("KeyError", "during-handling"),
    ]
    assert chain.blocks[-1].message == "'data'"


def test_members_of_an_exception_group_are_blocks_of_their_own():
    """The group and each of its members are read, the bars taken off, a member's note kept."""
    group = said("group")
    assert [block.error_class for block in group.blocks] == [
        "ExceptionGroup",
        "requests.exceptions.MissingSchema",
        "ValueError",
    ]
    assert group.blocks[1].message == SCHEMA
    assert group.blocks[2].message.splitlines() == ["second", "line two of it", "a note on it"]


@pytest.mark.parametrize("style", ["long", "short", "native"])
def test_a_pytest_report_gives_every_failure_and_its_chain(style):
    """Two failing tests, one with a cause, give three blocks; rules and the summary are no part of a message."""
    blocks = said(f"pytest_{style}").blocks
    assert [block.error_class for block in blocks] == [
        "requests.exceptions.MissingSchema",
        "json.decoder.JSONDecodeError",
        "RuntimeError",
    ]
    assert [block.message for block in blocks][::2] == [SCHEMA, "outer: two\nlines"]
    assert blocks[0].frames[-1].function == "prepare_url"
    assert blocks[2].frames[-1].function == "test_chain"


def test_a_notebook_of_several_cells_gives_a_block_per_cell():
    """Old IPython headers (`path in f(args)`, `---> 12`) give paths, and lines from the arrows."""
    blocks = said("ipython").blocks
    assert [block.error_class for block in blocks] == ["MissingSchema", "KeyError"]
    assert blocks[1].message == "'zz'"
    assert blocks[1].frames[-1].path.endswith("pandas/core/generic.py")
    assert blocks[1].frames[-1].line == 1914


def test_the_short_summary_alone_is_enough():
    """A single `FAILED` line of pytest gives the class and what is left of the message."""
    block = read_trace(
        "FAILED tests/test_a.py::test_b - requests.exceptions.MissingSchema: Invalid ..."
    ).blocks[0]
    assert (block.error_class, block.message) == ("requests.exceptions.MissingSchema", "Invalid ...")
