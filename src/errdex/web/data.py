"""The dataset and the small documents, from the live catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from errdex.publish import documents
from errdex.publish.schema import record_schema
from errdex.publish.wire import encode
from errdex.web.refusal import Refusal
from errdex.web.reply import JSON, REVALIDATE, TEXT, XML, accepts_gzip, body, has_already, send
from errdex.web.state import State, state_of

RSS = "application/rss+xml; charset=utf-8"


async def dataset_file(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with one of the dataset's own files: manifest, index (plain or gzipped), repositories."""
    state = state_of(request)
    name = request.url.path.rpartition("/")[2]
    folder = await run_in_threadpool(state.dataset.folder, state.dataset_version)
    media_type = "application/gzip" if name.endswith(".gz") else JSON
    return _file(request, folder / "data" / name, media_type)


async def repo_file(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with one repository's records (a bare array of 31-key objects), their evidence, or its lineage."""
    state = state_of(request)
    owner, name = request.path_params["owner"], request.path_params["name"]
    repo = f"{owner}/{name}"
    if state.repo(repo) is None:
        raise Refusal(404, f"{repo[:120]} is not in this catalog.", slug="unknown-repo")
    make = {
        "repos": state.dataset.records_file,
        "evidence": state.dataset.evidence_file,
        "lineage": state.dataset.lineage_file,
    }[request.url.path.split("/")[2]]
    path = await run_in_threadpool(make, state.dataset_version, repo)
    return _file(request, path, "application/gzip" if path.suffix == ".gz" else JSON)


async def schema(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the JSON Schema of a record."""
    return _document(request, "schema", JSON, lambda _state: encode(record_schema()))


async def llms(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with llms.txt."""
    return _document(request, "llms", TEXT, lambda state: documents.llms(state.site, state.repos()))


async def robots(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with robots.txt."""
    return _document(request, "robots", TEXT, lambda state: documents.robots(state.site))


async def rss(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the feed of analyses."""
    return _document(request, "rss", RSS, lambda state: documents.rss(state.site, state.repos()))


async def sitemap_index(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the index of sitemaps."""
    return _document(
        request, "sitemaps", XML, lambda state: documents.sitemap_index(state.site, state.repos())
    )


async def sitemap_pages(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with the sitemap of everything but the errors."""
    return _document(
        request,
        "sitemap-pages",
        XML,
        lambda state: documents.page_sitemap(
            state.site,
            state.repos(),
            state.families(),
            {row.repo: state.catalog.revisions(row.repo) for row in state.repos()},
        ),
    )


async def sitemap_repo(request: Request, _given: Mapping[str, Any]) -> Response:
    """Answer with one sitemap of a repository's errors."""
    state = state_of(request)
    repo, text = (
        f"{request.path_params['owner']}/{request.path_params['name']}",
        request.path_params["number"],
    )
    row = state.repo(repo)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if row is None or not 1 <= number <= documents.sitemap_count(row):
        raise Refusal(404, "There is no such sitemap.", "/sitemap-index.xml lists them.")

    def make(state: State) -> str:
        size = documents.SITEMAP_URLS
        rows = state.catalog.summaries(repo, offset=(number - 1) * size, limit=size)
        return documents.sitemap(
            state.site, (state.site.error(repo, one.slug) for one in rows), row.analyzed_at
        )

    return _document(request, ("sitemap", repo, number), XML, make)


def _file(request: Request, path: Path, media_type: str) -> Response:
    """Answer with a file of the dataset, its packed twin if there is one and the client takes it."""
    twin = path.with_name(path.name + ".gz")
    is_packed = twin.is_file() and accepts_gzip(request)
    key = f"{state_of(request).dataset_version} {request.url.path} {is_packed}"
    etag = f'"{hashlib.sha256(key.encode()).hexdigest()[:24]}"'
    headers = {"Access-Control-Allow-Origin": "*", "Cache-Control": REVALIDATE, "ETag": etag}
    headers["Vary"] = "Accept-Encoding"
    if has_already(request, etag):
        return Response(status_code=304, headers=headers)
    if is_packed:
        headers["Content-Encoding"] = "gzip"
    return FileResponse(twin if is_packed else path, headers=headers, media_type=media_type)


def _document(request: Request, key: Any, media_type: str, make: Callable[[State], str | bytes]) -> Response:
    state = state_of(request)
    ready = state.body(("document", key), lambda: body(make(state), media_type))
    assert ready is not None
    return send(request, ready)
