"""How a refusal is answered: a page for a browser, the one JSON shape for everyone else."""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import Response

from errdex.publish.wire import refusal_body
from errdex.web.refusal import Refusal
from errdex.web.reply import HTML, JSON, NEVER, body, send
from errdex.web.state import state_of

_log = logging.getLogger("errdex.web")

_TITLES = {
    400: "That was not understood",
    404: "There is no such page",
    405: "This address takes another method",
    410: "This error is gone",
    413: "That is too much text",
    415: "That form is not understood",
    500: "The server made a mistake",
    503: "Too busy just now",
}


def refused(request: Request, refusal: Refusal, cause: Exception) -> Response:
    """Answer `request` with a refusal; our own bugs go to the log with their traceback, never to the client."""
    status = refusal.status_code
    if status == 500:
        _log.error("bug while answering %s %s", request.method, request.url.path, exc_info=cause)
    headers = dict(refusal.headers or {})
    headers.setdefault("Access-Control-Allow-Origin", "*")
    if wants_page(request):
        text = f"{refusal.problem} {refusal.hint}".rstrip()
        page = state_of(request).renderer.message(status, _TITLES.get(status, "Refused"), text)
        return send(request, body(page, HTML), status=status, cache=NEVER, headers=headers)
    content = refusal_body(status, refusal.slug, refusal.problem, refusal.hint, refusal.more)
    return send(request, body(content, JSON), status=status, cache=NEVER, headers=headers)


def wants_page(request: Request) -> bool:
    """Whether the client is a browser asking for a page: it names HTML, and the address is no program's."""
    path = request.url.path.removeprefix(state_of(request).site.prefix)
    is_for_programs = path.startswith(("/api/", "/data/")) or path.endswith((".json", ".xml", ".txt"))
    return not is_for_programs and "text/html" in request.headers.get("accept", "")
