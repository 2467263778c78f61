"""`errors_of` for a package that is installed here: read on the spot, nothing imported or run."""

from __future__ import annotations

import importlib.metadata
from functools import lru_cache

from errdex.errors import QueryError
from errdex.link.errors_of import ErrorsOf
from errdex.pipeline.analyze import Analysis, analyze
from errdex.pipeline.cache import facts_cache
from errdex.pipeline.errors_of import errors_of
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder


class UnknownCallError(QueryError):
    """No installed package has a callable of that name."""

    slug = "unknown-callable"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(name, detail)
        self.name, self.detail = name, detail
        self.problem = f"{name[:120]!r} cannot be followed: {detail}."
        self.hint = (
            "Give the dotted name that you import, as `requests.Session.get`, of a package installed here."
        )


def errors_of_call(name: str, coordinate: str | None = None) -> tuple[ErrorsOf, str]:
    """Return the errors that a call can raise, and the release they hold for.

    Args:
        name: The dotted name as it is imported.
        coordinate: Where it is defined; None: the package installed here that brings its first part.

    Raises:
        UnknownCallError: the package is not installed, or has no such callable.
    """
    name = name.strip().removesuffix("()")
    top = name.partition(".")[0]
    if coordinate is None:
        distribution = next(iter(importlib.metadata.packages_distributions().get(top, ())), None)
        if distribution is None:
            raise UnknownCallError(name, f"no package installed here brings {top[:60]!r}")
        coordinate = f"env:{distribution}=={importlib.metadata.version(distribution)}"
    analysis = _analysis(coordinate)
    found = errors_of(analysis, name)
    release = f"{analysis.tree.package} {analysis.tree.version or ''}".rstrip()
    if found is None:
        raise UnknownCallError(name, f"{release} has no such callable")
    return found, release


@lru_cache(maxsize=4)
def _analysis(coordinate: str) -> Analysis:
    with facts_cache(default_folder()) as cache:
        return analyze(open_tree(parse_coordinate(coordinate)), cache=cache)
