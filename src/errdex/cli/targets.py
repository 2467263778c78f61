"""What the commands that work on records take: an id, or a coordinate whose records are made first if need be."""

from __future__ import annotations

from errdex.catalog import Catalog, StoredRecord
from errdex.catalog.build import build
from errdex.cli.analysis import progress_bar
from errdex.cli.options import note
from errdex.errors import QueryError
from errdex.pipeline.cache import facts_cache
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder


class UnknownTargetError(QueryError):
    """What is named is neither a record nor a coordinate."""

    slug = "no-such-target"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
        self.problem = f"{text!r} is neither a record's id nor a coordinate."
        self.hint = "Name a package as `pypi:NAME==VERSION`, or an id that `errdex list` shows."


def targeted(catalog: Catalog, target: str) -> list[StoredRecord]:
    """Return the records that a target means; a package that the catalog lacks is analysed first."""
    if stored := catalog.record(target):
        return [stored]
    if ":" not in target and "/" not in target and not target.startswith("."):
        raise UnknownTargetError(target)
    tree = open_tree(parse_coordinate(target))
    with facts_cache(default_folder(), note) as cache, progress_bar(str(tree.coordinate)) as progress:
        build(catalog, tree, cache=cache, progress=progress)
    return list(catalog.records(tree.repo, tree.revision))
