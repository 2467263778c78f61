"""What a person sees: the answer's text for a terminal, held by golden files (`ERRDEX_REWRITE_GOLDEN=1` rewrites them)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from errdex.cli.answer_text import render_answer
from errdex.model.answer import Answer, Binding, Frame, Match, Trace, TraceBlock
from errdex.search.live import Condition, Value

GOLDEN = Path(__file__).parent / "golden"

BLOCK = TraceBlock(
    error_class="acme.errors.PortError",
    message="port must be between 1 and 65535, got 70000",
    frames=(
        Frame(path="/home/me/app.py", line=41, function="main"),
        Frame(path="/venv/lib/python3.12/site-packages/acme/net.py", line=98, function="connect"),
    ),
)
CAUSED = TraceBlock(error_class="acme.errors.StartError", message="cannot start", link="direct-cause")
TRACE = Trace(runtime="python", blocks=(BLOCK, CAUSED))


def match(**changes):
    facts = {
        "id": "0123456789abcdef",
        "package": "acme",
        "version": "2.1",
        "file": "acme/net.py",
        "line": 98,
        "end_line": 98,
        "function": "Server.connect",
        "error_class": "acme.errors.PortError",
        "template": "port must be between 1 and 65535, got {port}",
        "bindings": (Binding(expression="port", value="70000"),),
        "score": 0.99,
        "why": "Line 98 of the trace lies in this statement.",
        "url": "/pypi/acme/port-must-be/",
    }
    return Match(**(facts | changes))


ANSWERS = {
    "exact": (Answer(verdict="exact", reason="Line 98 lies there.", matches=(match(),)), None),
    "likely": (
        Answer(
            verdict="likely",
            reason="Probably this one: the message is worded exactly so.",
            matches=(
                match(
                    score=0.8, version_fact="Your acme 2.1 raises this at line 98; it was reworded by 3.0."
                ),
            ),
        ),
        None,
    ),
    "ambiguous": (
        Answer(
            verdict="ambiguous",
            reason="2 places fit about equally well; the text does not say which one it was.",
            matches=(match(score=0.5), match(score=0.49, file="acme/old.py", function="bind", version=None)),
        ),
        None,
    ),
    "live": (
        Answer(verdict="exact", reason="Line 98 lies there.", matches=(match(),)),
        Condition("not 0 < port < MAX_PORT", (Value("port", "70000"), Value("MAX_PORT", "65535"))),
    ),
    "nothing": (
        Answer(verdict="no-match", reason="NameError in these words is raised by Python itself."),
        None,
    ),
    "hostile": (
        Answer(
            verdict="exact",
            reason="Line 98 lies there.",
            matches=(
                match(
                    function="\x1b[2Jclear",
                    bindings=(Binding(expression="p\u202eort", value="\x07\x1b[31m" * 40),),
                ),
            ),
        ),
        None,
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_reads_as_it_did(name):
    """Each kind of answer, without a record: what stands in the golden file."""
    answer, condition = ANSWERS[name]
    text = render_answer(answer, TRACE, None, colour=False, width=92, condition=condition) + "\n"
    path = GOLDEN / f"answer-{name}.txt"
    if os.environ.get("ERRDEX_REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("width", [40, 80, 160])
def test_no_line_is_wider_than_the_terminal(name, width):
    """Prose is wrapped at the terminal's width; only words longer than it stand out."""
    answer, condition = ANSWERS[name]
    text = render_answer(answer, TRACE, None, colour=False, width=width, condition=condition)
    longest = max(len(word) for word in text.split())
    assert all(len(line) <= max(width, longest + 24) + 12 for line in text.splitlines())


@pytest.mark.parametrize("name", ANSWERS)
def test_control_characters_of_strangers_never_reach_the_terminal(name):
    """With colours on, the only escapes are our own; without, there are none."""
    answer, condition = ANSWERS[name]
    plain = render_answer(answer, TRACE, None, colour=False, condition=condition)
    assert all(character.isprintable() or character == "\n" for character in plain)
    coloured = render_answer(answer, TRACE, None, colour=True, condition=condition)
    assert "\x1b[2J" not in coloured
    assert "\x07" not in coloured
