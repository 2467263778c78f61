"""The two real records of the contract, made again by the real pipeline from a tree with their sources."""

import json
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from errdex.model.record import Evidence, Record
from errdex.pipeline.analyze import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

HERE = Path(__file__).parent
TREE = HERE.parent / "fixtures" / "seeds" / "sglang"
SEEDS = json.loads((HERE / "seeds.json").read_text(encoding="utf-8"))
SEED_SHA = "0132848349585cfe6aae51c4941cbae872505f8a"
KEYS = (
    "id repo slug errorCode errorMessage messagePattern errorType errorClass httpStatus severity filePath "
    "lineNumber sourceCode sourceCodeStart sourceCodeEnd githubUrl documentation triggerScenarios "
    "commonSituations solutions exampleFix handlingStrategy validationCode typeGuard tryCatchPattern "
    "preventionTips tags backgroundTag analyzedSha analyzedAt schemaVersion"
).split()


@pytest.fixture(scope="module")
def described(tmp_path_factory) -> dict[str, tuple[Record, Evidence]]:
    """Every record of the seeds' tree, fetched by git as a user would."""
    origin = tmp_path_factory.mktemp("origin") / "sglang"
    subprocess.run(["cp", "-r", str(TREE), str(origin)], check=True)
    for command in (
        ["init", "--quiet"],
        ["add", "--all"],
        ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "--message", "seeds"],
    ):
        subprocess.run(["git", "-C", str(origin), *command], check=True)
    coordinate = parse_coordinate(f"git:file://{origin}@HEAD", repo="sgl-project/sglang")
    tree = open_tree(coordinate, cache=tmp_path_factory.mktemp("cache"))
    analysis = analyze(tree)
    moment = datetime(2026, 11, 30, tzinfo=UTC)
    pairs = describe(tree, analysis.sites, LineReader(tree.root), analyzed_at=moment)
    return {record.id: (record, evidence) for record, evidence in pairs}


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed["slug"])
def test_a_seed_is_reproduced_key_by_key(described, seed):
    """Each key that a seed shows and that facts decide comes out the same; only git's commit differs."""
    record, _ = described[seed["id"]]
    made = json.loads(msgspec.json.encode(record))
    sha = made["analyzedSha"]
    assert re.fullmatch(r"[0-9a-f]{40}", sha)
    made["githubUrl"] = made["githubUrl"].replace(sha, SEED_SHA)
    made["analyzedSha"] = SEED_SHA
    assert {key: made[key] for key in seed} == seed


def test_a_record_has_the_contract_s_keys_in_its_order(described):
    """A record is exactly 31 keys, in the contract's order."""
    for record, _ in described.values():
        assert list(json.loads(msgspec.json.encode(record))) == KEYS


def test_the_entry_point_of_a_private_raiser_is_its_public_caller(described):
    """The private Triton function's error is told from the public function that leads to it."""
    _, evidence = described["d66e149d3e38775a"]
    assert [point.name.rsplit(".", 1)[-1] for point in evidence.sites[0].entry_points] == [
        "sparse_attn_v4_paged_decode"
    ]


def test_every_guard_of_the_wrapper_is_found_in_order(described):
    """The wrapper has eleven guards; the last error's path condition passes the ten before it."""
    records = [record for record, _ in described.values() if record.file_path.endswith("metal.py")]
    assert len(records) == 11
    _, evidence = described["3467bec451853625"]
    conditions = evidence.sites[0].path_conditions
    assert [condition.negated for condition in conditions] == [True] * 10 + [False]


def test_the_prose_repeats_none_of_the_seeds_falsehoods(described):
    """No `.to` on an mlx array, no pooling, no call that misses a required argument (FACTS.md)."""
    for identity in ("3467bec451853625", "d66e149d3e38775a"):
        record, _ = described[identity]
        spoken = msgspec.json.encode(record).decode()
        assert "pooling" not in spoken
        assert "pooled" not in spoken
        for code in (record.example_fix, record.validation_code, record.type_guard, record.try_catch_pattern):
            if code is None:
                continue
            compile(code, "<record>", "exec")
            assert (
                ".to(" not in code or identity == "d66e149d3e38775a"
            )  # its tensors are torch's, which have it
