"""Proofs in the catalog: shown by the record, found again after an analysis of the same code, gone with other code."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from errdex.catalog import Catalog, StoredRecord
from errdex.catalog.build import build
from errdex.cli.main import run
from errdex.model.record import Proof
from errdex.prove.sandbox import Sandbox
from errdex.sources import open_tree, parse_coordinate

FOLDER = Path(__file__).parent.parent / "fixtures" / "prove" / "kinds"
MESSAGE = "give a or b, not both"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the small package that a test may change."""
    return Path(shutil.copytree(FOLDER, tmp_path / "kinds", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture
def catalog(tmp_path: Path, package: Path, sandbox: Sandbox) -> Path:
    """A catalog with the package's records, none proved."""
    where = tmp_path / "catalog.db"
    with Catalog.open(where, create=True) as opened:
        build(opened, open_tree(parse_coordinate(str(package))))
    return where


def _record(where: Path) -> StoredRecord:
    with Catalog.open(where) as opened:
        return next(each for each in opened.records() if each.record.error_message == MESSAGE)


def test_a_proof_is_shown_by_the_record(catalog: Path) -> None:
    """After `errdex prove ID` evidence, level and lists show the proof."""
    before = _record(catalog)
    assert before.evidence.proof is None
    assert run(["prove", before.record.id, "--catalog", str(catalog)]) == 0
    after = _record(catalog)
    assert after.evidence.level == "proved-slice"
    assert isinstance(after.evidence.proof, Proof)
    assert after.record == before.record
    with Catalog.open(catalog) as opened:
        levels = {each.id: each.level for each in opened.summaries(after.record.repo)}
    assert levels[after.record.id] == "proved-slice"


def test_show_prints_both_calls_and_where_they_ran(catalog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`errdex show` prints the failing call, its output, the fixed call, when and where they ran, the grade's meaning."""
    record_id = _record(catalog).record.id
    assert run(["prove", record_id, "--catalog", str(catalog)]) == 0
    proof = _record(catalog).evidence.proof
    assert proof is not None
    assert proof.fix is not None
    capsys.readouterr()
    assert run(["show", record_id, "--catalog", str(catalog), "--no-color"]) == 0
    shown = capsys.readouterr().out
    for line in (*proof.witness.code.splitlines(), *proof.fix.code.splitlines()):
        assert line in shown
    words = " ".join(shown.split())
    assert f"ValueError: {MESSAGE}" in words
    assert f"Run {proof.ran_at} on {proof.interpreter}: the package's own source, with stand-ins" in words
    assert "Grade C: it ran without the libraries that it imports" in words
    assert f"errdex prove --check {record_id}" in words


def test_lists_are_filtered_by_level(catalog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`errdex list --level proved-slice` lists what was proved so, and nothing else."""
    record_id = _record(catalog).record.id
    assert run(["list", "--level", "proved-slice", "--catalog", str(catalog)]) == 1
    assert run(["prove", record_id, "--catalog", str(catalog)]) == 0
    capsys.readouterr()
    assert run(["list", "--level", "proved-slice", "--catalog", str(catalog)]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [record_id]


def test_code_that_its_proof_refutes_leaves_the_record(catalog: Path) -> None:
    """A block that failed with the witness is shown no longer; with the proof gone it is back."""
    before = _record(catalog)
    assert before.record.validation_code
    assert run(["prove", before.record.id, "--catalog", str(catalog)]) == 0
    proof = _record(catalog).evidence.proof
    assert proof is not None
    assert "validationCode" in proof.upheld
    refuted = msgspec.structs.replace(proof, checked={"validationCode": "rejects the fix"})
    with Catalog.open(catalog) as opened:
        opened.add_proof(before.record.repo, before.record.id, refuted)
    assert _record(catalog).record == msgspec.structs.replace(before.record, validation_code=None)
    assert run(["check", "--catalog", str(catalog)]) == 0
    with Catalog.open(catalog) as opened:
        opened.drop_proof(before.record.repo, before.record.id)
    assert _record(catalog).record == before.record


def test_a_kept_proof_is_run_again(catalog: Path) -> None:
    """`errdex prove ID --check` runs the witness once more and keeps a proof that holds."""
    record_id = _record(catalog).record.id
    assert run(["prove", record_id, "--catalog", str(catalog)]) == 0
    assert run(["prove", record_id, "--catalog", str(catalog), "--check"]) == 0
    assert _record(catalog).evidence.proof is not None


def test_the_same_code_analysed_again_keeps_its_proof(catalog: Path, package: Path) -> None:
    """A change elsewhere in the file leaves the proof; a change of the function takes it away."""
    record_id = _record(catalog).record.id
    assert run(["prove", record_id, "--catalog", str(catalog)]) == 0
    source = (package / "kinds.py").read_text()
    (package / "kinds.py").write_text(source + "\n\ndef later():\n    return 1\n")
    with Catalog.open(catalog) as opened:
        build(opened, open_tree(parse_coordinate(str(package))))
        assert opened.proof(_record(catalog).record.repo, record_id) is not None
    (package / "kinds.py").write_text(source.replace("    return a, b", "    return b, a"))
    with Catalog.open(catalog) as opened:
        built = build(opened, open_tree(parse_coordinate(str(package))))
        changed = [
            each
            for each in opened.records(built.tree.repo, built.tree.revision)
            if each.record.id == record_id
        ]
    assert changed[0].evidence.proof is None
    assert changed[0].evidence.level == "derived"


def test_what_is_no_record_and_no_coordinate_is_an_error(
    catalog: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown id is refused with a hint, exit code 3."""
    assert run(["prove", "0123456789abcdef", "--catalog", str(catalog)]) == 3
    assert "neither a record's id nor a coordinate" in capsys.readouterr().err
