"""`errdex assist` as a user runs it: what is sent, what a stop leaves behind, what is asked again."""

import json
import shutil
import signal
import subprocess
import sys

import pytest
from tests.assist.conftest import SHELF
from tests.assist.loopback import GOOD, Said, failure, reply

from errdex.catalog import Catalog
from errdex.catalog.build import build
from errdex.cli.main import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_NO, run
from errdex.sources import open_tree, parse_coordinate


@pytest.fixture
def assist(shelf, loopback, capfd):
    """Runs the command on the sample package; returns exit code, standard output and standard error."""
    ids = [each.record.id for each in shelf.records()]

    def call(*arguments, targets=ids):
        code = run(["assist", *targets, "--model", "tiny", "--base-url", loopback.url, *arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def started(loopback, *arguments):
    """The command in a process of its own, on all records of the sample package."""
    with Catalog.open() as opened:
        ids = [each.record.id for each in opened.records()]
    command = [sys.executable, "-m", "errdex", "assist", *ids, "--model", "tiny", "--base-url", loopback.url]
    return subprocess.Popen([*command, "--concurrency", "1", *arguments], stderr=subprocess.PIPE)


def test_what_is_shown_dry_is_what_is_sent_word_for_word(assist, loopback):
    """The dry run sends nothing; the requests that follow hold its instructions, its texts and its form."""
    code, out, _ = assist("--dry-run", "--json", "--price", "1,10")
    shown = json.loads(out)
    assert (code, loopback.requests) == (0, [])
    code, _, _ = assist()
    assert code == 0
    for body in loopback.requests:
        system, user = body["messages"]
        assert system == {"role": "system", "content": shown["instructions"]}
        assert body["response_format"]["json_schema"]["schema"] == shown["form"]
        assert user["content"] in {request["text"] for request in shown["requests"]}
    assert len(loopback.requests) == len(shown["requests"])
    most = shown["inputTokens"] * 1 + shown["outputTokensAtMost"] * 10
    assert float(shown["usdAtMost"]) == pytest.approx(most / 1e6)


def test_the_dry_run_reads_well_and_ends_with_the_bill(assist):
    """As text: the instructions once, every question, the cost, and that nothing was sent."""
    _, out, _ = assist("--dry-run", "--price", "0.15,0.60")
    assert out.startswith("Every request to tiny at http://127.0.0.1:")
    assert out.count("You help to document one error") == 1
    assert out.rstrip().endswith("Nothing was sent.")
    assert "at most $0.00" in out


def test_the_summary_counts_records_suggestions_and_money(assist):
    """One line each: records, suggestions with the checks that refused them, the bill."""
    code, out, _ = assist("--price", "1,10", "--json")
    summary = json.loads(out)
    assert code == 0
    assert summary["answered"] == summary["asked"] == summary["records"]
    assert summary["suggestions"] == 3 * summary["records"]
    assert summary["kept"] + sum(summary["refused"].values()) >= summary["suggestions"]
    assert float(summary["bill"]["usd"]) == pytest.approx(0.0003 * summary["records"])
    code, out, _ = assist()
    assert out.startswith(f"{summary['records']} records: 0 answered now, {summary['records']} before\n")


def test_a_killed_run_loses_only_what_was_under_way(shelf, loopback):
    """After kill -9 the answers before it are there; the next run asks for the rest; the bill names the lost request."""
    loopback.script = [reply(GOOD), reply(GOOD), Said(b"", hang=True)]
    process = started(loopback)
    loopback.wait_for(3)
    process.kill()
    process.communicate()
    assert len(list(shelf.assists.answers())) == 2
    assert [row.gate for row in shelf.assists.answers()] == [None, None]
    bill = shelf.assists.bill()
    assert (bill.requests, bill.input_tokens, bill.unsaid) == (3, 200, 1)
    again = started(loopback)
    again.communicate()
    records = len(list(shelf.records()))
    assert again.returncode == 0
    assert len(loopback.requests) == 3 + records - 2
    answers = list(shelf.assists.answers())
    assert len(answers) == records
    assert all(row.gate and row.judgements for row in answers)
    assert shelf.assists.bill().unsaid == 1


def test_an_interrupted_run_says_so_and_goes_on_later(shelf, loopback):
    """Control-C ends with its own exit code; what was answered is kept."""
    loopback.script = [reply(GOOD), Said(b"", hang=True)]
    process = started(loopback)
    loopback.wait_for(2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == EXIT_INTERRUPTED, err
    assert b"Traceback" not in err
    assert len(list(shelf.assists.answers())) == 1


def test_a_budget_that_ends_is_a_no_and_the_same_command_goes_on(assist, loopback):
    """Some records have no answer: exit 1, and why; without the limit the rest is asked for."""
    loopback.otherwise = lambda _body: reply(GOOD, sent=700, made=200)
    code, out, _ = assist("--max-tokens", "4000", "--answer", "200")
    assert code == EXIT_NO
    assert "Stopped: the next request may pass the budget of 4,000 tokens." in out
    sent = len(loopback.requests)
    code, out, _ = assist()
    assert code == 0
    assert f" {sent} before" in out


def test_a_server_that_refuses_us_is_an_error_with_a_hint(assist, loopback):
    """The summary comes first, then the error; nothing of ours is thrown away."""
    loopback.otherwise = lambda _body: failure(401, "bad key")
    code, out, err = assist()
    assert code == EXIT_ERROR
    assert "without an answer" in out
    assert "bad key" in err
    assert "ERRDEX_ASSIST_KEY" in err


def test_private_code_is_an_error_that_names_the_flag(assist, loopback):
    """The word is given once for a catalog."""
    code, _, err = assist("--forbid-private")
    assert code == EXIT_ERROR
    assert "--allow-private" in err
    assert loopback.requests == []
    assert assist("--allow-private")[0] == 0
    assert assist("--again")[0] == 0


def test_a_budget_in_money_wants_a_price(assist, loopback):
    """A price that nobody knows is an error before anything is sent."""
    code, _, err = assist("--max-cost", "1")
    assert code == EXIT_ERROR
    assert "--price" in err
    assert loopback.requests == []


def test_a_listed_price_is_found(shelf, monkeypatch, capfd):
    """For a vendor's own model the price list of the extra knows the price."""
    record = next(shelf.records()).record
    assert run(["assist", record.id, "--model", "gpt-4o-mini", "--dry-run", "--json"]) == 0
    assert float(json.loads(capfd.readouterr().out)["usdAtMost"]) > 0


def test_a_vendors_key_goes_to_the_vendor_only(assist, loopback, monkeypatch):
    """A server of one's own gets ERRDEX_ASSIST_KEY or none at all, in either protocol."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "vendor-secret")
    assist("--records", "1")
    assist("--records", "1", "--model", "anthropic:tiny", "--base-url", loopback.url.removesuffix("/v1"))
    monkeypatch.setenv("ERRDEX_ASSIST_KEY", "own-secret")
    assist("--records", "1", "--again")
    assert loopback.headers
    assert "vendor-secret" not in str(loopback.headers)
    assert loopback.headers[-1]["authorization"] == "Bearer own-secret"


def test_without_a_key_a_vendor_is_not_asked(shelf, monkeypatch, capfd):
    """The error names the variables and the way to another server."""
    for name in ("OPENAI_API_KEY", "ERRDEX_ASSIST_KEY"):
        monkeypatch.delenv(name, raising=False)
    record = next(shelf.records()).record
    assert run(["assist", record.id, "--model", "gpt-4o-mini"]) == EXIT_ERROR
    err = capfd.readouterr().err
    assert "OPENAI_API_KEY" in err
    assert "--base-url" in err


WITHOUT_EXTRA = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {'pydantic_ai', 'openai', 'anthropic', 'genai_prices'}:
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
sys.meta_path.insert(0, Absent())
from errdex.cli.main import main
main(sys.argv[1:])
"""


def test_without_the_extra_only_asking_fails(shelf, loopback):
    """The dry run and the audit need nothing of it; asking is an error that names it."""
    record = next(shelf.records()).record

    def call(*arguments):
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_EXTRA, *arguments], capture_output=True, text=True, check=False
        )

    asking = ("assist", record.id, "--model", "tiny", "--base-url", loopback.url)
    refused = call(*asking)
    assert refused.returncode == EXIT_ERROR
    assert "errdex[assist]" in refused.stderr
    assert call(*asking, "--dry-run").returncode == 0
    assert call("assist", "--audit").returncode == 0
    assert loopback.requests == []


def test_no_other_command_loads_the_client():
    """The second that pydantic-ai takes is paid by `assist` alone, and only when it asks."""
    program = (
        "import sys, importlib\n"
        "from errdex.cli.main import COMMANDS, root\n"
        "for name in COMMANDS: root.get_command(None, name)\n"
        "import errdex.catalog.ask\n"
        "found = {'pydantic_ai', 'openai', 'anthropic', 'genai_prices'} & set(sys.modules)\n"
        "sys.exit(str(found) if found else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_audit_names_every_check_that_looked(assist):
    """Counts by model, by place and by check; one JSON object for programs."""
    assist()
    code, out, _ = assist("--audit", "--json")
    audit = json.loads(out)
    assert code == 0
    assert audit["suggestions"] == audit["byModel"]["tiny"][0] > 0
    assert sum(offered for offered, _ in audit["byPlace"].values()) == audit["suggestions"]
    assert all(0 <= row["refused"] <= row["looked"] for row in audit["checks"])
    _, out, _ = assist("--audit", targets=())
    assert "by check" in out


@pytest.mark.parametrize(
    "wrong", [["--price", "cheap"], ["--max-cost", "-1"], ["--price", "nan,1"], ["--records", "0"]]
)
def test_a_wrong_command_line_is_said_so(assist, loopback, wrong):
    """Amounts are amounts."""
    assert assist(*wrong)[0] == 2
    assert loopback.requests == []


def test_nothing_named_is_a_wrong_command_line(loopback):
    """Without a target or a model there is nothing to do."""
    assert run(["assist", "--model", "tiny"]) == 2


def test_answers_about_code_that_has_changed_since_wait(shelf, loopback, tmp_path, capfd):
    """A folder whose files are others by now cannot bear out what is said of the old ones: nothing is judged by it."""
    copy = tmp_path / "shelf"
    shutil.copytree(SHELF, copy)
    build(shelf, open_tree(parse_coordinate(str(copy), repo="acme/moved")))
    books = copy / "src" / "shelf" / "books.py"
    books.write_text(books.read_text().replace("if room < 1:", "if room < 2:"))
    record = next(shelf.records("acme/moved")).record
    code = run(["assist", record.id, "--model", "tiny", "--base-url", loopback.url])
    assert code == 0
    assert "is other code by now" in capfd.readouterr().err
    assert [row.gate for row in shelf.assists.answers("acme/moved")] == [None]
    assert shelf.record(record.id).evidence.assistance == ()


def test_answers_that_cannot_be_judged_now_are_not_lost(shelf, loopback, tmp_path, capfd):
    """A folder that is gone, an index that does not answer: the bill is shown, the answers wait."""
    copy = tmp_path / "shelf"
    shutil.copytree(SHELF, copy)
    build(shelf, open_tree(parse_coordinate(str(copy), repo="acme/gone")))
    shutil.rmtree(copy)
    record = next(shelf.records("acme/gone")).record
    asked = ["assist", record.id, "--model", "tiny", "--base-url", loopback.url]
    assert run(asked) == 0
    out, err = capfd.readouterr()
    assert "1 requests, 100 tokens sent, 20 received" in out
    assert "answers wait unjudged" in err
    shutil.copytree(SHELF, copy)
    assert run(asked) == 0
    assert len(loopback.requests) == 1
    assert all(row.gate for row in shelf.assists.answers("acme/gone"))
