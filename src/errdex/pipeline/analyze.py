"""Trees to throw sites: every file read, in parallel and once; then linked as one package."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path

import msgspec

from errdex.extract import exclusion, may_raise, read_python, reading
from errdex.extract.exclude import HEAD_BYTES
from errdex.link import Linker, Package
from errdex.model.facts import FileFacts
from errdex.model.site import ThrowSite
from errdex.model.source import Skipped, SourceFile, SourceTree
from errdex.pipeline.cache import FactsCache
from errdex.pipeline.packed import pack, unpack
from errdex.pipeline.version import extractor_version
from errdex.syntax.text import UndecodableError, to_utf8

CHUNK_BYTES = 1_500_000
"""How much source one task of the executor reads: about a third of a second."""
MAX_WAITING = 8
"""Tasks given to the executor ahead of their results, a worker's share each: bounds what the parent holds."""
MAX_FILE_BYTES = 20_000_000
"""Larger files are data that happens to be written in Python."""


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """Every throw site of a tree, and what was left out."""

    tree: SourceTree
    sites: tuple[ThrowSite, ...]
    """Sorted by path, line, column."""
    skipped: tuple[Skipped, ...]
    """Python files that were not read for sites, with reasons; sorted by path."""
    files_read: int
    """Python files looked into."""
    files_parsed: int
    """Those that hold a raising token, or that linking needed."""


class _Read(msgspec.Struct, array_like=True):
    """What a worker says of one file: facts, or why it is left out; neither where it holds no site."""

    path: str
    facts: FileFacts | None
    skipped: str | None


_facts = msgspec.msgpack.Decoder(FileFacts)
_reads = msgspec.msgpack.Decoder(list[_Read])


def analyze(
    tree: SourceTree,
    *,
    executor: Executor | None = None,
    cache: FactsCache | None = None,
    paths: Collection[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Return the throw sites of a tree; the same whatever executes it.

    Args:
        tree: The files, laid out below `tree.root`.
        executor: Where files are read; None reads them here.
        cache: Facts of files and results of trees read before.
        paths: Restricts the sites to these files; others are read as linking needs them.
        progress: Told how many of how many files are done.
    """
    wanted = None if paths is None else frozenset(paths)
    if cache is not None and wanted is None:
        known = cache.tree(f"{tree.revision}/{extractor_version()}")
        if known is not None:
            return _unpack(known, tree)
    files = [file for file in tree.files if file.path.endswith(".py")]
    every = frozenset(file.path for file in files)
    chosen = [file for file in files if wanted is None or file.path in wanted]
    facts: dict[str, FileFacts] = {}
    skipped: list[Skipped] = []
    done = 0
    for reads in _read_all(tree.root, chosen, every, executor, cache):
        for read in reads:
            if read.facts is not None:
                facts[read.path] = read.facts
            if read.skipped is not None:
                skipped.append(Skipped(path=read.path, reason=read.skipped))
        done += len(reads)
        if progress is not None:
            progress(done, len(chosen))
    reader = _Reader(tree.root, names_only=wanted is not None)
    left_out = {one.path for one in skipped}
    package = Package(every - left_out, facts, reader.facts, reader.text)
    linker = Linker(package)
    with reading():
        sites = [site for path in sorted(facts) for site in linker.link(path)]
    analysis = Analysis(
        tree=tree,
        sites=tuple(sites),
        skipped=tuple(sorted(skipped, key=lambda one: one.path)),
        files_read=len(chosen),
        files_parsed=len(package.facts),
    )
    if cache is not None and wanted is None:
        cache.put_tree(
            f"{tree.revision}/{extractor_version()}",
            pack(analysis.sites, analysis.skipped, analysis.files_read, analysis.files_parsed),
        )
    return analysis


class _Reader:
    """Reads files of a tree for the linker."""

    def __init__(self, root: Path, *, names_only: bool) -> None:
        self._root = root
        self._names_only = names_only

    def facts(self, path: str) -> FileFacts:
        """Return a file's facts; with `names_only` what it defines and imports, and not what it raises."""
        try:
            return read_python((self._root / path).read_bytes(), names_only=self._names_only)
        except OSError as error:
            return FileFacts("ast", error=str(error))

    def text(self, path: str) -> bytes | None:
        """Return a file's bytes as UTF-8; None if it cannot be read."""
        try:
            return to_utf8((self._root / path).read_bytes())
        except (OSError, UndecodableError):
            return None


def _read_all(
    root: Path,
    files: Sequence[SourceFile],
    every: frozenset[str],
    executor: Executor | None,
    cache: FactsCache | None,
) -> Iterator[list[_Read]]:
    """Yield what is read of all files, in no particular order; cached facts first."""
    missing: list[SourceFile] = []
    if cache is None:
        missing = list(files)
    else:
        found = cache.facts([f"{file.blob}/{extractor_version()}" for file in files])
        telling = _telling(every)
        reads: list[_Read] = []
        for file in files:
            known = found.get(f"{file.blob}/{extractor_version()}")
            if known is None:
                missing.append(file)
            else:
                reads.append(_recall(file.path, known, telling))
        if reads:
            yield reads
    by_path = {file.path: file for file in missing}
    for reads in _run(root, missing, every, executor):
        if cache is not None:
            cache.put_facts(
                [
                    (f"{by_path[read.path].blob}/{extractor_version()}", _fact_bytes(read))
                    for read in reads
                    if read.facts
                ]
            )
        yield reads


def _recall(path: str, known: bytes, telling: frozenset[str]) -> _Read:
    """Return cached facts of a file; the same bytes may lie where they are not the library's."""
    reason = exclusion(path, b"", telling)
    if reason is not None:
        return _Read(path, None, reason)
    facts = _facts.decode(known)
    return _Read(path, facts, facts.error)


def _fact_bytes(read: _Read) -> bytes:
    return msgspec.msgpack.encode(read.facts)


def _run(
    root: Path, files: Sequence[SourceFile], every: frozenset[str], executor: Executor | None
) -> Iterator[list[_Read]]:
    folders = _telling(every)
    if executor is None:
        for chunk in _chunks(files):
            with reading():
                reads = [_read(root, path, folders) for path in chunk]
            yield reads
        return
    waiting: set[Future[bytes]] = set()
    for chunk in _chunks(files):
        waiting.add(executor.submit(read_chunk, str(root), chunk, folders))
        if len(waiting) >= MAX_WAITING:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                yield _reads.decode(future.result())
    for future in waiting:
        yield _reads.decode(future.result())


def _chunks(files: Sequence[SourceFile]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for file in files:
        chunk.append(file.path)
        size += file.size_bytes
        if size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _telling(paths: frozenset[str]) -> frozenset[str]:
    """Return the few paths that exclusion needs: packages named like folders of docs or tests, and their tests."""
    return frozenset(
        path
        for path in paths
        if {"test", "doc", "docs", "example", "examples"}.intersection(path.split("/")[:-1])
    )


def read_chunk(root: str, paths: Sequence[str], telling: frozenset[str]) -> bytes:
    """Return the encoded facts of some files: the task that workers run."""
    with reading():
        return msgspec.msgpack.encode([_read(Path(root), path, telling) for path in paths])


def _read(root: Path, path: str, telling: frozenset[str]) -> _Read:
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        return _Read(path, None, error.strerror or "cannot be read")
    reason = exclusion(path, data[:HEAD_BYTES], telling)
    if reason is not None:
        return _Read(path, None, reason)
    if len(data) > MAX_FILE_BYTES:
        return _Read(path, None, f"larger than {MAX_FILE_BYTES // 1_000_000} MB")
    if not may_raise(data):
        return _Read(path, None, None)
    facts = read_python(data)
    return _Read(path, facts, facts.error)


def _unpack(data: bytes, tree: SourceTree) -> Analysis:
    with reading():
        sites, skipped, files_read, files_parsed = unpack(data)
    return Analysis(tree=tree, sites=sites, skipped=skipped, files_read=files_read, files_parsed=files_parsed)
