"""Gathering: which entries of the index could be the place of one block of a trace, and what speaks for each.

Two roads lead to a candidate: the message's words (through the grams that
shapes are filed under) and the frames (through the files they name). What is
found on either road is weighed with the evidence of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errdex.model.answer import Frame, TraceBlock
from errdex.search import evidence
from errdex.search.index import Index, Segment
from errdex.search.interpreter import is_interpreter_error
from errdex.search.layout import NONE, key_of
from errdex.search.names import (
    class_name,
    common_tail,
    distribution_name,
    library_parts,
    path_lookup_keys,
    path_parts,
)
from errdex.search.shape import HOLE, NO_FIT, Fit, fit, loosened, squeeze, weigh
from errdex.search.words import gram_hashes, words_of

MOST_WORDS = 160
_HEAD_WORDS = 120
"""Of a longer message the first 120 and the last 40 words are looked up."""
MOST_SHAPES = 80
MOST_OF_SHAPE = 64
MOST_OF_FILE = 400
MOST_FILES = 48
FRAMES_SEARCHED = 6
"""Innermost frames whose whole file is searched for sites; of the others only the line itself."""
FRAMES_READ = 40
_WEAK_SHAPE = 5


class Candidate:
    """One entry and what speaks for it."""

    __slots__ = ("entry", "fit", "frame", "place", "score", "segment", "why")

    def __init__(self, segment: Segment, entry: int) -> None:
        self.segment = segment
        self.entry = entry
        self.fit: Fit | None = None
        self.place = 0.0
        """Worth of the best frame."""
        self.frame: Frame | None = None
        self.score = 0.0
        self.why: list[str] = []


class FramePlace:
    """A frame whose file is indexed: the files (of every version), and how far in the frame is."""

    __slots__ = ("depth", "files", "frame")

    def __init__(self, frame: Frame, depth: int, files: list[tuple[Segment, int]]) -> None:
        self.frame = frame
        self.depth = depth
        """0 for the innermost."""
        self.files = files


class BlockQuery:
    """One block asked of an index. Made once per block; holds what is shared by all its candidates."""

    def __init__(self, index: Index, block: TraceBlock, versions: Mapping[str, str], runtime: str) -> None:
        self.index = index
        self.block = block
        self.versions = versions
        self.message = block.message.strip()
        self.is_interpreter = is_interpreter_error(block.error_class, self.message, runtime)
        self.found: dict[tuple[int, int], Candidate] = {}
        self._fits: dict[tuple[int, int], Fit | None] = {}
        self._classes: dict[tuple[int, int], float] = {}
        self._functions: dict[tuple[int, int], str] = {}
        self._squeezed = squeeze(self.message)
        self._shapes: list[dict[int, int]] = []
        self.places = self._read_frames()

    def candidates(self) -> list[Candidate]:
        """Return every candidate, scored, unordered."""
        self._by_message()
        self._by_frames()
        self._by_code()
        for candidate in self.found.values():
            self._score(candidate)
        return list(self.found.values())

    def _read_frames(self) -> list[FramePlace]:
        places = []
        for depth, frame in enumerate(reversed(self.block.frames[-FRAMES_READ:])):
            files = files_of_frame(self.index, frame.path)
            if files:
                places.append(FramePlace(frame, depth, files))
        return places

    def _by_message(self) -> None:
        words = words_of(self.message[:20000])
        if len(words) > MOST_WORDS:
            words = words[:_HEAD_WORDS] + words[_HEAD_WORDS - MOST_WORDS :]
        grams = gram_hashes(words)
        wanted = class_name(self.block.error_class) if self.block.error_class else None
        for number, segment in enumerate(self.index.segments):
            shapes = segment.shapes_of(grams)
            self._shapes.append(shapes)
            ranked = sorted(shapes, key=shapes.__getitem__, reverse=True)[:MOST_SHAPES]
            for shape in ranked:
                if self._fit(number, shape).kind != "none":
                    self._add_shape(number, segment, shape, wanted)

    def _add_shape(self, number: int, segment: Segment, shape: int, wanted: str | None) -> None:
        entries: Sequence[int] = segment.entries_of_shape(shape)
        if len(entries) > MOST_OF_SHAPE:
            files = {file for place in self.places for one, file in place.files if one is segment}
            kept = [entry for entry in entries if segment.file[entry] in files]
            same = [entry for entry in entries if wanted and self._class_worth(number, entry) > 0]
            entries = [*kept, *(same or entries)][:MOST_OF_SHAPE]
        for entry in entries:
            self._candidate(number, segment, entry)

    def _candidate(self, number: int, segment: Segment, entry: int) -> Candidate:
        key = (number, entry)
        found = self.found.get(key)
        if found is None:
            found = self.found[key] = Candidate(segment, entry)
        return found

    def _by_frames(self) -> None:
        numbers = {id(segment): number for number, segment in enumerate(self.index.segments)}
        for place in self.places:
            for segment, file in place.files:
                number = numbers[id(segment)]
                entries = segment.entries_of_file(file)
                line = place.frame.line
                if place.depth >= FRAMES_SEARCHED or len(entries) > MOST_OF_FILE:
                    entries = (
                        segment.entries_near(file, line, MOST_OF_FILE if place.depth < FRAMES_SEARCHED else 6)
                        if line
                        else entries[:0]
                    )
                self._weigh_place(number, segment, entries, place)

    def _weigh_place(self, number: int, segment: Segment, entries: range, place: FramePlace) -> None:
        frame = place.frame
        line = frame.line or -1
        function = frame.function
        searched = place.depth < FRAMES_SEARCHED
        names = self._functions
        lines, ends, functions = segment.line, segment.end_line, segment.function
        for entry in entries:
            first = lines[entry]
            if first <= line <= ends[entry]:
                worth = evidence.INSIDE if place.depth == 0 else evidence.INSIDE_OUTER
            elif not searched:
                continue
            else:
                text = functions[entry]
                key = (number, text)
                name = names.get(key)
                if name is None:
                    name = names[key] = segment.text(text).rpartition(".")[2]
                if function and name == function:
                    worth = evidence.SAME_FUNCTION
                elif (number, entry) in self.found:
                    worth = evidence.SAME_FILE
                else:
                    continue
                if line > 0:
                    worth -= evidence.PER_LINE_OFF * min(abs(line - first), evidence.MOST_LINES_OFF)
            worth -= 0.35 * min(place.depth, 4)
            candidate = self._candidate(number, segment, entry)
            if worth > candidate.place:
                candidate.place = worth
                candidate.frame = frame

    def _by_code(self) -> None:
        """Add the sites that give the error code which the message begins with (`[E050]`, `E050:`)."""
        code = leading_code(self.message)
        if code is None:
            return
        for number, segment in enumerate(self.index.segments):
            for entry in segment.filed("code", key_of(code))[:MOST_OF_SHAPE]:
                if segment.optional_text(segment.code[entry]) == code:
                    candidate = self._candidate(number, segment, entry)
                    candidate.score = evidence.CODE_SAME

    def _fit(self, number: int, shape: int) -> Fit:
        key = (number, shape)
        known = self._fits.get(key)
        if known is None:
            literals = self.index.segments[number].literals(shape)
            known = fit(literals.split(HOLE), self.message)
            if known.kind == "none":
                known = loosened(literals, self._squeezed)
            self._fits[key] = known
        return known

    def _class_worth(self, number: int, entry: int) -> float:
        segment = self.index.segments[number]
        text = segment.error_class[entry]
        key = (number, text)
        worth = self._classes.get(key)
        if worth is None:
            worth = self._classes[key] = self._compare_class(segment, entry)
        return worth

    def _compare_class(self, segment: Segment, entry: int) -> float:
        wanted = self.block.error_class
        given = segment.optional_text(segment.error_class[entry])
        if wanted is None or given is None:
            return 0.0
        name = class_name(given)
        if name == class_name(wanted):
            rare = len(segment.filed("class", key_of(name))) < 40
            return evidence.CLASS_SAME + evidence.CLASS_RARE * rare
        if not name[:1].isupper():
            return 0.0  # a variable: whatever it holds
        bases = segment.optional_text(segment.bases[entry]) or ""
        if any(class_name(base) == class_name(wanted) for base in bases.split("\n")):
            return evidence.CLASS_KIN
        return evidence.CLASS_OTHER

    def _score(self, candidate: Candidate) -> None:
        segment, entry = candidate.segment, candidate.entry
        number = self.index.segments.index(segment)
        score = candidate.score + candidate.place
        score += self._class_worth(number, entry)
        score += self._text_worth(number, candidate)
        if candidate.place == 0.0:
            score += self._package_worth(segment, entry)
        score += self._version_worth(candidate)
        inside = candidate.frame is not None and candidate.place > 3
        if self.is_interpreter and not (
            inside and self._class_worth(number, entry) >= 0 and (candidate.fit or NO_FIT).kind != "none"
        ):
            score += evidence.INTERPRETER
        candidate.score = score

    def _text_worth(self, number: int, candidate: Candidate) -> float:
        segment = candidate.segment
        shape = segment.shape[candidate.entry]
        if shape == NONE:
            return evidence.NO_WORDS
        if not self.message:
            return 0.0
        filed = shape in self._shapes[number]
        if not filed and candidate.place < evidence.SAME_FUNCTION - 1:
            candidate.fit = NO_FIT
            return evidence.TEXT_REFUTED
        candidate.fit = self._fit(number, shape)
        if candidate.fit.kind == "none":
            weak = weigh(segment.literals(shape)) < _WEAK_SHAPE
            return evidence.TEXT_REFUTED_WEAK if weak else evidence.TEXT_REFUTED
        if candidate.fit.literal < _WEAK_SHAPE:
            return evidence.NO_WORDS
        return evidence.text_worth(candidate.fit)

    def _package_worth(self, segment: Segment, entry: int) -> float:
        if not self.block.frames:
            return 0.0
        package = segment.file_package[segment.file[entry]]
        for place in self.places:
            if any(one is segment and segment.file_package[file] == package for one, file in place.files):
                return evidence.SAME_PACKAGE
        return evidence.ELSEWHERE if self.places and self.places[0].depth == 0 else 0.0

    def _version_worth(self, candidate: Candidate) -> float:
        segment = candidate.segment
        file = segment.file[candidate.entry]
        package = distribution_name(segment.text(segment.file_package[file]))
        stated = self.versions.get(package)
        if stated is None:
            return 0.0
        if stated == segment.optional_text(segment.file_version[file]):
            line = candidate.frame.line if candidate.frame else None
            inside = (
                line is not None
                and segment.line[candidate.entry] <= line <= segment.end_line[candidate.entry]
            )
            return evidence.VERSION_SAME + (0.0 if inside or line is None else evidence.LINE_REFUTED)
        return evidence.VERSION_OTHER


def files_of_frame(index: Index, path: str) -> list[tuple[Segment, int]]:
    """Return the indexed files (of every version) that a frame's path may name: those that share the longest tail."""
    parts = path_parts(path)
    if not parts:
        return []
    below = library_parts(parts)
    wanted = below or parts
    best: list[tuple[Segment, int]] = []
    longest = 0
    for segment in index.segments:
        for key in path_lookup_keys(wanted):
            for file in segment.filed("path", key)[:MOST_FILES]:
                own = path_parts(segment.text(segment.file_path[file]))
                tail = common_tail(own, wanted)
                if tail < len(own) and tail < len(wanted):
                    continue
                if tail > longest:
                    longest, best = tail, []
                if tail == longest:
                    best.append((segment, file))
    return best


def leading_code(message: str) -> str | None:
    """Return the error code a message begins with, in brackets or before a colon, or None."""
    head = message[:24]
    if head.startswith("[") and "]" in head:
        return head[1 : head.index("]")]
    code, colon, _ = head.partition(":")
    return code if colon and any(map(str.isdigit, code)) and code.isalnum() else None
