"""Both seeds' errors, found without help, with the outcomes that the real kernels and arrays have (seeds/FACTS.md)."""

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

TREE = Path(__file__).parent.parent / "fixtures" / "seeds" / "sglang"


@pytest.fixture(scope="module")
def sites() -> tuple[ThrowSite, ...]:
    return analyze(open_tree(parse_coordinate(str(TREE)))).sites


@pytest.fixture(scope="module")
def prover(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    nothing = Environment(tmp_path_factory.mktemp("nothing"), ())
    with Prover(sandbox, nothing, root=None, slices=TREE) as made:
        yield made


def _wrapper_sites(sites: tuple[ThrowSite, ...]) -> list[ThrowSite]:
    return [site for site in sites if site.callable.name == "rope_pool_fused"]


def test_all_eleven_guards_of_the_wrapper_are_reached(prover: Prover, sites: tuple[ThrowSite, ...]) -> None:
    """Each guard's witness passes the guards before it; each fix passes all of them and stops at the native call."""
    own = _wrapper_sites(sites)
    assert len(own) == 11
    for site in own:
        outcome = prover.prove(site, siblings=own)
        assert outcome.proof is not None, (site.line, outcome.reason)
        assert outcome.proof.grade == "C"
        assert outcome.proof.sliced
        assert outcome.fix == "needs-backend", (site.line, outcome.fix)


def test_the_pool_dtype_error_is_what_the_arrays_raise(prover: Prover, sites: tuple[ThrowSite, ...]) -> None:
    """One pool of another dtype with all shapes right raises it; the same dtype everywhere reaches the kernel."""
    own = _wrapper_sites(sites)
    site = next(each for each in own if each.line == 98)
    proof = prover.prove(site, siblings=own).proof
    assert proof is not None
    assert proof.witness.output.endswith("ValueError: pool dtypes must match q/k/v dtype")
    assert proof.fix is not None
    wrong_call = (
        "rope_pool_fused(q, k, v, k_pool, v_pool)"  # the seed's own call: positions and slots are missing
    )
    assert wrong_call not in proof.witness.code
    code = {
        "validationCode": (
            "def check_rope_pool_fused(q, k_pool, v_pool):\n"
            "    if k_pool.dtype != q.dtype or v_pool.dtype != q.dtype:\n        raise ValueError('dtype')"
        ),
        "typeGuard": "def accepted(q, k_pool, v_pool) -> bool:\n    return k_pool.dtype == v_pool.dtype == q.dtype",
        "exampleFix": proof.fix.code,
        "tryCatchPattern": "try:\n    rope_pool_fused()\nexcept ValueError:\n    pass",
    }
    assert prover.check_code(site, proof, code) == {}


def test_the_paged_decode_error_is_reached_from_its_public_function(
    prover: Prover, sites: tuple[ThrowSite, ...]
) -> None:
    """The kernel's private wrapper raises, the public one is what the page calls; the seed's type guard is wrong."""
    site = next(each for each in sites if each.line == 684)
    own = [each for each in sites if each.callable.name == site.callable.name]
    proof = prover.prove(site, siblings=own).proof
    assert proof is not None
    assert "import sparse_attn_v4_paged_decode" in proof.witness.code
    last = proof.witness.output.splitlines()[-1]
    assert last.startswith("RuntimeError: unified_kv dtype mismatch: kv=torch.")
    assert "_scales" not in proof.witness.code
    assert proof.fix is not None
