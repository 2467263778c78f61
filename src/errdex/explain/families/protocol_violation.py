"""One side of a conversation said what the protocol does not allow at this point.

Means: Both sides follow a script of messages; one came in the wrong order, in a wrong form, or does not
  exist.
Not this: The conversation broke off (`connection-failed`), or the data inside a message is wrong
  (`undecodable-input`).
Causes:
  - The other side is another program, or another version, than assumed.
  - Two tasks write to one connection at the same time.
  - A proxy changed or cut the messages.
Fix: Start a new connection, and make the calls in the order that the protocol asks for.
Prevent: Let one task own each connection.
Proof: Send a message out of order, then in order.
Source: https://datatracker.ietf.org/doc/html/rfc9112
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, told


@family(
    "protocol-violation",
    situations=(
        "The other side is another program, or another version of it, than assumed.",
        "Two tasks write to one connection at the same time.",
    ),
    prevention=("Let one task own each connection, and start a new one after an error.",),
    strategy="try-catch",
    tags=("protocol", "network"),
    breadth="common",
    yields_to=(
        "wrong-number-of-items",
        "authentication-failed",
        "connection-failed",
        "schema-violation",
        "size-limit-exceeded",
        "unknown-attribute",
        "value-out-of-range",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "BadStatusLine",
        "BadHttpMessage",
        "InvalidChunkLength",
        "InvalidResponse",
        "InvalidHandshake",
        words=("protocol", "handshake", "websocket", "framing", "message", "chunked"),
        slots={},
    )
    return best(
        named if facts.site.kind != "warn" else None,
        told(
            facts,
            "protocol",
            "handshake",
            "unexpected message",
            "unexpected response",
            "invalid response",
            "unexpected reply",
            "bad response",
            "unexpected packet",
            "unexpected frame",
            "chunk size",
            "chunk length",
            "content-length",
            "invalid frame",
            "opcode",
            "bad status line",
            "upgrade header",
            "unexpected result from",
        ),
    )
