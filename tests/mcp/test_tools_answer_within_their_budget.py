"""The official SDK's client against our server: every tool, over every transport."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import traceback

import pytest
from sample_catalog import ARTIFACT, HOSTILE, MESSAGE
from samples import proved

from errdex.mcp.budget import tokens_of, within
from errdex.mcp.records import LocalRecords
from errdex.mcp.server import create_server
from errdex.mcp.words import record_lines
from errdex.model.record import record_id
from errdex.publish.links import Site
from mcp import Client, StdioServerParameters

RECORD_ID = record_id(
    "sgl-project/sglang",
    MESSAGE,
    "python/sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py",
)
TOOLS = {"explain_traceback", "search_error", "get_error", "list_repos", "refresh_dataset", "errors_of"}
RUNTIME = "RuntimeError: unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16"


@pytest.fixture(scope="module")
def server(catalog):
    """The server over the sample catalog."""
    return create_server(LocalRecords(catalog), base_url="https://errors.test")


def ask(server, *calls):
    """Call tools in one session; return their texts."""

    async def run():
        async with Client(server) as client:
            answers = [await client.call_tool(name, arguments) for name, arguments in calls]
            return [(one.is_error, "".join(block.text for block in one.content)) for one in answers]

    return asyncio.run(run())


def test_every_tool_is_listed_with_its_words(server):
    """Six tools, each with a description and a schema that bounds its budget."""

    async def run():
        async with Client(server) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in asyncio.run(run())}
    assert set(tools) == TOOLS
    assert all(tool.description for tool in tools.values())
    assert tools["explain_traceback"].input_schema["properties"]["budget"]["default"] == 300


@pytest.mark.parametrize("budget", [60, 120, 300, 2000])
def test_an_answer_keeps_its_budget_and_begins_with_the_verdict(server, budget):
    """Whatever the budget, the verdict comes first and the answer costs no more."""
    [(_, text)] = ask(server, ("explain_traceback", {"traceback": RUNTIME, "budget": budget}))
    assert re.match(r"(exact|likely): ", text)
    assert tokens_of(text) <= budget


def test_the_explanation_holds_values_and_solutions(server):
    """The values taken out of the message, the meaning and the first solution fit the default budget."""
    [(_, text)] = ask(server, ("explain_traceback", {"traceback": RUNTIME}))
    assert "unified_kv.dtype = torch.float16" in text
    assert "Means: " in text
    assert "Do 1: " in text
    assert RECORD_ID in text


def test_an_error_is_shown_with_its_level_and_both_calls():
    """The level with its meaning, the grade, the call that fails with its output and the one that passes."""
    text = "\n".join(record_lines(proved(), Site(base_url="https://errors.test")))
    assert "Level: proved. " in text
    assert "Grade A: a public function was called with real objects." in text
    assert re.search(rf"^Fails:\n(.*\n)+{re.escape(RUNTIME)}$", text, re.MULTILINE)
    assert "Passes (returned):\n" in text


def test_a_search_keeps_to_a_level(server):
    """By its parameter, or by `level:` among the words."""
    calls = [
        ("search_error", {"message": RUNTIME, "level": "tested"}),
        ("search_error", {"message": f"level:proved {RUNTIME}"}),
    ]
    [(_, found), (_, left_out)] = ask(server, *calls)
    assert RECORD_ID in found
    assert RECORD_ID not in left_out
    assert left_out.startswith("no-match: No error of the level proved fits")


def test_search_then_get_by_id_and_by_slug(server):
    """The id and the address that search names lead to the same error."""
    [(_, found)] = ask(server, ("search_error", {"message": "thing number 7 is not a thing", "budget": 600}))
    identity = re.search(r"^([0-9a-f]{16}) (\S+) ", found, re.MULTILINE)
    slug = re.search(r"/sgl-project/sglang/([\w-]+)/", found)
    assert identity is not None
    assert slug is not None
    by_id, by_slug = ask(
        server,
        ("get_error", {"id": identity[1]}),
        ("get_error", {"repo": "sgl-project/sglang", "slug": slug[1]}),
    )
    assert by_id == by_slug
    assert "thing number 7 is not a thing" in by_id[1]


def test_a_question_in_other_words_gets_what_is_nearest_after_the_verdict(server):
    """Where no message matches the verdict says so first; what comes near follows, within limit and budget."""
    [(_, found)] = ask(
        server,
        (
            "search_error",
            {"message": "why can I put no more books on my shelf", "limit": 2, "budget": 600},
        ),
    )
    verdict, heading, *rows = found.splitlines()
    assert verdict.startswith("no-match: ")
    assert heading == "Not worded so, but nearest to the question:"
    assert "the shelf is full" in rows[0]
    assert len(rows) == 2


def test_an_old_id_leads_to_what_took_its_place(server):
    """A reworded error's old id shows the new one and says so; a removed one says when it left."""
    reworded, removed = ask(
        server,
        ("get_error", {"id": record_id(ARTIFACT, "the shelf is full", "shelf/books.py")}),
        ("get_error", {"repo": ARTIFACT, "slug": "the-book-is-torn"}),
    )
    successor = record_id(ARTIFACT, "the shelf is full: {len(books)} books", "shelf/books.py")
    assert reworded[1].startswith(f"It was reworded or moved; this is {successor}, which took its place:")
    assert "the shelf is full: {len(books)} books" in reworded[1]
    assert removed[1].startswith("This error left pypi/shelf in shelf 1.1; it was last seen in shelf 1.0.")


def test_lists_and_refresh_name_the_dataset(server, catalog):
    """`list_repos` and `refresh_dataset` say which version they speak of."""
    listed, refreshed = ask(server, ("list_repos", {}), ("refresh_dataset", {}))
    assert "sgl-project/sglang: 232 errors" in listed[1]
    assert catalog.dataset_version in listed[1]
    assert catalog.dataset_version in refreshed[1]


def test_what_is_not_known_is_said_so(server):
    """No invention for a message of no library, an unknown id, an unknown call, a missing argument."""
    nothing, unknown, call, empty = ask(
        server,
        ("explain_traceback", {"traceback": "qwertz uiop"}),
        ("get_error", {"id": "0" * 16}),
        ("errors_of", {"call": "no_such_package_xyz.f"}),
        ("get_error", {}),
    )
    assert nothing[1].startswith("no-match")
    assert unknown[1].startswith("no-match")
    assert call[1].startswith("refused: ")
    assert empty[1].startswith("no-match")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("explain_traceback", {}), ("explain_traceback", {"traceback": ""}), ("explain_traceback", {"traceback": "x", "budget": 1}),
        ("search_error", {"message": "x", "limit": 0}), ("search_error", {"message": 7.5}), ("errors_of", {"call": "x" * 400}),
    ],
)  # fmt: skip
def test_bad_arguments_are_an_error_of_the_call(server, name, arguments):
    """Arguments out of bounds are refused as the protocol wants, and the session goes on."""
    bad, good = ask(server, (name, arguments), ("list_repos", {}))
    assert bad[0]
    assert not good[0]


def test_the_errors_of_an_installed_call(server):
    """`errors_of` reads an installed package and lists what a call can raise, sure ones first."""
    [(is_error, text)] = ask(server, ("errors_of", {"call": "click.Choice.convert", "budget": 1000}))
    assert not is_error
    assert "click.Choice.convert" in text.splitlines()[0]
    assert "BadParameter" in text


def test_an_error_of_an_installed_package_is_explained_on_the_spot(server):
    """A real traceback of a library that the catalog lacks is answered from its installed source."""
    import click

    try:
        click.Choice(["a", "b"]).convert("c", None, None)
    except click.BadParameter:
        text = traceback.format_exc()
    [(_, told)] = ask(server, ("explain_traceback", {"traceback": text}))
    assert told.startswith(("exact", "likely"))
    assert "click" in told


def test_records_and_families_are_resources(server):
    """An error is a resource in JSON, a family one in text, and both are listed as templates."""

    async def run():
        async with Client(server) as client:
            templates = (await client.list_resource_templates()).resource_templates
            error = await client.read_resource(f"errdex://errors/{RECORD_ID}")
            family = await client.read_resource("errdex://families/tensor-dtype-mismatch")
            prompt = await client.get_prompt("fix_error", {"traceback": RUNTIME})
            return templates, error.contents[0].text, family.contents[0].text, prompt.messages[0].content.text

    templates, error, family, prompt = asyncio.run(run())
    assert {one.uri_template for one in templates} == {"errdex://errors/{id}", "errdex://families/{slug}"}
    assert json.loads(error)["record"]["id"] == RECORD_ID
    assert "Means: " in family
    assert RUNTIME in prompt


def test_a_hostile_message_is_one_visible_line(server):
    """Bidi marks and ten thousand letters neither hide nor burst the budget."""
    identity = record_id("sgl-project/sglang", HOSTILE, "sglang/things.py")
    [(_, text)] = ask(server, ("get_error", {"id": identity}))
    assert "\u202e" not in text
    assert tokens_of(text) <= 300


def test_over_standard_input_and_output(catalog):
    """`errdex mcp` speaks the protocol on stdio, and nothing else on stdout."""

    async def run():
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "errdex", "mcp", "--catalog", catalog.where],
            env=dict(os.environ),
        )
        async with Client(parameters) as client:
            tools = await client.list_tools()
            answer = await client.call_tool("explain_traceback", {"traceback": RUNTIME})
            return {tool.name for tool in tools.tools}, answer.content[0].text

    names, text = asyncio.run(run())
    assert names == TOOLS
    assert RECORD_ID in text


def test_over_streamable_http(catalog):
    """`errdex mcp --http` speaks the protocol at /mcp."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "errdex",
        "mcp",
        "--http",
        "--port",
        str(port),
        "--catalog",
        catalog.where,
    ]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    try:
        for line in running.stderr:  # uvicorn says when it listens
            if "running on" in line:
                break

        async def run():
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                return (await client.call_tool("explain_traceback", {"traceback": RUNTIME})).content[0].text

        assert RECORD_ID in asyncio.run(run())
    finally:
        running.terminate()
        running.communicate()


def test_a_published_dataset_is_kept_and_said_to_be_stale(catalog, tmp_path):
    """From a URL: fetched once, answered from the copy when the host is gone, with a warning."""
    import functools
    import http.server
    import threading

    from test_pulling_a_dataset import Quiet

    from errdex.mcp.records import PublishedRecords
    from errdex.publish.links import Site
    from errdex.publish.site import publish

    publish(catalog, tmp_path / "site", Site(base_url="https://errors.test", mode="static"))
    host = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path / "site"))
    )
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{host.server_address[1]}"
    first = PublishedRecords(url, tmp_path / "cache")
    [(_, fresh)] = ask(create_server(first, base_url=url), ("search_error", {"message": RUNTIME}))
    assert fresh.startswith(("exact", "likely"))
    assert not first.refresh().updated
    host.shutdown()
    thread.join()
    host.server_close()
    again = PublishedRecords(url, tmp_path / "cache")
    [(_, stale)] = ask(create_server(again, base_url=url), ("search_error", {"message": RUNTIME}))
    assert stale.startswith("Stale: ")
    assert RECORD_ID in stale
    for records in (first, again):
        records.catalog.close()


def test_lines_are_dropped_whole():
    """A line that does not fit is left out and said to be; a first line that is too long is cut."""
    assert within(["verdict", "word " * 400, "never"], 100) == "verdict\n… more with a larger budget."
    assert within(["x" * 5000], 60).endswith("…\n… more with a larger budget.")
