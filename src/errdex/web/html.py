"""The pages: each handler finds its rows and hands them to the renderer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from errdex.catalog import RepoRow, StoredRecord, Summary
from errdex.model.answer import Answer
from errdex.publish.files import published_assets
from errdex.publish.lineage import Gone, Lineage, Moved
from errdex.publish.links import PAGE_SIZE, page_count
from errdex.publish.pages import source_pages
from errdex.search.ask import Found, Only
from errdex.search.levels import levels_asked, of_levels
from errdex.web.paste import form_text
from errdex.web.refusal import Refusal
from errdex.web.reply import FOR_EVER, HTML, NEVER, REVALIDATE, Body, body, send
from errdex.web.state import State, state_of

MOST_NEAR = 8
"""Errors shown for a question that no error is worded like."""
MAX_RAISED = 5_000
"""Errors of one file that its source page links to."""


async def home(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the first page."""
    state = state_of(request)
    return _page(request, "home", lambda: state.renderer.home(state.repos(), state.families()))


async def about(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the page that explains levels, marks and verdicts."""
    return _page(request, "about", state_of(request).renderer.about)


async def families(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the list of families."""
    state = state_of(request)
    return _page(request, "families", lambda: state.renderer.families(state.families()))


async def family(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with one page of a family's errors."""
    state, slug, page = state_of(request), request.path_params["family"], _page_number(request)
    row = next((row for row in state.families() if row.slug == slug), None)
    if row is None:
        raise Refusal(
            404, f"No error of this catalog belongs to a family {slug[:80]!r}.", slug="unknown-family"
        )
    _check_page(page, row.error_count)

    def render() -> str:
        members = state.catalog.family_members(slug, offset=(page - 1) * PAGE_SIZE, limit=PAGE_SIZE)
        return state.renderer.family(row, members, page=page, repos=state.catalog.family_repos(slug))

    return _page(request, ("family", slug, page), render)


async def repo(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with one page of a repository's errors, of all families or of one."""
    state, row = state_of(request), _repo(request)
    page, wanted = _page_number(request), request.path_params.get("family")
    families, modules = await run_in_threadpool(state.counts, row.repo)
    lineage = await run_in_threadpool(state.lineage, row.repo)
    total = row.error_count if wanted is None else dict(families).get(wanted, 0)
    if wanted is not None and not total:
        raise Refusal(
            404, f"No error of {row.repo} belongs to a family {wanted[:80]!r}.", slug="unknown-family"
        )
    _check_page(page, total)

    def render() -> str:
        summaries = state.catalog.summaries(
            row.repo, offset=(page - 1) * PAGE_SIZE, limit=PAGE_SIZE, family=wanted
        )
        return state.renderer.repo(
            row,
            summaries,
            total=total,
            page=page,
            family=wanted,
            families=families if wanted is None else (),
            modules=modules if wanted is None else (),
            steps=lineage.steps if wanted is None else (),
            release=lineage.release,
        )

    return _page(request, ("repo", row.repo, page, wanted), render)


async def version(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with one page of what a version changed."""
    state, row = state_of(request), _repo(request)
    label, page = request.path_params["version"], _page_number(request)
    lineage = await run_in_threadpool(state.lineage, row.repo)
    step = lineage.step(label) if len(lineage.steps) > 1 else None
    if step is None:
        raise Refusal(
            404,
            f"This catalog cannot say what {label[:80]!r} changed in {row.repo}.",
            "It takes two analysed versions, of which this is one.",
            slug="unknown-version",
        )
    _check_page(page, len(step.changes))
    return _page(
        request,
        ("version", row.repo, label, page),
        lambda: state.renderer.version(lineage, step, page=page),
    )


async def error(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with an error's page; 308 to its successor's where it was superseded, 410 where it was removed."""
    state, name, slug = state_of(request), _repo_name(request), request.path_params["slug"]
    key = ("error", name, slug)
    found = state.body(key, lambda: None)
    if found is not None:
        return send(request, found)
    stored = state.catalog.record_by_slug(name, slug)
    if stored is None:
        raise Refusal(404, f"{name[:120]} has no error {slug[:120]!r} in this catalog.", slug="unknown-error")
    lineage = await run_in_threadpool(state.lineage, name)
    fate = lineage.fate(stored.record.id)
    if isinstance(fate, Moved):
        address = state.site.error(name, fate.successor.slug)
        return RedirectResponse(address, 308, {"Cache-Control": REVALIDATE})
    if fate is not None:
        return send(request, body(_render_error(state, stored, lineage, fate), HTML), status=410)
    ready = state.body(key, lambda: body(_render_error(state, stored, lineage), HTML))
    assert ready is not None
    return send(request, ready)


async def source(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with a page of a source file at a pinned revision."""
    state, name = state_of(request), _repo_name(request)
    revision, path = request.path_params["revision"], request.path_params["path"]

    def render() -> str | None:
        found, first = _source_page(state, name, revision, path)
        if found is None:
            return None
        text, file = found
        row = state.repo(name)
        is_newest = row is not None and row.analyzed_sha == revision
        raised = state.catalog.summaries(name, limit=MAX_RAISED, path=file) if is_newest else []
        return state.renderer.source(name, revision, file, text, raised, first=first)

    key = ("source-page", name, revision, path)
    found = await run_in_threadpool(state.body, key, lambda: _html(render()))
    if found is None:
        raise Refusal(
            404,
            f"The catalog holds no source of {path[:200]!r} in {name[:120]} at {revision[:40]!r}.",
            slug="unknown-source",
        )
    return send(request, found)


def _source_page(state: State, name: str, revision: str, path: str) -> tuple[tuple[str, str] | None, int]:
    """Return text and path of the file that an address means, and the first line of its page; see `Site.source`."""
    text = state.catalog.source(name, revision, path)
    if text is not None:
        return (text, path), 1
    file, _, number = path.rpartition("/")
    first = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 1
    text = state.catalog.source(name, revision, file) if first > 1 else None
    return ((text, file) if text is not None and first in source_pages(text) else None), first


async def asset(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with a stylesheet, script or icon, by its hashed name."""
    name = request.path_params["name"]
    found = published_assets().get(name)
    if found is None:
        raise Refusal(404, f"No file {name[:80]!r} belongs to these pages.", slug="unknown-file")
    ready = state_of(request).body(("asset", name), lambda: body(*found))
    assert ready is not None
    return send(request, ready, cache=FOR_EVER)


async def search_form(request: Request, given: Mapping[str, Any]) -> Response:
    """Answer with the search page, and with matches if the address asks something."""
    query = (given["q"] or "").strip()
    return await _search_page(request, query)


async def search_paste(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer a pasted traceback with the search page; the text is kept nowhere."""
    return await _search_page(request, await form_text(request))


async def _search_page(request: Request, query: str) -> Response:
    state = state_of(request)
    answer: Answer | None = None
    best: StoredRecord | None = None
    summaries: dict[str, Summary] = {}
    near: list[Found] = []
    words, levels = levels_asked(query)
    if words.strip():
        answer = await state.answer(words)
        summaries = state.catalog.summaries_by_id(match.id for match in answer.matches)
        answer = of_levels(answer, levels, summaries)
        near = [] if answer.matches else await state.near(words, only=Only(levels=levels), limit=MOST_NEAR)
        if answer.matches and answer.verdict in {"exact", "likely"}:
            best = state.catalog.record(answer.matches[0].id)
    page = state.renderer.search(query, answer, summaries, best, near)
    return send(request, body(page, HTML), cache=NEVER)


def _render_error(state: State, stored: StoredRecord, lineage: Lineage, gone: Gone | None = None) -> str:
    record = stored.record
    return state.renderer.error(
        stored,
        has_source=state.source_paths(record.repo, record.analyzed_sha),
        stages=lineage.stages(record.id),
        gone=gone,
    )


def _page(request: Request, key: Any, render: Callable[[], str]) -> Response:
    ready = state_of(request).body(("page", key), lambda: body(render(), HTML))
    assert ready is not None
    return send(request, ready)


def _html(text: str | None) -> Body | None:
    return None if text is None else body(text, HTML)


def _repo_name(request: Request) -> str:
    return f"{request.path_params['owner']}/{request.path_params['repo']}"


def _repo(request: Request) -> RepoRow:
    name = _repo_name(request)
    row = state_of(request).repo(name)
    if row is None:
        raise Refusal(
            404,
            f"{name[:120]} is not in this catalog.",
            "`errdex analyze` puts a library into it.",
            slug="unknown-repo",
        )
    return row


def _page_number(request: Request) -> int:
    """Return the page asked for; the first has one address only, without a number."""
    text = str(request.path_params.get("page", "1"))
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
    if "page" in request.path_params and number < 2:
        raise Refusal(404, f"There is no page {text[:20]!r}.", slug="unknown-page")
    return number


def _check_page(page: int, rows: int) -> None:
    if page > page_count(rows):
        raise Refusal(404, f"There is no page {page}: the last is {page_count(rows)}.", slug="unknown-page")
