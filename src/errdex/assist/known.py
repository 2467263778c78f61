"""What is known of one record, as the checks look it up: names, literals, numbers, words, conditions."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from errdex.assist.definitions import Definition, Definitions
from errdex.assist.prose import stem, words_of_name
from errdex.model.record import Evidence, Record
from errdex.model.site import Condition
from errdex.syntax.code_block import parse_signature
from errdex.syntax.logic import Test, Tree, read_expression, tests

_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)*")
_NEAR_LINES = 8
"""Lines above a site whose names it may depend on where its condition does not say: the body of a `try`."""
_SAFE_MODULES = frozenset(
    ("abc", "asyncio", "bisect", "codecs", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime",
     "decimal", "enum", "fractions", "functools", "hashlib", "heapq", "inspect", "io", "itertools", "json", "logging",
     "math", "numbers", "operator", "os", "os.path", "pathlib", "random", "re", "shutil", "socket", "ssl",
     "statistics", "string", "struct", "sys", "tempfile", "textwrap", "threading", "time", "typing", "urllib",
     "urllib.parse", "uuid", "warnings", "zlib", "zoneinfo")
)  # fmt: skip
"""Modules of the standard library that may be imported to look a name up: none does anything on import."""


class Known:
    """The facts of one record."""

    def __init__(self, record: Record, evidence: Evidence, definitions: Definitions, source: str) -> None:
        """Take the record, its evidence, the package's definitions and the text of the site's file."""
        self.record, self.evidence, self.definitions, self.source = record, evidence, definitions, source
        self.site = evidence.sites[0]

    @cached_property
    def conditions(self) -> tuple[Test, ...]:
        """Every single claim that holds when the error is raised, the guard's last."""
        return tuple(test for tree in self.trees for test in tests(tree))

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The conditions on the way as trees, in source order."""
        found = []
        for each in self.site.path_conditions or ([self.site.guard] if self.site.guard else []):
            found += list(_trees(each))
        return tuple(found)

    @cached_property
    def circle(self) -> frozenset[str]:
        """Names that decide over the error or stand in its message: what a cause or a cure may name."""
        site = self.site
        pieces = [site.statement, site.argument or "", site.class_written or ""]
        for each in site.path_conditions + ((site.guard,) if site.guard else ()):
            pieces += [each.text, each.inlined or ""]
        for template in site.templates:
            pieces += [hole.expression for hole in template.holes]
        if site.guard is None or site.guard.kind == "except":
            pieces.append(self._lines_above())
        return frozenset(name for piece in pieces for name in _names(piece)) | frozenset(site.parameters)

    def _lines_above(self) -> str:
        lines = self.source.splitlines()
        return "\n".join(
            lines[max(self.site.callable.line, self.site.line - _NEAR_LINES) - 1 : self.site.line]
        )

    @cached_property
    def parameters(self) -> frozenset[str]:
        """Parameters of the callable that raises and of the public ones that lead to it."""
        names = {each.name for each in self.site.callable.parameters}
        for entry in self.evidence.sites[0].entry_points:
            signature = parse_signature(entry.signature)
            names |= set(signature.parameters) if signature is not None else set()
        return frozenset(names)

    def is_attribute(self, name: str) -> bool:
        """Whether the class that holds the site assigns an attribute of that name."""
        owner = self.definitions.find(
            f"{self.site.callable.module}.{self.site.callable.name.partition('.')[0]}"
        )
        if owner is None or owner.kind != "class":
            return False
        member = self.definitions.member(owner, name)
        return member is not None and isinstance(member.node, ast.Attribute)

    @cached_property
    def parameters_in_file(self) -> frozenset[str]:
        """Parameters of every callable of the site's file."""
        return _parameters(self.source)

    @cached_property
    def literals(self) -> frozenset[str]:
        """The text of every string that the site's file spells out, docstrings left out."""
        return frozenset(_strings(self.source))

    @cached_property
    def text(self) -> str:
        """All that the sources and the record say of the error, lower case."""
        return "\n".join(self._texts()).lower()

    def _texts(self) -> Iterator[str]:
        site, record = self.site, self.record
        yield record.error_message
        yield from (template.text for template in site.templates)
        yield record.source_code
        yield site.statement
        yield f"{site.callable.name} {site.callable.import_name or ''} {site.callable.summary or ''}"
        for parameter in site.callable.parameters:
            yield f"{parameter.name} {parameter.annotation or ''} {parameter.default or ''} {parameter.doc or ''}"
        yield from (each.text for each in site.callable.raises)
        for entry in site.entry_points:
            yield f"{entry.name}{entry.signature}"
        for each in site.path_conditions:
            yield f"{each.text} {each.inlined or ''} {each.comment or ''}"
        yield from (f"{test.call} {test.match or ''}" for test in site.tests)
        yield from (sentence.text for many in self.evidence.sentences.values() for sentence in many)
        if self.evidence.proof is not None:
            yield self.evidence.proof.witness.code
            yield self.evidence.proof.fix.code if self.evidence.proof.fix is not None else ""

    def speaks_of(self, name: str) -> bool:
        """Whether `text` holds a name as a whole."""
        return re.search(rf"(?<![\w.]){re.escape(name.lower())}(?!\w)", self.text) is not None

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number that stands in `text`."""
        return frozenset(_NUMBER.findall(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of every word that stands in `text`, names taken apart."""
        found: set[str] = set()
        for word in _WORD.findall(self.text):
            found.add(stem(word))
            found.update(map(stem, words_of_name(word)))
        for name in self.circle | {self.site.callable.name, self.site.known_class or ""}:
            found.update(map(stem, words_of_name(name)))
        return frozenset(found)

    def types_of(self, name: str) -> frozenset[str]:
        """Return the classes that a name of the site's module stands for: `basestring` → str, bytes; else itself."""
        found = self.definitions.find(f"{self.site.callable.module}.{name}")
        value = found.node.value if found is not None and isinstance(found.node, ast.Assign) else None
        elements = value.elts if isinstance(value, ast.Tuple) else [value]
        names = {each.id for each in elements if isinstance(each, ast.Name)}
        return frozenset(names) or frozenset({name.rpartition(".")[2]})

    @cached_property
    def defaults(self) -> dict[str, str]:
        """By parameter of the callable: the source of its default."""
        return {each.name: each.default for each in self.site.callable.parameters if each.default is not None}

    def find(self, name: str, also: Iterable[str] = ()) -> Definition | None:
        """Return what a name of a sentence stands for: dotted from the top, or as its readers shorten it.

        `also` holds classes that the same sentence names, whose members may stand alone.
        """
        for dotted in self._spellings(name, also):
            found = self.definitions.find(dotted)
            if found is not None:
                return found
        return None

    def _spellings(self, name: str, also: Iterable[str]) -> Iterator[str]:
        yield name
        module = self.site.callable.module
        yield f"{module}.{name}"
        owner = self.site.callable.name.partition(".")[0]
        yield f"{module}.{owner}.{name}"
        while "." in module:
            module = module.rpartition(".")[0]
            yield f"{module}.{name}"
        for dotted in (
            *(entry.name for entry in self.site.entry_points),
            self.site.callable.import_name or "",
        ):
            parts = dotted.split(".")
            for size in range(len(parts) - 1, 0, -1):
                yield ".".join([*parts[:size], name])
        for other in also:
            if (found := self.find(other)) is not None and found.kind == "class":
                yield f"{found.name}.{name}"

    def is_of_standard_library(self, name: str) -> bool:
        """Whether a dotted name is a module of the standard library, or something that one has."""
        parts = name.split(".")
        for size in range(len(parts), 0, -1):
            module = ".".join(parts[:size])
            if module in _SAFE_MODULES:
                return _has(importlib.import_module(module), parts[size:])
        return parts[0] in vars(builtins) and _has(getattr(builtins, parts[0]), parts[1:])

    def imports(self, root: str) -> bool:
        """Whether the site's file imports a top-level module of that name."""
        return re.search(rf"^\s*(?:import|from) +{re.escape(root)}\b", self.source, re.MULTILINE) is not None

    def ancestors(self, dotted: str) -> frozenset[str]:
        """Return the last parts of a class's name and of its ancestors', as far as sources and builtins tell."""
        found = self.definitions.find(dotted)
        names = self.definitions.bases(found) if found is not None else (dotted,)
        last = {name.rpartition(".")[2] for name in names}
        for name in tuple(last):
            known = vars(builtins).get(name)
            if isinstance(known, type):
                last |= {each.__name__ for each in known.__mro__}
        return frozenset(last)


def _has(owner: object, parts: Iterable[str]) -> bool:
    for part in parts:
        if not hasattr(owner, part):
            return False
        owner = getattr(owner, part)
    return True


def _trees(condition: Condition) -> Iterator[Tree]:
    if condition.kind == "except":
        classes = tuple(_WORD.findall(condition.text))
        yield Test("returns" if condition.negated else "raises", "", classes)
    elif condition.kind in {"if", "while", "assert"}:
        yield read_expression(condition.text, negated=condition.negated)
        if condition.inlined and condition.inlined != condition.text:
            yield read_expression(condition.inlined, negated=condition.negated)


@lru_cache(maxsize=2_000)
def _names(code: str) -> frozenset[str]:
    """Return every name, attribute, keyword and string that a piece of source holds."""
    try:
        tree = _parse(code)
    except (SyntaxError, ValueError):
        return frozenset(_WORD.findall(code))
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.keyword(arg=str() as name):
                found.add(name)
            case ast.Constant(value=str() as text) if len(text) < 60:
                found.add(text)
    return frozenset(found)


def _parse(code: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


@lru_cache(maxsize=64)
def _strings(source: str) -> frozenset[str]:
    return frozenset(
        node.value
        for node in _walk(source)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 60
    )


@lru_cache(maxsize=64)
def _parameters(source: str) -> frozenset[str]:
    return frozenset(node.arg for node in _walk(source) if isinstance(node, ast.arg))


def _walk(source: str) -> Iterator[ast.AST]:
    """Yield the nodes of a file; none where this interpreter does not read it."""
    try:
        yield from ast.walk(_parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return
