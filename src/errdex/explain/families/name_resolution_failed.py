"""A host name could not be turned into an address.

Means: Before a connection can be made, the name is looked up; the lookup gave no address, or the text is no
  host name at all.
Not this: The address is known and refuses (`connection-failed`).
Causes:
  - The name is misspelt, or holds a scheme, port or space.
  - The name is known only inside of another network (a container's service name, a VPN).
Fix: Correct the name, or run where it can be resolved.
Prevent: Keep host and port apart in the configuration, and check them at the start.
Proof: Look up a name that cannot exist, then an address.
Source: https://docs.python.org/3/library/socket.html#socket.getaddrinfo
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "name-resolution-failed",
    situations=(
        "The name is misspelt, or holds a scheme, port or space.",
        "The name is known only inside of another network, such as a container's.",
    ),
    prevention=("Keep host and port apart in the configuration, and check them at the start.",),
    strategy="retry",
    tags=("dns", "network"),
    yields_to=(
        "timeout",
        "tls-failed",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts,
            "gaierror",
            "NameResolutionError",
            "ResolutionFailure",
            "ClientConnectorDNSError",
            words=("dns", "hostname"),
        ),
        caught(facts, "gaierror", "herror"),
        told(
            facts,
            "resolve host",
            "dns",
            "hostname",
            "host name",
            "name resolution",
            "failed to resolve",
            "getaddrinfo",
        ),
    )
