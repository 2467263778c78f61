"""A small package with one function for each kind of condition: each is proved, and its fix is run."""

from __future__ import annotations

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

FOLDER = Path(__file__).parent.parent / "fixtures" / "prove" / "kinds"


@pytest.fixture(scope="module")
def sites() -> tuple[ThrowSite, ...]:
    return analyze(open_tree(parse_coordinate(str(FOLDER)))).sites


@pytest.fixture(scope="module")
def prover(sandbox: Sandbox) -> Iterator[Prover]:
    with Prover(sandbox, Environment(FOLDER, ("kinds==1",)), root=None) as made:
        yield made


def _outcome(prover: Prover, sites: tuple[ThrowSite, ...], function: str, nth: int = 0) -> Outcome:
    own = [site for site in sites if site.callable.name == function]
    return prover.prove(own[nth], siblings=own)


@pytest.mark.parametrize(
    ("function", "grade", "fix"),
    [
        ("of_type", "A", "returned"),
        ("in_range", "A", "returned"),
        ("of_choice", "A", "returned"),
        ("exclusive", "A", "returned"),
        ("of_length", "A", "returned"),
        ("too_long", "A", "returned"),
        ("ordered", "A", "returned"),
        ("has_key", "A", "returned"),
        ("starts", "A", "returned"),
        ("parses", "A", "returned"),
        ("every", "A", "returned"),
        ("coloured", "A", "returned"),
        ("exists", "A", "returned"),
        ("awaited", "A", "returned"),
        ("yielded", "A", "returned"),
        ("managed", "A", "returned"),
        ("decorator.wrap", "A", "returned"),
        ("called", "A", "returned"),
        ("_private", "A", "returned"),
        ("Ratio.__init__", "A", "returned"),
        ("Ratio.scaled", "A", "returned"),
        ("Ratio.__getitem__", "A", "returned"),
        ("Ratio.small", "A", "returned"),
        ("Ratio.read", "B", "returned"),
        ("attribute", "C", "returned"),
        ("optional", "A", "returned"),
        ("abstract", "A", "the statement always runs"),
    ],
)
def test_a_condition_is_solved_and_its_fix_returns(
    prover: Prover, sites: tuple[ThrowSite, ...], function: str, grade: str, fix: str
) -> None:
    """The witness raises the very error, the fix passes its guard, and the grade says how real the call is."""
    outcome = _outcome(prover, sites, function)
    assert outcome.proof is not None, outcome.reason
    assert (outcome.proof.grade, outcome.fix) == (grade, fix), outcome.proof.witness.code


def test_a_second_guard_needs_the_first_one_passed(prover: Prover, sites: tuple[ThrowSite, ...]) -> None:
    """The path to the second raise is solved together with the negation of the first."""
    outcome = _outcome(prover, sites, "second_guard", 1)
    assert outcome.proof is not None, outcome.reason
    assert "IndexError: index" in outcome.proof.witness.output
    assert outcome.fix == "returned"


def test_a_private_function_is_reached_through_its_public_caller(
    prover: Prover, sites: tuple[ThrowSite, ...]
) -> None:
    """The page shows the call that a user can make."""
    outcome = _outcome(prover, sites, "_private")
    assert outcome.proof is not None, outcome.reason
    assert "from kinds import public" in outcome.proof.witness.code


def test_a_proof_says_where_and_when_it_ran(prover: Prover, sites: tuple[ThrowSite, ...]) -> None:
    """Interpreter, installed packages, time and the hash of the function stand in the proof."""
    proof = _outcome(prover, sites, "of_type").proof
    assert proof is not None
    assert proof.environment == "kinds==1"
    assert proof.interpreter.startswith("CPython 3.")
    assert len(proof.function_hash) == 64
    assert (
        proof.witness.output.endswith("TypeError: value must be str, not int")
        or "not " in proof.witness.output
    )


def test_code_blocks_are_held_against_the_runs(prover: Prover, sites: tuple[ThrowSite, ...]) -> None:
    """A validation that lets the witness through, a guard that is wrong, an except clause that misses are named."""
    site = next(site for site in sites if site.callable.name == "in_range")
    proof = prover.prove(site).proof
    assert proof is not None
    good = {
        "validationCode": "def check(count, low):\n    if count < low or count > 10:\n        raise ValueError('no')",
        "typeGuard": "def accepted(count, low) -> bool:\n    return low <= count <= 10",
        "tryCatchPattern": "from kinds import in_range\n\ntry:\n    in_range(99)\nexcept ValueError:\n    pass",
        "exampleFix": proof.fix.code if proof.fix else "",
    }
    assert not any(prover.check_code(site, proof, good).values())
    wrong = {
        "validationCode": "def check(count):\n    pass",
        "typeGuard": "def accepted(count) -> bool:\n    return True",
        "tryCatchPattern": "try:\n    in_range(99)\nexcept KeyError:\n    pass",
        "exampleFix": proof.witness.code,
    }
    found = prover.check_code(site, proof, wrong)
    assert {key for key, fault in found.items() if fault} == set(wrong)
