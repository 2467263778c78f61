"""`errdex publish`: the dataset and every page as plain files, for any static host."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import Executor
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import get_args

import msgspec

from errdex import __version__
from errdex.catalog import Catalog, RepoRow
from errdex.model.explanation import Level
from errdex.publish import documents
from errdex.publish.dataset import PER_REPO, entry_of, write_index, write_manifest, write_repos
from errdex.publish.files import published_assets
from errdex.publish.links import PAGE_SIZE, Site, page_count
from errdex.publish.output import STATE, Output, PublishError, replacing
from errdex.publish.pages import Renderer
from errdex.publish.schema import record_schema
from errdex.publish.shards import search_files
from errdex.publish.wire import encode
from errdex.publish.workers import write_repo

Progress = Callable[[str, int, int], None]
"""Called with a repository's name, how many are done and how many there are."""


class PublishedRepo(msgspec.Struct, frozen=True):
    """What a repository's files were made from."""

    fingerprint: str
    version: str
    """The dataset's version in which they last changed."""
    ids: list[str]
    """Of all its records, those included that the newest revision lacks."""


class PublishedState(msgspec.Struct, frozen=True):
    """What a published folder was made from: what is the same need not be made again."""

    maker: str
    version: str
    repos: dict[str, PublishedRepo]


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What one run did."""

    where: Path
    dataset_version: str
    repos: int
    errors: int
    written: int
    """Files that are new or changed."""
    kept: int
    """Files that stayed as they were."""


def publish(
    catalog: Catalog,
    target: Path,
    site: Site,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Published:
    """Publish `catalog` into the folder `target`, in place of what was published there before.

    Args:
        catalog: What to publish: every repository at its newest revision.
        target: A folder that is new, empty or was made by `publish`. Replaced in whole by rename.
        site: Where it will be reached; its mode should be `static`.
        executor: Where pages are made, processes on this machine; None makes them here. The bytes are the same.
        progress: Told about each repository.

    Raises:
        PublishError: the folder is not ours, or cannot be written; or the catalog changed meanwhile.
    """
    maker = _maker(site)
    with replacing(target) as output:
        old = _read_state(output.current)
        kept = old.repos if old is not None and old.maker == maker else {}
        read_at, rows = catalog.dataset_version, catalog.repos()
        prints = {row.repo: catalog.digest(row.repo) for row in rows}
        version = _next_version(read_at, old, prints, maker)
        state: dict[str, PublishedRepo] = {}
        for done, row in enumerate(rows):
            if progress is not None:
                progress(row.repo, done, len(rows))
            before = kept.get(row.repo)
            if before is not None and before.fingerprint == prints[row.repo] and _keep(output, row, before):
                state[row.repo] = before
            else:
                ids = write_repo(catalog, output, site, row, version, executor)
                state[row.repo] = PublishedRepo(prints[row.repo], version, ids)
        errors = _write_dataset(catalog, output, rows, version)
        _write_rest(catalog, output, site, rows)
        output.write(STATE, encode(PublishedState(maker, version, state)))
        if catalog.dataset_version != read_at:
            raise PublishError(target, "the catalog changed while it was read; run it again")
    return Published(
        where=target,
        dataset_version=version,
        repos=len(rows),
        errors=errors,
        written=output.written,
        kept=output.kept,
    )


def _keep(output: Output, row: RepoRow, before: PublishedRepo) -> bool:
    """Link everything of an unchanged repository; False where something of it is missing."""
    paths = [*(path(row.repo) for path in PER_REPO.values()), f"/{row.repo}/", f"/sitemaps/{row.repo}/"]
    if not all(output.keep(path) for path in paths):
        return False
    output.keep(f"/source/{row.repo}/")
    return all(output.keep(f"/api/errors/{record_id}") for record_id in before.ids)


def _write_dataset(catalog: Catalog, output: Output, rows: list[RepoRow], version: str) -> int:
    """Write index, rows, search files and, last, the manifest; return how many errors there are."""
    root = output.root
    listed, errors = write_index(catalog, root, version)
    repos = write_repos(rows, root)
    listed["repos"] = {"path": repos.path, "bytes": repos.bytes, "sha256": repos.sha256}
    levels = {each: level for level in get_args(Level) for each in catalog.ids(levels=[level])}
    for path, content in search_files(catalog.bare_records(), levels):
        output.write(path, content)
    per_repo = {
        name: {row.repo: entry_of(root, path(row.repo)) for row in rows} for name, path in PER_REPO.items()
    }
    write_manifest(root, version, listed, {"repos": len(rows), "errors": errors}, per_repo)
    for path in ("/data/index.json", "/data/index.json.gz", "/data/repos.json", "/data/manifest.json"):
        output.adopt(path)
    return errors


def _write_rest(catalog: Catalog, output: Output, site: Site, rows: list[RepoRow]) -> None:
    """Write everything that belongs to no single repository."""
    renderer = Renderer(site)
    families = catalog.families()
    pages = {
        "/": renderer.home(rows, families),
        "/about/": renderer.about(),
        "/search/": renderer.search("", None, {}),
        "/info/": renderer.families(families),
        "/404.html": renderer.message(404, "There is no such page", "Nothing is published at this address."),
        "/llms.txt": documents.llms(site, rows),
        "/robots.txt": documents.robots(site),
        "/rss.xml": documents.rss(site, rows),
        "/sitemap-index.xml": documents.sitemap_index(site, rows),
        "/sitemaps/pages.xml": documents.page_sitemap(
            site, rows, families, {row.repo: catalog.revisions(row.repo) for row in rows}
        ),
    }
    for family in families:
        repos = catalog.family_repos(family.slug)
        for page in range(1, page_count(family.error_count) + 1):
            members = catalog.family_members(family.slug, offset=(page - 1) * PAGE_SIZE, limit=PAGE_SIZE)
            address = site.family(family.slug, page).removeprefix(site.prefix)
            pages[address] = renderer.family(family, members, page=page, repos=repos)
    for path, text in pages.items():
        output.write(path, text.encode("utf-8"))
    output.write("/schema.json", encode(record_schema()))
    for name, (content, _) in published_assets().items():
        output.write(f"/assets/{name}", content)


def _next_version(
    catalog_version: str, old: PublishedState | None, prints: dict[str, str], maker: str
) -> str:
    """Return the version to publish: the old one if nothing changed, else one that is later than it."""
    if old is None:
        return catalog_version
    is_same = old.maker == maker and {repo: one.fingerprint for repo, one in old.repos.items()} == prints
    if is_same:
        return old.version
    after = datetime.fromisoformat(old.version) + timedelta(milliseconds=1)
    return max(catalog_version, after.isoformat(timespec="milliseconds").replace("+00:00", "Z"))


def _read_state(current: Path) -> PublishedState | None:
    try:
        return msgspec.json.decode((current / STATE.removeprefix("/")).read_bytes(), type=PublishedState)
    except (OSError, msgspec.DecodeError):
        return None


def _maker(site: Site) -> str:
    """Return what stands for the renderer and the site: a page made by another is made again."""
    return hashlib.sha256(encode(site) + _package_digest().encode()).hexdigest()


@cache
def _package_digest() -> str:
    digest = hashlib.sha256(__version__.encode())
    for name, content in sorted(_contents(files("errdex.publish"), "")):
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()


def _contents(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for item in folder.iterdir():
        name = f"{prefix}/{item.name}"
        if item.is_dir():
            found += [] if item.name == "__pycache__" else _contents(item, name)
        else:
            found.append((name, item.read_bytes()))
    return found
