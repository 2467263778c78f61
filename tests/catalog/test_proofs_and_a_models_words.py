"""Proofs and a model's answers are kept by either store, come back whole, and go with the code they were about."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.catalog.test_catalog import open_shelf

from errdex.assist.bill import Usage
from errdex.catalog import Catalog, StoredRecord
from errdex.catalog.build import build
from errdex.model.assistance import Failure, Judgement, Suggestion
from errdex.model.functions import function_hash
from errdex.model.record import Proof, Run
from errdex.pipeline.assist import question_of

MESSAGE = "room must be at least 1, got {room}"
KEPT = Suggestion(place="solutions", text="Give a room of at least 1.")
REFUSED = Suggestion(place="solutions", text="Pass `room=None`, which is always accepted.")


def _record(catalog: Catalog) -> StoredRecord:
    return next(each for each in catalog.records() if each.record.error_message == MESSAGE)


def _proof(stored: StoredRecord, source: str) -> Proof:
    error = 'Traceback (most recent call last):\nValueError: room must be at least 1, got 0 \u2013 "ü"'
    return Proof(
        grade="A",
        witness=Run(code="import shelf\nshelf.Shelf('a', room=0)", output=error, outcome="raised"),
        fix=Run(code="import shelf\nshelf.Shelf('a', room=1)", output="", outcome="returned"),
        ran_at="2026-12-05T15:00:00Z",
        interpreter="CPython 3.11.7, linux",
        environment="shelf==1.4.0",
        function_hash=function_hash(source, stored.record.line_number),
    )


@pytest.fixture
def proved(catalog: Catalog, tmp_path: Path) -> tuple[Catalog, Proof]:
    """A catalog of the sample package with one record proved."""
    tree = open_shelf(tmp_path)
    build(catalog, tree)
    stored = _record(catalog)
    proof = _proof(stored, (tree.root / stored.record.file_path).read_text())
    catalog.add_proof(stored.record.repo, stored.record.id, proof)
    return catalog, proof


def test_a_proof_reads_back_and_sets_the_level(proved: tuple[Catalog, Proof]) -> None:
    """The evidence carries it as it was given, lists filter by it, and without it all is as before."""
    catalog, proof = proved
    stored = _record(catalog)
    assert (stored.evidence.proof, stored.evidence.level) == (proof, "proved")
    assert catalog.ids(levels=["proved"]) == {stored.record.id}
    catalog.drop_proof(stored.record.repo, stored.record.id)
    assert _record(catalog).evidence.proof is None
    assert catalog.ids(levels=["proved"]) == frozenset()


def test_a_proof_is_found_again_by_the_functions_code(proved: tuple[Catalog, Proof], tmp_path: Path) -> None:
    """A release with the same function has it; one with another function does not."""
    catalog, proof = proved
    build(catalog, open_shelf(tmp_path, "1.5.0", ('"""The shelf itself."""', '"""Other words."""')))
    assert _record(catalog).evidence.proof == proof
    build(catalog, open_shelf(tmp_path, "1.6.0", ("if room < 1:", "if room <= 0:")))
    assert _record(catalog).evidence.proof is None


def test_what_the_gate_judged_reads_back_with_its_bill(catalog: Catalog, tmp_path: Path) -> None:
    """Kept and refused suggestions stand in the evidence, the bill counts the tokens, a request in flight is owed."""
    build(catalog, open_shelf(tmp_path))
    stored = _record(catalog)
    ledger = catalog.assists.ledger("tiny", "1", None)
    question = question_of(stored.record, stored.evidence)
    entry = ledger.asked(question, Usage(10, 20))
    ledger.answered(entry, question, (KEPT, REFUSED), Usage(10, 5))
    answer = next(catalog.assists.answers(model="tiny"))
    judgements = [
        Judgement(suggestion=KEPT, kept=True, passed=("markup",)),
        Judgement(suggestion=REFUSED, kept=False, failed=(Failure(check="right-argument", reason="no"),)),
    ]
    catalog.assists.keep_judgements(answer, judgements, "gate-1")
    found = _record(catalog).evidence.assistance
    assert [each.judgements for each in found] == [(judgements[0],)]
    assert [each.refused for each in found] == [{"right-argument": 1}]
    assert catalog.assists.answered("tiny", "1") == {(stored.record.repo, stored.record.id, question.facts)}
    ledger.asked(question, Usage(7, 8))
    bill = catalog.assists.bill()
    assert (bill.requests, bill.input_tokens, bill.output_tokens) == (2, 10, 5)
    assert (bill.unsaid, bill.unsaid_most_tokens) == (1, 15)


def test_private_code_is_sent_only_where_the_catalog_allows_it(catalog: Catalog) -> None:
    """The opt-in is off at first, and kept."""
    assert not catalog.assists.may_send_private
    catalog.assists.allow_private(allowed=True)
    assert catalog.assists.may_send_private
