"""All files of one repository on a static site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from errdex.catalog import Catalog, RepoRow, Summary
from errdex.publish.documents import SITEMAP_URLS, sitemap, sitemap_path
from errdex.publish.links import PAGE_SIZE, page_count
from errdex.publish.modules import module_of
from errdex.publish.pages import Renderer
from errdex.publish.wire import error_body

File = tuple[str, bytes]
"""Address from the site's top, and content."""


def repo_files(
    catalog: Catalog, renderer: Renderer, row: RepoRow, version: str, release: str
) -> Iterator[File]:
    """Yield every page and JSON file of a repository: its errors, its lists, its sources, its sitemaps."""
    summaries = catalog.summaries(row.repo, limit=row.error_count)
    sources = _sources(summaries)
    yield from _error_files(catalog, renderer, row, version, sources)
    yield from _list_files(renderer, row, summaries, release)
    yield from _source_files(catalog, renderer, row, summaries)
    yield from _sitemaps(renderer, row, summaries)


def _sources(summaries: Sequence[Summary]) -> Callable[[str], bool]:
    known = {summary.file_path for summary in summaries}
    return lambda path: path in known


def _error_files(
    catalog: Catalog, renderer: Renderer, row: RepoRow, version: str, has_source: Callable[[str], bool]
) -> Iterator[File]:
    site = renderer.site
    has_history = len(catalog.revisions(row.repo)) > 1
    for stored in catalog.records(row.repo):
        record = stored.record
        history = catalog.history(row.repo, record.id) if has_history else []
        page = renderer.error(stored, has_source=has_source, history=history)
        yield _below(renderer, site.error(record.repo, record.slug)), page.encode("utf-8")
        yield _below(renderer, site.api_error(record.id)), error_body(stored, version, site)


def _list_files(
    renderer: Renderer, row: RepoRow, summaries: Sequence[Summary], release: str
) -> Iterator[File]:
    families = Counter(one.background_tag for one in summaries if one.background_tag).most_common()
    modules = Counter(module_of(one.file_path) for one in summaries).most_common()

    def pages(rows: Sequence[Summary], family: str | None) -> Iterator[File]:
        for page in range(1, page_count(len(rows)) + 1):
            shown = rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
            html = renderer.repo(
                row,
                shown,
                total=len(rows),
                page=page,
                family=family,
                families=families if family is None else (),
                modules=modules if family is None else (),
                release=release,
            )
            yield _below(renderer, renderer.site.repo(row.repo, page, family)), html.encode("utf-8")

    yield from pages(summaries, None)
    for family, _ in families:
        yield from pages([one for one in summaries if one.background_tag == family], family)


def _source_files(
    catalog: Catalog, renderer: Renderer, row: RepoRow, summaries: Sequence[Summary]
) -> Iterator[File]:
    """Yield our own pages of the sources, where no public host shows them."""
    by_path: dict[str, list[Summary]] = {}
    for summary in summaries:
        by_path.setdefault(summary.file_path, []).append(summary)
    permalink = next((one.permalink for one in catalog.revisions(row.repo) if one.is_newest), None)
    for path, raised in by_path.items() if permalink is None else ():
        text = catalog.source(row.repo, row.analyzed_sha, path)
        if text is not None:
            html = renderer.source(row.repo, row.analyzed_sha, path, text, raised)
            address = renderer.site.source(row.repo, row.analyzed_sha, path)
            # A folder named like the file: a static host would send the file itself as Python, not as a page.
            yield _below(renderer, address) + "/", html.encode("utf-8")


def _sitemaps(renderer: Renderer, row: RepoRow, summaries: Sequence[Summary]) -> Iterator[File]:
    site = renderer.site
    for number, start in enumerate(range(0, max(1, len(summaries)), SITEMAP_URLS), 1):
        part = summaries[start : start + SITEMAP_URLS]
        content = sitemap(site, (site.error(row.repo, one.slug) for one in part), row.analyzed_at)
        yield _below(renderer, sitemap_path(site, row.repo, number)), content.encode("utf-8")


def _below(renderer: Renderer, address: str) -> str:
    """Return an address as it stands in the folder: a site below a host's folder is published from its own top."""
    return address.removeprefix(renderer.site.prefix)
