"""The JSON routes of the contract."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from errdex.model.record import Record
from errdex.publish.lineage import Gone, Moved, removed_words
from errdex.publish.wire import answer_body, encode, error_body, gone_facts, repo_rows, search_body
from errdex.search.ask import Only
from errdex.search.levels import levels_asked, of_levels
from errdex.web.paste import question_text
from errdex.web.refusal import Refusal
from errdex.web.reply import JSON, NEVER, REVALIDATE, Body, body, send
from errdex.web.state import State, state_of

DEFAULT_MATCHES = 5
MAX_MATCHES = 25

_ID = re.compile(r"[0-9a-f]{16}")


async def error(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with a record and its evidence; 308 where it was superseded, 410 where it was removed."""
    state, record_id = state_of(request), request.path_params["id"]
    ready = state.body(("api-error", record_id), lambda: _error_body(state, record_id))
    if ready is not None:
        return send(request, ready)
    former = state.catalog.record(record_id) if _ID.fullmatch(record_id) else None
    if former is not None:
        return await _former(request, former.record)
    raise Refusal(
        404, f"No error has the id {record_id[:40]!r}.", "An id is 16 hex digits.", slug="unknown-error"
    )


async def _former(request: Request, record: Record) -> Response:
    """Answer for a record that its repository's newest revision lacks."""
    state = state_of(request)
    lineage = await run_in_threadpool(state.lineage, record.repo)
    fate = lineage.fate(record.id)
    if isinstance(fate, Moved):
        # A 308 without a limit is kept for ever, and an error may come back under its old words.
        headers = {"Access-Control-Allow-Origin": "*", "Cache-Control": REVALIDATE}
        return RedirectResponse(state.site.api_error(fate.successor.id), 308, headers)
    assert isinstance(fate, Gone)
    more = gone_facts(record, fate, state.site)
    raise Refusal(410, removed_words(record, fate), slug="removed", more=more)


async def search(request: Request, given: Mapping[str, Any]) -> Response:
    """Answer a message or traceback with the errors it may be, a question in other words with the nearest."""
    state, repo, limit = state_of(request), given["repo"], given["limit"]
    query, levels = levels_asked(given["q"])
    answer = await state.answer(query)
    summaries = state.catalog.summaries_by_id(match.id for match in answer.matches)
    answer = of_levels(answer, levels, summaries)
    near = [] if answer.matches else await state.near(query, only=Only(repo=repo, levels=levels), limit=limit)
    content = search_body(
        answer, summaries, query, state.dataset_version, state.site, repo=repo, limit=limit, near=near
    )
    return send(request, body(content, JSON), cache=NEVER)


async def explain(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer a pasted text with verdict and ranked matches, as `errdex explain --json` does."""
    text = await question_text(request)
    state = state_of(request)
    answer = await state.answer(text)
    return send(request, body(answer_body(answer, state.site), JSON), cache=NEVER)


async def repos(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with every repository."""
    state = state_of(request)
    return _json(
        request, "repos", {"repos": repo_rows(state.repos()), "datasetVersion": state.dataset_version}
    )


async def families(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with every family that claims an error."""
    state = state_of(request)
    rows = [msgspec.to_builtins(row) for row in state.families()]
    return _json(request, "families", {"families": rows, "datasetVersion": state.dataset_version})


async def health(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer that the catalog can be read."""
    state = state_of(request)
    version = await run_in_threadpool(lambda: state.catalog.dataset_version)
    return send(request, body(encode({"ok": True, "datasetVersion": version}), JSON), cache=NEVER)


def _error_body(state: State, record_id: str) -> Body | None:
    """Return the ready body of a record that its repository's newest revision has."""
    stored = state.catalog.record(record_id) if _ID.fullmatch(record_id) else None
    if stored is None:
        return None
    row = state.repo(stored.record.repo)
    if row is not None and row.analyzed_sha != stored.record.analyzed_sha:
        return None
    return body(error_body(stored, state.dataset_version, state.site), JSON)


def _json(request: Request, key: str, value: object) -> Response:
    ready = state_of(request).body(("json", key), lambda: body(encode(value), JSON))
    assert ready is not None
    return send(request, ready)


async def description(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the API's OpenAPI description."""
    state = state_of(request)
    return _json(request, "openapi", state.description)
