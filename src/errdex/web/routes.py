"""Every address of the server: path, method, parameters, what it answers. The API's description is made from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from errdex.web import api, data, html
from errdex.web.parameters import Parameter

Handler = Callable[[Request, Mapping[str, Any]], Awaitable[Response]]
Kind = Literal["page", "api", "data", "document"]


class Address(msgspec.Struct, frozen=True):
    """One route."""

    path: str
    """As Starlette writes it: `/api/errors/{id}`."""
    handler: Handler
    kind: Kind
    summary: str
    method: Literal["GET", "POST"] = "GET"
    parameters: tuple[Parameter, ...] = ()
    statuses: tuple[int, ...] = ()
    """Refusals it may answer with, beside 400 for parameters it does not know."""


_QUERY = Parameter(
    name="q",
    description="An error message, its last line, or a short traceback; `level:proved` in it keeps to one level of proof.",
    is_required=True,
)
_REPO = Parameter(name="repo", description="Only errors of this `owner/name`.", max_characters=200)
_LIMIT = Parameter(
    name="limit",
    kind="integer",
    description="How many matches at most.",
    minimum=1,
    maximum=api.MAX_MATCHES,
    default=api.DEFAULT_MATCHES,
)
_ASK = Parameter(name="q", description="What to look for.")

ADDRESSES = (
    Address("/", html.home, "page", "The first page."),
    Address("/about/", html.about, "page", "What levels, marks and verdicts mean."),
    Address("/search/", html.search_form, "page", "The search page.", parameters=(_ASK,)),
    Address(
        "/search/",
        html.search_paste,
        "page",
        "A pasted traceback, answered as a page.",
        "POST",
        (),
        (413, 415),
    ),
    Address("/info/", html.families, "page", "All families."),
    Address("/info/{family}/", html.family, "page", "A family.", statuses=(404,)),
    Address(
        "/info/{family}/page/{page}/", html.family, "page", "A family's further errors.", statuses=(404,)
    ),
    Address("/assets/{name}", html.asset, "page", "A stylesheet, script or icon.", statuses=(404,)),
    Address(
        "/source/{owner}/{repo}/{revision}/{path:path}",
        html.source,
        "page",
        "A source file at a pinned revision.",
        statuses=(404,),
    ),
    Address("/api/errors/{id}", api.error, "api", "One error: its record and evidence.", statuses=(404, 410)),
    Address(
        "/api/search",
        api.search,
        "api",
        "Errors that a message or traceback may be.",
        parameters=(_QUERY, _REPO, _LIMIT),
    ),
    Address(
        "/api/explain",
        api.explain,
        "api",
        "Verdict and ranked matches for a pasted text.",
        "POST",
        (),
        (413, 415),
    ),
    Address("/api/repos", api.repos, "api", "Every library."),
    Address("/api/families", api.families, "api", "Every family that claims an error."),
    Address(
        "/data/manifest.json", data.dataset_file, "data", "What the dataset holds, with sizes and hashes."
    ),
    Address("/data/index.json", data.dataset_file, "data", "Every error, as clients search it."),
    Address("/data/index.json.gz", data.dataset_file, "data", "The index, gzipped."),
    Address("/data/repos.json", data.dataset_file, "data", "Every library, as a bare array."),
    Address(
        "/data/repos/{owner}/{name}.json",
        data.repo_file,
        "data",
        "One library's records, as a bare array.",
        statuses=(404,),
    ),
    Address(
        "/data/evidence/{owner}/{name}.jsonl.gz",
        data.repo_file,
        "data",
        "What is known of one library's records beyond them, one to a line, gzipped.",
        statuses=(404,),
    ),
    Address(
        "/data/lineage/{owner}/{name}.json",
        data.repo_file,
        "data",
        "What became of records that one library's newest version lacks.",
        statuses=(404,),
    ),
    Address("/schema.json", data.schema, "document", "JSON Schema of a record."),
    Address("/openapi.json", api.description, "document", "This description."),
    Address("/llms.txt", data.llms, "document", "What there is, for language models."),
    Address("/robots.txt", data.robots, "document", "What crawlers may read."),
    Address("/sitemap-index.xml", data.sitemap_index, "document", "All sitemaps."),
    Address("/sitemaps/pages.xml", data.sitemap_pages, "document", "Sitemap of all pages but the errors'."),
    Address(
        "/sitemaps/{owner}/{name}/{number}.xml",
        data.sitemap_repo,
        "document",
        "Sitemap of a library's errors.",
        statuses=(404,),
    ),
    Address("/rss.xml", data.rss, "document", "Feed of analyses."),
    Address("/healthz", api.health, "document", "Whether the catalog can be read."),
    Address("/{owner}/{repo}/", html.repo, "page", "A library's errors.", statuses=(404,)),
    Address(
        "/{owner}/{repo}/page/{page}/", html.repo, "page", "A library's further errors.", statuses=(404,)
    ),
    Address(
        "/{owner}/{repo}/family/{family}/",
        html.repo,
        "page",
        "A library's errors of one family.",
        statuses=(404,),
    ),
    Address(
        "/{owner}/{repo}/family/{family}/page/{page}/",
        html.repo,
        "page",
        "Its further errors of that family.",
        statuses=(404,),
    ),
    Address(
        "/{owner}/{repo}/version/{version}/", html.version, "page", "What a version changed.", statuses=(404,)
    ),
    Address(
        "/{owner}/{repo}/version/{version}/page/{page}/",
        html.version,
        "page",
        "What else a version changed.",
        statuses=(404,),
    ),
    Address("/{owner}/{repo}/{slug}/", html.error, "page", "An error.", statuses=(404, 410)),
)
"""In order: an address is answered by the first path that fits it."""
