"""Every address answers what it should, and refuses in one shape."""

import json
import re

import pytest
from sample_catalog import ARTIFACT, HOSTILE, MESSAGE, NEW_SHA, OLD_SHA

from errdex.model.record import record_id
from errdex.web.routes import ADDRESSES

RECORD_ID = record_id(
    "sgl-project/sglang",
    MESSAGE,
    "python/sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py",
)
EXAMPLES = {
    "/api/errors/{id}": f"/api/errors/{RECORD_ID}",
    "/api/search": "/api/search?q=thing+number+7+is+not+a+thing",
    "/source/{owner}/{repo}/{revision}/{path:path}": f"/source/{ARTIFACT}/{NEW_SHA}/shelf/books.py",
    "/sitemaps/{owner}/{name}/{number}.xml": "/sitemaps/sgl-project/sglang/1.xml",
    "/data/repos/{owner}/{name}.json": "/data/repos/sgl-project/sglang.json",
    "/data/evidence/{owner}/{name}.jsonl.gz": f"/data/evidence/{ARTIFACT}.jsonl.gz",
    "/data/lineage/{owner}/{name}.json": f"/data/lineage/{ARTIFACT}.json",
    "/{owner}/{repo}/version/{version}/": f"/{ARTIFACT}/version/1.1/",
    "/{owner}/{repo}/version/{version}/page/{page}/": "/sgl-project/sglang/version/0.5.23/page/3/",
    "/info/{family}/": "/info/argument-type/",
    "/info/{family}/page/{page}/": "/info/argument-type/page/2/",
    "/{owner}/{repo}/": "/sgl-project/sglang/",
    "/{owner}/{repo}/page/{page}/": "/sgl-project/sglang/page/3/",
    "/{owner}/{repo}/family/{family}/": "/sgl-project/sglang/family/argument-type/",
    "/{owner}/{repo}/family/{family}/page/{page}/": "/sgl-project/sglang/family/argument-type/page/2/",
    "/{owner}/{repo}/{slug}/": "/sgl-project/sglang/unified-kv-dtype-mismatch-kv-unified-kv-dtype/",
}
POSTED = {
    "/search/": {"data": {"text": "ValueError: thing number 7 is not a thing"}},
    "/api/explain": {"json": {"text": "ValueError: thing number 7 is not a thing"}},
}


def address_of(address, client):
    """An address of the sample catalog that the route answers with 200."""
    if address.path == "/assets/{name}":
        return re.search(r"/assets/style\.\w+\.css", client.get("/").text).group()
    return EXAMPLES.get(address.path, address.path)


def assert_refusal(response, status):
    """The one JSON error shape."""
    body = response.json()
    assert response.status_code == status == body["status"]
    assert body["ok"] is False
    assert [sorted(error) for error in body["errors"]] == [["hint", "problem", "slug"]]
    assert body["errors"][0]["problem"]
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda one: f"{one.method} {one.path}")
def test_every_address_answers_and_refuses_an_unknown_parameter(client, address):
    """Each route answers its example with 200, and a parameter it does not know with 400."""
    path = address_of(address, client)
    asked = POSTED[address.path] if address.method == "POST" else {}
    assert client.request(address.method, path, **asked).status_code == 200
    joined = f"{path}{'&' if '?' in path else '?'}nonsense=1"
    assert_refusal(client.request(address.method, joined, **asked), 400)


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda one: f"{one.method} {one.path}")
def test_every_answer_carries_the_security_headers(client, address):
    """Each answer has the content security policy, nosniff, and JSON is open to every origin."""
    asked = POSTED[address.path] if address.method == "POST" else {}
    response = client.request(address.method, address_of(address, client), **asked)
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"
    if response.headers["content-type"] == "application/json":
        assert response.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "address", [one for one in ADDRESSES if one.method == "GET"], ids=lambda one: one.path
)
def test_a_second_visit_costs_nothing(client, address):
    """What may be cached has an ETag, which answers 304 without a body."""
    path = address_of(address, client)
    first = client.get(path)
    if first.headers["cache-control"] == "no-store":
        return
    again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing", "/nothing/", "/api/nothing", "/api/errors/0000000000000000", "/api/errors/x", "/sgl-project/none/", "/a/b/c/d/e/",
        "/sgl-project/sglang/none/", "/sgl-project/sglang/page/4/", "/sgl-project/sglang/page/1/", "/sgl-project/sglang/page/x/",
        "/sgl-project/sglang/family/none/", "/info/none/", "/info/argument-type/page/99/", "/data/none.json", "/data/repos/a/b.json",
        "/assets/none.css", f"/source/{ARTIFACT}/{NEW_SHA}/none.py", f"/source/{ARTIFACT}/{NEW_SHA}/..%2F..%2Fetc/passwd",
        "/sitemaps/sgl-project/sglang/2.xml", "/sitemaps/sgl-project/sglang/0.xml",
    ],
)  # fmt: skip
def test_what_is_not_there_is_a_404(client, path):
    """An unknown id, slug, page, file or address is a 404 in the one shape."""
    assert_refusal(client.get(path), 404)


@pytest.mark.parametrize("limit", ["0", "26", "-1", "x", "1e1", "٣", "9" * 30, ""])
def test_a_limit_out_of_bounds_is_refused(client, limit):
    """`limit` is a whole number from 1 to 25."""
    assert_refusal(client.get("/api/search", params={"q": "thing", "limit": limit}), 400)


@pytest.mark.parametrize("query", ["", "?q=", "?q=%20", "?q=a&q=b"])
def test_a_question_must_be_asked_once(client, query):
    """A missing, empty or doubled `q` is a 400."""
    assert_refusal(client.get("/api/search" + query), 400)


def test_a_wrong_method_is_refused_in_the_one_shape(client):
    """DELETE of a record is a 405 that says so."""
    assert_refusal(client.delete(f"/api/errors/{RECORD_ID}"), 405)


def test_a_browser_gets_a_page_where_a_program_gets_json(client):
    """The refusal of a page's address is a page to whoever asks for HTML; the API's never is."""
    html = {"Accept": "text/html,*/*"}
    page = client.get("/sgl-project/sglang/none/", headers=html)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert_refusal(client.get("/api/errors/x", headers=html), 404)


def test_a_record_is_the_contracts_31_keys_in_order(client):
    """`/api/errors/{id}` holds the record, the dataset's version and the evidence beside it, nothing else."""
    body = client.get(f"/api/errors/{RECORD_ID}").json()
    assert list(body) == ["record", "datasetVersion", "evidence"]
    keys = (
        "id repo slug errorCode errorMessage messagePattern errorType errorClass httpStatus severity filePath "
        "lineNumber sourceCode sourceCodeStart sourceCodeEnd githubUrl documentation triggerScenarios "
        "commonSituations solutions exampleFix handlingStrategy validationCode typeGuard tryCatchPattern "
        "preventionTips tags backgroundTag analyzedSha analyzedAt schemaVersion"
    ).split()
    assert list(body["record"]) == keys


def test_an_artifacts_source_link_leads_to_our_own_page(client):
    """Where no public host has the revision, `githubUrl` is our source page, as a full address that answers."""
    record = client.get(f"/data/repos/{ARTIFACT}.json").json()[0]
    assert record["githubUrl"].startswith(f"http://errdex.test/source/{ARTIFACT}/{NEW_SHA}/shelf/books.py#L")
    page = client.get(record["githubUrl"].removeprefix("http://errdex.test").partition("#")[0])
    assert page.status_code == 200
    assert 'id="L21"' in page.text


def test_a_superseded_error_redirects_to_its_successor(client):
    """An error reworded in a newer revision answers 308 with the id it has now."""
    old = record_id(ARTIFACT, "the shelf is full", "shelf/books.py")
    response = client.get(f"/api/errors/{old}")
    new = record_id(ARTIFACT, "the shelf is full: {len(books)} books", "shelf/books.py")
    assert response.status_code == 308
    assert response.headers["location"].endswith(f"/api/errors/{new}")


def test_a_removed_error_says_in_which_version_it_left(client):
    """An error that the newest revision no longer has answers 410, with the version and its last record."""
    response = client.get(f"/api/errors/{record_id(ARTIFACT, 'the book is torn', 'shelf/books.py')}")
    assert_refusal(response, 410)
    assert (response.json()["leftIn"], response.json()["lastSeen"]) == ("shelf 1.1", "shelf 1.0")
    assert response.json()["record"]["analyzedSha"] == OLD_SHA


def test_search_finds_a_message_and_respects_the_repo(client):
    """A runtime message finds its error; a filter on another repository leaves nothing."""
    asked = {"q": "ValueError: thing number 7 is not a thing", "limit": 3}
    matches = client.get("/api/search", params=asked).json()["matches"]
    assert matches[0]["message"] == "thing number 7 is not a thing"
    assert list(matches[0]) == ["id", "repo", "code", "message", "score", "matchType", "url"]
    assert matches[0]["matchType"] == "pattern"
    assert client.get("/api/search", params={**asked, "repo": "a/b"}).json()["matches"] == []


@pytest.mark.parametrize(
    "sent", [{"json": {"text": MESSAGE}}, {"content": MESSAGE, "headers": {"Content-Type": "text/plain"}}]
)
def test_explain_takes_json_and_plain_text(client, sent):
    """`POST /api/explain` answers as `errdex explain --json` does."""
    body = client.post("/api/explain", **sent).json()
    assert list(body) == ["schema", "verdict", "reason", "matches"]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"content": b""}, 400), ({"content": b" \n "}, 400), ({"json": {}}, 400), ({"json": {"text": 1}}, 400), ({"json": []}, 400),
        ({"json": {"text": "x", "more": 1}}, 400), ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400),
        ({"content": b"\xff", "headers": {"Content-Type": "application/json"}}, 400),
        ({"content": b"x" * 1_048_577}, 413), ({"content": b"x", "headers": {"Content-Type": "image/png"}}, 415),
        ({"data": {"text": "x"}}, 415),
    ],
)  # fmt: skip
def test_a_paste_that_cannot_be_read_is_refused(client, sent, status):
    """Empty, malformed, too large or of another type: each with its own status."""
    assert_refusal(client.post("/api/explain", **sent), status)


def test_random_bytes_are_an_answer_not_a_failure(client):
    """Any bytes pasted are answered with a verdict."""
    response = client.post(
        "/api/explain", content=bytes(range(256)) * 200, headers={"Content-Type": "text/plain"}
    )
    assert response.status_code == 200
    assert response.json()["matches"] == []


def test_hostile_words_in_addresses_come_back_escaped(client):
    """What an address holds is shown as text, in pages and in JSON."""
    response = client.get("/a/b/%3Cimg%20src=x%20onerror=alert(1)%3E/", headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert "<img" not in response.text


def test_a_preflight_is_allowed(client):
    """A script of any origin may post to the API."""
    response = client.options(
        "/api/explain", headers={"Origin": "https://x.test", "Access-Control-Request-Method": "POST"}
    )
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "*"


def test_a_head_request_has_the_headers_alone(client):
    """HEAD answers as GET does, without the body."""
    response = client.head(f"/api/errors/{RECORD_ID}")
    assert (response.status_code, response.content) == (200, b"")
    assert int(response.headers["content-length"]) > 1000


def test_a_client_without_gzip_gets_plain_bytes(client):
    """Compression is for those who ask for it, and each form has its own ETag."""
    plain = client.get("/", headers={"Accept-Encoding": "identity"})
    packed = client.get("/", headers={"Accept-Encoding": "gzip"})
    refused = client.get("/", headers={"Accept-Encoding": "gzip;q=0"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers
    assert plain.headers["etag"] != packed.headers["etag"]
    assert plain.text == packed.text


def test_the_description_names_every_json_route(client):
    """`/openapi.json` describes each route of the API and the dataset."""
    described = client.get("/openapi.json").json()["paths"]
    expected = {one.path for one in ADDRESSES if one.kind in {"api", "data"}}
    assert expected <= set(described)


def test_records_follow_the_published_schema(client):
    """Every record of the dataset validates against `/schema.json`."""
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(client.get("/schema.json").json())
    for repo in client.get("/api/repos").json()["repos"]:
        for record in client.get(f"/data/repos/{repo['repo']}.json").json():
            validator.validate(record)


def test_the_manifest_covers_the_bytes_as_published(client):
    """Sizes and hashes of the manifest are those of the files it names."""
    import gzip
    import hashlib

    manifest = client.get("/data/manifest.json").json()
    for entry in manifest["files"].values():
        content = client.get(entry["path"], headers={"Accept-Encoding": "identity"}).content
        assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    packed = client.get("/data/index.json.gz").content
    assert gzip.decompress(packed) == client.get("/data/index.json").content
    assert json.loads(gzip.decompress(packed))["datasetVersion"] == manifest["datasetVersion"]
    assert manifest["counts"]["errors"] == len(json.loads(gzip.decompress(packed))["errors"])


def test_a_hostile_record_is_served_as_data(client):
    """A message made to break pages comes through the API unchanged."""
    body = client.get(f"/api/errors/{record_id('sgl-project/sglang', HOSTILE, 'sglang/things.py')}").json()
    assert body["record"]["errorMessage"] == HOSTILE


@pytest.mark.parametrize(
    "path", ["/about", "/search?q=a%20b", "/sgl-project/sglang", "/sgl-project/sglang/some-slug"]
)
def test_a_page_without_its_last_slash_redirects(client, path):
    """A page's address without the slash at its end leads to the page, its question kept."""
    response = client.get(path)
    before, _, query = path.partition("?")
    assert response.status_code == 308
    assert response.headers["location"] == f"http://errdex.test{before}/" + (f"?{query}" if query else "")


def test_an_error_page_shows_the_versions_that_have_it(client):
    """Where several versions were analysed, the page lists each with the error's line in it, under its words of then."""
    page = client.get(f"/{ARTIFACT}/no-book-here/").text
    version = f"/{ARTIFACT}/version"
    assert f'<li><a href="{version}/1.1/">1.1</a> <span>line 31</span></li>' in page
    assert f'<li><a href="{version}/1.0/">1.0</a> <span>line 30</span></li>' in page
    reworded = client.get(f"/{ARTIFACT}/the-shelf-is-full-len-books-books/").text
    assert "line 20, said <bdi>the shelf is full</bdi>" in reworded


def test_marks_on_the_search_page_lead_to_the_errors_page(client):
    """The best match's sentences link to lines where there are lines: on its own page."""
    asked = {"text": "RuntimeError: unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16"}
    page = client.post("/search/", data=asked).text
    address = "/sgl-project/sglang/unified-kv-dtype-mismatch-kv-unified-kv-dtype/"
    assert f'<a href="{address}#L683">line 683</a>' in page
    assert 'href="#L' not in page
