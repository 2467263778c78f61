"""Fetching files of a published dataset over HTTP: bounded, verified, never half-kept."""

from __future__ import annotations

import gzip
import hashlib
import urllib.error
import urllib.request
import zlib
from typing import Protocol

from errdex import __version__
from errdex.errors import CatalogError

TIMEOUT_S = 30
MAX_FILE_BYTES = 1_000_000_000
"""Largest file that is read; an index of 1 million errors is about 400 MB."""
_CHUNK_BYTES = 1 << 20


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes."""


class DatasetUnreachableError(CatalogError):
    """A published dataset could not be fetched."""

    slug = "dataset-unreachable"

    def __init__(self, url: str, detail: str) -> None:
        super().__init__(url, detail)
        self.url, self.detail = url, detail
        self.problem = f"{url} cannot be fetched: {detail}."
        self.hint = "Check the address and the network; what was pulled before is as it was."


class DatasetCorruptError(CatalogError):
    """A file of a published dataset is not what its manifest says, or not of the contract."""

    slug = "dataset-corrupt"

    def __init__(self, url: str, detail: str) -> None:
        super().__init__(url, detail)
        self.url, self.detail = url, detail
        self.problem = f"{url} is not as published: {detail}."
        self.hint = "Try again later or tell its publisher; what was pulled before is as it was."


def fetch(url: str, *, sha256: str | None = None, most: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of `url`, its hash verified if one is given.

    Raises:
        DatasetUnreachableError: no answer, or one other than 200.
        DatasetCorruptError: too large, or of another hash.
    """
    if not url.startswith(("https://", "http://")):
        raise DatasetUnreachableError(url, "only http and https addresses are read")
    headers = {"User-Agent": f"errdex/{__version__}", "Accept-Encoding": "gzip"}
    try:
        request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme was checked
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
            is_packed = answer.headers.get("Content-Encoding", "").lower() == "gzip"
            content = _read(gzip.GzipFile(fileobj=answer) if is_packed else answer, url, most)
    except urllib.error.HTTPError as error:
        error.close()
        raise DatasetUnreachableError(url, f"the answer is {error.code}") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise DatasetCorruptError(url, "it is cut or badly compressed") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise DatasetUnreachableError(url, str(reason)) from error
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise DatasetCorruptError(url, "its sha256 is not the manifest's")
    return content


def _read(opened: _Readable, url: str, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := opened.read(_CHUNK_BYTES):
        size += len(piece)
        if size > most:
            raise DatasetCorruptError(url, f"it is larger than {most} bytes")
        pieces.append(piece)
    return b"".join(pieces)
