"""Each check of the gate refuses the falsehoods it was written against, and lets their true counterparts through."""

import tomllib
from pathlib import Path

import pytest
from tests.assist.kinds import FOLDER, Kinds

from errdex.assist.interface import checks
from errdex.model.assistance import Suggestion
from errdex.prove.environment import Environment
from errdex.prove.prover import Prover
from errdex.prove.sandbox import SandboxMissingError, find_sandbox

CASES = Path(__file__).with_name("checks")
EVERY = [
    pytest.param(path.stem.replace("_", "-"), kind, case, id=f"{path.stem}-{kind}-{number}")
    for path in sorted(CASES.glob("*.toml"))
    for kind, many in tomllib.loads(path.read_text("utf-8")).items()
    for number, case in enumerate(many)
]


@pytest.fixture(scope="session")
def kinds():
    return Kinds()


@pytest.fixture(scope="session")
def prover():
    try:
        sandbox = find_sandbox()
    except SandboxMissingError as error:
        pytest.skip(str(error))
    with Prover(sandbox, Environment(FOLDER, ("kinds==1",)), root=None) as made:
        yield made


@pytest.fixture(scope="session")
def proved(kinds, prover):
    """A record that is proved, whose programs are run."""
    own = [site for site in kinds.sites if site.callable.name == "in_range"]
    proof = prover.prove(own[0], siblings=own).proof
    assert proof is not None
    return kinds.case("in_range", run=lambda program: prover.trial(own[0], program), proof=proof)


def test_every_check_names_its_falsehood_and_has_cases():
    """A check without a case file, a case file without a check, a docstring without `Against:` are mistakes."""
    assert {path.stem.replace("_", "-") for path in CASES.glob("*.toml")} == set(checks())
    assert [slug for slug, check in checks().items() if len(check.against) < 30] == []


@pytest.mark.parametrize(("slug", "kind", "case"), EVERY)
def test_a_check_tells_its_falsehoods_from_the_truth(slug, kind, case, kinds, request):
    """What is refused is refused by the check itself, whatever the others say."""
    check = checks()[slug]
    known = (
        request.getfixturevalue("proved")
        if check.runs_code
        else kinds.case(case["function"], message=case.get("message", ""))
    )
    offered = Suggestion(
        place=case.get("place", "solutions"), text=case.get("text", ""), code=case.get("code", "")
    )
    finding = check.look(offered, known)
    assert bool(finding and finding.objection) == (kind == "refused"), finding
