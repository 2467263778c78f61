"""A slice proves what hangs on the arguments, never what hangs on the answer of something that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from errdex.model.site import ThrowSite
from errdex.pipeline import analyze
from errdex.prove.environment import Environment
from errdex.prove.prover import Prover
from errdex.prove.sandbox import Sandbox
from errdex.sources import open_tree, parse_coordinate

TREE = Path(__file__).parent.parent / "fixtures" / "prove" / "sliced"


@pytest.fixture(scope="module")
def sites() -> dict[str, ThrowSite]:
    return {site.callable.name: site for site in analyze(open_tree(parse_coordinate(str(TREE)))).sites}


@pytest.fixture(scope="module")
def prover(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    nothing = Environment(tmp_path_factory.mktemp("nothing"), ())
    with Prover(sandbox, nothing, root=None, slices=TREE) as made:
        yield made


def test_a_condition_on_the_arguments_is_proved(prover: Prover, sites: dict[str, ThrowSite]) -> None:
    """Arrays of two element types raise it; with one, the run goes on into the missing library, and that is said."""
    outcome = prover.prove(sites["on_arguments"])
    assert outcome.proof is not None, outcome.reason
    assert outcome.proof.sliced
    assert "from standins import Tensor" in outcome.proof.witness.code
    assert outcome.fix == "needs-backend"


@pytest.mark.parametrize("name", ["on_a_stand_in", "on_what_a_sibling_lacks", "on_an_attribute"])
def test_a_condition_on_what_is_missing_proves_nothing(
    prover: Prover, sites: dict[str, ThrowSite], name: str
) -> None:
    """What a stand-in answers, or that it has an attribute, is not what the library would say."""
    assert prover.prove(sites[name]).proof is None


def test_other_files_of_the_package_are_read(prover: Prover, sites: dict[str, ThrowSite]) -> None:
    """A condition on a constant of another file is proved, and its fix returns."""
    outcome = prover.prove(sites["on_a_sibling"])
    assert outcome.proof is not None, outcome.reason
    assert outcome.fix == "returned"


@pytest.mark.parametrize("name", ["Item", "Frame"])
def test_classes_made_from_their_fields_are_made(
    prover: Prover, sites: dict[str, ThrowSite], name: str
) -> None:
    """Data classes, and structs whose library is missing, are made by their fields; the constructor raises."""
    outcome = prover.prove(sites[f"{name}.__post_init__"])
    assert outcome.proof is not None, outcome.reason
    assert f"{name}(" in outcome.proof.witness.code
    assert "__post_init__" not in outcome.proof.witness.code
    assert outcome.fix == "returned"
