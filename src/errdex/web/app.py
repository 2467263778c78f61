"""The app: the route table made into Starlette routes, one answer to every failure, headers on every response."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from errdex.catalog import Catalog
from errdex.publish.links import Site
from errdex.search import Index
from errdex.web.guard import Guard
from errdex.web.lookup import Lookup
from errdex.web.openapi import describe_api
from errdex.web.parameters import read
from errdex.web.refusal import refusal_of
from errdex.web.refused import refused
from errdex.web.routes import ADDRESSES, Address
from errdex.web.state import State

_NO_PAGES = {"api", "assets", "data", "sitemaps", "source"}
_SINGLE_PAGES = {"about", "info", "search"}


def create_app(
    catalog: Catalog,
    *,
    index: Index | None = None,
    base_url: str = "http://127.0.0.1:8023",
    report_url: str = "mailto:",
) -> Starlette:
    """Return the ASGI app that serves `catalog`.

    Args:
        catalog: Read on every request; changes show within half a second.
        index: Answers searches; None: one is built from the catalog when first needed, and kept.
        base_url: Where the app is reached from outside; links in pages and JSON begin with it.
        report_url: Who hears of mistakes, see `Site.report_url`.
    """
    site = Site(base_url=base_url.rstrip("/"), report_url=report_url)
    state = State(catalog, site, Lookup(catalog, index), description=describe_api(ADDRESSES, site))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        state.dataset.close()

    app = Starlette(
        routes=[*_routes()],
        lifespan=lifespan,
        middleware=[Middleware(Guard)],
        exception_handlers={Exception: _answer_failure, 404: _answer_failure, 405: _answer_failure},
    )
    app.state.errdex = state
    app.router.redirect_slashes = False  # Starlette's own takes `/api/x` for a library's page
    return app


def _routes() -> list[Route]:
    """Return one Starlette route per address; GET also answers HEAD."""
    return [
        Route(
            address.path,
            _endpoint(address),
            methods=[address.method],
            name=f"{address.method} {address.path}",
        )
        for address in ADDRESSES
    ]


def _endpoint(address: Address) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return await address.handler(request, read(request, address.parameters))
        except Exception as error:  # noqa: BLE001 - the top of the server: nothing leaves it unanswered
            return refused(request, refusal_of(error), error)

    return endpoint


async def _answer_failure(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 404 and _lacks_slash(request):
        return RedirectResponse(str(request.url.replace(path=request.url.path + "/")), 308)
    return refused(request, refusal_of(error), error)


def _lacks_slash(request: Request) -> bool:
    """Whether the address is a page's but for its last slash."""
    first, *rest = request.url.path.strip("/").split("/")
    if request.method not in {"GET", "HEAD"} or request.url.path.endswith("/") or first in _NO_PAGES:
        return False
    return first in _SINGLE_PAGES if not rest else True
