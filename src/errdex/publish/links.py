"""Every address we publish, in one place: pages, JSON, source lines.

Addresses are root-relative below the site's own prefix (`https://host/errdex` has the prefix
`/errdex`), each part percent-encoded, so one renderer serves a server and any static host.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal
from urllib.parse import quote, urlencode, urlsplit

import msgspec

PAGE_SIZE = 100
"""Rows on one page of a repository or a family: about 30 kB of HTML."""

SOURCE_LINES = 500
"""Lines of source on one page, before those that it shares with the next."""

REPORT_BODY = """\
Page: {url}
Error: {message}
Record: {record_id} ({repo}@{revision})

What is wrong on the page:

"""


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how pages are published."""

    base_url: str = "http://127.0.0.1:8023"
    """Scheme, host and, for a site below a folder, its path; no slash at the end."""
    mode: Literal["live", "static"] = "live"
    """Whether search asks the JSON API or the index files beside the pages."""
    report_url: str = "mailto:"
    """Who hears of a mistake: `mailto:` with an address, or the URL of an issue form that reads `title` and `body`."""
    name: str = "errdex"

    @property
    def prefix(self) -> str:
        """The path all pages stand below; empty at the top of a host."""
        return urlsplit(self.base_url).path.rstrip("/")

    def absolute(self, path: str) -> str:
        """Return the full URL of a path given by this class's methods."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}{path}"

    def at(self, *parts: str, folder: bool = False) -> str:
        """Return the address of `parts` below the prefix, each percent-encoded."""
        path = "/".join(_quoted(part) for part in parts)
        return f"{self.prefix}/{path}" + ("/" if folder and path else "")

    def home(self) -> str:
        """Address of the first page."""
        return f"{self.prefix}/"

    def repo(self, repo: str, page: int = 1, family: str | None = None) -> str:
        """Address of a repository's page, of one of its further pages, or of its errors of one family."""
        parts = [*repo.split("/")]
        if family is not None:
            parts += ["family", family]
        return self._paged(parts, page)

    def error(self, repo: str, slug: str) -> str:
        """Address of an error's page."""
        return self.at(*repo.split("/"), slug, folder=True)

    def family(self, slug: str, page: int = 1) -> str:
        """Address of a family's page."""
        return self._paged(["info", slug], page)

    def version(self, repo: str, label: str, page: int = 1) -> str:
        """Address of the page that says what a version changed."""
        return self._paged([*repo.split("/"), "version", label], page)

    def api_error(self, record_id: str) -> str:
        """Address of an error's JSON."""
        return self.at("api", "errors", record_id)

    def source(
        self, repo: str, revision: str, path: str, start: int | None = None, end: int | None = None
    ) -> str:
        """Address of our own page of a source file, lines `start` to `end` marked.

        A long file has several pages. The first is at the file's own address, the others below it, at the
        number of their first line: no tree has a file and a folder of one name.
        """
        first = source_page(start or 1)
        pages = [str(first)] if first > 1 else []
        url = self.at("source", *repo.split("/"), revision, *path.split("/"), *pages)
        return url + ("" if start is None else f"#L{start}" + (f"-L{end}" if end and end != start else ""))

    def report(self, *, url: str, message: str, record_id: str, repo: str, revision: str) -> str:
        """Return the prefilled report of a mistake on a page."""
        short = message if len(message) <= 120 else message[:119] + "…"
        body = REPORT_BODY.format(
            url=url, message=short, record_id=record_id, repo=repo, revision=revision[:10]
        )
        title = f"Mistake in {repo}: {short[:80]}"
        mail = self.report_url.startswith("mailto:")
        fields = {"subject" if mail else "title": title, "body": body}
        query = urlencode(fields, quote_via=quote, errors="replace")
        return f"{self.report_url}{'&' if '?' in self.report_url else '?'}{query}"

    def _paged(self, parts: list[str], page: int) -> str:
        return self.at(*parts, *(("page", str(page)) if page > 1 else ()), folder=True)


def line_of(url: str, first: int, last: int) -> str:
    """Return a permalink with its line fragment replaced: `…/metal.py#L80-L116` at 98 is `…/metal.py#L98`."""
    base = url.partition("#")[0]
    return f"{base}#L{first}" + (f"-L{last}" if last > first else "")


def source_page(line: int) -> int:
    """Return the first line of the source page that `line` stands on."""
    return (line - 1) // SOURCE_LINES * SOURCE_LINES + 1


def page_count(rows: int) -> int:
    """Return how many pages `rows` fill, at least one."""
    return max(1, -(-rows // PAGE_SIZE))


@lru_cache(maxsize=10_000)
def _quoted(part: str) -> str:
    """Return one part of a path: `..` and lone surrogates must not change where a link leads."""
    if part in {".", ".."}:
        return part.replace(".", "%2E")
    return quote(part, safe="@:+,=~!$&'()*;", errors="replace")
