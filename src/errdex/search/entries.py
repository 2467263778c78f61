"""Sites of an analysis as index entries, for what is not in a catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errdex.model.answer import IndexEntry
from errdex.model.record import record_id, record_key, record_slug
from errdex.model.site import ThrowSite
from errdex.model.source import SourceTree


def entries_of(tree: SourceTree, sites: Iterable[ThrowSite]) -> Iterator[IndexEntry]:
    """Yield one entry per site and wording, with the ids that the catalog would give.

    Slugs are those of a repository without a clash: a page that shares its first 50 characters with another
    has a longer one in the catalog.
    """
    for site in sites:
        for template in site.templates or (None,):
            key = record_key(site, template)
            yield IndexEntry(
                id=record_id(tree.repo, key, site.path),
                repo=tree.repo,
                slug=record_slug(key),
                package=tree.package,
                version=tree.version,
                path=site.path,
                line=site.line,
                end_line=site.end_line,
                function=site.callable.name,
                error_class=site.known_class,
                bases=site.bases,
                template=template.text if template else None,
                error_code=site.error_code,
                kind=site.kind,
            )
