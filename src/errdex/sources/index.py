"""A package index, asked through `unearth` the way pip is configured to ask it.

Importing this module costs 0.1 s (the HTTP client); nothing else of errdex does, so it is imported late.
"""

from __future__ import annotations

import hashlib
import logging
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import httpx2
from packaging.version import InvalidVersion, Version
from unearth import PackageFinder
from unearth.auth import MultiDomainBasicAuth
from unearth.collector import is_secure_origin
from unearth.errors import UnpackError, URLError
from unearth.fetchers import Fetcher
from unearth.fetchers.sync import PyPIClient
from unearth.link import Link

from errdex.errors import ArtifactHashError, ArtifactTooLargeError, IndexUnreachableError
from errdex.sources.candidates import Candidate
from errdex.sources.pip_config import PipConfig

MAX_ARTIFACT_BYTES = 4 * 1024**3
_PAUSES_S = (0.2, 1.0)
_CHUNK_BYTES = 256 * 1024
_ALGORITHMS = ("sha256", "sha512", "sha384", "sha224", "sha1", "md5")
"""What PEP 503 allows in a link, strongest habit first."""
FOREIGN_ERRORS = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.CookieConflict,
    httpx2.StreamError,
    URLError,
    UnpackError,
)
"""Everything the HTTP client and the index library raise of their own."""
T = TypeVar("T")


class Index:
    """Every index and folder of links that pip would look in, and one HTTP session for them."""

    def __init__(self, config: PipConfig) -> None:
        self.config = config
        self.sources = _sources(config)
        self.failures: list[tuple[str, str]] = []
        """(where, why) of every source that did not answer."""
        self._refusals: list[tuple[str, int]] = []
        self.session = self._session()
        self._fetcher = cast("Fetcher", self.session)  # unearth's own client, whose types are wider

    def close(self) -> None:
        """Close the session's connections."""
        self.session.close()

    def _session(self) -> PyPIClient:
        config = self.config
        session = PyPIClient(
            trusted_hosts=config.trusted_hosts,
            verify=_tls(config),
            timeout=config.timeout_s,
            follow_redirects=True,
            event_hooks={"response": [self._note]},
            **cast("Any", {"proxy": config.proxy} if config.proxy else {}),
        )
        urls = [url for kind, url in self.sources if kind == "index"]
        session.auth = MultiDomainBasicAuth(prompting=False, index_urls=urls)
        return session

    def _note(self, response: httpx2.Response) -> None:
        if response.status_code >= 400 and response.status_code not in {404, 410}:
            self._refusals.append((str(response.url), response.status_code))

    def asked(self) -> tuple[str, ...]:
        """Return the sources, fit to be shown."""
        return tuple(_redacted(url) for _, url in self.sources)

    def offered(self, name: str) -> list[Candidate]:
        """Return every file of the package `name` that any source has; fill `failures` on the way."""
        found: dict[str, Candidate] = {}
        for kind, url in self.sources:
            for candidate in self._ask(kind, url, name):
                found.setdefault(candidate.filename, candidate)
        return list(found.values())

    def _ask(self, kind: str, url: str, name: str) -> list[Candidate]:
        self._refusals.clear()
        try:
            if "://" in url and not is_secure_origin(self._fetcher, Link(url)):
                return self._failed(url, "plain http, and pip's `trusted-host` does not name it")
            with _quiet():
                packages = _attempt(
                    lambda: list(self._finder(kind, url).find_all_packages(name, allow_yanked=True))
                )
            found = [_candidate(package.version, package.link) for package in packages]
        except (*FOREIGN_ERRORS, OSError) as error:
            return self._failed(url, _said(error))
        except (ValueError, TypeError, AttributeError, KeyError):  # as unearth fails on broken JSON and URLs
            return self._failed(url, "its address or its answer cannot be read")
        if self._refusals and not packages:
            return self._failed(url, f"it answered with status {self._refusals[0][1]}")
        is_local = "://" not in url or url.startswith("file:")
        return [file for file in found if file is not None and (is_local or not file.url.startswith("file:"))]

    def _failed(self, url: str, reason: str) -> list[Candidate]:
        self.failures.append((_redacted(url), reason))
        return []

    def _finder(self, kind: str, url: str) -> PackageFinder:
        return PackageFinder(
            session=self._fetcher,
            index_urls=[url] if kind == "index" else [],
            find_links=[url] if kind == "links" else [],
            ignore_compatibility=True,
        )

    def size_bytes(self, candidate: Candidate) -> int | None:
        """Return the size of a file as its host states it, None where it does not."""
        try:
            if candidate.url.startswith("file:"):
                return Link(candidate.url).file_path.stat().st_size
            response = self.session.head(candidate.url, headers={"Accept-Encoding": "identity"})
        except (*FOREIGN_ERRORS, OSError, ValueError):
            return None
        length = response.headers.get("content-length", "")
        return int(length) if response.status_code == 200 and length.isdigit() else None

    def fetch(self, candidate: Candidate, folder: Path) -> tuple[Path, str]:
        """Bring a file into `folder`, check it, and return its path and sha256.

        Raises:
            ArtifactHashError: It is not what the index promised.
            ArtifactTooLargeError: It exceeds `MAX_ARTIFACT_BYTES`.
            IndexUnreachableError: Its host did not deliver it.
        """
        target = folder / "artifact" / candidate.filename
        target.parent.mkdir(exist_ok=True)
        try:
            digests = _attempt(lambda: self._download(candidate, target))
        except FOREIGN_ERRORS as error:
            raise IndexUnreachableError(candidate.shown_url, _said(error)) from error
        _check(candidate, digests)
        return target, digests["sha256"]

    def _download(self, candidate: Candidate, target: Path) -> dict[str, str]:
        promised = [name for name in _ALGORITHMS if name in candidate.hashes]
        hashers = {name: hashlib.new(name, usedforsecurity=False) for name in {"sha256", *promised}}
        size = 0
        with self._content(candidate) as chunks, target.open("wb") as file:
            for chunk in chunks:
                size += len(chunk)
                if size > MAX_ARTIFACT_BYTES:
                    raise ArtifactTooLargeError(candidate.filename, size, MAX_ARTIFACT_BYTES)
                file.write(chunk)
                for hasher in hashers.values():
                    hasher.update(chunk)
        return {name: hasher.hexdigest() for name, hasher in hashers.items()}

    @contextmanager
    def _content(self, candidate: Candidate) -> Iterator[Iterator[bytes]]:
        if candidate.url.startswith("file:"):
            with _open_file(candidate) as file:
                yield iter(lambda: file.read(_CHUNK_BYTES), b"")
            return
        # Not packed for the way: the hash is over the file itself, whatever a host thinks of `.gz`.
        with self.session.get_stream(candidate.url, headers={"Accept-Encoding": "identity"}) as response:
            response.raise_for_status()
            yield response.iter_raw(_CHUNK_BYTES)

    def constraint_lines(self) -> Iterator[str]:
        """Yield the lines of pip's constraint files; one that cannot be read is passed over."""
        for where in self.config.constraints:
            try:
                if where.startswith(("http://", "https://")):
                    yield from self.session.get(where).raise_for_status().text.splitlines()
                else:
                    yield from Path(where.removeprefix("file://")).read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError, *FOREIGN_ERRORS):
                continue


def _sources(config: PipConfig) -> list[tuple[str, str]]:
    """Return (kind, URL or folder) in pip's order; folders that do not exist are passed over, as pip does."""
    public = str(PackageFinder().sources[0]["url"])  # the library's own default
    urls = [] if config.no_index else [config.index_url or public, *config.extra_index_urls]
    sources = [("index", url) for url in urls]
    sources += [("links", link) for link in config.find_links]
    return [(kind, url) for kind, url in sources if "://" in url or Path(url).exists()]


def _redacted(url: str) -> str:
    """Return an address fit to be shown: without credentials."""
    try:
        return Link(url).redacted if "://" in url else url
    except ValueError:
        return f"{url.partition('://')[0]}://…"


def _tls(config: PipConfig) -> ssl.SSLContext | bool:
    if not config.cert and not config.client_cert:
        return True
    try:
        is_folder = config.cert is not None and Path(config.cert).is_dir()
        context = ssl.create_default_context(
            cafile=None if is_folder else config.cert, capath=config.cert if is_folder else None
        )
        if config.client_cert:
            context.load_cert_chain(config.client_cert)
    except (OSError, ssl.SSLError) as error:
        named = config.cert or config.client_cert or ""
        raise IndexUnreachableError(
            "of pip's configuration", f"its certificate {named} cannot be read"
        ) from error
    return context


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the index library from logging to the user's terminal what `failures` says already."""
    logger = logging.getLogger("unearth")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _candidate(version: str | None, link: Link) -> Candidate | None:
    try:
        parsed = Version(version or "")
    except InvalidVersion:
        return None
    promised = {name: values[0].lower() for name, values in (link.hash_option or {}).items()}
    return Candidate(
        filename=link.filename,
        version=parsed,
        url=link.url_without_fragment,
        shown_url=link.redacted,
        hashes={name: value for name, value in promised.items() if name in _ALGORITHMS},
        is_yanked=link.is_yanked,
    )


def _attempt(action: Callable[[], T]) -> T:
    """Do `action`, and once or twice more when the network, not the answer, was at fault."""
    for pause_s in _PAUSES_S:
        try:
            return action()
        except httpx2.TransportError:
            time.sleep(pause_s)
        except httpx2.HTTPStatusError as error:
            if error.response.status_code < 500:
                raise
            time.sleep(pause_s)
    return action()


def _open_file(candidate: Candidate) -> IO[bytes]:
    try:
        return Link(candidate.url).file_path.open("rb")
    except (OSError, ValueError) as error:
        raise IndexUnreachableError(candidate.shown_url, _said(error).lower()) from error


def _check(candidate: Candidate, digests: dict[str, str]) -> None:
    for name, promised in candidate.hashes.items():
        if digests[name] != promised:
            raise ArtifactHashError(candidate.filename, name, promised, digests[name])


def _said(error: Exception) -> str:
    if isinstance(error, httpx2.HTTPStatusError):
        return f"it answered with status {error.response.status_code}"
    if isinstance(error, httpx2.TimeoutException):
        return "it took too long to answer"
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0][:200].rstrip(".")
