"""Running the server: over standard input and output, or over HTTP."""

from __future__ import annotations

from typing import Literal

from errdex.catalog import Catalog
from errdex.mcp.records import LocalRecords, PublishedRecords
from errdex.mcp.server import create_server

Transport = Literal["stdio", "http"]


def run(
    *,
    catalog: str | None = None,
    dataset: str | None = None,
    transport: Transport = "stdio",
    host: str = "127.0.0.1",
    port: int = 8024,
) -> None:
    """Serve until the client leaves or the process is interrupted.

    Args:
        catalog: The catalog to answer from; None for the user's own.
        dataset: Address of a published dataset to answer from instead, copied to the user's cache.
        transport: Standard input and output, or streamable HTTP at `/mcp`.
        host: Address to listen on, for HTTP.
        port: Port to listen on, for HTTP.
    """
    if dataset is not None:
        server = create_server(PublishedRecords(dataset), base_url=dataset)
    else:
        server = create_server(LocalRecords(Catalog.open(catalog, create=True)))
    if transport == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", host=host, port=port)
