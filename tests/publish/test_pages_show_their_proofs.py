"""A proved page: the failing call with its output, the fixed one, where and when they ran, and what the grade means."""

import html
import re

import msgspec
from samples import proved, sample

from errdex.catalog import StoredRecord
from errdex.model.record import Proof
from errdex.publish.links import Site
from errdex.publish.pages import Renderer

RENDERER = Renderer(Site(base_url="https://errors.test"))


def text_of(stored: StoredRecord) -> str:
    """The page's words as a reader sees them, white space folded."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", RENDERER.error(stored))).split())


def with_proof(**changes: object) -> StoredRecord:
    """The proved sample with another proof."""
    stored = proved()
    proof = stored.evidence.proof
    assert isinstance(proof, Proof)
    proof = msgspec.structs.replace(proof, **changes)
    level = "proved-slice" if proof.sliced else "proved"
    return StoredRecord(
        record=stored.record, evidence=msgspec.structs.replace(stored.evidence, proof=proof, level=level)
    )


def test_both_calls_and_their_outcome_stand_on_the_page():
    """Code of witness and fix, the error that the first ends with, what became of the second."""
    stored = proved()
    proof = stored.evidence.proof
    text = text_of(stored)
    for line in (*proof.witness.code.splitlines(), *proof.fix.code.splitlines()):
        assert " ".join(line.split()) in text
    assert "RuntimeError: unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16" in text
    assert "returned a Tensor of shape [4, 8, 64]" in text


def test_where_when_and_how_it_ran_is_told():
    """Time, interpreter, what was installed, and the grade in words."""
    text = text_of(proved())
    assert "Run 2026-11-30T22:05:00.000Z on CPython 3.11.7: the package imported, with torch==2.11.0" in text
    assert "Grade A: a public function was called with real objects." in text


def test_a_slice_says_that_the_library_was_not_there():
    """A proof by slice names the stand-ins, and the command that runs it again."""
    stored = with_proof(sliced=True, grade="C", environment="")
    text = text_of(stored)
    assert "proved (slice)" in text
    assert "the package's own source, with stand-ins for the libraries that it imports" in text
    assert f"errdex prove --check {stored.record.id}" in text


def test_the_code_that_was_run_with_it_is_named():
    """Only blocks that did their work are named; nothing is said where none was tried."""
    checked = {"validationCode": "", "typeGuard": "", "exampleFix": "fails by itself"}
    text = text_of(with_proof(checked=checked))
    assert "Held against these runs, the validation and the type guard do their work." in text
    assert "Held against" not in text_of(proved())


def test_an_unproved_page_claims_no_run():
    """Without a proof the example fix is shown as not run."""
    text = text_of(sample())
    assert "Seen to fail" not in text
    assert "Grade " not in text


def test_levels_and_grades_are_explained():
    """The page about the pages gives every level and grade its meaning."""
    about = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", RENDERER.about())).split())
    for words in (
        "proved (slice)",
        "tested",
        "derived",
        "A public function was called with real objects",
        "level:proved",
    ):
        assert words in about
