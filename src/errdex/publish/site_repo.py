"""All files of one repository on a static site, in parts that several processes can make side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from errdex.catalog import Catalog, RepoRow, StoredRecord, Summary
from errdex.publish.dataset import Listed, write_evidence, write_lineage, write_records
from errdex.publish.documents import SITEMAP_URLS, sitemap, sitemap_path
from errdex.publish.lineage import Fate, Gone, Lineage, Moved
from errdex.publish.links import PAGE_SIZE, page_count
from errdex.publish.modules import module_of
from errdex.publish.pages import Renderer, source_pages
from errdex.publish.wire import error_body, gone_body

ERRORS_PER_PART = 200
"""About a second of work."""
SOURCES_PER_PART = 20

File = tuple[str, bytes]
"""Address from the site's top, and content."""


class Part(msgspec.Struct, frozen=True):
    """Some of a repository's files: items `start` to `end` of one kind."""

    kind: Literal["data", "errors", "former", "lists", "sources"]
    """`data` is the repository's part of the dataset, see `RepoFiles.write_data`."""
    start: int = 0
    end: int = 0


class RepoFiles:
    """Every page and JSON file of a repository: its errors, its lists, its versions, its sources, its sitemaps."""

    def __init__(self, catalog: Catalog, renderer: Renderer, row: RepoRow, version: str) -> None:
        self._catalog, self._renderer, self._row, self._version = catalog, renderer, row, version
        self._lineage = Lineage(catalog, row.repo)
        self._summaries = catalog.summaries(row.repo, limit=row.error_count)
        self._paths = {summary.file_path for summary in self._summaries}

    def parts(self) -> list[Part]:
        """Return the parts that make up the whole."""
        return [
            Part("data"),
            Part("lists"),
            *_parts("errors", len(self._summaries), ERRORS_PER_PART),
            *_parts("former", len(self._former), ERRORS_PER_PART),
            *_parts("sources", len(self._sources), SOURCES_PER_PART),
        ]

    def ids(self) -> list[str]:
        """Return the ids of all records, those included that the newest revision lacks."""
        return [*(one.id for one in self._summaries), *(one.id for one, _ in self._former)]

    def write_data(self, root: Path) -> Iterator[Listed]:
        """Write records, evidence and lineage below `root`; nothing of them is held in memory."""
        catalog, repo = self._catalog, self._row.repo
        yield write_records(catalog.bare_records(repo), repo, root, self._renderer.site)
        yield write_evidence(catalog.records(repo), repo, root)
        yield write_lineage(self._lineage, repo, root)

    def files(self, part: Part) -> Iterator[File]:
        """Yield the files of one part; the same part gives the same bytes, whoever makes it."""
        if part.kind == "errors":
            yield from self._error_files(self._summaries[part.start : part.end])
        elif part.kind == "former":
            yield from self._former_files(self._former[part.start : part.end])
        elif part.kind == "sources":
            yield from self._source_files(self._sources[part.start : part.end])
        else:
            yield from self._list_files()
            yield from self._version_files()
            yield from self._sitemaps()

    @cached_property
    def _former(self) -> list[tuple[Summary, Fate]]:
        return list(self._lineage.former())

    @cached_property
    def _sources(self) -> list[tuple[str, str]]:
        """Revision and path of every source page: where no public host shows the lines that a record links to."""
        revisions = self._catalog.revisions(self._row.repo)
        hosted = {one.sha for one in revisions if one.permalink is not None}
        newest = {(self._row.analyzed_sha, path) for path in self._paths}
        removed = {
            (self._lineage.left_from(summary.id), summary.file_path)
            for summary, fate in self._former
            if isinstance(fate, Gone)
        }
        return sorted((sha, path) for sha, path in newest | removed if sha not in hosted)

    def _has_source(self, path: str) -> bool:
        return path in self._paths

    def _error_files(self, summaries: Sequence[Summary]) -> Iterator[File]:
        site = self._renderer.site
        for stored in self._stored(self._row.analyzed_sha, [one.id for one in summaries]):
            record = stored.record
            page = self._renderer.error(
                stored, has_source=self._has_source, stages=self._lineage.stages(record.id)
            )
            yield self._below(site.error(record.repo, record.slug)), page.encode("utf-8")
            yield self._below(site.api_error(record.id)), error_body(stored, self._version, site)

    def _former_files(self, former: Sequence[tuple[Summary, Fate]]) -> Iterator[File]:
        """Yield what stands at the addresses of errors that the newest revision lacks.

        A static host sends neither 308 nor 410: a page leads on by itself, and JSON is what a client that
        follows redirects ends with.
        """
        site = self._renderer.site
        for summary, fate in former:
            if isinstance(fate, Moved):
                page = self._renderer.moved(fate.successor)
                body = self._body_of(fate.successor.id)
            else:
                stored = self._last_of(summary.id)
                page = self._tombstone(stored, fate)
                body = gone_body(stored.record, fate, site)
            yield self._below(site.error(summary.repo, summary.slug)), page.encode("utf-8")
            yield self._below(site.api_error(summary.id)), body

    def _tombstone(self, stored: StoredRecord, gone: Gone) -> str:
        record = stored.record
        return self._renderer.error(
            stored,
            has_source=lambda path: path == record.file_path,
            stages=self._lineage.stages(record.id),
            gone=gone,
        )

    def _body_of(self, record_id: str) -> bytes:
        """Return the JSON at the end of a chain of redirects."""
        site, fate = self._renderer.site, self._lineage.fate(record_id)
        if isinstance(fate, Gone):
            return gone_body(self._last_of(record_id).record, fate, site)
        (stored,) = self._stored(self._row.analyzed_sha, [record_id])
        return error_body(stored, self._version, site)

    def _last_of(self, record_id: str) -> StoredRecord:
        """Return a former record as its last revision had it."""
        (stored,) = self._stored(self._lineage.left_from(record_id), [record_id])
        return stored

    def _stored(self, sha: str, ids: Sequence[str]) -> Iterator[StoredRecord]:
        return self._catalog.records_of(self._row.repo, sha, ids)

    def _list_files(self) -> Iterator[File]:
        summaries, row, site = self._summaries, self._row, self._renderer.site
        families = Counter(one.background_tag for one in summaries if one.background_tag).most_common()
        modules = Counter(module_of(one.file_path) for one in summaries).most_common()

        def pages(rows: Sequence[Summary], family: str | None) -> Iterator[File]:
            for page in range(1, page_count(len(rows)) + 1):
                shown = rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
                html = self._renderer.repo(
                    row,
                    shown,
                    total=len(rows),
                    page=page,
                    family=family,
                    families=families if family is None else (),
                    modules=modules if family is None else (),
                    steps=self._lineage.steps if family is None else (),
                    release=self._lineage.release,
                )
                yield self._below(site.repo(row.repo, page, family)), html.encode("utf-8")

        yield from pages(summaries, None)
        for family, _ in families:
            yield from pages([one for one in summaries if one.background_tag == family], family)

    def _version_files(self) -> Iterator[File]:
        for step in self._lineage.steps if len(self._lineage.steps) > 1 else ():
            for page in range(1, page_count(len(step.changes)) + 1):
                html = self._renderer.version(self._lineage, step, page=page)
                address = self._renderer.site.version(self._row.repo, step.label, page)
                yield self._below(address), html.encode("utf-8")

    def _source_files(self, wanted: Sequence[tuple[str, str]]) -> Iterator[File]:
        repo = self._row.repo
        for sha, path in wanted:
            text = self._catalog.source(repo, sha, path)
            if text is not None:
                raised = self._raised.get(path, ()) if sha == self._row.analyzed_sha else ()
                for first in source_pages(text):
                    html = self._renderer.source(repo, sha, path, text, raised, first=first)
                    address = self._renderer.site.source(repo, sha, path, first).partition("#")[0]
                    # A folder named like the file: a static host would send the file itself as Python, not as a page.
                    yield self._below(address) + "/", html.encode("utf-8")

    @cached_property
    def _raised(self) -> Mapping[str, Sequence[Summary]]:
        by_path: dict[str, list[Summary]] = {}
        for summary in self._summaries:
            by_path.setdefault(summary.file_path, []).append(summary)
        return by_path

    def _sitemaps(self) -> Iterator[File]:
        site, row = self._renderer.site, self._row
        for number, start in enumerate(range(0, max(1, len(self._summaries)), SITEMAP_URLS), 1):
            part = self._summaries[start : start + SITEMAP_URLS]
            content = sitemap(site, (site.error(row.repo, one.slug) for one in part), row.analyzed_at)
            yield self._below(sitemap_path(site, row.repo, number)), content.encode("utf-8")

    def _below(self, address: str) -> str:
        """Return an address as it stands in the folder: a site below a host's folder is published from its own top."""
        return address.removeprefix(self._renderer.site.prefix)


def _parts(kind: Literal["errors", "former", "sources"], count: int, size: int) -> Iterator[Part]:
    return (Part(kind, start, min(start + size, count)) for start in range(0, count, size))
