"""The MCP server: tools, resources and a prompt over one source of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import anyio.to_thread
import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from errdex import __version__
from errdex.catalog import Catalog, StoredRecord
from errdex.errors import ErrdexError
from errdex.mcp import words
from errdex.mcp.budget import DEFAULT_TOKENS, MAX_TOKENS, within
from errdex.mcp.interface import Records
from errdex.model.answer import Match
from errdex.model.explanation import Level
from errdex.model.record import Evidence, Record
from errdex.pipeline.reachable import errors_of_call
from errdex.publish.families import family_page
from errdex.publish.lineage import Gone, Lineage, removed_words
from errdex.publish.links import Site
from errdex.publish.wire import error_body
from errdex.search import Explained, answer, explain
from errdex.search.ask import Only, is_question
from errdex.search.levels import levels_asked, of_levels

INSTRUCTIONS = """\
What Python libraries' errors mean and what to do, read out of their source at a pinned version.
Have a traceback? Call explain_traceback with all of it. Only a message? search_error.
Answers begin with a verdict: exact, likely, ambiguous, no-match or unindexed. Believe no-match.
"""

MAX_TEXT_CHARACTERS = 1_000_000

Budget = Annotated[int, Field(ge=60, le=MAX_TOKENS, description="About how many tokens the answer may cost.")]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)]
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def create_server(records: Records, *, base_url: str = "http://127.0.0.1:8023") -> MCPServer:
    """Return the server over `records`; `base_url` is where the pages it names stand."""
    server = MCPServer("errdex", instructions=INSTRUCTIONS, version=__version__)
    site = Site(base_url=base_url.rstrip("/"))
    _add_lookups(server, records, site)
    _add_lists(server, records)
    _add_resources(server, records, site)
    return server


def _add_lookups(server: MCPServer, records: Records, site: Site) -> None:
    @server.tool(annotations=_READS, structured_output=False)
    async def explain_traceback(traceback: Text, budget: Budget = DEFAULT_TOKENS) -> str:
        """Explain a pasted traceback or log: which error of which library, why, with which values, what to do.

        Paste all of it, chains and frames included; frames tell errors of equal words apart.
        """
        return await _told(records, budget, lambda: _explained(records, traceback, site))

    @server.tool(annotations=_READS, structured_output=False)
    async def search_error(
        message: Text,
        repo: Annotated[str | None, Field(description="Only errors of this owner/name.")] = None,
        level: Annotated[Level | None, Field(description="Only errors of this level of proof.")] = None,
        limit: Annotated[int, Field(ge=1, le=25)] = 5,
        budget: Budget = DEFAULT_TOKENS,
    ) -> str:
        """Find the errors that a message may be: as it was printed, without changes, or a question in your own words."""

        def search() -> list[str]:
            asked, named = levels_asked(message)
            only = Only(repo=repo, levels=named | ({level} if level else set()))
            found = answer(asked, records.index)
            summaries = records.catalog.summaries_by_id(match.id for match in found.matches)
            found = of_levels(found, only.levels, summaries)
            lines = list(words.search_lines(found, summaries, repo, site))[: limit + 1]
            if found.matches or not is_question(asked):
                return lines
            near = records.asking.ask(asked, only=only, limit=limit)
            return [*lines, *words.near_lines(near, site)]

        return await _told(records, budget, search)

    @server.tool(annotations=_READS, structured_output=False)
    async def get_error(
        id: Annotated[str | None, Field(description="16 hex digits.")] = None,  # noqa: A002 - the name peers give it
        repo: str | None = None,
        slug: str | None = None,
        budget: Budget = DEFAULT_TOKENS,
    ) -> str:
        """Show one error by its id, or by repo and slug: meaning, solutions, fix, when it happens, source."""

        def show() -> list[str]:
            stored = _stored(records, id, repo, slug)
            if stored is None:
                return [
                    "no-match: There is no such error. Give an id, or repo and slug, as search_error names them."
                ]
            return list(_shown(records.catalog, stored, site))

        return await _told(records, budget, show)


def _shown(catalog: Catalog, stored: StoredRecord, site: Site) -> Iterator[str]:
    """Yield an error as it is now: its successor's lines where it has one, the version it left in where it is gone."""
    row = catalog.repo(stored.record.repo)
    if row is not None and row.analyzed_sha != stored.record.analyzed_sha:
        fate = Lineage(catalog, row.repo).fate(stored.record.id)
        if isinstance(fate, Gone):
            yield removed_words(stored.record, fate)
        elif fate is not None and (successor := catalog.record(fate.successor.id)) is not None:
            yield f"It was reworded or moved; this is {successor.record.id}, which took its place:"
            stored = successor
    yield from words.record_lines(stored, site)


def _add_lists(server: MCPServer, records: Records) -> None:
    @server.tool(annotations=_READS, structured_output=False)
    async def list_repos(budget: Budget = DEFAULT_TOKENS) -> str:
        """List the libraries whose errors are known."""

        def listed() -> list[str]:
            return list(words.repo_lines(records.catalog.repos(), records.catalog.dataset_version))

        return await _told(records, budget, listed)

    @server.tool(
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False), structured_output=False
    )
    async def refresh_dataset() -> str:
        """Look for newer data and say which version answers come from."""

        def refresh() -> list[str]:
            done = records.refresh()
            state = "stale" if done.stale else "updated" if done.updated else "unchanged"
            return [f"{state}: dataset {done.dataset_version}, {done.errors} errors. {done.detail}"]

        return await _told(records, DEFAULT_TOKENS, refresh, noted=False)

    @server.tool(annotations=_READS, structured_output=False)
    async def errors_of(
        call: Annotated[
            str,
            Field(min_length=1, max_length=300, description="Dotted name as imported: requests.Session.get"),
        ],
        budget: Budget = DEFAULT_TOKENS,
    ) -> str:
        """List the errors that calling a function of an installed library can raise, and under which condition."""

        def follow() -> list[str]:
            found, release = errors_of_call(call)
            return list(words.errors_of_lines(found, release))

        return await _told(records, budget, follow, noted=False)


def _add_resources(server: MCPServer, records: Records, site: Site) -> None:
    @server.resource(
        "errdex://errors/{id}", mime_type="application/json", description="One error, all of it."
    )
    async def error(id: str) -> str:  # noqa: A002 - the template's own name
        stored = await anyio.to_thread.run_sync(records.catalog.record, id)
        if stored is None:
            return msgspec.json.encode({"ok": False, "status": 404, "errors": []}).decode()
        return error_body(stored, records.catalog.dataset_version, site).decode()

    @server.resource(
        "errdex://families/{slug}", mime_type="text/plain", description="What a family's errors share."
    )
    async def family(slug: str) -> str:
        page = family_page(slug)
        parts = {"": page.title, "Means: ": page.means, "Not this: ": page.not_this, "Fix: ": page.fix}
        return "\n".join(name + text for name, text in parts.items() if text)

    @server.prompt(description="Find out what a traceback means and mend the code.")
    def fix_error(traceback: str) -> str:
        return (
            "Call explain_traceback with the text below. If its verdict is exact or likely, apply the first solution "
            "that fits this code and say which; otherwise say that the error is not known and reason from the code.\n\n"
            f"{traceback}"
        )


async def _told(records: Records, budget: int, make: Callable[[], list[str]], *, noted: bool = True) -> str:
    """Return the lines of `make` within `budget`; what we raise on purpose is an answer too."""

    def lines() -> list[str]:
        try:
            return make()
        except ErrdexError as error:
            return [f"refused: {error}"]

    made = await anyio.to_thread.run_sync(lines)
    return within([records.note, *made] if noted and records.note else made, budget)


def _explained(records: Records, text: str, site: Site) -> list[str]:
    found = explain(text, records.index, installed=True)
    best = _best(records, found) if found.answer.matches else None
    return list(words.answer_lines(found.answer, best, site))


def _best(records: Records, found: Explained) -> StoredRecord | None:
    """Return the record of the first match, from the catalog or as it was read on the spot."""
    match: Match = found.answer.matches[0]
    on_the_spot: tuple[Record, Evidence] | None = found.record(match)
    if on_the_spot is not None:
        return StoredRecord(record=on_the_spot[0], evidence=on_the_spot[1])
    return records.catalog.record(match.id)


def _stored(
    records: Records, record_id: str | None, repo: str | None, slug: str | None
) -> StoredRecord | None:
    if record_id:
        return records.catalog.record(record_id.strip())
    return records.catalog.record_by_slug(repo, slug) if repo and slug else None
