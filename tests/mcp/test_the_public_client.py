"""The contract's public client, from npm and unchanged, against our server and against a static host of our dataset."""

import asyncio
import functools
import http.server
import json
import os
import shutil
import subprocess
import threading

import pytest
from sample_catalog import MESSAGE
from tests import serving

from errdex.model.record import record_id
from errdex.publish.links import Site
from errdex.publish.site import publish
from mcp import Client, StdioServerParameters

pytestmark = [pytest.mark.network, pytest.mark.slow]

CLIENT = "@standardbeagle/errlookup-mcp@0.1.2"
RECORD_ID = record_id(
    "sgl-project/sglang",
    MESSAGE,
    "python/sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py",
)
SLUG = "unified-kv-dtype-mismatch-kv-unified-kv-dtype"


@pytest.fixture(scope="session")
def client_script(tmp_path_factory):
    """The client's script, installed by npm into a folder of its own."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("npm")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder), CLIENT],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"npm cannot install {CLIENT}: {done.stderr[-200:]}")
    return folder / "node_modules/@standardbeagle/errlookup-mcp/dist/index.js"


@pytest.fixture
def served(catalog):
    """`errdex serve`'s app on a free port."""
    with serving.served(catalog) as url:
        yield url


@pytest.fixture
def hosted(catalog, tmp_path):
    """A plain static host of what `errdex publish` wrote."""
    from test_pulling_a_dataset import Quiet

    publish(catalog, tmp_path / "site", Site(base_url="https://errors.test", mode="static"))
    host = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path / "site"))
    )
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{host.server_address[1]}"
    host.shutdown()
    thread.join()
    host.server_close()


@pytest.mark.parametrize("place", ["served", "hosted"])
def test_every_tool_of_the_public_client_answers_with_our_records(
    client_script, place, request, tmp_path, catalog
):
    """search_error, get_error by id and by repo and slug, list_repos, refresh_dataset."""
    url = request.getfixturevalue(place)
    environment = {**os.environ, "ERRLOOKUP_BASE_URL": url, "ERRLOOKUP_CACHE_DIR": str(tmp_path / "cache")}

    async def run():
        async with Client(
            StdioServerParameters(command="node", args=[str(client_script)], env=environment)
        ) as client:
            calls = [
                ("refresh_dataset", {}),
                (
                    "search_error",
                    {"message": "unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16"},
                ),
                ("get_error", {"id": RECORD_ID}),
                ("get_error", {"repo": "sgl-project/sglang", "slug": SLUG}),
                ("list_repos", {}),
            ]
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    refreshed, found, by_id, by_slug, repos = asyncio.run(run())
    assert not any(one.is_error for one in (refreshed, found, by_id, by_slug, repos))
    state = json.loads(refreshed.content[0].text)
    assert state == {"updated": True, "datasetVersion": catalog.dataset_version, "errors": 234}
    match = json.loads(found.content[0].text)["matches"][0]
    assert (match["id"], match["matchType"]) == (RECORD_ID, "pattern")
    assert match["url"] == f"{url}/sgl-project/sglang/{SLUG}/"
    assert [block.text for block in by_id.content] == [block.text for block in by_slug.content]
    assert f"**Message:** `{MESSAGE}`" in by_id.content[0].text
    assert "## Solutions" in by_id.content[0].text
    listed = json.loads(repos.content[0].text)["repos"]
    assert {row["repo"]: row["errorCount"] for row in listed} == {"sgl-project/sglang": 232, "pypi/shelf": 2}
