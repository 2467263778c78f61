"""More at once than the server takes: some are answered, the rest hear 503 at once, and then it goes on."""

import asyncio
import json
from collections import Counter

from errdex.web.guard import Guard


async def quick(_scope, _receive, send):
    """An app that answers without ever giving way."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


async def ask(app):
    """Status, headers and body of one request."""
    sent = []

    async def send(message):
        sent.append(message)

    await app(
        {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b""}, None, send
    )
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


def test_what_comes_in_at_once_is_counted_before_it_is_answered():
    """Of fifty requests in one moment eight are answered; a refusal says when to ask again; the next eight are answered."""

    async def storm():
        app = Guard(quick, most=8)
        first = await asyncio.gather(*(ask(app) for _ in range(50)))
        return first, await asyncio.gather(*(ask(app) for _ in range(8)))

    first, after = asyncio.run(storm())
    assert Counter(status for status, _, _ in first) == {200: 8, 503: 42}
    _, headers, body = next(one for one in first if one[0] == 503)
    assert headers[b"retry-after"] == b"1"
    assert json.loads(body)["errors"][0]["slug"] == "too-busy"
    assert [status for status, _, _ in after] == [200] * 8
