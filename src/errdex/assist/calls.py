"""A program's names and calls, held against what a package defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errdex.assist.definitions import Definition, Definitions


class Program:
    """One program that parses: what its names stand for, as far as imports and plain assignments tell."""

    def __init__(self, code: str, definitions: Definitions) -> None:
        """Read the program; raises SyntaxError where it does not parse."""
        self._tree = ast.parse(code)
        self._definitions = definitions
        self._imported: dict[str, str] = {}
        self._instances: dict[str, Definition] = {}
        for node in ast.walk(self._tree):
            self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=found):
                for alias in found:
                    root = alias.name if alias.asname else alias.name.partition(".")[0]
                    self._imported[alias.asname or root] = root
            case ast.ImportFrom(module=str() as module, names=found):
                for alias in found:
                    self._imported[alias.asname or alias.name] = f"{module}.{alias.name}"
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                self._instance(name, func)
            case ast.withitem(context_expr=ast.Call(func=func), optional_vars=ast.Name(id=name)):
                self._instance(name, func)

    def _instance(self, name: str, func: ast.expr) -> None:
        found = self.resolve(func)
        if found is not None and found.kind == "class":
            self._instances[name] = found
        else:
            self._instances.pop(name, None)

    def dotted(self, node: ast.expr) -> str | None:
        """Return the dotted name of the package that an expression spells; None where it is none."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._imported:
            return None
        return ".".join([self._imported[node.id], *parts])

    def resolve(self, node: ast.expr) -> Definition | None:
        """Return what an expression stands for: an imported name, or a member of an instance."""
        dotted = self.dotted(node)
        if dotted is not None:
            return self._definitions.find(dotted)
        if isinstance(node, ast.Attribute) and (owner := self._owner(node.value)) is not None:
            return self._definitions.member(owner, node.attr)
        return None

    def _owner(self, node: ast.expr) -> Definition | None:
        """Return the class of what an expression holds, where a constructor says it."""
        if isinstance(node, ast.Name):
            return self._instances.get(node.id)
        if isinstance(node, ast.Call):
            found = self.resolve(node.func)
            return found if found is not None and found.kind == "class" else None
        return None

    def missing(self) -> Iterator[str]:
        """Yield names of the package, and members of its instances, that nothing defines."""
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Attribute):
                continue
            dotted = self.dotted(node)
            if dotted is not None and dotted.partition(".")[0] in self._definitions.tops:
                if self._definitions.find(dotted) is None and not self._is_beyond(dotted):
                    yield f"{dotted} is not there"
            elif (owner := self._owner(node.value)) is not None and not self._has(owner, node.attr):
                yield f"{owner.name} has no {node.attr}"

    def _has(self, owner: Definition, name: str) -> bool:
        return self._definitions.member(owner, name) is not None or self._definitions.is_open(owner)

    def _is_beyond(self, dotted: str) -> bool:
        """Whether a name goes on from a value, of which the sources do not tell what it has."""
        while "." in dotted:
            dotted = dotted.rpartition(".")[0]
            if (found := self._definitions.find(dotted)) is not None:
                return found.kind in {"value", "function"} or (
                    found.kind == "class" and self._definitions.is_open(found)
                )
        return False

    def unbound(self) -> Iterator[str]:
        """Yield why a call does not bind."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and (found := self.resolve(node.func)) is not None:
                problem = unbound(node, found, self._definitions)
                if problem:
                    yield problem


def unbound(call: ast.Call, found: Definition, definitions: Definitions) -> str:
    """Return why a call does not bind to what it calls; empty where it does, or where that is not known."""
    signature = definitions.signature(found)
    if signature is None or any(isinstance(arg, ast.Starred) for arg in call.args):
        return ""
    if any(keyword.arg is None for keyword in call.keywords):
        return ""
    try:
        signature.bind(*call.args, **{keyword.arg: None for keyword in call.keywords if keyword.arg})
    except TypeError as error:
        return f"{ast.unparse(call)[:60]} does not bind: {error}"
    return ""
