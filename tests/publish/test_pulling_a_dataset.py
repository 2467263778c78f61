"""`pull` takes over a published dataset, verified, whole or not at all."""

import functools
import gzip
import http.server
import json
import random
import subprocess
import sys
import threading

import msgspec
import pytest
from sample_catalog import ARTIFACT, HOSTILE, MESSAGE
from test_pages_are_safe_and_small import Reader

from errdex.catalog import Catalog
from errdex.model.record import record_id
from errdex.publish.download import DatasetCorruptError, DatasetUnreachableError
from errdex.publish.foreign import evidence_of, read_evidence, read_records
from errdex.publish.links import Site
from errdex.publish.pages import Renderer
from errdex.publish.pull import pull
from errdex.publish.site import publish
from errdex.publish.wire import encode
from errdex.search import answer
from errdex.search.beside import catalog_index


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host that keeps its log to itself."""

    def log_message(self, *_args):
        """Say nothing."""


@pytest.fixture
def host(catalog, tmp_path):
    """A static host of the published sample catalog: its folder and its address."""
    folder = tmp_path / "site"
    publish(catalog, folder, Site(base_url="https://errors.test", mode="static"))
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def taken(tmp_path):
    """An empty catalog to pull into."""
    with Catalog.open(tmp_path / "taken.db", create=True) as opened:
        yield opened


def test_what_was_published_comes_back(catalog, host, taken):
    """Every record of the dataset is in the catalog afterwards, all 31 keys the same."""
    done = pull(host[1], taken)
    assert (done.repos, done.unchanged, done.refused) == (2, 0, ())
    published = [
        record
        for path in (host[0] / "data/repos").rglob("*.json")
        for record in json.loads(path.read_bytes())
    ]
    assert sorted(json.loads(encode(record))["id"] for record in taken.bare_records()) == sorted(
        one["id"] for one in published
    )
    by_id = {one["id"]: one for one in published}
    for record in taken.bare_records():
        assert json.loads(encode(record)) == by_id[record.id]


def test_a_second_pull_fetches_nothing_anew(host, taken):
    """What the catalog has already is not written again, and its version stays."""
    pull(host[1], taken)
    version = taken.dataset_version
    assert pull(host[1], taken).unchanged == 2
    assert taken.dataset_version == version


def test_a_pulled_error_can_be_found_and_shown(host, taken):
    """A runtime message finds its pulled record, whose page says where it was taken from."""
    pull(host[1], taken)
    found = answer("RuntimeError: thing number 7 is not a thing", catalog_index(taken))
    assert found.matches[0].template == "thing number 7 is not a thing"
    stored = taken.record(found.matches[0].id)
    text = Reader(Renderer(Site()).error(stored)).text
    assert "Taken over from http://127.0.0.1" in text
    assert "evidence included. Nothing of it was run or checked here." in text


def test_evidence_comes_with_the_records(catalog, host, taken):
    """Sentences with their sources, sites and proof are as published, marked with where they were taken from."""
    assert pull(host[1], taken).bare == 0
    for stored in catalog.records():
        mine = taken.record(stored.record.id).evidence
        assert mine == msgspec.structs.replace(stored.evidence, taken_from=host[1])
    assert {row.version for row in taken.revisions()} == {"0.5.23"}  # as the evidence names it


def test_a_dataset_without_evidence_says_so_on_its_pages(host, taken):
    """Peers publish none: each page names what is not known rather than looking empty."""
    folder, url = host
    path = folder / "data/manifest.json"
    manifest = json.loads(path.read_bytes())
    del manifest["evidenceFiles"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    done = pull(url, taken)
    assert done.bare == done.errors == 234
    stored = next(taken.records(ARTIFACT))
    assert stored.evidence.sentences == {}
    text = Reader(Renderer(Site()).error(stored)).text
    assert "which publishes no evidence with its records" in text
    assert "Nothing here was written by a model" not in text


def test_evidence_of_another_make_is_left_out(catalog):
    """Lines that cannot be read, or speak of another place, are skipped; what is cut short counts as far as it goes."""
    stored = list(catalog.records(ARTIFACT))
    records = {one.record.id: one.record for one in stored}
    rows = [json.loads(encode({"id": one.record.id, "evidence": one.evidence})) for one in stored]
    rows[0]["evidence"]["sites"][0]["line"] += 1
    lines = [b"{", b"\xff", *(json.dumps(row).encode() for row in rows), b'{"id": "x"}']
    packed = gzip.compress(b"\n".join(lines))
    assert set(read_evidence(packed, records, "https://x.test")) == {rows[1]["id"]}
    assert read_evidence(packed[:30], records, "https://x.test") == {}
    rows[1]["evidence"]["takenFrom"] = "javascript:alert(1)"
    found = read_evidence(gzip.compress(json.dumps(rows[1]).encode()), records, "https://x.test")
    assert found[rows[1]["id"]].taken_from == "https://x.test"


def test_a_file_of_another_hash_is_refused_and_the_rest_taken(host, taken):
    """One corrupt repository is named and left out; the others arrive; the next pull mends it."""
    folder, url = host
    path = folder / f"data/repos/{ARTIFACT}.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    done = pull(url, taken)
    assert [one.repo for one in done.refused] == [ARTIFACT]
    assert "sha256" in done.refused[0].reason
    assert taken.repo("sgl-project/sglang") is not None
    assert taken.repo(ARTIFACT) is None
    path.write_bytes(whole)
    assert (pull(url, taken).repos, taken.repo(ARTIFACT) is not None) == (1, True)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"schemaVersion":9,"datasetVersion":"2026-01-01T00:00:00Z","files":{}}',
        b'{"schemaVersion":2,"datasetVersion":"soon","files":{}}',
    ],
)
def test_a_manifest_that_is_none_is_refused(host, taken, content):
    """An empty, broken or foreign manifest ends the pull with the reason; the catalog stays empty."""
    folder, url = host
    (folder / "data/manifest.json").write_bytes(content)
    with pytest.raises(DatasetCorruptError):
        pull(url, taken)
    assert taken.repos() == []


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "file:///etc", "ftp://x.test", "nonsense", "http://[bad"]
)
def test_an_address_that_does_not_answer_is_said_so(taken, url):
    """No server, or no web address at all."""
    with pytest.raises(DatasetUnreachableError, match="cannot be fetched"):
        pull(url, taken)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x"}, {"slug": "../x"}, {"repo": "a/b"}, {"errorMessage": ""}, {"extra": 1}, {"lineNumber": 0}, {"schemaVersion": 3},
        {"analyzedSha": "main"}, {"githubUrl": "javascript:alert(1)"}, {"backgroundTag": "<b>"}, {"solutions": "one"}, {"httpStatus": "404"},
        {"messagePattern": "x" * 501},
    ],
)  # fmt: skip
def test_a_record_that_breaks_the_contract_is_refused(catalog, change):
    """Each rule of the contract is held before a record is taken over."""
    stored = catalog.record(
        record_id(
            "sgl-project/sglang",
            MESSAGE,
            "python/sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py",
        )
    )
    record = json.loads(encode(stored.record))
    assert read_records(json.dumps([record]).encode(), "sgl-project/sglang") == [stored.record]
    with pytest.raises(ValueError, match=r"."):
        read_records(json.dumps([record | change]).encode(), "sgl-project/sglang")


def test_a_hostile_pulled_record_makes_a_harmless_page(catalog):
    """A record made to break pages is text on the page of whoever pulled it."""
    from test_pages_are_safe_and_small import assert_harmless

    from errdex.catalog import StoredRecord

    record = catalog.record(record_id("sgl-project/sglang", HOSTILE, "sglang/things.py")).record
    page = Renderer(Site(base_url="https://errors.test")).error(
        StoredRecord(record=record, evidence=evidence_of(record, "https://x.test/<b>"))
    )
    assert_harmless(page)


PULL = """
import sys
from errdex.catalog import Catalog
from errdex.publish.pull import pull
with Catalog.open(sys.argv[2], create=True) as catalog:
    pull(sys.argv[1], catalog, progress=lambda *_: print("going", flush=True))
"""


@pytest.mark.slow
def test_killed_at_any_moment_what_was_pulled_is_whole(host, tmp_path):
    """Kill -9 at twenty random moments: each repository is there whole or not at all; the next run finishes."""
    chance = random.Random(8)
    target = tmp_path / "target.db"
    command = [sys.executable, "-c", PULL, host[1], str(target)]
    for _ in range(20):
        running = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert running.stdout is not None
        running.stdout.readline()
        try:
            running.wait(timeout=chance.uniform(0.0, 0.6))
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        running.stdout.close()
        with Catalog.open(target, create=True) as opened:
            counts = {row.repo: row.error_count for row in opened.repos()}
            for repo, count in counts.items():
                assert count == {"sgl-project/sglang": 232, ARTIFACT: 2}[repo]
                assert sum(1 for _ in opened.records(repo)) == count
        target.unlink() if len(counts) == 2 else None
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with Catalog.open(target) as opened:
        assert sorted(row.repo for row in opened.repos()) == [ARTIFACT, "sgl-project/sglang"]
