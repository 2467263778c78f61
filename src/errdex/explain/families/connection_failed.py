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
from errdex.explain.matching import caught, own_class, status, told


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
    )
    if named is not None or facts.class_says("connection", "connect", "disconnected", "proxy", "network"):
        return named or Claim(Strength.OWN_CLASS)
    return (
        status(facts, 502, 503)
        or caught(facts, "ConnectionError", "ConnectionRefusedError", "OSError", "SocketError", "ClientError")
        if facts.says("connect", "socket", "network", "server", "host")
        else told(
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
        )
    )
