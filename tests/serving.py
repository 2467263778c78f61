"""The app as uvicorn serves it, on a free port of loopback, for the tests that speak HTTP to it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from errdex.catalog import Catalog
from errdex.web import create_app


@contextmanager
def served(catalog: Catalog) -> Iterator[str]:
    """Yield the address of the app of `catalog`."""
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    running = uvicorn.Server(
        uvicorn.Config(create_app(catalog, base_url=url), log_level="warning", ws="none")
    )
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    yield url
    running.should_exit = True
    thread.join()
    listening.close()
