"""The search index: a folder of memory-mapped segments, read in place.

Opening reads a few hundred bytes per segment; a lookup touches only the pages
it needs. A catalog is filed as one large segment and small ones for what was
added since (`Index.add`), folded together before lookups feel it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

from errdex.model.answer import IndexEntry
from errdex.search.build import build_segment
from errdex.search.layout import NONE, IndexDamagedError, key_of, map_sections
from errdex.search.names import distribution_name, root_of

_SUFFIX = ".segment"
_MOST_LOOKED_AT = 16
_MOST_SEGMENTS = 4
"""More than so many segments are folded into one when another is added."""


_TABLES = ("gram", "spare", "path", "folder", "root", "package", "class", "code")


class Segment:
    """One mapped segment. Entries, files and shapes are known by their numbers in it.

    The columns are attributes, `line[n]` being the line of entry `n`; strings are numbers of `text`.
    """

    def __init__(self, path: Path) -> None:
        facts, sections = map_sections(path)
        self.path = path
        self.entries: int = facts["entries"]
        self._sections = sections
        try:
            self.id = sections["id"]
            self.line, self.end_line = sections["entry_line"], sections["entry_end_line"]
            self.function, self.error_class = sections["entry_function"], sections["entry_class"]
            self.bases, self.template = sections["entry_bases"], sections["entry_template"]
            self.code, self.slug, self.kind = (sections[f"entry_{name}"] for name in ("code", "slug", "kind"))
            self.file, self.shape = sections["entry_file"], sections["entry_shape"]
            self.file_path, self.file_package = sections["file_path"], sections["file_package"]
            self.file_version, self.file_repo = sections["file_version"], sections["file_repo"]
            self.file_start = sections["file_start"]
            self._shape_text = sections["shape_text"]
            self._shape_entries, self._shape_entries_at = (
                sections["shape_entries"],
                sections["shape_entries_at"],
            )
            self._text, self._text_at = sections["text"], sections["text_at"]
            self._tables = {name: self._table(name) for name in _TABLES}
        except KeyError as error:
            raise IndexDamagedError(str(path), f"no section {error.args[0]}") from error

    def _table(self, name: str) -> tuple[memoryview, memoryview, memoryview, memoryview, int]:
        parts = [self._sections[f"{name}_{part}"] for part in ("directory", "keys", "at", "members")]
        return parts[0], parts[1], parts[2], parts[3], 33 - (len(parts[0]) - 1).bit_length()

    def text(self, number: int) -> str:
        """Return string `number`."""
        return str(self._text[self._text_at[number] : self._text_at[number + 1]], "utf-8", "surrogatepass")

    def optional_text(self, number: int) -> str | None:
        """Return string `number`, or None for `NONE`."""
        return None if number == NONE else self.text(number)

    def filed(self, table: str, key: int) -> memoryview:
        """Return the members filed under `key`: shapes (`gram`), files (`path`; one per version, `folder`, `root`, `package`) or entries (`class`, `code`)."""
        directory, keys, starts, members, shift = self._tables[table]
        bucket = key >> shift
        low, high = directory[bucket], directory[bucket + 1]
        if low < high:
            at = bisect_left(keys, key, low, high)
            if at < high and keys[at] == key:
                return members[starts[at] : starts[at + 1]]
        return members[:0]

    def shapes_of(self, grams: Iterable[int], table: str, most: int) -> list[int]:
        """Return up to `most` shapes filed in `table` under any of `grams`: those under rarer grams first."""
        directory, keys, starts, members, shift = self._tables[table]
        lists: list[tuple[int, int]] = []
        for gram in grams:
            bucket = gram >> shift
            low, high = directory[bucket], directory[bucket + 1]
            if low == high:
                continue
            at = bisect_left(keys, gram, low, high)
            if at < high and keys[at] == gram:
                lists.append((starts[at + 1] - starts[at], starts[at]))
        lists.sort()
        found: dict[int, None] = {}
        for size, start in lists:
            found.update(dict.fromkeys(members[start : start + min(size, most)].tolist()))
            if len(found) >= most:
                break
        return list(found)[:most]

    def literals(self, shape: int) -> str:
        """Return a shape's literals, joined by `HOLE`."""
        return self.text(self._shape_text[shape])

    def entries_of_shape(self, shape: int) -> memoryview:
        """Return the entries whose template has `shape`."""
        return self._shape_entries[self._shape_entries_at[shape] : self._shape_entries_at[shape + 1]]

    def entries_of_file(self, file: int) -> range:
        """Return the entries of a file, in order of their lines."""
        return range(self.file_start[file], self.file_start[file + 1])

    def entries_near(self, file: int, line: int, most: int) -> range:
        """Return the `most` entries of a file whose first lines are nearest to `line`, in order of their lines."""
        entries = self.entries_of_file(file)
        at = bisect_right(self.line, line, entries.start, entries.stop)
        return range(max(entries.start, at - most // 2), min(entries.stop, at + most // 2))

    def entries_of_function(self, file: int, function: str) -> list[int]:
        """Return the entries of a file that lie in `function` (its qualified name)."""
        entries = self.entries_of_file(file)
        names = self.function[entries.start : entries.stop].tolist()
        wanted = {name for name in set(names) if self.text(name) == function}
        return [entries.start + at for at, name in enumerate(names) if name in wanted]

    def entry(self, number: int) -> IndexEntry:
        """Return entry `number` whole."""
        file = self.file[number]
        bases = self.optional_text(self.bases[number])
        return IndexEntry(
            id=f"{self.id[number]:016x}",
            repo=self.text(self.file_repo[file]),
            slug=self.text(self.slug[number]),
            package=self.text(self.file_package[file]),
            version=self.optional_text(self.file_version[file]),
            path=self.text(self.file_path[file]),
            line=self.line[number],
            end_line=self.end_line[number],
            function=self.text(self.function[number]),
            error_class=self.optional_text(self.error_class[number]),
            bases=tuple(bases.split("\n")) if bases else (),
            template=self.optional_text(self.template[number]),
            error_code=self.optional_text(self.code[number]),
            kind=self.text(self.kind[number]),
        )


class Index:
    """A search index on disk."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        self.segments = tuple(segments)

    def has_root(self, module: str) -> bool:
        """Return whether any package brings the top-level module `module`."""
        for segment in self.segments:
            for file in segment.filed("root", key_of(module))[:_MOST_LOOKED_AT]:
                if root_of(segment.text(segment.file_path[file])) == module:
                    return True
        return False

    def versions_of(self, package: str) -> set[str | None]:
        """Return the versions of `package` (by any spelling of its name) that have entries."""
        name = distribution_name(package)
        return {
            segment.optional_text(segment.file_version[file])
            for segment in self.segments
            for file in segment.filed("package", key_of(name))
            if distribution_name(segment.text(segment.file_package[file])) == name
        }

    @classmethod
    def open(cls, folder: str | Path) -> Index:
        """Open the index in `folder`; an index that was never built is empty.

        Raises:
            IndexDamagedError: a file in it is not one of ours.
        """
        return cls(Segment(path) for path in _newest(Path(folder))[1])

    @classmethod
    def build(cls, entries: Iterable[IndexEntry], folder: str | Path) -> Index:
        """Build the index of `entries` in `folder`, in place of what is there, and open it.

        Who opens the folder meanwhile sees the old index or the new one, whole.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        generation, old = _newest(folder)
        build_segment(entries, _segment_file(folder, generation + 1, 0))
        for path in old:
            path.unlink(missing_ok=True)
        return cls.open(folder)

    @classmethod
    def add(cls, entries: Iterable[IndexEntry], folder: str | Path) -> Index:
        """Add `entries` to the index in `folder`, in a segment of their own, and open it."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        generation, present = _newest(folder)
        if len(present) < _MOST_SEGMENTS:
            build_segment(entries, _segment_file(folder, generation, len(present)))
            return cls.open(folder)
        return cls.build([*cls.open(folder), *entries], folder)

    def __len__(self) -> int:
        return sum(segment.entries for segment in self.segments)

    def __iter__(self) -> Iterator[IndexEntry]:
        for segment in self.segments:
            for number in range(segment.entries):
                yield segment.entry(number)


def _newest(folder: Path) -> tuple[int, list[Path]]:
    """Return the newest generation in `folder` and its segments; older ones are left-overs of a build that was cut."""
    generations: dict[int, list[Path]] = {}
    for path in sorted(folder.glob(f"*-*{_SUFFIX}")):
        number = path.stem.partition("-")[0]
        if number.isdigit():
            generations.setdefault(int(number), []).append(path)
    newest = max(generations, default=0)
    return newest, generations.get(newest, [])


def _segment_file(folder: Path, generation: int, number: int) -> Path:
    return folder / f"{generation:06d}-{number:03d}{_SUFFIX}"
