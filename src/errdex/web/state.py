"""What the handlers share: the catalog, the renderer, and everything worth keeping until the catalog changes."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from starlette.requests import Request

from errdex.catalog import Catalog, FamilyRow, RepoRow
from errdex.model.answer import Answer
from errdex.publish.lineage import Lineage
from errdex.publish.links import Site
from errdex.publish.live_dataset import LiveDataset
from errdex.publish.modules import module_of
from errdex.publish.pages import Renderer
from errdex.search.ask import Found, Only
from errdex.web.lookup import Lookup
from errdex.web.reply import Body

_Kept = TypeVar("_Kept")

MAX_BODIES_BYTES = 64 * 1024 * 1024
"""Memory for ready bodies, the least recently asked for dropped first."""
VERSION_CHECK_S = 0.5
"""How long an answer may lag behind a change of the catalog."""


class State:
    """One app's shared state. Everything kept is dropped when the dataset's version grows."""

    def __init__(
        self,
        catalog: Catalog,
        site: Site,
        lookup: Lookup,
        *,
        description: dict[str, Any],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.catalog, self.site, self._lookup = catalog, site, lookup
        self.description = description
        """The API's OpenAPI description."""
        self.renderer = Renderer(site)
        self.dataset = LiveDataset(catalog, site)
        self._clock = clock
        self._checked_at = float("-inf")
        self._version = ""
        self._bodies: OrderedDict[Hashable, Body] = OrderedDict()
        self._bodies_bytes = 0
        self._facts: dict[Hashable, object] = {}

    @property
    def dataset_version(self) -> str:
        """The catalog's version, asked for again at most every `VERSION_CHECK_S`."""
        now = self._clock()
        if now - self._checked_at >= VERSION_CHECK_S:
            self._checked_at = now
            version = self.catalog.dataset_version
            if version != self._version:
                self._version = version
                self._bodies.clear()
                self._bodies_bytes = 0
                self._facts.clear()
        return self._version

    async def answer(self, text: str) -> Answer:
        """Answer a pasted text from the catalog as it is now."""
        return await self._lookup.answer(text, self.dataset_version)

    async def near(self, text: str, *, only: Only, limit: int) -> list[Found]:
        """Return the records nearest to a question in a user's own words; see `Lookup.near`."""
        return await self._lookup.near(text, only=only, limit=limit)

    def body(self, key: Hashable, make: Callable[[], Body | None]) -> Body | None:
        """Return the body kept under `key`, made if it is not; None (never kept) where there is none."""
        self.dataset_version  # noqa: B018 - drops what is stale
        kept = self._bodies.get(key)
        if kept is not None:
            self._bodies.move_to_end(key)
            return kept
        made = make()
        if made is not None:
            self._keep(key, made)
        return made

    def fact(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """Return a small fact kept until the catalog changes, worked out if it is not there."""
        self.dataset_version  # noqa: B018 - drops what is stale
        if key not in self._facts:
            self._facts[key] = make()
        return self._facts[key]  # type: ignore[return-value]  # the key names one maker

    def repos(self) -> list[RepoRow]:
        """Return every repository, by name."""
        return self.fact("repos", self.catalog.repos)

    def repo(self, repo: str) -> RepoRow | None:
        """Return one repository."""
        return self.fact("repos-by-name", lambda: {row.repo: row for row in self.repos()}).get(repo)

    def families(self) -> list[FamilyRow]:
        """Return every family that claims an error, the largest first."""
        return self.fact("families", self.catalog.families)

    def lineage(self, repo: str) -> Lineage:
        """Return what became of a repository's errors from version to version: a second of work for a large one."""
        return self.fact(("lineage", repo), lambda: Lineage(self.catalog, repo))

    def counts(self, repo: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Return a repository's errors by family and by module, most first."""
        return self.fact(("counts", repo), lambda: _counts(self.catalog, repo))

    def source_paths(self, repo: str, revision: str) -> Callable[[str], bool]:
        """Return a test for whether our own page of a path exists at a revision."""

        def has_source(path: str) -> bool:
            return self.fact(
                ("source", repo, revision, path),
                lambda: self.catalog.source(repo, revision, path) is not None,
            )

        return has_source

    def _keep(self, key: Hashable, made: Body) -> None:
        self._bodies[key] = made
        self._bodies_bytes += _size(made)
        while self._bodies_bytes > MAX_BODIES_BYTES and len(self._bodies) > 1:
            _, dropped = self._bodies.popitem(last=False)
            self._bodies_bytes -= _size(dropped)


def state_of(request: Request) -> State:
    """Return the state of the app that handles `request`."""
    state: State = request.app.state.errdex
    return state


def _size(kept: Body) -> int:
    return len(kept.content) + len(kept.packed or b"")


def _counts(catalog: Catalog, repo: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Count a repository's errors by family and by the two outermost folders of their files."""
    families: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    offset, size = 0, 5_000
    while page := catalog.summaries(repo, offset=offset, limit=size):
        families.update(row.background_tag for row in page if row.background_tag)
        modules.update(module_of(row.file_path) for row in page)
        offset += size
    return families.most_common(), modules.most_common()
