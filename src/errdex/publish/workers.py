"""One repository's files written, part by part, here or by several processes.

A part's files depend on the part alone and each has a place of its own, so the folder's bytes do not
depend on how many processes wrote it, nor in which order.
"""

from __future__ import annotations

from concurrent.futures import Executor, as_completed
from functools import lru_cache
from pathlib import Path

from errdex.catalog import Catalog, RepoRow
from errdex.publish.links import Site
from errdex.publish.output import Output
from errdex.publish.pages import Renderer
from errdex.publish.site_repo import Part, RepoFiles


def write_repo(
    catalog: Catalog, output: Output, site: Site, row: RepoRow, version: str, executor: Executor | None
) -> list[str]:
    """Write every file of a repository into `output`; return the ids of its records, former ones included."""
    files = RepoFiles(catalog, Renderer(site), row, version)
    if executor is None:
        for part in files.parts():
            _write_part(files, part, output)
        return files.ids()
    tasks = [
        executor.submit(
            _write_elsewhere, catalog.where, output.current, output.root, site, row, version, part
        )
        for part in files.parts()
    ]
    try:
        for task in as_completed(tasks):
            written, kept = task.result()
            output.written += written
            output.kept += kept
    finally:
        for task in tasks:
            task.cancel()
    return files.ids()


def _write_elsewhere(
    where: str, current: Path, root: Path, site: Site, row: RepoRow, version: str, part: Part
) -> tuple[int, int]:
    """Write one part in a process of a pool; return how many files are new and how many the same as before."""
    output = Output(current, root)
    _write_part(_files(where, site, row, version), part, output)
    return output.written, output.kept


@lru_cache(maxsize=1)
def _files(where: str, site: Site, row: RepoRow, version: str) -> RepoFiles:
    """Return a process's own reader of the repository it is at work on."""
    return RepoFiles(_catalog(where), Renderer(site), row, version)


@lru_cache(maxsize=1)
def _catalog(where: str) -> Catalog:
    return Catalog.open(where)


def _write_part(files: RepoFiles, part: Part, output: Output) -> None:
    if part.kind == "data":
        for listed in files.write_data(output.root):
            output.adopt(listed.path)
    else:
        for path, content in files.files(part):
            output.write(path, content)
