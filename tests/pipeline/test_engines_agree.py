"""Wherever the work runs, and whatever is cached, the result is the same."""

from __future__ import annotations

import msgspec
import pytest
from tests.extract.reading import FIXTURES, tree_of

from errdex.pipeline import analyze
from errdex.pipeline.cache import SqliteFactsCache
from errdex.pipeline.engine import make_executor
from errdex.pipeline.packed import pack, unpack


@pytest.fixture(scope="module")
def tree():
    return tree_of(FIXTURES)


@pytest.fixture(scope="module")
def here(tree):
    return msgspec.msgpack.encode(analyze(tree).sites)


def test_a_pool_of_processes_agrees(tree, here):
    """Two worker processes give the bytes that this process gives."""
    with make_executor(2) as executor:
        assert executor is not None
        assert msgspec.msgpack.encode(analyze(tree, executor=executor).sites) == here


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # dask's own, of a version that we do not choose
def test_a_dask_cluster_agrees(tree, here):
    """A local dask cluster of two workers gives the bytes that this process gives."""
    pytest.importorskip("dask.distributed", reason="the extra `scale` is not installed")
    with make_executor(2, "dask") as executor:
        assert msgspec.msgpack.encode(analyze(tree, executor=executor).sites) == here


def test_a_cache_agrees(tree, here, tmp_path):
    """Facts of files, and the result of a whole tree, give the bytes that reading gives."""
    with SqliteFactsCache(tmp_path / "deep" / "facts.db") as cache:
        first = analyze(tree, cache=cache)
        again = analyze(tree, cache=cache)
        moved = analyze(msgspec.structs.replace(tree, revision="1" * 40), cache=cache)
    assert [msgspec.msgpack.encode(one.sites) for one in (first, again, moved)] == [here, here, here]
    assert again.skipped == first.skipped == moved.skipped


def test_one_job_is_this_process():
    """One job needs no other process."""
    with make_executor(1) as executor:
        assert executor is None


def test_packing_keeps_everything(tree):
    """What is unpacked equals what was packed."""
    analysis = analyze(tree)
    packed = pack(analysis.sites, analysis.skipped, analysis.files_read, analysis.files_parsed)
    assert unpack(packed) == (analysis.sites, analysis.skipped, analysis.files_read, analysis.files_parsed)


def test_paths_restrict_the_sites(tree):
    """Only the files asked for give sites; what they need of others is still found."""
    whole = [site for site in analyze(tree).sites if site.path == "link/shop/till.py"]
    told: list[tuple[int, int]] = []
    part = analyze(tree, paths=["link/shop/till.py"], progress=lambda done, total: told.append((done, total)))
    assert [(site.line, site.templates, site.error_class) for site in part.sites] == [
        (site.line, site.templates, site.error_class) for site in whole
    ]
    assert told[-1] == (1, 1)
