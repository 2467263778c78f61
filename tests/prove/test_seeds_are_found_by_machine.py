"""Both seeds' errors, found without help, with the outcomes that the real kernels and arrays have (seeds/FACTS.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from errdex.catalog import Catalog
from errdex.catalog.build import build
from errdex.cli.main import run
from errdex.model.site import ThrowSite
from errdex.pipeline import analyze
from errdex.prove.environment import Environment
from errdex.prove.prover import Prover
from errdex.prove.sandbox import Sandbox
from errdex.sources import open_tree, parse_coordinate

SEEDS = Path(__file__).parent.parent / "fixtures" / "seeds"
TREE = SEEDS / "sglang"
IN_WHEEL = "sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py"


@pytest.fixture(scope="module")
def sites() -> tuple[ThrowSite, ...]:
    return analyze(open_tree(parse_coordinate(str(TREE)))).sites


@pytest.fixture(scope="module")
def prover(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    nothing = Environment(tmp_path_factory.mktemp("nothing"), ())
    with Prover(sandbox, nothing, root=None, slices=TREE) as made:
        yield made


def _at(sites: tuple[ThrowSite, ...], line: int) -> ThrowSite:
    return next(each for each in sites if each.line == line)


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
    proof = prover.prove(_at(sites, 98), siblings=own).proof
    assert proof is not None
    assert proof.witness.output.endswith("ValueError: pool dtypes must match q/k/v dtype")
    assert proof.fix is not None
    changed = set(proof.fix.code.splitlines()) ^ set(proof.witness.code.splitlines())
    assert len(changed) in {2, 4}, proof.fix.code  # one pool, or both
    assert all("_pool=Tensor(" in line for line in changed)


def test_what_the_first_seed_advises_is_refuted_where_it_is_wrong(
    prover: Prover, sites: tuple[ThrowSite, ...]
) -> None:
    """`k_pool.to` is no method of these arrays, and the seed's own call lacks two arguments; `astype` holds."""
    proof = prover.prove(_at(sites, 98), siblings=_wrapper_sites(sites)).proof
    assert proof is not None
    fix = (
        "def after(q, k, v, positions, slots, k_pool, v_pool, head_dim, num_qo_heads, num_kv_heads):\n"
        "    from sglang.kernels.aot.python.sgl_kernel.metal import rope_pool_fused\n"
        "    k_pool, v_pool = k_pool.{cast}(q.dtype), v_pool.{cast}(q.dtype)\n"
        "    rope_pool_fused(\n"
        "        q, k, v, positions, slots, k_pool, v_pool,\n"
        "        head_dim=head_dim, num_qo_heads=num_qo_heads, num_kv_heads=num_kv_heads)"
    )
    short = (
        "def after(q, k, v, k_pool, v_pool):\n"
        "    from sglang.kernels.aot.python.sgl_kernel.metal import rope_pool_fused\n"
        "    rope_pool_fused(q, k, v, k_pool, v_pool)"
    )

    def fault(code: str) -> str:
        return prover.check_code(_at(sites, 98), proof, {"exampleFix": code})["exampleFix"]

    assert not fault(fix.format(cast="astype"))
    assert fault(fix.format(cast="to"))
    assert fault(short)


def test_the_paged_decode_error_is_reached_from_its_public_function(
    prover: Prover, sites: tuple[ThrowSite, ...]
) -> None:
    """The kernel's private wrapper raises, the public one is what the page calls, with all that it requires."""
    _check_paged_decode(prover, sites, 684)


@pytest.mark.network
@pytest.mark.slow
def test_the_wheel_has_the_same_error(sandbox: Sandbox, tmp_path: Path) -> None:
    """In the wheel of SGLang 0.5.23 the error is that of line 755, found without help."""
    tree = open_tree(parse_coordinate("pypi:sglang==0.5.23"))
    sites = analyze(tree, paths={IN_WHEEL}).sites
    with Prover(sandbox, Environment(tmp_path, ()), root=None, slices=tree.root) as prover:
        _check_paged_decode(prover, sites, 755)


def _check_paged_decode(prover: Prover, sites: tuple[ThrowSite, ...], line: int) -> None:
    site = _at(sites, line)
    own = [each for each in sites if each.callable.name == site.callable.name]
    outcome = prover.prove(site, siblings=own)
    proof = outcome.proof
    assert proof is not None, outcome.reason
    assert "import sparse_attn_v4_paged_decode" in proof.witness.code
    assert f"line {line}, in _sparse_attn_v4_paged_decode_triton" in proof.witness.output
    last = proof.witness.output.splitlines()[-1]
    assert re.fullmatch(r"RuntimeError: unified_kv dtype mismatch: kv=torch\.\w+, q=torch\.b?float16", last)
    assert "_scales" not in proof.witness.code
    assert proof.fix is not None
    assert outcome.fix == "needs-backend"
    changed = set(proof.fix.code.splitlines()) ^ set(proof.witness.code.splitlines())
    assert len(changed) == 2, proof.fix.code


@pytest.mark.parametrize(
    ("message", "tried"),
    [
        ("pool dtypes must match q/k/v dtype", {"exampleFix", "validationCode", "typeGuard"}),
        ("unified_kv dtype mismatch", {"exampleFix", "validationCode", "typeGuard"}),
    ],
)
def test_the_code_of_both_records_does_its_work(
    sandbox: Sandbox, tmp_path: Path, message: str, tried: set[str]
) -> None:
    """What the pages show beside the proof was run with it: example fix, validation, type guard, except clause."""
    where = tmp_path / "catalog.db"
    with Catalog.open(where, create=True) as opened:
        build(opened, open_tree(parse_coordinate(str(TREE))))
        wanted = next(each for each in opened.records() if each.record.error_message.startswith(message))
    assert run(["prove", wanted.record.id, "--catalog", str(where)]) == 0
    with Catalog.open(where) as opened:
        stored = opened.record(wanted.record.id)
    assert stored is not None
    proof = stored.evidence.proof
    assert proof is not None
    assert tried <= set(proof.upheld)
    assert stored.record == wanted.record
