"""Names across files: what a dotted name means where it is written, and the shortest name that imports a thing."""

from __future__ import annotations

import builtins
from typing import Literal, NamedTuple

from errdex.link.package import Package

_BUILTINS = frozenset(dir(builtins))
_MAX_STEPS = 16
Kind = Literal["class", "function", "constant", "module", "builtin", "external"]


class Meaning(NamedTuple):
    """What a name stands for."""

    kind: Kind
    path: str
    """File that defines it; empty for builtins and for other distributions' names."""
    name: str
    """Qualified within its module; for builtins and others' names, dotted."""
    rest: str = ""
    """Attributes that follow a constant or a class and are no names of the module."""


class NameTable:
    """Resolves names, remembering what it has resolved."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self._known: dict[tuple[str, str], Meaning | None] = {}
        self._import_names: dict[tuple[str, str], str | None] = {}
        self._stars: dict[str, dict[str, str]] = {}
        self._beside: dict[str, list[str]] = {}
        self._modules_in: dict[str, list[str]] = {}
        self._reexports: dict[str, dict[str, list[str]]] = {}

    def meaning(self, path: str, written: str, depth: int = 0) -> Meaning | None:
        """Return what `written` stands for at module level of a file; None if nobody can tell."""
        key = (path, written)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._meaning(path, written, depth)
        return self._known[key]

    def _meaning(self, path: str, written: str, depth: int) -> Meaning | None:
        if depth > _MAX_STEPS:
            return None
        names = self.package.names(path)
        parts = written.split(".")
        for size in range(len(parts), 0, -1):
            name = ".".join(parts[:size])
            rest = ".".join(parts[size:])
            if name in names.classes:
                return Meaning("class", path, name, rest)
            if name in names.functions and not rest:
                return Meaning("function", path, name)
        head, _, tail = written.partition(".")
        if head in names.constants:
            return self._alias(path, head, tail, depth)
        if head in names.imports:
            return self._imported(path, head, tail, depth)
        if names.stars and (target := self._starred(path).get(head)) is not None:
            return self.meaning(target, written, depth + 1)
        if head in _BUILTINS:
            return Meaning("builtin", "", written)
        return None

    def _starred(self, path: str) -> dict[str, str]:
        """Return what the star imports of a file bring: name to the file that was starred, through others' stars too."""
        known = self._stars.get(path)
        if known is not None:
            return known
        found = self._stars[path] = {}
        for star in self.package.names(path).stars:
            target = self.package.path_of.get(self.package.absolute(path, star))
            if target is not None and target != path:
                for name in self._offered(target):
                    found.setdefault(name, target)
        return found

    def _offered(self, path: str) -> list[str]:
        """Return the names that `from file import *` takes."""
        names = self.package.names(path)
        if names.facts.exported:  # empty where it is computed
            return list(names.facts.exported)
        own = [*names.classes, *names.functions, *names.constants, *names.imports]
        public = [name for name in own if not name.startswith("_") and "." not in name]
        return [*public, *self._starred(path)]

    def _alias(self, path: str, head: str, tail: str, depth: int) -> Meaning | None:
        """Return the meaning of a module-level assignment: `X = Y` means what `Y` does."""
        source = self.package.names(path).constants[head].source
        if source.replace(".", "").replace("_", "").isalnum() and not source[0].isdigit() and source != head:
            dotted = f"{source}.{tail}" if tail else source
            found = self.meaning(path, dotted, depth + 1)
            if found is not None:
                return found
        return Meaning("constant", path, head, tail)

    def _imported(self, path: str, head: str, tail: str, depth: int) -> Meaning | None:
        fact = self.package.names(path).imports[head]
        module = self.package.absolute(path, fact)
        dotted = f"{module}.{fact.attribute}" if fact.attribute else module
        if tail:
            dotted = f"{dotted}.{tail}"
        return self.dotted(dotted, depth + 1)

    def dotted(self, dotted: str, depth: int = 0) -> Meaning | None:
        """Return what an absolute dotted name stands for."""
        parts = dotted.split(".")
        for size in range(len(parts), 0, -1):
            target = self.package.path_of.get(".".join(parts[:size]))
            if target is None:
                continue
            rest = ".".join(parts[size:])
            if not rest:
                return self._over_module(dotted, depth) or Meaning("module", target, dotted)
            return self.meaning(target, rest, depth + 1)
        if len(parts) == 2 and parts[0] in {"builtins", "exceptions"} and parts[1] in _BUILTINS:
            return Meaning("builtin", "", parts[1])
        return Meaning("external", "", dotted)

    def _over_module(self, dotted: str, depth: int) -> Meaning | None:
        """Return the class or function that a package binds over its submodule's name, as `tenacity.retry` is."""
        package, _, name = dotted.rpartition(".")
        path = self.package.path_of.get(package)
        found = self.meaning(path, name, depth + 1) if path is not None else None
        return found if found is not None and found.kind in {"class", "function"} else None

    def import_name(self, path: str, name: str) -> str | None:
        """Return the shortest public dotted name that imports a class, function or method; None if there is none."""
        key = (path, name)
        if key not in self._import_names:
            self._import_names[key] = self._import_name(path, name)
        return self._import_names[key]

    def _import_name(self, path: str, name: str) -> str | None:
        head, _, tail = name.partition(".")
        module = self.package.module_of[path]
        ancestors = module.split(".")
        for size in range(1, len(ancestors)):
            ancestor = ".".join(ancestors[:size])
            if any(part.startswith("_") for part in ancestors[:size]):
                break
            public = self._exported_as(ancestor, path, head)
            if public is not None:
                return f"{ancestor}.{public}.{tail}" if tail else f"{ancestor}.{public}"
        for sibling in self._siblings(path, module):
            public = self._exported_as(sibling, path, head)
            if public is not None:
                return f"{sibling}.{public}.{tail}" if tail else f"{sibling}.{public}"
        if head.startswith("_") or any(part.startswith("_") for part in ancestors if part != "__main__"):
            return None
        return f"{module}.{name}"

    def _siblings(self, path: str, module: str) -> list[str]:
        """Return the public modules beside a private one that mention it: `scipy.stats.qmc` beside `_qmc`."""
        package, _, last = module.rpartition(".")
        if not last.startswith("_") or path.endswith("/__init__.py"):
            return []
        if module not in self._beside:
            self._beside[module] = self._find_siblings(package, last)
        return self._beside[module]

    def _find_siblings(self, package: str, last: str) -> list[str]:
        if any(part.startswith("_") for part in package.split(".")):
            return []
        if not self._modules_in:
            for name in self.package.path_of:
                self._modules_in.setdefault(name.rpartition(".")[0], []).append(name)
        found: list[str] = []
        for name in sorted(self._modules_in.get(package, ())):
            text = (
                self.package.text(self.package.path_of[name])
                if not name.rpartition(".")[2].startswith("_")
                else None
            )
            if text is not None and b"import" in text.data and last.encode() in text.data:
                found.append(name)
        return found

    def _exported_as(self, ancestor: str, path: str, head: str) -> str | None:
        """Return the public name under which a package re-exports `head` of the file at `path`."""
        initial = self.package.path_of.get(ancestor)
        if initial is None or initial == path:
            return None
        names = self.package.names(initial)
        by_attribute = self._reexports.get(initial)
        if by_attribute is None:
            by_attribute = self._reexports[initial] = {}
            for fact in names.imports.values():
                if fact.attribute is not None:
                    by_attribute.setdefault(fact.attribute, []).append(fact.name)
        for public in by_attribute.get(head, ()):
            if not public.startswith("_") and self._is(self.meaning(initial, public), path, head):
                return public
        if names.stars and not head.startswith("_") and self._is(self.meaning(initial, head), path, head):
            return head
        return None

    @staticmethod
    def _is(meaning: Meaning | None, path: str, head: str) -> bool:
        return meaning is not None and meaning.path == path and meaning.name == head
