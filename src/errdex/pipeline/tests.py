"""The library's own tests, found beside the sources or in the release's source archive, attached to the sites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from errdex.errors import SourceError
from errdex.link.raising_tests import MinedTest, mine_tests
from errdex.link.tests import attach_tests, test_paths
from errdex.model.source import SourceFile, SourceTree
from errdex.pipeline.analyze import Analysis
from errdex.pipeline.cache import FactsCache
from errdex.sources.pypi import open_source_archive

MINER_VERSION = 1
"""Part of every cache key: raised when what is mined changes."""
_CHUNK_FILES = 40
_decoder = msgspec.msgpack.Decoder(list[tuple[MinedTest, ...]])


def with_tests(
    analysis: Analysis,
    *,
    executor: Executor | None = None,
    cache: FactsCache | None = None,
    archive: bool = True,
) -> Analysis:
    """Return the analysis with the tests that raise its sites.

    Args:
        analysis: What was analysed; a tree without tests is no failure.
        executor: Where test files are read; None reads them here.
        cache: Tests of files read before.
        archive: Whether the release's source archive may be fetched where a wheel ships no tests.
    """
    found = mined_tests(analysis.tree, executor=executor, cache=cache)
    if not found and archive and (source := _source_archive(analysis.tree)) is not None:
        found = mined_tests(source, executor=executor, cache=cache)
    if not found:
        return analysis
    return msgspec.structs.replace(analysis, sites=attach_tests(analysis.sites, found))


def mined_tests(
    tree: SourceTree, *, executor: Executor | None = None, cache: FactsCache | None = None
) -> list[MinedTest]:
    """Return the expected errors of every test file of a tree, by path and line."""
    wanted = frozenset(test_paths(tree))
    files = [file for file in tree.files if file.path in wanted]
    known = cache.facts([_key(file) for file in files]) if cache is not None else {}
    found: dict[str, tuple[MinedTest, ...]] = {}
    missing: list[SourceFile] = []
    for file in files:
        kept = known.get(_key(file))
        if kept is None:
            missing.append(file)
        else:
            (tests,) = _decoder.decode(kept)
            found[file.path] = tuple(_moved(test, file.path) for test in tests)
    for file, tests in zip(missing, _mine(tree.root, missing, executor), strict=True):
        found[file.path] = tests
    if cache is not None and missing:
        cache.put_facts([(_key(file), msgspec.msgpack.encode([found[file.path]])) for file in missing])
    return [test for path in sorted(found) for test in found[path]]


def mine_chunk(root: str, paths: Sequence[str]) -> bytes:
    """Return the encoded tests of some files, in order: the task that workers run."""
    return msgspec.msgpack.encode([_mine_file(Path(root), path) for path in paths])


def _key(file: SourceFile) -> str:
    return f"{file.blob}/tests/{MINER_VERSION}"


def _moved(test: MinedTest, path: str) -> MinedTest:
    """Return the test as of another file with the same content."""
    if test.test.path == path:
        return test
    return msgspec.structs.replace(test, test=msgspec.structs.replace(test.test, path=path))


def _mine(
    root: Path, files: Sequence[SourceFile], executor: Executor | None
) -> Iterator[tuple[MinedTest, ...]]:
    paths = [file.path for file in files]
    if executor is None:
        yield from (_mine_file(root, path) for path in paths)
        return
    chunks = [paths[start : start + _CHUNK_FILES] for start in range(0, len(paths), _CHUNK_FILES)]
    for future in [executor.submit(mine_chunk, str(root), chunk) for chunk in chunks]:
        yield from _decoder.decode(future.result())


def _mine_file(root: Path, path: str) -> tuple[MinedTest, ...]:
    try:
        return mine_tests(path, (root / path).read_bytes())
    except OSError:
        return ()


def _source_archive(tree: SourceTree) -> SourceTree | None:
    """Return the source archive of a release; None where there is none or it cannot be had now."""
    if tree.coordinate.kind != "pypi":
        return None
    try:
        return open_source_archive(tree.coordinate)
    except SourceError:
        return None
