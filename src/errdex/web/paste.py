"""Reading what a client pastes: size first, then its form, then the text. Nothing of it is logged or kept."""

from __future__ import annotations

from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request

from errdex.web.refusal import Refusal

MAX_PASTE_BYTES = 1024 * 1024
"""More than any traceback; a log of that size should be cut to its error first."""


class _Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str


_read_question = msgspec.json.Decoder(_Question).decode


async def question_text(request: Request) -> str:
    """Return the text of `POST /api/explain`: plain text, or JSON with the one key `text`.

    Raises:
        Refusal: too large (413), of another media type (415), malformed or empty (400).
    """
    kind = _media_type(request)
    data = await _data(request)
    if kind == "application/json":
        try:
            text = _read_question(data).text
        except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Refusal(
                400, f"The body is not a JSON object with the one key 'text': {error}.", slug="malformed-body"
            ) from error
    elif kind in {"text/plain", ""}:
        text = data.decode("utf-8", "replace")
    else:
        raise Refusal(
            415,
            f"A body of type {kind[:80]!r} is not understood.",
            "Send text/plain, or application/json with the key 'text'.",
        )
    return _not_empty(text)


async def form_text(request: Request) -> str:
    """Return the field `text` of a posted form."""
    if _media_type(request) != "application/x-www-form-urlencoded":
        raise Refusal(415, "This page takes a form.", "Programs use POST /api/explain.")
    data = await _data(request)
    try:
        fields = parse_qs(data.decode("ascii", "replace"), errors="replace", max_num_fields=10)
    except ValueError as error:
        raise Refusal(400, "The form has too many fields.", slug="malformed-body") from error
    return _not_empty((fields.get("text") or [""])[0])


async def _data(request: Request) -> bytes:
    """Return the body, refusing one that is too large before it has been read whole."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > MAX_PASTE_BYTES:
        raise _too_large()
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > MAX_PASTE_BYTES:
            raise _too_large()
        pieces.append(piece)
    return b"".join(pieces)


def _too_large() -> Refusal:
    return Refusal(
        413,
        f"The text is larger than {MAX_PASTE_BYTES // 1024} kB.",
        "Send the traceback alone, not the whole log.",
    )


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _not_empty(text: str) -> str:
    if not text.strip():
        raise Refusal(400, "There is nothing to explain: the text is empty.", slug="nothing-pasted")
    return text
