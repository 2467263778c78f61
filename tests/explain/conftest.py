"""Real sites to explain: the packages of this very environment, analysed once a session."""

import pytest

from errdex.explain import Context
from errdex.pipeline import analyze
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

PACKAGES = (
    "click",
    "jinja2",
    "httpx",
    "starlette",
    "sqlalchemy",
    "pydantic",
    "rich",
    "packaging",
    "h11",
    "jsonschema",
    "uvicorn",
)


class Sites:
    """The sites of several packages, each with the context it is explained in."""

    def __init__(self) -> None:
        self.pairs = []
        for name in PACKAGES:
            tree = open_tree(parse_coordinate(f"env:{name}"))
            lines = LineReader(tree.root)
            for site in analyze(tree).sites:
                context = Context(package=name, version=tree.version, repo=tree.repo, source_lines=lines)
                self.pairs.append((site, context))


@pytest.fixture(scope="session")
def real_sites():
    return Sites().pairs
