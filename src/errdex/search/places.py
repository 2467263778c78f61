"""Which indexed files the frames of a trace name."""

from __future__ import annotations

from collections.abc import Sequence

from errdex.model.answer import Frame
from errdex.search.index import Index
from errdex.search.names import common_tail, library_parts, path_lookup_keys, path_parts

FRAMES_READ = 40
MOST_FILES = 64
"""Files looked at per key: versions of one file, and files of other packages with the same last two parts."""


class FramePlace:
    """A frame whose file is indexed: the files (of every version), and how far out the frame is."""

    __slots__ = ("depth", "files", "frame")

    def __init__(self, frame: Frame, depth: int, files: list[tuple[int, int]]) -> None:
        self.frame = frame
        self.depth = depth
        """0 for the innermost."""
        self.files = files
        """(segment, file)."""


def places_of(index: Index, frames: Sequence[Frame]) -> list[FramePlace]:
    """Return the frames whose files are indexed, innermost first."""
    known: dict[str, list[tuple[int, int]]] = {}
    places = []
    for depth, frame in enumerate(reversed(frames[-FRAMES_READ:])):
        files = known.get(frame.path)
        if files is None:
            files = known[frame.path] = files_of_path(index, frame.path)
        if files:
            places.append(FramePlace(frame, depth, files))
    return places


def files_of_path(index: Index, path: str) -> list[tuple[int, int]]:
    """Return the indexed files that a frame's path may name: those that share the longest tail with it.

    A file counts only if its own path, or the part of the frame's path below the folder that packages are
    installed in, is shared whole.
    """
    parts = path_parts(path)
    wanted = library_parts(parts) or parts
    if not wanted:
        return []
    best: list[tuple[int, int]] = []
    longest = 0
    for number, segment in enumerate(index.segments):
        for key in path_lookup_keys(wanted):
            for file in segment.filed("path", key)[:MOST_FILES]:
                own = path_parts(segment.text(segment.file_path[file]))
                tail = common_tail(own, wanted)
                if tail < longest or (tail < len(own) and tail < len(wanted)):
                    continue
                if tail > longest:
                    longest, best = tail, []
                best.append((number, file))
    return best
