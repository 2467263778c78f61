"""The files of one package as modules, each read when linking first needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from errdex.model.facts import ClassFact, ConstantFact, FileFacts, FunctionFact, ImportFact
from errdex.syntax.text import SourceText

_SOURCE_FOLDERS = frozenset({"src", "lib", "python", "source", "purelib", "platlib"})


class Names:
    """The module-level names of one file, by kind."""

    __slots__ = ("classes", "constants", "facts", "functions", "imports", "stars")

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.classes: dict[str, ClassFact] = {fact.name: fact for fact in facts.classes}
        self.functions: dict[str, int] = {fact.name: index for index, fact in enumerate(facts.functions)}
        self.constants: dict[str, ConstantFact] = {fact.name: fact for fact in facts.constants}
        self.imports: dict[str, ImportFact] = {}
        self.stars: list[ImportFact] = []
        for fact in facts.imports:
            if fact.name == "*":
                self.stars.append(fact)
            elif fact.name not in self.imports or fact.attribute is not None:
                self.imports[fact.name] = fact


class Package:
    """Everything linking knows of the files, by path and by dotted module."""

    def __init__(
        self,
        paths: Iterable[str],
        facts: Mapping[str, FileFacts],
        load: Callable[[str], FileFacts],
        read: Callable[[str], bytes | None],
    ) -> None:
        """Take what is already read.

        Args:
            paths: Every Python file of the tree that is not excluded.
            facts: Facts of the files that were read for sites.
            load: Reads the facts of any other file.
            read: Returns a file's bytes as UTF-8; None where it cannot be read.
        """
        self.paths = sorted(paths)
        known = set(self.paths)
        self.module_of: dict[str, str] = {path: module_name(path, known) for path in self.paths}
        self.path_of: dict[str, str] = {}
        for path, module in self.module_of.items():
            if module not in self.path_of or path.endswith("/__init__.py"):
                self.path_of[module] = path
        self.facts: dict[str, FileFacts] = dict(facts)
        self._load = load
        self._read = read
        self._names: dict[str, Names] = {}
        self._texts: dict[str, SourceText | None] = {}

    def names(self, path: str) -> Names:
        """Return the names of a file, reading it if need be."""
        names = self._names.get(path)
        if names is None:
            facts = self.facts.get(path)
            if facts is None:
                facts = self.facts[path] = self._load(path)
            names = self._names[path] = Names(facts)
        return names

    def text(self, path: str) -> SourceText | None:
        """Return a file's source; the last few are kept."""
        if path not in self._texts:
            if len(self._texts) >= 64:
                del self._texts[next(iter(self._texts))]
            data = self._read(path)
            self._texts[path] = SourceText(data) if data is not None else None
        return self._texts[path]

    def function(self, path: str, index: int) -> FunctionFact | None:
        """Return a function of a file by its index; None for module level."""
        return self.names(path).facts.functions[index] if index >= 0 else None

    def absolute(self, path: str, fact: ImportFact) -> str:
        """Return the dotted module that an import names, relative levels resolved."""
        if not fact.level:
            return fact.module
        module = self.module_of[path].split(".")
        if not path.endswith("/__init__.py") and path != "__init__.py":
            module = module[:-1]
        base = module[: len(module) - (fact.level - 1)] if fact.level > 1 else module
        return ".".join([*base, fact.module] if fact.module else base)


def module_name(path: str, known: set[str]) -> str:
    """Return the dotted module that a file is imported as.

    The import root is the folder above the topmost package that holds it; files in
    no package are named from the first folder that is not a mere source folder.
    """
    pure = PurePosixPath(path)
    parts = list(pure.parts)
    start = len(parts) - 1
    while start > 0 and "/".join([*parts[:start], "__init__.py"]) in known:
        start -= 1
    if start == len(parts) - 1:
        start = 0
        while start < len(parts) - 1 and (parts[start] in _SOURCE_FOLDERS or parts[start].endswith(".data")):
            start += 1
    elif start > 0 and all(part.isidentifier() and part not in _SOURCE_FOLDERS for part in parts[:start]):
        start = 0  # a namespace package: `google/cloud/x/__init__.py`
    names = parts[start:-1]
    if pure.name != "__init__.py":
        names.append(pure.stem)
    return ".".join(names) or pure.stem
