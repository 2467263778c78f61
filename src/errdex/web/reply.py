"""Ready bytes: bodies are encoded, hashed and compressed once, then sent many times."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

MIN_GZIP_BYTES = 1_000
"""Below one packet compression gains nothing."""
GZIP_LEVEL = 6

JSON = "application/json"
HTML = "text/html; charset=utf-8"
XML = "application/xml; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

REVALIDATE = "public, max-age=60, stale-while-revalidate=600"
"""For what changes when the catalog does."""
FOR_EVER = "public, max-age=31536000, immutable"
"""For what is named by its content."""
NEVER = "no-store"
"""For answers to pasted text."""


class Body(msgspec.Struct, frozen=True):
    """One response's content, ready to send."""

    content: bytes
    packed: bytes | None
    """The same, gzipped; None where that does not pay."""
    etag: str
    media_type: str


def body(content: bytes | str, media_type: str) -> Body:
    """Encode, hash and compress `content` once."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    packed = gzip.compress(data, GZIP_LEVEL, mtime=0) if len(data) >= MIN_GZIP_BYTES else None
    if packed is not None and len(packed) >= len(data):
        packed = None
    digest = hashlib.blake2b(data, digest_size=12).hexdigest()
    return Body(data, packed, digest, media_type)


def send(
    request: Request,
    ready: Body,
    *,
    status: int = 200,
    cache: str = REVALIDATE,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer with `ready`: compressed if the client takes that, 304 if it has it already."""
    is_packed = ready.packed is not None and accepts_gzip(request)
    etag = f'"{ready.etag}-gz"' if is_packed else f'"{ready.etag}"'
    shared = {"ETag": etag, "Cache-Control": cache, **(headers or {})}
    if ready.packed is not None:
        shared["Vary"] = "Accept-Encoding"
    if ready.media_type == JSON:
        shared["Access-Control-Allow-Origin"] = "*"
    if status == 200 and has_already(request, etag):
        return Response(status_code=304, headers=shared)
    if is_packed:
        shared["Content-Encoding"] = "gzip"
    content = ready.packed if is_packed else ready.content
    return Response(content, status, shared, ready.media_type)


def accepts_gzip(request: Request) -> bool:
    """Whether the client takes gzip: named (or `*`), and not with a weight of zero."""
    for item in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = item.strip().partition(";")
        if name.strip().lower() in {"gzip", "*"}:
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def has_already(request: Request, etag: str) -> bool:
    """Whether `If-None-Match` names `etag`; weak and strong compare the same here (RFC 9110, 13.1.2)."""
    wanted = request.headers.get("if-none-match", "")
    return wanted == "*" or etag in {item.strip().removeprefix("W/") for item in wanted.split(",")}
