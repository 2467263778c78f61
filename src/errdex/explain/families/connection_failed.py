"""No connection to the other side could be made, or it broke off.

Means: The server, broker or device at the other end did not accept the connection, or ended it in the
  middle.
Not this: It answered too late (`timeout`), its name is unknown (`name-resolution-failed`), or its
  certificate was refused (`tls-failed`).
Causes:
  - The service is not running, or listens on another port or interface (containers: `localhost` is the
    container itself).
  - A firewall, proxy or security group is in between.
  - The server restarted, or closes idle connections.
Fix: Check that the address and port are reachable from the machine that runs the program.
Prevent: Retry with growing pauses, and let a pool test connections before it hands them out.
Proof: Connect to a port that nobody listens on, then to one with a listener.
Source: https://docs.python.org/3/library/exceptions.html#ConnectionError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, caught, own_class, status, told


@family(
    "connection-failed",
    situations=(
        "The service is not running, or listens on another port or interface (in a container, `localhost` is the container itself).",
        "A firewall or proxy is in between, or the server closed an idle connection.",
    ),
    prevention=("Retry with growing pauses, and let a pool test connections before it hands them out.",),
    strategy="retry",
    tags=("network", "connection"),
    breadth="common",
    yields_to=(
        "authentication-failed",
        "schema-violation",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "ConnectionError",
        "ConnectionRefusedError",
        "ConnectionResetError",
        "BrokenPipeError",
        "ConnectError",
        "ConnectionFailure",
        "AutoReconnect",
        "NewConnectionError",
        "ProxyConnectionError",
        "NetworkError",
        "TransportError",
        "ClientConnectionError",
        "ConnectionFailed",
        "ServerDisconnectedError",
        words=("connection", "connect", "disconnected", "proxy", "network"),
        slots={},
    )
    if named is not None and facts.class_name in _SHARED and facts.words:
        named = Claim(Strength.CLASS, named.slots)
    reached = facts.has_words("connect", "connecting", "socket", "network", "server", "host")
    return best(
        named,
        status(facts, 502, 503),
        caught(facts, "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "SocketError"),
        caught(facts, "OSError", "ClientError") if reached else None,
        told(
            facts,
            "could not connect",
            "connection refused",
            "connection reset",
            "failed to connect",
            "unable to connect",
            "cannot connect",
            "connection lost",
            "connection failed",
            "no connection",
            "unreachable",
            "disconnected",
        ),
    )


_SHARED = frozenset(("ConnectionError", "NetworkError", "TransportError"))
"""Classes that stand for everything about connections: a message with words of its own may speak of another failure."""
