"""What a package defines, read out of its sources: does `Session.mount` exist, and what does it take?

A dotted name is followed through modules, re-exports, star imports, classes and their bases.
What the sources do not tell (a name made at run time, a base of another package) is `None`
or unknown, never guessed.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from errdex.syntax.code_block import parse_signature

_MAX_HOPS = 12
"""Re-exports followed for one name; a longer chain goes in a circle."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Something a dotted name stands for."""

    kind: Literal["module", "class", "function", "value"]
    name: str
    """Where it is defined: `requests.sessions.Session.mount`."""
    node: ast.AST | None = None


@dataclass(frozen=True, slots=True)
class _Alias:
    module: str
    name: str | None
    """None where the module itself is meant."""


class Definitions:
    """The definitions of one package at one revision."""

    def __init__(self, modules: Iterable[tuple[str, str]], source: Callable[[str], str | None]) -> None:
        """Take what is known of module names and their files (dotted, path), and what gives a file's text."""
        self._source = source
        self._roots: dict[str, str] = {}
        for module, path in modules:
            tail = module.replace(".", "/")
            if tail in path:
                self._roots[module.partition(".")[0]] = path[: path.rindex(tail)]
        self._modules: dict[str, dict[str, ast.AST | _Alias] | None] = {}
        self._stars: dict[str, tuple[str, ...]] = {}
        self._named: dict[str, Definition | None] = {}

    @property
    def tops(self) -> frozenset[str]:
        """The package's top-level modules."""
        return frozenset(self._roots)

    def find(self, dotted: str) -> Definition | None:
        """Return what `dotted` (from its top-level module on) stands for; None where nothing defines it."""
        if dotted not in self._named:
            self._named[dotted] = None  # a name that leads back to itself is defined by nothing
            self._named[dotted] = self._find(dotted, _MAX_HOPS)
        return self._named[dotted]

    def _find(self, dotted: str, hops: int) -> Definition | None:
        parts = dotted.split(".")
        if parts[0] not in self._roots or hops <= 0:
            return None
        for size in range(len(parts), 0, -1):
            module = ".".join(parts[:size])
            if self._module(module) is not None:
                found: Definition | None = Definition("module", module)
                for part in parts[size:]:
                    found = self._member(found, part, hops) if found is not None else None
                return found
        return None

    def _member(self, owner: Definition, name: str, hops: int) -> Definition | None:
        if owner.kind == "module":
            return self._in_module(owner.name, name, hops)
        if owner.kind == "class":
            return self.member(owner, name)
        return None

    def _in_module(self, module: str, name: str, hops: int) -> Definition | None:
        found = (self._module(module) or {}).get(name)
        if isinstance(found, _Alias):
            target = f"{found.module}.{found.name}" if found.name else found.module
            if target.partition(".")[0] not in self._roots:
                return Definition("value", target)
            return self._find(target, hops - 1)
        if found is not None:
            return _defined(f"{module}.{name}", found)
        for starred in self._stars.get(module, ()):
            if not name.startswith("_") and (there := self._find(f"{starred}.{name}", hops - 1)) is not None:
                return there
        return (
            Definition("module", f"{module}.{name}") if self._module(f"{module}.{name}") is not None else None
        )

    def member(self, owner: Definition, name: str) -> Definition | None:
        """Return a class's attribute or method, those of its bases too; None where there is none."""
        for each in self._line(owner):
            if each.kind != "class" or each.node is None:
                if each.name in dir(builtins) and hasattr(getattr(builtins, each.name), name):
                    return Definition("value", f"{each.name}.{name}")
                continue
            node = _members(each.node).get(name)
            if node is not None:
                return _defined(f"{each.name}.{name}", node)
        return None

    def is_open(self, owner: Definition) -> bool:
        """Whether a class may have members that the package's sources do not show: a foreign base, `__getattr__`."""
        line = list(self._line(owner))
        if any(each.node is None and each.name not in dir(builtins) for each in line):
            return True
        return any(each.node is not None and "__getattr__" in _members(each.node) for each in line)

    def _line(self, owner: Definition) -> Iterator[Definition]:
        """Yield a class and its bases, nearest first; a foreign one by its name alone."""
        waiting, seen = [owner], {owner.name}
        while waiting:
            each = waiting.pop(0)
            yield each
            if not isinstance(each.node, ast.ClassDef):
                continue
            module = self._module_of(each.name)
            for base in each.node.bases:
                written = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
                found = self._from(module, written) or Definition("value", written)
                if found.name not in seen and written not in {
                    "object",
                    "Generic",
                    "t.Generic",
                    "typing.Generic",
                }:
                    seen.add(found.name)
                    waiting.append(found)

    def _from(self, module: str, written: str) -> Definition | None:
        """Return what `written` means inside of a module."""
        root, _, rest = written.partition(".")
        found = self._in_module(module, root, _MAX_HOPS)
        for part in rest.split(".") if rest else ():
            found = self._member(found, part, _MAX_HOPS) if found is not None else None
        return found

    def bases(self, owner: Definition) -> tuple[str, ...]:
        """Return the dotted names of a class and all its ancestors that the sources name."""
        return tuple(each.name for each in self._line(owner))

    def signature(self, found: Definition) -> inspect.Signature | None:
        """Return what a call of it takes, `self` left out; None where the sources do not tell."""
        node = found.node
        if isinstance(node, ast.ClassDef):
            return self._constructor(found)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or _is_changed(node):
            return None
        return parse_signature(f"({ast.unparse(node.args)})")

    def _constructor(self, owner: Definition) -> inspect.Signature | None:
        for each in self._line(owner):
            if not isinstance(each.node, ast.ClassDef) or each.node.decorator_list or each.node.keywords:
                return None
            members = _members(each.node)
            node = members.get("__init__")
            if "__new__" in members:
                return None
            if isinstance(node, ast.FunctionDef):
                return None if _is_changed(node) else parse_signature(f"({ast.unparse(node.args)})")
        return None

    def _module_of(self, dotted: str) -> str:
        while dotted and self._module(dotted) is None:
            dotted = dotted.rpartition(".")[0]
        return dotted

    def _module(self, dotted: str) -> dict[str, ast.AST | _Alias] | None:
        if dotted not in self._modules:
            self._modules[dotted] = self._read(dotted)
        return self._modules[dotted]

    def _read(self, dotted: str) -> dict[str, ast.AST | _Alias] | None:
        root = self._roots.get(dotted.partition(".")[0])
        if root is None:
            return None
        base = root + dotted.replace(".", "/")
        text, package = self._source(f"{base}.py"), dotted.rpartition(".")[0]
        if text is None:
            text, package = self._source(f"{base}/__init__.py"), dotted
        if text is None:
            return None
        try:
            tree = _parsed(text)
        except (SyntaxError, ValueError, RecursionError):
            return {}
        names: dict[str, ast.AST | _Alias] = {}
        stars: list[str] = []
        for statement in _statements(tree.body):
            _bind(statement, package, names, stars)
        self._stars[dotted] = tuple(stars)
        return names


@lru_cache(maxsize=64)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield a module's statements, those of its conditional blocks too."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, field, ()))
            for handler in getattr(statement, "handlers", ()):
                yield from _statements(handler.body)


def _bind(statement: ast.stmt, package: str, names: dict[str, ast.AST | _Alias], stars: list[str]) -> None:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            names[name] = statement
        case ast.Import(names=found):
            for alias in found:
                root = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or root] = _Alias(root, None)
        case ast.ImportFrom(module=module, level=level, names=found):
            origin = _absolute(module or "", level, package)
            for alias in found:
                if alias.name == "*":
                    stars.append(origin)
                else:
                    names.setdefault(alias.asname or alias.name, _Alias(origin, alias.name))
        case _:
            for name in _stored(statement):
                names.setdefault(name, statement)


def _absolute(module: str, level: int, package: str) -> str:
    if not level:
        return module
    parts = package.split(".")
    kept = parts[: len(parts) - level + 1]
    return ".".join([*kept, module] if module else kept)


def _stored(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For | ast.With):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _defined(name: str, node: ast.AST) -> Definition:
    match node:
        case ast.ClassDef():
            return Definition("class", name, node)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return Definition("function", name, node)
    return Definition("value", name, node)


@lru_cache(maxsize=512)
def _members(node: ast.AST) -> dict[str, ast.AST]:
    """Return what a class has: methods, class attributes, and what its methods assign to `self`."""
    found: dict[str, ast.AST] = {}
    if not isinstance(node, ast.ClassDef):
        return found
    for statement in _statements(node.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            found[statement.name] = statement
            for inner in ast.walk(statement):
                if (
                    isinstance(inner, ast.Attribute)
                    and isinstance(inner.ctx, ast.Store)
                    and isinstance(inner.value, ast.Name)
                    and inner.value.id == "self"
                ):
                    found.setdefault(inner.attr, inner)
        elif isinstance(statement, ast.ClassDef):
            found[statement.name] = statement
        else:
            for name in _stored(statement):
                found.setdefault(name, statement)
    return found


_TRANSPARENT = frozenset(
    {
        "staticmethod",
        "classmethod",
        "abstractmethod",
        "abc.abstractmethod",
        "typing.overload",
        "t.overload",
        "overload",
    }
)


def _is_changed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a decorator may have changed what a call takes."""
    return any(ast.unparse(each) not in _TRANSPARENT for each in node.decorator_list)
