"""The small files beside the pages: robots, llms.txt, sitemaps, RSS."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

from errdex.catalog import FamilyRow, RepoRow, RevisionRow
from errdex.publish.lineage import labels_of
from errdex.publish.links import Site, page_count
from errdex.publish.text import plain

SITEMAP_URLS = 10_000
"""Addresses in one sitemap file; the protocol allows 50,000."""
RSS_ITEMS = 50

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def robots(site: Site) -> str:
    """Return `/robots.txt`: pages are open, answers to questions are not to be crawled."""
    index = site.absolute(site.at("sitemap-index.xml"))
    return (
        "User-agent: *\n"
        f"Disallow: {site.at('api')}/\n"
        f"Disallow: {site.at('search')}/\n"
        f"Disallow: {site.at('source')}/\n"
        f"\nSitemap: {index}\n"
    )


def sitemap_count(row: RepoRow) -> int:
    """Return into how many files the sitemap of a repository is split."""
    return max(1, -(-row.error_count // SITEMAP_URLS))


def sitemap_path(site: Site, repo: str, number: int) -> str:
    """Return the address of one sitemap file of a repository."""
    return site.at("sitemaps", *repo.split("/"), f"{number}.xml")


def sitemap_index(site: Site, rows: Iterable[RepoRow]) -> str:
    """Return `/sitemap-index.xml`: one or more files per repository, and one for the other pages."""
    entries = [f"<sitemap><loc>{_url(site, site.at('sitemaps', 'pages.xml'))}</loc></sitemap>\n"]
    for row in rows:
        entries += (
            f"<sitemap><loc>{_url(site, sitemap_path(site, row.repo, number))}</loc>"
            f"<lastmod>{escape(row.analyzed_at)}</lastmod></sitemap>\n"
            for number in range(1, sitemap_count(row) + 1)
        )
    return f'{_XML}<sitemapindex xmlns="{_SITEMAPS}">\n{"".join(entries)}</sitemapindex>\n'


def sitemap(site: Site, paths: Iterable[str], changed: str | None = None) -> str:
    """Return one sitemap of `paths`, all changed at `changed` (ISO 8601)."""
    moment = f"<lastmod>{escape(changed)}</lastmod>" if changed else ""
    entries = [f"<url><loc>{_url(site, path)}</loc>{moment}</url>\n" for path in paths]
    return f'{_XML}<urlset xmlns="{_SITEMAPS}">\n{"".join(entries)}</urlset>\n'


def rss(site: Site, rows: Sequence[RepoRow]) -> str:
    """Return `/rss.xml`: one item for each library's newest analysis, the latest first."""
    newest = sorted(rows, key=lambda row: (row.analyzed_at, row.repo), reverse=True)[:RSS_ITEMS]
    items = "".join(_item(site, row) for row in newest)
    built = f"<lastBuildDate>{_rfc822(newest[0].analyzed_at)}</lastBuildDate>" if newest else ""
    own = _url(site, site.at("rss.xml"))
    return (
        f'{_XML}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>'
        f"<title>{escape(site.name)}: libraries analysed</title><link>{_url(site, site.home())}</link>"
        f"<description>Errors that libraries raise, what they mean and what to do.</description>{built}"
        f'<atom:link href="{own}" rel="self" type="application/rss+xml"/>\n{items}</channel></rss>\n'
    )


def llms(site: Site, rows: Sequence[RepoRow]) -> str:
    """Return `/llms.txt`: what there is and how a program asks for it."""
    total = sum(row.error_count for row in rows)
    listed = "\n".join(
        f"- [{plain(row.repo)}]({_full(site, site.repo(row.repo))}): {row.error_count} errors. {plain(row.description, 160)}".rstrip()
        for row in rows
    )
    api = (
        f"- [Explain a traceback]({_full(site, site.at('api', 'explain'))}): POST the text; verdict and ranked matches come back\n"
        f"- [Search]({_full(site, site.at('api', 'search'))}?q=): `q`, `repo`, `limit` (at most 25)\n"
        f"- [OpenAPI]({_full(site, site.at('openapi.json'))})\n"
        if site.mode == "live"
        else ""
    )
    return (
        f"# {site.name}\n\n> {total} errors of {len(rows)} libraries, read out of their source: what each means, "
        "when it happens, what to do. Every sentence carries where it comes from.\n\n## API\n\n"
        f"- [One error]({_full(site, site.at('api', 'errors'))}/ID): the record (31 keys) and its evidence\n{api}"
        f"- [Dataset]({_full(site, site.at('data', 'manifest.json'))}): manifest with sizes and sha256\n"
        f"- [Record schema]({_full(site, site.at('schema.json'))})\n\n## Libraries\n\n{listed}\n"
    )


def _item(site: Site, row: RepoRow) -> str:
    url = _url(site, site.repo(row.repo))
    return (
        f"<item><title>{escape(plain(row.repo))}: {row.error_count} errors</title><link>{url}</link>"
        f'<guid isPermaLink="false">{escape(plain(row.repo))}@{escape(row.analyzed_sha)}</guid>'
        f"<pubDate>{_rfc822(row.analyzed_at)}</pubDate>"
        f"<description>{escape(plain(row.description, 400))}</description></item>\n"
    )


def _rfc822(moment: str) -> str:
    return format_datetime(datetime.fromisoformat(moment))


def _full(site: Site, path: str) -> str:
    return site.absolute(path)


def _url(site: Site, path: str) -> str:
    return escape(site.absolute(path))


def page_sitemap(
    site: Site,
    repos: Sequence[RepoRow],
    families: Sequence[FamilyRow],
    revisions: Mapping[str, Sequence[RevisionRow]],
) -> str:
    """Return the sitemap of everything but the errors: first page, libraries with further pages and versions, families."""
    paths = [site.home(), site.at("about", folder=True), site.at("info", folder=True)]
    for repo in repos:
        paths += (site.repo(repo.repo, page) for page in range(1, page_count(repo.error_count) + 1))
        labels = labels_of(revisions[repo.repo])
        paths += (site.version(repo.repo, label) for label in labels.values() if len(labels) > 1)
    for family in families:
        paths += (site.family(family.slug, page) for page in range(1, page_count(family.error_count) + 1))
    return sitemap(site, paths)
