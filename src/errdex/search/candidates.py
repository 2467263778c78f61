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
from errdex.search.names import BUILTIN_ERRORS, class_name, distribution_name
from errdex.search.places import FramePlace, folders_of_path, innermost_root, places_of
from errdex.search.shape import NO_FIT, Fit, weigh
from errdex.search.versions import fits_version
from errdex.search.wording import Wording

MOST_OF_SHAPE = 64
MOST_OF_FILE = 300
FRAMES_SEARCHED = 6
"""Innermost frames whose whole file is searched for sites; of the others only the line itself."""
_NEAR = 6
_WEAK_SHAPE = 5
_RARE_CLASS = 40
"""A class with fewer sites than this narrows the search by itself."""


class Candidate:
    """One entry and what speaks for it."""

    __slots__ = (
        "class_worth",
        "code",
        "entry",
        "era",
        "fit",
        "frame",
        "is_elsewhere",
        "number",
        "place",
        "score",
        "segment",
    )

    def __init__(self, segment: Segment, number: int, entry: int) -> None:
        self.segment = segment
        self.number = number
        """Of the segment."""
        self.entry = entry
        self.fit: Fit = NO_FIT
        self.place = 0.0
        """Worth of the best frame."""
        self.frame: Frame | None = None
        self.code = 0.0
        self.class_worth = 0.0
        self.era = 0.0
        self.is_elsewhere = False
        """Whether the trace's innermost library frame lies in another package."""
        self.score = 0.0

    @property
    def is_inside(self) -> bool:
        """Whether the frame's line lies in the statement."""
        line = self.frame.line if self.frame else None
        return line is not None and self.segment.line[self.entry] <= line <= self.segment.end_line[self.entry]


class BlockQuery:
    """One block asked of an index. Made once per block; holds what is shared by all its candidates."""

    def __init__(self, index: Index, block: TraceBlock, versions: Mapping[str, str], runtime: str) -> None:
        self.index = index
        self.block = block
        self.versions = versions
        self.message = block.message.strip()
        self.is_interpreter = is_interpreter_error(block.error_class, self.message, runtime)
        self.places = places_of(index, block.frames)
        self.root = innermost_root(block.frames)
        """Top-level module of the innermost frame that lies in a library; None where no frame does."""
        self.wording = Wording(index, self.message)
        self._wanted_class = class_name(block.error_class) if block.error_class else None
        self._found: dict[tuple[int, int], Candidate] = {}
        self._fitting: set[tuple[int, int]] = set()
        self._classes: dict[tuple[int, int], float] = {}
        self._functions: dict[tuple[int, int], str] = {}
        self._frame_versions: dict[tuple[int, bool], dict[tuple[int, int], set[int]]] = {}

    def candidates(self) -> list[Candidate]:
        """Return every candidate, scored, unordered."""
        self._by_message()
        self._by_frames()
        self._by_code()
        if not self._found:
            self._by_class()
        for candidate in self._found.values():
            candidate.score = self._score(candidate)
        return list(self._found.values())

    def _candidate(self, number: int, entry: int) -> Candidate:
        key = (number, entry)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = Candidate(self.index.segments[number], number, entry)
        return found

    def _by_message(self) -> None:
        self._add_shapes(self.wording.fitting())
        if self.places and not any(self._era_worth(found) > 0 for found in self._found.values()):
            self._add_shapes(
                self.wording.leniently_fitting()
            )  # the trace's own version may word it otherwise

    def _add_shapes(self, shapes: Sequence[tuple[int, int]]) -> None:
        for number, shape in shapes:
            self._fitting.add((number, shape))
            segment = self.index.segments[number]
            entries: Sequence[int] = segment.entries_of_shape(shape)
            if len(entries) > MOST_OF_SHAPE:
                entries = self._choose(number, segment, entries)
            for entry in entries:
                self._candidate(number, entry)

    def _choose(self, number: int, segment: Segment, entries: Sequence[int]) -> Sequence[int]:
        """Return a share of a wording's many entries: those in the trace's files first, then those of its class."""
        files = {file for place in self.places for one, file in place.files if one == number}
        here = [entry for entry in entries if segment.file[entry] in files]
        same = [entry for entry in entries if self._class_worth(number, entry) > 0]
        return [*here, *(same or entries)][:MOST_OF_SHAPE]

    def _by_frames(self) -> None:
        for place in self.places:
            searched = place.depth < FRAMES_SEARCHED
            line = place.frame.line
            for number, file in place.files:
                segment = self.index.segments[number]
                entries = segment.entries_of_file(file)
                if not searched or len(entries) > MOST_OF_FILE:
                    if line is None:
                        continue
                    entries = segment.entries_near(file, line, MOST_OF_FILE if searched else _NEAR)
                self._weigh_place(number, segment, entries, place, searched=searched)

    def _weigh_place(
        self, number: int, segment: Segment, entries: range, place: FramePlace, *, searched: bool
    ) -> None:
        line = place.frame.line or -1
        function = place.frame.function
        depth_cost = evidence.PER_FRAME_OUT * min(place.depth, 4)
        lines, ends, functions = segment.line, segment.end_line, segment.function
        for entry in entries:
            first = lines[entry]
            if first <= line <= ends[entry]:
                worth = evidence.INSIDE
            elif not searched:
                continue
            elif function and self._function(number, segment, functions[entry]) == function:
                worth = evidence.SAME_FUNCTION - evidence.lines_off(line, first)
            elif (number, entry) in self._found:
                other = bool(function) and self._function(number, segment, functions[entry]) != ""
                worth = (evidence.OTHER_FUNCTION if other else evidence.SAME_FILE) - evidence.lines_off(
                    line, first
                )
            else:
                continue
            candidate = self._candidate(number, entry)
            if worth - depth_cost > candidate.place:
                candidate.place = worth - depth_cost
                candidate.frame = place.frame

    def _function(self, number: int, segment: Segment, text: int) -> str:
        """Return the last name of a site's function: all that a frame shows."""
        key = (number, text)
        name = self._functions.get(key)
        if name is None:
            name = self._functions[key] = segment.text(text).rpartition(".")[2]
        return name

    def _by_code(self) -> None:
        """Add the sites that give the error code which the message begins with (`[E050]`, `E050:`)."""
        code = leading_code(self.message)
        if code is None:
            return
        for number, segment in enumerate(self.index.segments):
            for entry in segment.filed("code", key_of(code))[:MOST_OF_SHAPE]:
                if segment.optional_text(segment.code[entry]) == code:
                    self._candidate(number, entry).code = evidence.CODE_SAME

    def _by_class(self) -> None:
        """Add the sites of a class that few raise, where neither words nor frames lead anywhere."""
        name = self._wanted_class
        if name is None or name in BUILTIN_ERRORS:
            return
        for number, segment in enumerate(self.index.segments):
            entries = segment.filed("class", key_of(name))
            for entry in entries if len(entries) < _RARE_CLASS else ():
                self._candidate(number, entry)

    def _class_worth(self, number: int, entry: int) -> float:
        segment = self.index.segments[number]
        key = (number, segment.error_class[entry])
        worth = self._classes.get(key)
        if worth is None:
            worth = self._classes[key] = self._compare_class(segment, entry)
        return worth

    def _compare_class(self, segment: Segment, entry: int) -> float:
        given = segment.optional_text(segment.error_class[entry])
        if self._wanted_class is None or given is None:
            return 0.0
        name = class_name(given)
        if name == self._wanted_class:
            rare = len(segment.filed("class", key_of(name))) < _RARE_CLASS
            return evidence.CLASS_SAME + evidence.CLASS_RARE * rare
        if not name[:1].isupper():
            return 0.0  # a variable: whatever it holds
        bases = segment.optional_text(segment.bases[entry]) or ""
        if any(class_name(base) == self._wanted_class for base in bases.split("\n")):
            return evidence.CLASS_KIN
        return evidence.CLASS_OTHER

    def _score(self, candidate: Candidate) -> float:
        number, entry, segment = candidate.number, candidate.entry, candidate.segment
        class_worth = candidate.class_worth = self._class_worth(number, entry)
        score = candidate.code + candidate.place + class_worth + self._text_worth(candidate)
        if not self.message and self._wanted_class is None:
            score += evidence.NOTHING_SAID
        if candidate.place == 0.0 and self.block.frames:
            package_worth = self._package_worth(number, segment, entry)
            candidate.is_elsewhere = package_worth == evidence.ELSEWHERE
            score += package_worth
        if self.versions:
            score += self._version_worth(candidate)
        if self.places:
            candidate.era = self._era_worth(candidate)
            score += candidate.era
        if self.is_interpreter:
            refuted = segment.shape[entry] != NONE and candidate.fit.kind == "none"
            borne_out = candidate.is_inside and class_worth >= 0 and not refuted
            score += 0.0 if borne_out else evidence.INTERPRETER
        return score

    def _text_worth(self, candidate: Candidate) -> float:
        segment, number = candidate.segment, candidate.number
        shape = segment.shape[candidate.entry]
        if shape == NONE:
            return evidence.NO_WORDS
        if not self.message:
            return 0.0
        if (number, shape) in self._fitting or candidate.place >= evidence.SAME_FUNCTION - 1:
            candidate.fit = self.wording.lenient(number, shape)
        else:
            candidate.fit = self.wording.strict(number, shape)
        if candidate.fit.kind == "none":
            weak = weigh(segment.literals(shape)) < _WEAK_SHAPE
            at_hand = candidate.place >= evidence.SAME_FUNCTION - 1 and candidate.class_worth > 0
            return (
                evidence.TEXT_REFUTED_WEAK
                if weak
                else evidence.TEXT_UNSURE
                if at_hand
                else evidence.TEXT_REFUTED
            )
        if candidate.fit.literal < _WEAK_SHAPE:
            return evidence.NO_WORDS
        return evidence.text_worth(candidate.fit)

    def _package_worth(self, number: int, segment: Segment, entry: int) -> float:
        package = segment.file_package[segment.file[entry]]
        for place in self.places:
            if any(one == number and segment.file_package[file] == package for one, file in place.kin):
                return evidence.SAME_PACKAGE
        return evidence.ELSEWHERE if self.root is not None else 0.0

    def _version_worth(self, candidate: Candidate) -> float:
        segment = candidate.segment
        file = segment.file[candidate.entry]
        stated = self.versions.get(distribution_name(segment.text(segment.file_package[file])))
        if stated is None:
            return 0.0
        if not fits_version(stated, segment.optional_text(segment.file_version[file])):
            return evidence.VERSION_OTHER
        refuted = candidate.frame is not None and candidate.frame.line is not None and not candidate.is_inside
        return evidence.VERSION_SAME + evidence.LINE_REFUTED * refuted

    def _era_worth(self, candidate: Candidate) -> float:
        """Return what the trace's other frames say of a candidate's version: whether it has their files at all.

        A file that is not indexed in this version may be there and raise nothing: its folder counts for half.
        """
        number, segment = candidate.number, candidate.segment
        file = segment.file[candidate.entry]
        package, version = (number, segment.file_package[file]), segment.file_version[file]
        seen = 0
        having = 0.0
        for place in self.places:
            versions = self._versions_with(place, whole=True).get(package)
            if versions is None:
                continue
            seen += 1
            if version in versions:
                having += 1.0
            elif version in self._versions_with(place, whole=False).get(package, ()):
                having += 0.5
        if not seen:
            return 0.0
        return evidence.ERA_SAME if seen == having else evidence.ERA_OTHER * (1 - having / seen)

    def _versions_with(self, place: FramePlace, *, whole: bool) -> dict[tuple[int, int], set[int]]:
        """Return the versions of each (segment, package) that have a frame's file, or (not `whole`) its folder."""
        key = (place.depth, whole)
        known = self._frame_versions.get(key)
        if known is None:
            known = self._frame_versions[key] = {}
            for number, file in place.kin if whole else folders_of_path(self.index, place.frame.path):
                segment = self.index.segments[number]
                known.setdefault((number, segment.file_package[file]), set()).add(segment.file_version[file])
        return known


def leading_code(message: str) -> str | None:
    """Return the error code a message begins with, in brackets or before a colon, or None."""
    head = message[:24]
    if head.startswith("[") and "]" in head:
        return head[1 : head.index("]")]
    code, colon, _ = head.partition(":")
    return code if colon and any(map(str.isdigit, code)) and code.isalnum() else None
