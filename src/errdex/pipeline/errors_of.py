"""Which errors a public callable of a tree can raise: the analysis, walked forward."""

from __future__ import annotations

from errdex.extract import read_python, reading
from errdex.link import Package
from errdex.link.errors_of import ErrorsOf
from errdex.link.errors_of import errors_of as walk
from errdex.model.facts import FileFacts
from errdex.pipeline.analyze import Analysis
from errdex.syntax.text import UndecodableError, to_utf8


def errors_of(analysis: Analysis, dotted_name: str) -> ErrorsOf | None:
    """Return the errors that a call of `dotted_name` can raise; None if the tree has no such callable.

    Args:
        analysis: Of the whole tree: sites that it lacks are not found.
        dotted_name: As a user imports it: `requests.Session.get`; a class stands for calling it.
    """
    root = analysis.tree.root
    left_out = {skipped.path for skipped in analysis.skipped}

    def read(path: str) -> bytes | None:
        try:
            return to_utf8((root / path).read_bytes())
        except (OSError, UndecodableError):
            return None

    def load(path: str) -> FileFacts:
        data = read(path)
        return FileFacts("ast", error="cannot be read") if data is None else read_python(data)

    paths = [
        file.path for file in analysis.tree.files if file.path.endswith(".py") and file.path not in left_out
    ]
    with reading():
        return walk(Package(paths, {}, load, read), analysis.sites, dotted_name, read)
