"""The corpus, as far as it is about packages of this interpreter: what `bench/assist.py` measures in full."""

import json
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from errdex.assist.gate import judge
from errdex.assist.interface import Case, Package
from errdex.model.assistance import Suggestion
from errdex.model.record import Proof
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.prove.environment import Environment
from errdex.prove.prover import Prover
from errdex.prove.sandbox import SandboxMissingError, find_sandbox
from errdex.sources import open_tree, parse_coordinate

FOLDER = Path(__file__).parent
ROWS = [json.loads(line) for line in (FOLDER / "corpus.jsonl").read_text("utf-8").splitlines()]
PROOFS = {
    row["record"]: row["proof"]
    for row in map(json.loads, (FOLDER / "proofs.jsonl").read_bytes().splitlines())
}
PACKAGE = "click"
MAX_FALSE_ACCEPTED, MAX_TRUE_REJECTED = 0.02, 0.2


@pytest.fixture(scope="module")
def judgements():
    """Every row about the package with what the gate makes of it, programs run where the package is installed."""
    rows = [row for row in ROWS if row["package"] == f"{PACKAGE}=={version(PACKAGE)}"]
    if not rows:
        pytest.skip(f"the corpus is about another version of {PACKAGE} than {version(PACKAGE)}")
    try:
        sandbox = find_sandbox()
    except SandboxMissingError as error:
        pytest.skip(str(error))
    tree = open_tree(parse_coordinate(f"env:{PACKAGE}"))
    lines = LineReader(tree.root)
    sites = analyze(tree).sites
    described = describe(tree, sites, lines, analyzed_at=datetime(2026, 12, 1, tzinfo=UTC))
    found = {record.id: (record, evidence) for record, evidence in described}
    package = Package(PACKAGE, tree.version, sites, lambda path: "\n".join(lines(path)) or None)
    with Prover(sandbox, Environment(tree.root, (f"{PACKAGE}=={tree.version}",)), root=PACKAGE) as prover:
        yield [(row, judge(_offered(row), _case(row, found, package, prover))) for row in rows]


def _offered(row):
    return Suggestion(place=row["place"], text=row.get("text", ""), code=row.get("code", ""))


def _case(row, found, package, prover):
    record, evidence = found[row["record"]]
    proof = msgspec.convert(PROOFS[row["record"]], Proof)
    return Case(
        record=record,
        evidence=msgspec.structs.replace(evidence, proof=proof),
        package=package,
        run=lambda program: prover.trial(evidence.sites[0], program),
    )


def test_no_more_falsehoods_get_through_than_measured(judgements):
    """Of the falsehoods, at most one in fifty is kept."""
    false = [(row, judgement) for row, judgement in judgements if not row["true"]]
    kept = [row for row, judgement in false if judgement.kept]
    assert len(false) >= 50
    assert len(kept) <= MAX_FALSE_ACCEPTED * len(false), kept


def test_most_true_texts_get_through(judgements):
    """Of the true texts, at most one in five is refused."""
    true = [(row, judgement) for row, judgement in judgements if row["true"]]
    refused = [(row, judgement.failed) for row, judgement in true if not judgement.kept]
    assert len(true) >= 30
    assert len(refused) <= MAX_TRUE_REJECTED * len(true), refused


def test_the_parts_share_no_record():
    """What the checks were tuned on and what they are measured on are about different errors."""
    owners = {(row["record"], row["half"]) for row in ROWS}
    assert len(owners) == len({record for record, _ in owners})
    assert sum(row["true"] for row in ROWS) >= 100
    assert sum(not row["true"] for row in ROWS) >= 200
