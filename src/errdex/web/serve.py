"""Running the app: one process, until interrupted."""

from __future__ import annotations

import errno
import socket
import sys

import uvicorn

from errdex.catalog import Catalog
from errdex.errors import ErrdexError
from errdex.search import Index
from errdex.web.app import create_app

GRACE_S = 10
"""How long requests that are being answered may take after a stop was asked for."""
MAX_CONNECTIONS = 1_000
"""Beyond it the server answers 503 without reading on."""


class PortInUseError(ErrdexError):
    """Another program listens on the address already, or it may not be used."""

    slug = "port-in-use"

    def __init__(self, host: str, port: int, detail: str) -> None:
        super().__init__(host, port, detail)
        self.host, self.port, self.detail = host, port, detail
        self.problem = f"Cannot listen on {host}:{port}: {detail}."
        self.hint = "Name another with --port, or 0 for any free one."


def serve(
    catalog: Catalog,
    *,
    host: str = "127.0.0.1",
    port: int = 8023,
    index: Index | None = None,
    base_url: str | None = None,
    report_url: str = "mailto:",
) -> None:
    """Serve `catalog` until interrupted; says on standard error where to look.

    Args:
        catalog: What to serve.
        host: Address to listen on.
        port: Port to listen on; 0 for any free one.
        index: Answers searches; None: one is built from the catalog.
        base_url: Where the server is reached from outside; None: the address it listens on.
        report_url: Who hears of mistakes on pages.

    Raises:
        PortInUseError: the address cannot be listened on.
    """
    listening = _listen(host, port)
    bound = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    url = base_url or f"http://{'127.0.0.1' if host in {'0.0.0.0', '::'} else shown}:{bound}"  # noqa: S104 - compared, not bound
    app = create_app(catalog, index=index, base_url=url, report_url=report_url)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # what people look for is nobody's business
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=30,
        ws="none",
    )
    sys.stderr.write(f"Serving {catalog.where} at {url}/ (Ctrl-C ends)\n")
    sys.stderr.flush()
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only where a socket names its protocol; left on, it costs 40 ms a request.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        code = getattr(error, "errno", None)
        detail = (
            "it is in use" if code == errno.EADDRINUSE else getattr(error, "strerror", None) or str(error)
        )
        raise PortInUseError(host, port, detail) from error
    return listening
