"""What the gate kept stands on every face with the model's name, after what was worked out, and in no record."""

import json
import shutil

import msgspec
import pytest
import sqlalchemy as sa
from tests.assist.conftest import SHELF

from errdex.assist.bill import Usage
from errdex.catalog import Catalog, schema
from errdex.catalog.build import build
from errdex.cli.record_text import record_text
from errdex.mcp.words import record_lines
from errdex.model.assistance import Failure, Judgement, Suggestion
from errdex.model.functions import function_hash
from errdex.model.record import Proof, Run
from errdex.pipeline.assist import question_of
from errdex.publish.links import Site
from errdex.publish.pages import Renderer
from errdex.publish.wire import error_body
from errdex.sources import open_tree, parse_coordinate

SITE = Site(base_url="http://errdex.test")
MODEL = "<b>tiny</b>"
KEPT = (
    Suggestion(place="documentation", text="The label holds white space."),
    Suggestion(place="solutions", text="Call `label.replace` first."),
    Suggestion(place="commonSituations", text="A person typed the label."),
    Suggestion(place="preventionTips", text="Test labels where they are read."),
    Suggestion(place="triggerScenarios", code="import shelf\nshelf.Shelf('a b')"),
)
REFUSED = Suggestion(place="solutions", text="Pass `label=None`, which is always accepted.")


def stored_with_message(catalog, message="a label must be one word"):
    return next(each for each in catalog.records() if each.record.error_message == message)


def helped(catalog, model=MODEL, kept=KEPT, refused=(REFUSED,)):
    """Let a model have answered, and the gate have kept the one and refused the other."""
    stored = stored_with_message(catalog)
    ledger = catalog.assists.ledger(model, "1", None)
    question = question_of(stored.record, stored.evidence)
    entry = ledger.asked(question, Usage(10, 10))
    ledger.answered(entry, question, (*kept, *refused), Usage(10, 5))
    answer = next(catalog.assists.answers(model=model))
    judgements = [Judgement(suggestion=each, kept=True, passed=("markup",)) for each in kept] + [
        Judgement(suggestion=each, kept=False, failed=(Failure(check="right-argument", reason="no"),))
        for each in refused
    ]
    catalog.assists.keep_judgements(answer, judgements, "gate-1")
    return stored_with_message(catalog)


@pytest.fixture
def plain_record(shelf):
    return stored_with_message(shelf)


def test_the_record_itself_has_not_a_word_of_it(shelf, plain_record):
    """The 31 keys are what analysis found: they are the same with a model's help and without."""
    assert helped(shelf).record == plain_record.record


def test_evidence_names_model_prompt_and_checks(shelf):
    """What was kept is there whole; of what was refused only which check refused it: it is false, and published nowhere."""
    body = json.loads(error_body(helped(shelf), "v", SITE))
    (assistance,) = body["evidence"]["assistance"]
    assert (assistance["model"], assistance["promptVersion"]) == (MODEL, "1")
    assert [each["suggestion"]["text"] for each in assistance["judgements"][:4]] == [
        each.text for each in KEPT[:4]
    ]
    assert assistance["judgements"][0]["passed"] == ["markup"]
    assert assistance["refused"] == {"right-argument": 1}
    assert (assistance["tokensIn"], assistance["tokensOut"]) == (10, 5)
    assert REFUSED.text not in json.dumps(body)


def test_the_page_marks_every_sentence_of_a_model(shelf):
    """The mark stands behind the sentence, the model's name in it is text, and the derived sentences come first."""
    stored = helped(shelf)
    page = Renderer(SITE).error(stored)
    mark = '<sup class="from from-model">model &lt;b&gt;tiny&lt;/b&gt;</sup>'
    assert f"The label holds white space.{mark}" in page
    assert f"Call <code>label.replace</code> first.{mark}" in page
    assert page.count('class="from from-model"') == len(KEPT)
    assert "<b>tiny" not in page
    assert "always accepted" not in page
    derived = stored.evidence.sentences["solutions"][0].text.split("`")[0]
    assert page.index(derived) < page.index("Call <code>label.replace")
    assert "Some of it was written by a model" in page
    assert "shelf.Shelf" in page


def test_a_models_name_is_never_a_link(shelf):
    """A name that looks like an address is still only a name."""
    page = Renderer(SITE).error(helped(shelf, model="https://evil.example"))
    assert 'href="https://evil.example"' not in page


def test_without_help_the_page_is_as_it_was(shelf, plain_record):
    """Nothing of a model, nothing about models."""
    page = Renderer(SITE).error(plain_record)
    assert "from-model" not in page
    assert "Programs that a model wrote" not in page
    assert "Nothing here was written by a model" in page


def test_terminal_and_assistants_are_told_the_same(shelf):
    """Each of a model's sentences says who wrote it, on the terminal and over MCP."""
    stored = helped(shelf)
    shown = " ".join(record_text(stored, colour=False).split())
    told = " ".join(record_lines(stored, SITE))
    for text in (shown, told):
        for suggestion in KEPT[:4]:
            assert f"{suggestion.text} (written by {MODEL})" in text
        assert "always accepted" not in text
    assert "shelf.Shelf('a b')" in shown


def test_two_models_stand_side_by_side(shelf):
    """Each has its entry, by name; a second answer of one replaces its first."""
    helped(shelf, model="b")
    helped(shelf, model="a")
    other = (Suggestion(place="solutions", text="Use one word as the label."),)
    stored = helped(shelf, model="b", kept=other)
    assert [each.model for each in stored.evidence.assistance] == ["a", "b"]
    assert [each.suggestion for each in stored.evidence.assistance[1].judgements] == list(other)


def test_help_lives_as_long_as_the_facts(shelf, tmp_path):
    """Another version with the same function has it; one whose function changed has not."""
    helped(shelf)
    for version, edit in (
        ("1.5.0", ('"""Books on shelves."""', '"""Books on other shelves."""')),
        ("1.6.0", ('if " " in label:', 'if " " in label or not label:')),
    ):
        copy = tmp_path / version
        shutil.copytree(SHELF, copy)
        for path in (copy / "src" / "shelf").glob("*.py"):
            path.write_text(path.read_text().replace(*edit))
        project = copy / "pyproject.toml"
        project.write_text(project.read_text().replace("1.4.0", version))
        tree = open_tree(parse_coordinate(str(copy), repo="acme/shelf"), cache=tmp_path / "cache")
        build(shelf, tree)
        has_help = bool(stored_with_message(shelf).evidence.assistance)
        assert has_help == (version == "1.5.0"), version


def test_help_for_other_facts_is_not_shown(shelf):
    """A proof is a fact: with it the question is another one, and when it falls the old answer is shown again."""
    stored = helped(shelf)
    site = stored.evidence.sites[0]
    text = shelf.source("acme/shelf", stored.record.analyzed_sha, site.path)
    ran = Run(code="shelf.Shelf('a b')", output="ValueError: a label must be one word", outcome="raised")
    proof = Proof(
        grade="A",
        witness=ran,
        fix=None,
        ran_at="2026-12-01T00:00:00.000Z",
        interpreter="CPython 3.11",
        environment="",
        function_hash=function_hash(text, site.line),
    )
    shelf.add_proof("acme/shelf", stored.record.id, proof)
    assert shelf.record(stored.record.id).evidence.proof is not None
    assert shelf.record(stored.record.id).evidence.assistance == ()
    shelf.drop_proof("acme/shelf", stored.record.id)
    assert shelf.record(stored.record.id).evidence.assistance == stored.evidence.assistance


def test_a_catalog_of_before_has_no_answers_and_takes_some(shelf):
    """A catalog without the tables answers as an empty one, and gets them with the first request."""
    with Catalog.open() as opened, opened._engine.begin() as connection:
        for table in (schema.assist_answer, schema.assist_request):
            connection.execute(sa.schema.DropTable(table))
    with Catalog.open() as opened:
        assert list(opened.assists.answers()) == []
        assert opened.assists.bill().requests == 0
        assert helped(opened).evidence.assistance


def test_evidence_of_before_reads_as_evidence_without_help(plain_record):
    """Evidence that was written before models were asked has no such key."""
    body = msgspec.msgpack.decode(msgspec.msgpack.encode(plain_record.evidence))
    del body["assistance"]
    assert msgspec.convert(body, type(plain_record.evidence)) == plain_record.evidence
