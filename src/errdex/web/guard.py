"""What stands before every handler: security headers, CORS for programs, a limit on requests at once."""

from __future__ import annotations

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errdex.publish.security import HEADER_POLICY
from errdex.publish.wire import refusal_body

MAX_REQUESTS_AT_ONCE = 128
"""Requests being answered; beyond it a client hears 503 at once rather than waits without end."""
MAX_TARGET_BYTES = 56_000
"""Longest path and query string together."""

_SECURITY = {
    "Content-Security-Policy": HEADER_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
    "Access-Control-Expose-Headers": "ETag",
    "Access-Control-Max-Age": "86400",
}


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, most: int = MAX_REQUESTS_AT_ONCE) -> None:
        self._app, self._most, self._running = app, most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what needs no handler; pass all else on, its response's headers completed."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await _answer(send, 204, b"", _PREFLIGHT)
        elif len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_TARGET_BYTES:
            await _refuse(
                send, 400, "address-too-long", "The address is too long.", "POST long texts to /api/explain."
            )
        elif self._running >= self._most:
            await _refuse(send, 503, "too-busy", "Too many requests at once.", "Try again in a second.")
        else:
            self._running += 1
            try:
                # A short question is answered without a pause: let all that came in with it be counted first.
                await asyncio.sleep(0)
                await self._app(scope, receive, _with_headers(send))
            finally:
                self._running -= 1


def _with_headers(send: Send) -> Send:
    async def complete(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY.items():
                headers.setdefault(name, value)
        await send(message)

    return complete


async def _refuse(send: Send, status: int, slug: str, problem: str, hint: str) -> None:
    headers = {
        "Content-Type": "application/json",
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": "no-store",
    }
    if status == 503:
        headers["Retry-After"] = "1"
    await _answer(send, status, refusal_body(status, slug, problem, hint), headers)


async def _answer(send: Send, status: int, content: bytes, headers: dict[str, str]) -> None:
    pairs = {**_SECURITY, **headers}
    if status != 204:
        pairs["Content-Length"] = str(len(content))
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in pairs.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
