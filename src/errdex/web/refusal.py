"""The one shape of a JSON error, and what becomes of each kind of failure.

```json
{"ok": false, "status": 404, "errors": [{"slug": "…", "problem": "…", "hint": "…"}]}
```
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException

from errdex.errors import CatalogError, ErrdexError, QueryError

_SLUGS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    410: "gone",
    411: "length-required",
    413: "body-too-large",
    415: "media-type-not-understood",
    500: "internal-error",
    503: "too-busy",
}


class Refusal(HTTPException):
    """A request that is not answered as asked, with the reason in one sentence."""

    def __init__(
        self,
        status: int,
        problem: str,
        hint: str = "",
        *,
        slug: str | None = None,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, problem, headers=headers)
        self.problem, self.hint = problem, hint
        self.slug = slug or _SLUGS.get(status, "refused")
        self.more = dict(more or {})
        """Facts that stand beside the error in its body."""


def refusal_of(error: Exception) -> Refusal:
    """Return the refusal that answers an exception: ours keep their words, all else is a bug of ours."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, HTTPException):
        return Refusal(error.status_code, error.detail, headers=error.headers)
    if isinstance(error, QueryError):
        return Refusal(400, error.problem or str(error), error.hint, slug=error.slug)
    if isinstance(error, CatalogError):
        return Refusal(503, error.problem or str(error), error.hint, slug=error.slug)
    if isinstance(error, ErrdexError):
        return Refusal(500, error.problem or str(error), error.hint, slug=error.slug)
    # What a stranger sees of our own mistake: that it was ours, never its text or a traceback.
    return Refusal(500, "The server made a mistake; this request was not answered.")
