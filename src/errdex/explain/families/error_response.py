"""The other side answered, and its answer is an error.

Means: A server, a database or an API processed the request and reports a failure of its own; the library
  turns the report into an exception.
Not this: The status has a family of its own (`resource-not-found`, `permission-denied`, `rate-limited`), or
  no answer came (`connection-failed`, `timeout`).
Causes:
  - The request is well-formed and the server cannot carry it out.
  - The service has a failure of its own, for which nothing in the request is to blame.
Fix: Read status and body of the answer, which say what the server objects to.
Prevent: Log status, URL and body of failed answers.
Proof: Send a request that the server refuses, then one that it accepts.
Source: https://datatracker.ietf.org/doc/html/rfc9110#name-status-codes
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, parameter, shape, told


@family(
    "error-response",
    situations=(
        "The request is well-formed, and the server cannot or will not carry it out.",
        "The service has a failure of its own, for which nothing in the request is to blame.",
    ),
    prevention=("Log status, address and body of failed answers: they say what the server objects to.",),
    strategy="try-catch",
    tags=("http", "response"),
    breadth="broad",
    yields_to=(
        "argument-type",
        "configuration-missing",
        "malformed-value",
        "resource-not-found",
        "undecodable-input",
        "unsupported-combination",
        "wrong-state",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.is_class("KeyError", "LookupError", "Warning"):
        return None
    named = own_class(
        facts,
        *_ANSWERS,
        words=("http", "response", "server", "api", "database", "query", "operational", "status"),
    )
    if named is not None and (named.distance or facts.site.kind == "http"):
        named = None  # nearly every class of a client descends from one; a server gives the answer and does not get it
    if (
        named is not None
        and facts.words
        and not facts.says(*_SAID, "status", "response", "returned", "server")
    ):
        named = Claim(Strength.CLASS)  # a client's name for all its errors
    found = facts.reading(_ANSWERED)
    return best(
        named,
        Claim(Strength.SHAPE, parameter(facts)) if facts.site.http_status is not None else None,
        shape(facts, found, "status", "response", "server", "http", "request"),
        told(facts, *_SAID),
    )


_ANSWERS = (
    "HTTPError", "HTTPStatusError", "HTTPException", "ResponseError", "ServerError", "APIError", "ClientError", "HfHubHTTPError",
    "OperationFailure", "ClientResponseError", "StatusError", "BadRequest", "HTTPBadRequest", "WriteError",
)  # fmt: skip
_ANSWERED = re.compile(r"status_code|\.status\b|\bstatus\b|\.ok\b|response\.(error|reason|code)")
_SAID = (
    "status code", "server error", "client error", "bad request", "error response", "http error", "server returned", "request failed",
    "response code",
)  # fmt: skip
