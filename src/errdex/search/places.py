"""Which indexed files the frames of a trace name."""

from __future__ import annotations

from collections.abc import Sequence

from errdex.model.answer import Frame
from errdex.search.index import Index
from errdex.search.layout import key_of
from errdex.search.names import common_tail, library_parts, path_lookup_keys, path_parts

FRAMES_READ = 40
MOST_FILES = 64
"""Files looked at per key: versions of one file, and files of other packages with the same last two parts."""


class FramePlace:
    """A frame in an indexed package: its file in every version that has it, and how far out the frame is."""

    __slots__ = ("depth", "files", "frame", "kin")

    def __init__(
        self, frame: Frame, depth: int, files: list[tuple[int, int]], kin: list[tuple[int, int]]
    ) -> None:
        self.frame = frame
        self.depth = depth
        """0 for the innermost."""
        self.files = files
        """(segment, file); empty where the file raises nothing."""
        self.kin = kin
        """The files, or else one file of the frame's folder in every version that has the folder."""


def places_of(index: Index, frames: Sequence[Frame]) -> list[FramePlace]:
    """Return the frames whose files, or folders at least, are indexed, innermost first."""
    known: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {}
    places = []
    for depth, frame in enumerate(reversed(frames[-FRAMES_READ:])):
        found = known.get(frame.path)
        if found is None:
            files = files_of_path(index, frame.path)
            found = known[frame.path] = (files, files or folders_of_path(index, frame.path))
        if found[1]:
            places.append(FramePlace(frame, depth, *found))
    return places


def folders_of_path(index: Index, path: str) -> list[tuple[int, int]]:
    """Return one file of each version that has the folder of an installed file; none for other paths."""
    below = library_parts(path_parts(path))
    if below is None or len(below) < 2 or not index.has_root(below[0]):
        return []
    folder = below[:-1]
    found: list[tuple[int, int]] = []
    for number, segment in enumerate(index.segments):
        for file in segment.filed("folder", key_of("/".join(folder[-2:])))[:MOST_FILES]:
            own = path_parts(segment.text(segment.file_path[file]))[:-1]
            if common_tail(own, folder) == len(folder):
                found.append((number, file))
    return found


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


def innermost_root(frames: Sequence[Frame]) -> str | None:
    """Return the top-level module of the innermost frame that lies where packages are installed, or None."""
    for frame in reversed(frames):
        below = library_parts(path_parts(frame.path))
        if below:
            return below[0].removesuffix(".py")
    return None
