"""Exception classes: importable names, and ancestors through the package and the builtins."""

from __future__ import annotations

import builtins

from errdex.link.names import Meaning, NameTable
from errdex.model.facts import ClassFact


class ClassTable:
    """Answers questions about classes as they are written in some file."""

    def __init__(self, names: NameTable) -> None:
        self.names = names
        self._ancestors: dict[tuple[str, str], tuple[Meaning, ...]] = {}

    def resolve(self, path: str, written: str) -> Meaning | None:
        """Return what class a name stands for where it is written; None for a variable or an unknown name."""
        found = self.names.meaning(path, written)
        if found is None or found.kind in {"function", "module", "constant"} or found.rest:
            return None
        if found.kind == "builtin" and not isinstance(getattr(builtins, found.name, None), type):
            return None
        return found

    def dotted(self, meaning: Meaning) -> str:
        """Return the name that imports a class, as a traceback prints it."""
        if meaning.kind == "class":
            return f"{self.names.package.module_of[meaning.path]}.{meaning.name}"
        return meaning.name

    def fact(self, meaning: Meaning) -> ClassFact | None:
        """Return the facts of a class of the package."""
        return (
            self.names.package.names(meaning.path).classes.get(meaning.name)
            if meaning.kind == "class"
            else None
        )

    def http_status(self, meaning: Meaning) -> int | None:
        """Return the HTTP status that a class, or its nearest ancestor in the package, carries as an attribute."""
        for one in (meaning, *self.ancestors(meaning)):
            fact = self.fact(one)
            for name in ("status_code", "http_status", "code"):
                value = fact.attributes.get(name, "") if fact is not None else ""
                if value.isdecimal() and 400 <= int(value) <= 599:
                    return int(value)
        return None

    def ancestors(self, meaning: Meaning) -> tuple[Meaning, ...]:
        """Return a class's ancestors, nearest first, as far as the package and the builtins tell."""
        key = (meaning.path, meaning.name)
        if key not in self._ancestors:
            self._ancestors[key] = ()
            self._ancestors[key] = self._find_ancestors(meaning)
        return self._ancestors[key]

    def _find_ancestors(self, meaning: Meaning) -> tuple[Meaning, ...]:
        if meaning.kind == "builtin":
            found = getattr(builtins, meaning.name, None)
            line = found.__mro__[1:-1] if isinstance(found, type) else ()
            return tuple(Meaning("builtin", "", one.__name__) for one in line)
        fact = self.fact(meaning)
        if fact is None:
            return ()
        bases = [
            base for base in (self._base(meaning, written) for written in fact.bases) if base is not None
        ]
        ordered: dict[tuple[str, str], Meaning] = {}
        for base in bases:
            ordered.setdefault((base.path, base.name), base)
        for base in bases:
            for ancestor in self.ancestors(base):
                place = (ancestor.path, ancestor.name)
                if ancestor.kind == "builtin":
                    ordered.pop(place, None)
                ordered.setdefault(place, ancestor)
        ordered.pop((meaning.path, meaning.name), None)
        return tuple(ordered.values())

    def _base(self, meaning: Meaning, written: str) -> Meaning | None:
        """Return a base as written in a class's header: names nested in an outer class are tried first."""
        outer = meaning.name.rpartition(".")[0]
        if (
            outer
            and (found := self.resolve(meaning.path, f"{outer}.{written}")) is not None
            and found.kind == "class"
        ):
            return found
        found = self.resolve(meaning.path, written)
        if found is not None and found.name == "object":
            return None
        return found
