"""Building a segment of the search index from entries.

Each shape (see `shape`) is filed under its few rarest grams only: whoever
holds a message looks up all of the message's grams, finds short lists, and
verifies what they name. Strings, files and shapes are stored once, so that
versions of a library share what is equal.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from errdex.model.answer import IndexEntry
from errdex.search.layout import NONE, key_of, write_sections
from errdex.search.names import class_name, distribution_name, path_key, root_of
from errdex.search.shape import HOLE, parse_template, weigh
from errdex.search.words import grams_of, whole_words_of

KEYS_PER_SHAPE = 4
"""How many grams a shape is filed under: the rarest finds whole messages, the spare ones those cut or retyped."""
MIN_WEIGHT = 5
"""Shapes with fewer literal letters and digits are found by place only."""
HEAD_WORDS = 7
"""One key is taken from among the first so many words: what is left of a message that was cut."""
LONGEST_TEMPLATE = 6000
_SKETCH_BITS = 22


def build_segment(entries: Iterable[IndexEntry], path: Path) -> int:
    """Write `entries` as one segment at `path`; return how many there were."""
    builder = _Builder()
    ordered = sorted(entries, key=_order)
    for entry in ordered:
        builder.add(entry)
    builder.write(path)
    return len(ordered)


def _order(entry: IndexEntry) -> tuple[object, ...]:
    """Return what entries are sorted by: those of one file stand together, in order of their lines."""
    return (entry.package, entry.version is not None, entry.version or "", entry.repo, entry.path, entry.line)


def _file_key(entry: IndexEntry) -> tuple[str, str | None, str, str]:
    """Return what makes a file one: package, version, repository and path."""
    return entry.package, entry.version, entry.repo, entry.path


class _Strings:
    """Strings, each once, numbered in order of first use."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str | None) -> int:
        if text is None:
            return NONE
        return self.numbers.setdefault(text, len(self.numbers))

    def sections(self) -> dict[str, array[int] | bytes]:
        offsets = array("I", [0])
        blob = bytearray()
        for text in self.numbers:
            blob += text.encode("utf-8", "surrogatepass")
            offsets.append(len(blob))
        return {"text": bytes(blob), "text_at": offsets}


class _Builder:
    """Columns of a segment, filled entry by entry (sorted by package, version, file and line)."""

    def __init__(self) -> None:
        self.strings = _Strings()
        self.columns = {name: array("I") for name in ("line", "end_line", "function", "class", "bases")}
        self.columns |= {name: array("I") for name in ("template", "code", "slug", "kind", "file", "shape")}
        self.ids = array("Q")
        self.files: dict[tuple[str, str | None, str, str], int] = {}
        self.file_columns = {name: array("I") for name in ("path", "package", "version", "repo", "start")}
        self.shapes: dict[str, int] = {}
        self.shape_entries: list[array[int]] = []

    def add(self, entry: IndexEntry) -> None:
        number = len(self.ids)
        self.ids.append(int(entry.id, 16))
        text = self.strings.number
        row = {
            "line": entry.line,
            "end_line": max(entry.end_line, entry.line),
            "function": text(entry.function),
            "class": text(entry.error_class),
            "bases": text("\n".join(entry.bases) or None),
            "template": text(entry.template),
            "code": text(entry.error_code),
            "slug": text(entry.slug),
            "kind": text(entry.kind),
            "file": self._file(entry, number),
            "shape": self._shape(entry.template, number),
        }
        for name, value in row.items():
            self.columns[name].append(value)

    def _file(self, entry: IndexEntry, first_entry: int) -> int:
        key = _file_key(entry)
        found = self.files.get(key)
        if found is not None:
            return found
        columns, text = self.file_columns, self.strings.number
        columns["path"].append(text(entry.path))
        columns["package"].append(text(entry.package))
        columns["version"].append(text(entry.version))
        columns["repo"].append(text(entry.repo))
        columns["start"].append(first_entry)
        self.files[key] = len(self.files)
        return self.files[key]

    def _shape(self, template: str | None, entry: int) -> int:
        if template is None:
            return NONE
        shape = parse_template(template[:LONGEST_TEMPLATE]).shape
        number = self.shapes.setdefault(shape, len(self.shapes))
        if number == len(self.shape_entries):
            self.shape_entries.append(array("I"))
        self.shape_entries[number].append(entry)
        return number

    def write(self, path: Path) -> None:
        self.file_columns["start"].append(len(self.ids))
        shape_text = array("I", (self.strings.number(shape) for shape in self.shapes))
        sections: dict[str, array[int] | bytes] = {"id": self.ids}
        sections |= {f"entry_{name}": column for name, column in self.columns.items()}
        sections |= {f"file_{name}": column for name, column in self.file_columns.items()}
        sections["shape_text"] = shape_text
        sections |= _lists("shape_entries", self.shape_entries)
        keys, spare = _shape_keys(list(self.shapes))
        sections |= _table("gram", keys)
        sections |= _table("spare", spare)
        sections |= _table("path", self._path_keys())
        sections |= _table("folder", self._one_per_version(lambda _, path: path.rpartition("/")[0], path_key))
        sections |= _table("root", self._one_per_version(lambda _, path: root_of(path), key_of))
        sections |= _table(
            "package", self._one_per_version(lambda package, _: distribution_name(package), key_of)
        )
        sections |= _table("class", self._keys_of("class", class_name))
        sections |= _table("code", self._keys_of("code", str))
        sections |= self.strings.sections()
        facts = {"entries": len(self.ids)}
        write_sections(path, facts, sections)

    def _path_keys(self) -> Iterable[int]:
        for (*_, path), number in self.files.items():
            yield path_key(path) << 32 | number

    def _one_per_version(
        self, name_of: Callable[[str, str], str], keyed: Callable[[str], int]
    ) -> Iterable[int]:
        """Yield key and one file for every name (a folder, a module) that each version of each package has."""
        seen: set[tuple[str, str | None, str]] = set()
        for (package, version, _, path), number in self.files.items():
            name = name_of(package, path)
            if name and (package, version, name) not in seen:
                seen.add((package, version, name))
                yield keyed(name) << 32 | number

    def _keys_of(self, column: str, form: Callable[[str], str]) -> Iterable[int]:
        names = list(self.strings.numbers)
        keys: dict[int, int] = {}
        for entry, text in enumerate(self.columns[column]):
            if text == NONE:
                continue
            key = keys.get(text)
            if key is None:
                key = keys[text] = key_of(form(names[text]))
            yield key << 32 | entry


def _lists(name: str, lists: Sequence[Sequence[int]]) -> dict[str, array[int] | bytes]:
    """Return `lists` as two sections: all members, and where each list starts."""
    members = array("I")
    starts = array("I", [0])
    for one in lists:
        members.extend(one)
        starts.append(len(members))
    return {name: members, f"{name}_at": starts}


def _table(name: str, pairs: Iterable[int]) -> dict[str, array[int] | bytes]:
    """Return a lookup table from `key << 32 | member` pairs: sorted keys, their members, and a directory of keys.

    The directory says, for each value of a key's upper bits, where its keys start: a lookup reads two of its
    cells and searches the few keys between.
    """
    ordered = sorted(set(pairs))
    keys = array("I")
    starts = array("I")
    members = array("I")
    for pair in ordered:
        key = pair >> 32
        if not keys or keys[-1] != key:
            keys.append(key)
            starts.append(len(members))
        members.append(pair & 0xFFFFFFFF)
    starts.append(len(members))
    bits = max(1, min(24, len(keys).bit_length()))
    counts = array("I", bytes(4 * (1 << bits) + 4))
    for key in keys:
        counts[(key >> (32 - bits)) + 1] += 1
    for before, after in pairwise(range(len(counts))):
        counts[after] += counts[before]
    return {
        f"{name}_directory": counts,
        f"{name}_keys": keys,
        f"{name}_at": starts,
        f"{name}_members": members,
    }


def _shape_keys(shapes: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return `gram << 32 | shape` for the rarest gram of each shape, and for its rarest and its spare ones."""
    mask = (1 << _SKETCH_BITS) - 1
    sketch = array("I", bytes(4 << _SKETCH_BITS))
    for shape in shapes:
        for hashed in {gram for gram, _, _ in _grams_of_shape(shape)}:
            sketch[hashed & mask] += 1
    keys: list[int] = []
    spare: list[int] = []
    for number, shape in enumerate(shapes):
        if weigh(shape) < MIN_WEIGHT:
            continue
        ranked = sorted(
            (sketch[gram & mask], size, place, gram) for gram, place, size in _grams_of_shape(shape)
        )
        chosen = _spread(ranked)
        keys.extend(gram << 32 | number for gram in chosen[:1])
        spare.extend(gram << 32 | number for gram in chosen)
    return keys, spare


def _grams_of_shape(shape: str) -> list[tuple[int, int, int]]:
    """Return (gram, position, words) of every gram within a literal; positions count on over the literals."""
    literals = shape.split(HOLE)
    last = len(literals) - 1
    grams: list[tuple[int, int, int]] = []
    base = 0
    for place, literal in enumerate(literals):
        words = whole_words_of(literal, after_hole=place > 0, before_hole=place < last)
        grams.extend((gram, base + position, size) for gram, position, size in grams_of(words))
        base += len(words) + LONGEST_GAP
    return grams


LONGEST_GAP = 1
"""Positions a hole counts for."""


def _spread(ranked: Sequence[tuple[int, int, int, int]]) -> list[int]:
    """Choose from grams ranked by rarity: the rarest, one near the start, and others that share no word with them."""
    chosen: list[int] = []
    taken: set[int] = set()
    head = next((item for item in ranked if item[2] < HEAD_WORDS), None)
    for item in ([ranked[0], head] if head else ranked[:1]) if ranked else []:
        if item and item[3] not in chosen:
            chosen.append(item[3])
            taken.update(range(item[2], item[2] + item[1]))
    for _, size, place, gram in ranked:
        if len(chosen) >= KEYS_PER_SHAPE:
            break
        if taken.isdisjoint(range(place, place + size)):
            chosen.append(gram)
            taken.update(range(place, place + size))
    return chosen
