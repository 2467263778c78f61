"""On the spot: packages that a trace names, installed here, and not in the catalog.

Only the files that the trace's frames name are analysed (others are read as
linking needs them); where a trace has no frames, those that name its class.
Nothing is imported or run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from errdex.errors import ErrdexError
from errdex.model.answer import Match, Trace
from errdex.model.record import Evidence, Record
from errdex.model.source import SourceTree
from errdex.pipeline import Analysis, analyze
from errdex.search.build import build_segment
from errdex.search.entries import entries_of
from errdex.search.index import Index, Segment
from errdex.search.names import last_name
from errdex.sources import installed_tree, path_in_tree

MOST_FILES = 4
"""Files analysed per package: those of the innermost frames. Further out are callers, not what raised."""
MOST_PACKAGES = 4
MOST_SEARCHED_BYTES = 60_000_000
"""How much source is searched for a class when there are no frames."""
_LARGEST_FILE = 4_000_000


class Spot:
    """What was analysed on the spot."""

    def __init__(self, analyses: Sequence[Analysis]) -> None:
        self.analyses = tuple(analyses)

    def index(self, index: Index | None) -> Index:
        """Return `index` with these sites added, in a segment that lives as long as it is used."""
        with tempfile.TemporaryDirectory(prefix="errdex-") as folder:
            path = Path(folder) / "spot.segment"
            build_segment(
                (entry for analysis in self.analyses for entry in entries_of(analysis.tree, analysis.sites)),
                path,
            )
            segment = Segment(path)  # mapped: it outlives its file's name
        return Index([*(index.segments if index is not None else ()), segment])

    def record(self, match: Match) -> tuple[Record, Evidence] | None:
        """Return the full record of a match that was found here, None for another."""
        from errdex.pipeline.describe import describe  # noqa: PLC0415 - start-up time: only people ask for prose
        from errdex.pipeline.lines import LineReader  # noqa: PLC0415

        for analysis in self.analyses:
            tree = analysis.tree
            if tree.package != match.package or tree.version != match.version:
                continue
            sites = [site for site in analysis.sites if site.path == match.file]
            lines = LineReader(tree.root)
            for record, evidence in describe(tree, sites, lines, analyzed_at=datetime.now(UTC)):
                if record.id == match.id:
                    return record, evidence
        return None


def analyze_installed(trace: Trace, index: Index | None) -> Spot | None:
    """Return the analyses of what `trace` names, is installed here and is missing from `index`; None if nothing is.

    Whatever goes wrong while reading a package leaves that package out: the answer is then given without it.
    """
    analyses: list[Analysis] = []
    for tree, paths in _wanted(trace, index):
        try:
            analysis = analyze(tree, paths=paths)
        except (ErrdexError, OSError):
            continue
        if analysis.sites:
            analyses.append(analysis)
    return Spot(analyses) if analyses else None


def _wanted(trace: Trace, index: Index | None) -> Iterator[tuple[SourceTree, list[str]]]:
    found: dict[tuple[str, Path], tuple[SourceTree, list[str]]] = {}
    framed = False
    for block in reversed(trace.blocks):
        for frame in reversed(block.frames):
            if frame.path.startswith("<") or len(found) >= MOST_PACKAGES:
                continue
            framed = True
            _note(frame.path, found)
    if not framed:
        for block in trace.blocks:
            module, dot, _ = (block.error_class or "").partition(".")
            if dot:
                _note_class(module, last_name(block.error_class or ""), found)
    for tree, paths in found.values():
        if paths and (index is None or _is_wanted(tree, trace, index)):
            yield tree, paths


def _note(path: str, found: dict[tuple[str, Path], tuple[SourceTree, list[str]]]) -> None:
    """Add the file of a frame to the files wanted of its package."""
    for tree, paths in found.values():
        inside = path_in_tree(path, tree)
        if inside is not None:
            if inside not in paths and len(paths) < MOST_FILES:
                paths.append(inside)
            return
    owner = installed_tree(path)
    inside = path_in_tree(path, owner) if owner is not None else None
    if owner is not None and inside is not None:
        found[owner.package, owner.root] = (owner, [inside])


def _note_class(module: str, name: str, found: dict[tuple[str, Path], tuple[SourceTree, list[str]]]) -> None:
    """Add the files of an installed package that name a class, when only the class tells the package."""
    tree = installed_tree(module)
    if tree is None:
        return
    wanted = name.encode()
    paths: list[str] = []
    searched = 0
    for file in tree.files:
        if not file.path.endswith(".py") or file.size_bytes > _LARGEST_FILE:
            continue
        searched += file.size_bytes
        if searched > MOST_SEARCHED_BYTES:
            break
        if wanted in (tree.root / file.path).read_bytes():
            paths.append(file.path)
    found[tree.package, tree.root] = (tree, paths)


def _is_wanted(tree: SourceTree, trace: Trace, index: Index) -> bool:
    """Return whether an installed package tells more than `index` does.

    It does not where the index has this very version; nor where the index has others and the trace is another
    machine's: what that machine has installed is as likely one of those.
    """
    indexed = index.versions_of(tree.package)
    if not indexed:
        return True
    if tree.version in indexed:
        return False
    root = str(tree.root)
    return any(frame.path.startswith(root) for block in trace.blocks for frame in block.frames)
