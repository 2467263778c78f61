"""The other side does not accept who the caller says to be.

Means: Credentials are missing, wrong, or of a kind that is not enabled.
Not this: They are accepted and do not suffice for this action (`permission-denied`), or were valid until a
  while ago (`token-expired`).
Causes:
  - The key, user name or password belongs to another environment.
  - Credentials are not passed on at all: no header, no file, no variable.
  - The account uses a method (key, token, plugin) that the client does not offer.
Fix: Pass valid credentials for this very service, by a method it accepts.
Prevent: Check credentials once at the start, and never fall back to none silently.
Proof: Ask with a wrong secret, then with the right one.
Source: https://docs.python.org/3/library/hmac.html#hmac.compare_digest
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, status, told


@family(
    "authentication-failed",
    situations=(
        "The credentials belong to another environment or account, or are not passed on at all.",
        "The account uses a method (key, token, plugin) that the client does not offer.",
    ),
    prevention=("Check credentials once at the start of the program, and never fall back to none silently.",),
    strategy="try-catch",
    tags=("authentication", "credentials"),
    breadth="common",
    yields_to=(
        "mutually-exclusive-arguments",
        "read-only",
        "required-argument-missing",
        "schema-violation",
        "uninitialised-object",
        "unknown-choice",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts,
            "AuthenticationError",
            "NotAuthenticated",
            "NoCredentialsError",
            words=(
                "authentication",
                "auth",
                "unauthorized",
                "credentials",
                "login",
                "credential",
                "password",
            ),
            slots={},
        ),
        status(facts, 401),
        told(
            facts,
            "credential",
            "authenticat",
            "password",
            "api key",
            "api_key",
            "access key",
            "unauthorized",
            "login",
            "log in",
            "username",
            "passphrase",
            "logged in",
            "signing",
        ),
    )
