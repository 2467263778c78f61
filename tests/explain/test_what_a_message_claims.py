"""What a message claims is told apart from what it only names."""

import pytest

from errdex.explain.message import Phrases, claimed_text

HOLE = "\0"


@pytest.mark.parametrize(
    ("message", "claimed"),
    [
        (f"Invalid timeout {HOLE}. Pass a (connect, read) timeout tuple", "invalid"),
        ("Auth hooks must be callable.", "must be callable"),
        (f"unknown content encoding: {HOLE}", "unknown"),
        ("Missing dependencies for SOCKS support.", "missing"),
        (f"No connection adapters were found for {HOLE}", "no not found"),
        ("The 'layout' keyword is not supported when 'by' is None", "is not supported"),
        ("Unable to determine whether fp is closed.", "unable to determine"),
        ("tzinfo can only be used with DateTimeField.", "can only be used with"),
        (f"Protocol Error: {HOLE}", "protocol error"),
    ],
)
def test_subjects_names_and_circumstances_are_left_out(message, claimed):
    """What stands before the verb, behind an adjective, in quotes or after "when" is not claimed."""
    told = [piece.strip(f" {HOLE}") for piece in claimed_text(message).split("|")]
    assert [piece for piece in told if piece] == [claimed]


def test_a_phrase_counts_from_the_start_of_a_word():
    """A phrase does not start inside of a word: "parse" is in "parser" and not in "sparse"."""
    phrases = Phrases()
    phrases.add(("parse", "time"))
    assert phrases.within("a sparse matrix") == frozenset()
    assert phrases.within("the parser ran out of time") == {"parse", "time"}


def test_phrases_that_claim_nothing_are_topics():
    """A word that only names a thing is a topic; one that says what happened to it is not."""
    phrases = Phrases()
    phrases.add(("encoding", "is closed", "no such"))
    assert phrases.topics == {"encoding"}


def test_phrases_that_start_with_no_word_are_found_anywhere():
    """`.toml` and `<` are found where they stand."""
    phrases = Phrases()
    phrases.add((".toml", "<", "ab"))
    assert phrases.within("pyproject.toml < ab") == {".toml", "<", "ab"}
