"""`errdex check`: clean on true records, and each check finds the falsehood it is written against."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from errdex.catalog.check import CHECKS, check_records
from errdex.catalog.rows import StoredRecord
from errdex.model.explanation import CodeBlock, Provenance, Sentence
from errdex.model.record import Related
from errdex.model.site import Hole, MessageTemplate
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

PUBLIC = "from sglang.kernels.ops.attention.dsv4.unified_kv_kernels.paged_decode import sparse_attn_v4_paged_decode\n\n\n"
SEEDS = Path(__file__).parents[1] / "fixtures" / "seeds" / "sglang"


@pytest.fixture(scope="module")
def world():
    tree = open_tree(parse_coordinate(str(SEEDS), repo="sgl-project/sglang"))
    lines = LineReader(tree.root)
    described = describe(tree, analyze(tree).sites, lines, analyzed_at=datetime(2026, 11, 30, tzinfo=UTC))
    records = [StoredRecord(record=record, evidence=evidence) for record, evidence in described]
    return records, lambda repo, revision, path: "\n".join(lines(path)) or None


@pytest.fixture(scope="module")
def seed(world):
    return next(stored for stored in world[0] if stored.record.error_message.startswith("unified_kv dtype"))


def found(world, stored):
    """The names of the checks that object to `stored`, among the true records."""
    records, source = world
    others = [other for other in records if other.record.id != stored.record.id]
    return {
        problem.check
        for problem in check_records([stored, *others], source)
        if problem.slug == stored.record.slug
    }


def with_record(stored, **changes):
    return msgspec.structs.replace(stored, record=msgspec.structs.replace(stored.record, **changes))


def with_sentence(stored, key, sentence):
    """`stored` with one text replaced, in the record and in the evidence alike."""
    field = {"documentation": "documentation", "solutions": "solutions"}[key]
    value = [sentence.text] if key == "solutions" else sentence.text
    evidence = msgspec.structs.replace(
        stored.evidence, sentences={**stored.evidence.sentences, key: (sentence,)}
    )
    return msgspec.structs.replace(with_record(stored, **{field: value}), evidence=evidence)


def with_code(stored, text):
    block = CodeBlock(code=text, provenance=Provenance(kind="inferred"))
    evidence = msgspec.structs.replace(
        stored.evidence, code={**stored.evidence.code, "validationCode": block}
    )
    return msgspec.structs.replace(with_record(stored, validation_code=text), evidence=evidence)


def test_true_records_have_no_problem(world):
    """The records of the two seeds' files pass every check."""
    records, source = world
    assert len(records) > 10
    assert list(check_records(records, source)) == []


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"documentation": " "}, "schema"),
        ({"solutions": []}, "schema"),
        ({"tags": ["Not Kebab"]}, "schema"),
        ({"analyzed_sha": "main"}, "schema"),
        ({"analyzed_at": "yesterday"}, "schema"),
        ({"error_message": "another message, with the old id"}, "identity"),
        ({"slug": "chosen-freely"}, "identity"),
        ({"source_code_start": 1, "source_code_end": 37}, "source_lines"),
        ({"github_url": "https://example.org/"}, "source_lines"),
        ({"source_code": "one line"}, "source_lines"),
        ({"documentation": "A claim that no sentence bears out."}, "sentences"),
        ({"message_pattern": "something else entirely"}, "pattern"),
        ({"message_pattern": "unified_kv ("}, "pattern"),
        ({"message_pattern": "x" * 501}, "pattern"),
        ({"message_pattern": "must be"}, "foreign_matches"),
        ({"github_url": "/source/sgl-project/sglang/" + "0" * 40 + "/paged_decode.py#L1-L2"}, "links"),
        ({"github_url": "https://example.org/another_file.py#L1-L2"}, "links"),
        ({"background_tag": "no-such-family"}, "family"),
        ({"background_tag": "timeout"}, "family"),
    ],
)
def test_a_false_field_is_found(world, seed, changes, check):
    """Each kind of false value is reported by the check that is written against it."""
    assert check in found(world, with_record(seed, **changes))


@pytest.mark.parametrize(
    ("text", "kind", "check"),
    [
        ("A sentence from the source without a place.", Provenance(kind="source"), "sentences"),
        ("A sentence of an unnamed family.", Provenance(kind="family"), "sentences"),
        (
            "A sentence from a line that is not there.",
            Provenance(
                kind="source",
                path="python/sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py",
                line=99_999,
            ),
            "links",
        ),
        ("The value of {subject} is wrong.", Provenance(kind="inferred"), "slots"),
        ("An open `code span.", Provenance(kind="inferred"), "slots"),
        ("It raises it when .", Provenance(kind="inferred"), "slots"),
        (
            "unified_kv dtype mismatch: kv={unified_kv.dtype}, q={q.dtype}",
            Provenance(kind="inferred"),
            "repetition",
        ),
    ],
)
def test_a_false_sentence_is_found(world, seed, text, kind, check):
    """A sentence without evidence, with a slot left, broken, or repeating the message is reported."""
    assert check in found(world, with_sentence(seed, "documentation", Sentence(text=text, provenance=kind)))


@pytest.mark.parametrize(
    "text",
    [
        "def broken(:",
        "def check(q):\n    return unheard_of(q)",
        "from sglang.kernels.ops.attention.dsv4.unified_kv_kernels.paged_decode import no_such_function",
        PUBLIC + "def call(q, kv):\n    return sparse_attn_v4_paged_decode(q, kv)",
        PUBLIC + "def call(q):\n    return sparse_attn_v4_paged_decode(q, q, q, q, q, 1.0, pool=q)",
    ],
)
def test_false_code_is_found(world, seed, text):
    """Code that does not parse, names nothing, imports what is not there, or calls with wrong arguments is reported."""
    assert "code" in found(world, with_code(seed, text))


def test_a_related_error_that_is_not_there_is_found(world, seed):
    """A related id must be a record of the same repository."""
    related = (Related(id="0" * 16, slug="x", message="x", why="same class"),)
    assert "links" in found(
        world, msgspec.structs.replace(seed, evidence=msgspec.structs.replace(seed.evidence, related=related))
    )


def test_a_permalink_beyond_the_end_of_the_file_is_found(world, seed):
    """The lines that a permalink names are lines of the analysed file."""
    address, _, _ = seed.record.github_url.partition("#")
    assert "links" in found(world, with_record(seed, github_url=f"{address}#L99990-L99999"))


def test_an_entry_point_that_is_not_there_is_found(world, seed):
    """The line of an entry point is a line of the analysed tree."""
    site = seed.evidence.sites[0]
    entry = msgspec.structs.replace(site.entry_points[0], line=99_999)
    evidence = msgspec.structs.replace(
        seed.evidence, sites=(msgspec.structs.replace(site, entry_points=(entry,)),)
    )
    assert "links" in found(world, msgspec.structs.replace(seed, evidence=evidence))


def test_a_pattern_that_misses_its_own_message_is_found(world, seed):
    """A template whose literals the pattern does not hold is reported."""
    template = MessageTemplate(
        parts=("kv dtype is ", Hole(expression="q.dtype", written="{q.dtype}")),
        written="kv dtype is {q.dtype}",
        form="fstring",
        origin="inline",
    )
    site = msgspec.structs.replace(seed.evidence.sites[0], templates=(template,))
    evidence = msgspec.structs.replace(seed.evidence, sites=(site,), template=template.text)
    assert "pattern" in found(world, msgspec.structs.replace(seed, evidence=evidence))


def test_every_check_has_a_name_and_a_sentence():
    """What a problem names can be looked up: each check says in its docstring what must hold."""
    assert all(check.__doc__ and check.__doc__.strip().endswith(".") for check in CHECKS)
    assert len({check.__name__ for check in CHECKS}) == len(CHECKS)
