"""Ground truth for extraction: what a plain walk over `ast` finds, and the sample checked by hand.

Nothing here imports `errdex`: the figures compare two independent readings of
the same files.
"""

from __future__ import annotations

import ast
import json
import random
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).with_name("extract_sample.jsonl")
SAMPLE_ELSEWHERE = Path(__file__).with_name("extract_sample_elsewhere.jsonl")
"""100 more sites (seed 6, at most 8 of a package) of those whose statement holds no words as a plain literal: the hard
part, of which the sample has few."""
SAMPLE_SEED = 5
SAMPLE_SIZE = 300

TEST_FILE = re.compile(r"(?:^|/)tests?/|(?:^|/)test_[^/]*\.py$|_test\.py$|(?:^|/)conftest\.py$")
"""Found by trying rules: this one gives the 34,698 and 13,152 raises that `shared/bench/README.md` counts."""
NOT_THE_LIBRARY = re.compile(
    r"(?:^|/)(?:_?vendor(?:ed)?|third_?party|extern(?:al)?s?|docs?|examples?|benchmarks?|_generated)/|_pb2(?:_grpc)?\.py$"
)
"""Copies of other projects, documentation, examples, benchmarks, generated code (design.md section 3, "Out")."""

Place = tuple[str, int, int]
"""Path, first line, last line."""


@dataclass(frozen=True, order=True)
class RaiseStatement:
    """One `raise` statement with an expression."""

    path: str
    line: int
    end_line: int
    column: int
    expression: str
    """Source of what is raised, as `ast.unparse` writes it."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.path, self.line, self.end_line


@dataclass
class Truth:
    """The raise statements of one tree."""

    statements: list[RaiseStatement] = field(default_factory=list)
    bare: set[Place] = field(default_factory=set)
    """Places of `raise` without an expression: no site has to be there, but one may be."""
    unreadable: dict[str, str] = field(default_factory=dict)
    """Path -> the interpreter's words."""
    files: int = 0

    @property
    def outside_tests(self) -> list[RaiseStatement]:
        """The statements that the work's own README counts."""
        return [statement for statement in self.statements if not TEST_FILE.search(statement.path)]

    def repeated(self) -> list[RaiseStatement]:
        """Statements that raise, word for word, what another statement of the same file raises."""
        groups: dict[tuple[str, str], list[RaiseStatement]] = defaultdict(list)
        for statement in self.outside_tests:
            groups[statement.path, statement.expression].append(statement)
        return [statement for group in groups.values() if len(group) > 1 for statement in group]


def parse_quietly(content: bytes) -> ast.Module:
    """Parse one file; warnings about its literals are none of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(content)


def python_files(root: Path) -> Iterator[str]:
    """Yield every `.py` file below `root`, sorted, relative to it."""
    yield from sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py") if path.is_file())


def read_truth(root: Path) -> Truth:
    """Walk every Python file below `root`."""
    truth = Truth()
    for path in python_files(root):
        truth.files += 1
        try:
            tree = parse_quietly((root / path).read_bytes())
        except (SyntaxError, ValueError, RecursionError) as problem:
            truth.unreadable[path] = str(problem)
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Raise):
                continue
            end = node.end_lineno or node.lineno
            if node.exc is None:
                truth.bare.add((path, node.lineno, end))
            else:
                truth.statements.append(
                    RaiseStatement(path, node.lineno, end, node.col_offset, ast.unparse(node.exc))
                )
    truth.statements.sort()
    return truth


def draw_sample(truths: dict[str, Truth]) -> list[tuple[str, RaiseStatement]]:
    """Return the sample's sites as (`name==version`, statement), the same for the same trees."""
    population = [
        (package, statement)
        for package in sorted(truths)
        for statement in truths[package].outside_tests
        if not NOT_THE_LIBRARY.search(statement.path)
    ]
    return sorted(random.Random(SAMPLE_SEED).sample(population, SAMPLE_SIZE))


@dataclass(frozen=True)
class SampleSite:
    """One site of the sample with the words that a person found for it."""

    package: str
    version: str
    file: str
    line: int
    end_line: int
    error_class: str
    kind: str
    """Where the words stand: `inline`, `variable`, `constant`, `class`, `table`, `helper`, `argument`, `none`."""
    templates: tuple[str, ...]
    """Holes as `{expression}`, literal braces doubled; empty for `none`."""
    also: tuple[tuple[str, ...], ...] = ()
    """Other readings that are as right."""
    any_white_space: bool = False
    """The library wraps the lines anew, so white space does not count."""

    @property
    def coordinate(self) -> str:
        """`name==version`."""
        return f"{self.package}=={self.version}"


def read_sample(path: Path = SAMPLE) -> list[SampleSite]:
    """Read a sample that is checked in."""
    return [_sample_site(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _sample_site(row: dict[str, Any]) -> SampleSite:
    return SampleSite(
        package=row["package"],
        version=row["version"],
        file=row["file"],
        line=row["line"],
        end_line=row["end_line"],
        error_class=row["class"],
        kind=row["kind"],
        templates=tuple(row["templates"]),
        also=tuple(tuple(reading) for reading in row.get("also", ())),
        any_white_space=row.get("white_space") == "any",
    )


HOLE = "\0"
Parts = tuple[tuple[str, str], ...]
"""(`literal`, text) and (`hole`, expression), in order; neighbouring literals joined."""


def read_template(text: str) -> Parts:
    """Split a template in normal form into its parts; the inverse of `MessageTemplate.text`."""
    parts: list[tuple[str, str]] = []
    position = 0
    literal = ""
    while position < len(text):
        if text[position : position + 2] in ("{{", "}}"):
            literal += text[position]
            position += 2
        elif text[position] == "{":
            end = _hole_end(text, position)
            if literal:
                parts.append(("literal", literal))
            parts.append(("hole", text[position + 1 : end]))
            literal, position = "", end + 1
        else:
            literal += text[position]
            position += 1
    if literal:
        parts.append(("literal", literal))
    return tuple(parts)


def _hole_end(text: str, start: int) -> int:
    """Return where the hole that opens at `start` closes: the first brace at which an expression is whole."""
    for end in range(start + 1, len(text)):
        if text[end] == "}":
            try:
                ast.parse(f"({text[start + 1 : end]})", mode="eval")
            except SyntaxError:
                continue
            return end
    raise ValueError(f"no hole ends in {text!r} from {start}")


def skeletons(readings: Iterable[Parts], *, any_white_space: bool) -> Counter[str]:
    """Return the literals and hole positions of each reading, which must all be there."""
    texts = ("".join(text if kind == "literal" else HOLE for kind, text in parts) for parts in readings)
    return Counter(" ".join(text.split()) if any_white_space else text for text in texts)


def expressions(readings: Iterable[Parts]) -> Counter[tuple[str, ...]]:
    """Return the hole expressions of each reading, spelt as `ast.unparse` does."""
    return Counter(tuple(_spelt(text) for kind, text in parts if kind == "hole") for parts in readings)


def _spelt(expression: str) -> str:
    try:
        return ast.unparse(ast.parse(expression.strip(), mode="eval"))
    except SyntaxError:
        return "".join(expression.split()).replace('"', "'")
