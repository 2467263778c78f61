"""What no search would find, the library's own tests show: each is cut down to a program that a reader can run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from errdex.model.site import ThrowSite
from errdex.pipeline import analyze
from errdex.prove.environment import Environment
from errdex.prove.outcome import Outcome
from errdex.prove.prover import Prover
from errdex.prove.sandbox import Sandbox
from errdex.sources import open_tree, parse_coordinate

FOLDER = Path(__file__).parent.parent / "fixtures" / "prove" / "replayed"


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library alone, as it is installed: a package."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(FOLDER / "site", folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def sites(site_folder: Path) -> tuple[ThrowSite, ...]:
    return analyze(open_tree(parse_coordinate(str(site_folder)))).sites


@pytest.fixture(scope="module")
def prover(sandbox: Sandbox, site_folder: Path) -> Iterator[Prover]:
    environment = Environment(site_folder, ("ledger==1",))
    with Prover(sandbox, environment, root="ledger", tests=FOLDER / "tests") as made:
        yield made


def _outcome(prover: Prover, sites: tuple[ThrowSite, ...], words: str) -> Outcome:
    site = next(each for each in sites if words in each.statement)
    return prover.prove(site, siblings=[each for each in sites if each.callable.name == site.callable.name])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("parts, not 2", " has 1 parts, not 2"),
        ("not a number", "LedgerError: food holds 'much', not a number"),
        ("no total", "LedgerError: the book has no total"),
    ],
)
def test_the_call_of_a_test_is_the_witness(
    prover: Prover, sites: tuple[ThrowSite, ...], words: str, message: str
) -> None:
    """Fixtures, helpers and set-up are laid out, what the error does not need is left out, nothing of pytest stays."""
    proof = _outcome(prover, sites, words).proof
    assert proof is not None
    assert proof.witness.output.endswith(message)
    assert proof.grade == "A"
    for word in ("pytest", "raises", "assert", "self", "unused", "helpers"):
        assert word not in proof.witness.code, proof.witness.code


def test_the_fix_of_a_replayed_call_is_a_change_of_it(prover: Prover, sites: tuple[ThrowSite, ...]) -> None:
    """Another argument of the same call passes the guard."""
    outcome = _outcome(prover, sites, "not a number")
    assert outcome.proof is not None
    assert outcome.proof.fix is not None
    assert outcome.proof.fix.code != outcome.proof.witness.code
