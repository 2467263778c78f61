"""The gate itself: hostile text never gets through, what nothing bears out is refused, a proof carries the rest."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.assist.kinds import Kinds

from errdex.assist.checks.markup import look as finds_markup
from errdex.assist.gate import UNFOUNDED, judge
from errdex.model.assistance import Suggestion, Trial
from errdex.model.record import Proof, Run

KINDS = Kinds()
PROOF = Proof(
    grade="A",
    witness=Run(
        code="from kinds import in_range\n\nin_range(99)\n",
        output="",
        outcome="raised",
        arguments={"count": "99"},
    ),
    fix=None,
    ran_at="2026-12-01T00:00:00Z",
    interpreter="CPython 3.11.7",
    environment="kinds==1",
    function_hash="0" * 64,
)
PLACES = st.sampled_from(
    ["documentation", "triggerScenarios", "commonSituations", "solutions", "preventionTips"]
)
WORDS = st.sampled_from(
    "`count` `low` `in_range` `count=3` must not be is less than greater 10 when if so the a Pass raises `ValueError` §1 "
    "<b> ** [x](y) \x1b[31m \u202e ` , . ; and or neither nor `f(`  {{ }} \x00 without given".split(" ")
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=25).map(" ".join))


@settings(deadline=None)
@given(place=PLACES, text=TEXTS)
def test_any_text_is_judged_and_none_acts_on_a_page_or_terminal(place, text):
    """Whatever a model writes, the gate answers, and keeps no control character, no tag, no link."""
    judgement = judge(Suggestion(place=place, text=text), KINDS.case("in_range", proof=PROOF))
    assert judgement.kept == (not judgement.failed)
    if judgement.kept:
        assert finds_markup(judgement.suggestion, KINDS.case("in_range")) is None
        assert not any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"} for character in text)
        assert "<b>" not in text
        assert "](" not in text


@settings(deadline=None)
@given(code=st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=12).map("\n".join)))
def test_code_that_no_run_bears_out_is_never_kept(code):
    """Where nothing can be run, no code gets through, whatever it looks like."""
    for place in ("exampleFix", "typeGuard", "triggerScenarios"):
        assert not judge(Suggestion(place=place, code=code), KINDS.case("in_range", proof=PROOF)).kept


@pytest.mark.parametrize(
    ("place", "has_proof", "kept"),
    [("commonSituations", True, True), ("commonSituations", False, False), ("documentation", True, False)],
)
def test_a_proof_carries_what_claims_nothing(place, has_proof, kept):
    """A situation is kept where a proof carries the record; what says what the error is needs a ground of its own."""
    text = "The number came from a form that a person filled in."
    judgement = judge(
        Suggestion(place=place, text=text), KINDS.case("in_range", proof=PROOF if has_proof else None)
    )
    assert judgement.kept == kept
    assert judgement.grounds == ()
    assert [failure.check for failure in judgement.failed] == ([] if kept else [UNFOUNDED])


def test_a_ground_is_told():
    """Where a claim was found to be so, the judgement says which."""
    judgement = judge(
        Suggestion(place="documentation", text="`by` must be greater than 0."), KINDS.case("Ratio.scaled")
    )
    assert judgement.kept
    assert any("by" in ground for ground in judgement.grounds)


def test_code_is_run_only_where_nothing_else_objects():
    """A program that reaches into the library never runs."""
    ran = []

    def run(program):
        ran.append(program)
        return Trial(passes=True)

    code = "import kinds\n\nkinds.LIMIT = 9\nkinds.in_range(3)\n"
    assert not judge(
        Suggestion(place="exampleFix", code=code), KINDS.case("in_range", run=run, proof=PROOF)
    ).kept
    assert ran == []
