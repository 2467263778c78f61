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
from errdex.explain.matching import parameter, shape, told


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
    if facts.is_class("KeyError", "LookupError"):
        return None
    if facts.is_class(
        "HTTPError",
        "HTTPStatusError",
        "HTTPException",
        "ResponseError",
        "ServerError",
        "APIError",
        "ClientError",
        "HfHubHTTPError",
        "OperationFailure",
        "ClientResponseError",
        "StatusError",
        "InferenceTimeoutError",
        "BadRequest",
        "HTTPBadRequest",
        "WriteError",
    ) or facts.class_says("http", "response", "server", "api", "database", "query", "operational", "status"):
        return Claim(Strength.OWN_CLASS)
    found = [
        test
        for test in facts.tests
        if re.search(
            r"status_code|\.status\b|\bstatus\b|\.ok\b|response", f"{test.subject} {' '.join(test.objects)}"
        )
    ]
    if facts.site.http_status is not None:
        return Claim(Strength.CLASS, parameter(facts))
    return (
        shape(facts, found, "status", "response", "server", "http", "request")
        if facts.says("status", "response", "server", "http", "request")
        else told(
            facts,
            "status code",
            "server error",
            "client error",
            "bad request",
            "error response",
            "http error",
            "server returned",
            "request failed",
            "response code",
        )
    )
