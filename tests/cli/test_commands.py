"""The command line, run as a user runs it: in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from errdex.cli.main import COMMANDS
from errdex.cli.reference import reference

ROOT = Path(__file__).parents[2]
SHELF = ROOT / "tests" / "fixtures" / "packages" / "shelf"


def errdex(*arguments, text: str | bytes = b"", **environment) -> subprocess.CompletedProcess:
    """Run errdex with `text` on its standard input."""
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [sys.executable, "-m", "errdex", *map(str, arguments)],
        input=data,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
        timeout=120,
    )


@pytest.fixture
def analysed():
    """A catalog with the sample package."""
    done = errdex("analyze", SHELF, "--repo", "acme/shelf")
    assert done.returncode == 0, done.stderr.decode()
    return done


def test_analyze_says_what_it_found_and_what_it_skipped(analysed):
    """The summary counts records and sites and names why files were skipped; standard output stays empty."""
    told = analysed.stderr.decode()
    assert "errors from" in told
    assert "skipped" in told
    assert analysed.stdout == b""


def test_list_prints_records_of_exactly_the_contract_s_keys(analysed):
    """With --jsonl each line is one record that a strict client can read."""
    done = errdex("list", "--jsonl", "--repo", "acme/shelf")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) >= 7
    assert {len(row) for row in rows} == {31}
    assert errdex("list", "--repo", "nobody/nothing").returncode == 1


def test_list_and_search_take_a_level(analysed):
    """Nothing of the sample was proved yet; what its own source tells is derived or tested."""
    assert errdex("list", "--level", "proved").returncode == 1
    shown = [errdex("list", "--level", level).stdout.splitlines() for level in ("derived", "tested")]
    assert sum(map(len, shown)) == len(errdex("list").stdout.splitlines())
    assert errdex("search", "room", "--level", "proved").returncode == 1


def test_show_finds_by_id_by_slug_and_by_path(analysed):
    """A record is shown by its id, its slug, or its repository and slug."""
    row = json.loads(errdex("list", "--jsonl").stdout.splitlines()[0])
    for name in (row["id"], row["slug"], f"{row['repo']}/{row['slug']}"):
        shown = errdex("show", name, "--json")
        assert json.loads(shown.stdout)["record"] == row
    assert row["errorMessage"].encode() in errdex("show", row["id"], "--no-color").stdout
    missing = errdex("show", "0000000000000000")
    assert missing.returncode == 1
    assert missing.stdout == b""


def test_sites_are_rows_for_programs():
    """One line a throw site, with the keys that programs rely on."""
    done = errdex("sites", SHELF, "--jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"kind", "file", "line", "end_line", "function", "class", "template", "guard"} <= set(rows[0])
    room = next(row for row in rows if row["template"] == "room must be at least 1, got {room}")
    assert (room["class"], room["function"], room["guard"]) == ("ValueError", "Shelf.__init__", "room < 1")


def test_explain_answers_a_real_traceback(analysed, tmp_path):
    """What a real program prints leads to the record, with the value taken out of the message."""
    program = tmp_path / "app.py"
    program.write_text("from shelf import Shelf\nShelf('fiction', room=0)\n")
    trace = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(SHELF / "src")},
        check=False,
    ).stderr
    done = errdex("explain", "--json", "-", text=trace)
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["verdict"] == "exact"
    best = answer["matches"][0]
    assert best["file"].endswith("shelf/books.py")
    assert {"expression": "room", "value": "0"} in best["bindings"]
    assert b"room must be at least 1, got 0" in errdex("explain", text=trace).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["analyze", "pypi:"], 3, "pypi:"),
        (["analyze", "no/such/folder"], 3, "no/such/folder"),
        (["analyze", "README.md"], 3, "README.md"),
        (["analyze", "git:file:///no/such/repository@main"], 3, "no/such/repository"),
        (["analyze", "env:no-such-package-is-installed"], 3, "no-such-package-is-installed"),
        (["analyze"], 2, "COORD"),
        (["explain", "no-such-file.txt"], 3, "no-such-file.txt"),
        (["explain", "-"], 3, "empty"),
        (["list"], 3, "errdex analyze"),
        (["frobnicate"], 2, "frobnicate"),
        (["show"], 2, "ID|SLUG"),
        (["analyze", "tests/fixtures/packages/shelf", "--catalog", "/dev/null/x.db"], 3, "/dev/null"),
    ],
)
def test_bad_input_is_told_from_a_bug(arguments, code, says, tmp_path):
    """Wrong input ends with its exit code and a sentence that names it; never with a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "errdex", *arguments], input=b"", capture_output=True, cwd=ROOT, check=False
    )
    assert done.returncode == code, done.stderr.decode()
    assert says in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_random_bytes_are_no_match(analysed):
    """Ten megabytes of noise are answered, not choked on."""
    noise = b"".join(bytes([(i * 2654435761 >> 7) & 0xFF]) for i in range(1024)) * 10240
    done = errdex("explain", "--json", "-", text=noise)
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] in {"no-match", "unindexed"}


def test_an_interrupt_ends_with_130_and_leaves_no_half_package(tmp_path):
    """Ctrl-C while a package is read: exit code 130, and the catalog holds nothing of it."""
    running = subprocess.Popen(
        [sys.executable, "-m", "errdex", "serve", "--port", "0"], stderr=subprocess.PIPE, env=os.environ
    )
    running.communicate(timeout=60)
    assert running.returncode == 3  # no catalog yet: the sentence of the missing catalog
    errdex("analyze", SHELF)
    serving = subprocess.Popen(
        [sys.executable, "-m", "errdex", "serve", "--port", "0"], stderr=subprocess.PIPE, env=os.environ
    )
    assert serving.stderr is not None
    for line in serving.stderr:
        if b"http://" in line:
            break
    serving.send_signal(signal.SIGINT)
    serving.communicate(timeout=60)
    assert serving.returncode in {0, 130}


def test_every_command_is_in_the_reference():
    """docs/cli.md is what the commands say of themselves, and every command ends its help with an example."""
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == reference()
    for name in COMMANDS:
        section = page.split(f"## errdex {name}\n", 1)[1].split("\n## ", 1)[0]
        assert f"Example: errdex {name}" in section or f"| errdex {name}" in section


HOSTILE = "\x1b]0;owned\x07 \u202e turned round, and \x1b[2J cleared"


def test_hostile_messages_do_not_reach_the_terminal(tmp_path):
    """Control and direction characters of analysed code are shown as escapes in every listing."""
    package = tmp_path / "hostile"
    package.mkdir()
    (package / "module.py").write_text(f"def f():\n    raise ValueError({HOSTILE!a})\n")
    assert errdex("analyze", package).returncode == 0
    listed = errdex("list").stdout.decode()
    identity = listed.split()[0]
    shown = (
        listed,
        errdex("sites", package).stdout.decode(),
        errdex("show", identity).stdout.decode(),
    )
    for text in shown:
        assert "turned round" in text
        assert not set(text) & {"\x1b", "\x07", "\u202e"}
