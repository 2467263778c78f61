"""Scopes with the whole package behind them: modules, classes and their instances, parsed functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from errdex.link.callables import parse_function
from errdex.link.classes import ClassTable
from errdex.link.names import Meaning, NameTable
from errdex.syntax.bound import GivenMapping, returned
from errdex.syntax.flow import Bindings, Position, blocks
from errdex.syntax.local import FunctionNode, FunctionScope
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.spelling import expression_text, parsed_expression
from errdex.syntax.text import SourceText

MAX_MODULE_VALUES = 8


class ParsedFunction(NamedTuple):
    """A function read again from its own lines."""

    node: FunctionNode
    source: SourceText
    bindings: Bindings
    shift: int
    """What to add to a line of the tree to get a line of the file."""
    home: Scope
    """What surrounds it."""


class Scopes:
    """Makes scopes, and parses functions when they are first asked for."""

    def __init__(self, names: NameTable, classes: ClassTable) -> None:
        self.names = names
        self.classes = classes
        self._modules: dict[str, ModuleScope] = {}
        self._functions: dict[tuple[str, int], ParsedFunction | None] = {}
        self._expressions: dict[str, ast.expr | None] = {}

    def module(self, path: str) -> ModuleScope:
        """Return the scope of a file's module level."""
        if path not in self._modules:
            self._modules[path] = ModuleScope(self, path)
        return self._modules[path]

    def expression(self, source: str) -> ast.expr | None:
        """Return the tree of a constant's source."""
        if source not in self._expressions:
            self._expressions[source] = parsed_expression(source)
        return self._expressions[source]

    def function(self, path: str, index: int) -> ParsedFunction | None:
        """Return a function's tree; None where its lines do not parse."""
        key = (path, index)
        if key not in self._functions:
            self._functions[key] = self._parse(path, index)
        return self._functions[key]

    def _parse(self, path: str, index: int) -> ParsedFunction | None:
        package = self.names.package
        text = package.text(path)
        if text is None:
            return None
        fact = package.names(path).facts.functions[index]
        lines = text.lines(fact.line, fact.end_line)
        node, source = parse_function(lines)
        if node is None or source is None:
            return None
        home: Scope = self.module(path)
        if fact.owner is not None:
            home = InstanceScope(self, Meaning("class", path, fact.owner))
        elif fact.nested and (outer := self._outer(path, fact.name, fact.line)) is not None:
            home = outer
        return ParsedFunction(node, source, Bindings(node.body), fact.line - node.lineno, home)

    def _outer(self, path: str, name: str, line: int) -> Scope | None:
        """Return the scope of the function that a nested one stands in."""
        index = self.names.package.names(path).functions.get(name.rpartition(".")[0])
        outer = self.function(path, index) if index is not None else None
        if outer is None:
            return None
        position = locate(outer.node.body, line - outer.shift)
        return FunctionScope(outer.node, position or [], outer.home, outer.source, outer.bindings)


def statements_of(body: list[ast.stmt], outer: Position | None = None) -> Iterator[tuple[ast.stmt, Position]]:
    """Yield every statement of a function, those of its blocks too, with its position, in source order."""
    for index, statement in enumerate(body):
        position = [*(outer or []), (body, index)]
        yield statement, position
        for block in blocks(statement):
            yield from statements_of(block, position)


def locate(body: list[ast.stmt], line: int) -> Position | None:
    """Return the position of the innermost statement whose lines hold `line`; None if there is none."""
    for index, statement in enumerate(body):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            for block in blocks(statement):
                inner = locate(block, line)
                if inner is not None:
                    return [(body, index), *inner]
            return [(body, index)]
    return None


class ModuleScope:
    """Module-level names of a file, imports followed."""

    level = 0

    def __init__(self, scopes: Scopes, path: str) -> None:
        self.scopes = scopes
        self.path = path

    def text(self, node: ast.expr) -> str:
        """Return the expression as source."""
        return ast.unparse(node)

    def lookup(self, name: str) -> Found | None:
        """Return what a module-level constant holds, wherever it is defined."""
        return self._constant(self.scopes.names.meaning(self.path, name))

    def _constant(self, meaning: Meaning | None) -> Found | None:
        if meaning is None or meaning.kind != "constant" or meaning.rest:
            return None
        fact = self.scopes.names.package.names(meaning.path).constants[meaning.name]
        node = self.scopes.expression(fact.source)
        return (
            Found([Value(node, self.scopes.module(meaning.path))], "constant") if node is not None else None
        )

    def attribute(self, node: ast.Attribute) -> Found | None:
        """Return what `module.NAME` or `Class.NAME` holds."""
        written = dotted_text(node)
        if written is None:
            return None
        meaning = self.scopes.names.meaning(self.path, written)
        if meaning is not None and meaning.kind == "class" and meaning.rest:
            owner = Meaning("class", meaning.path, meaning.name)
            head, _, rest = meaning.rest.partition(".")
            return InstanceScope(self.scopes, owner).class_attribute(head) if rest in {"", "value"} else None
        return self._constant(meaning)

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        """Return what a function of the package may return."""
        written = dotted_text(node.func)
        meaning = self.scopes.names.meaning(self.path, written) if written is not None else None
        if meaning is None:
            return None
        names = self.scopes.names.package.names(meaning.path) if meaning.path else None
        if meaning.kind == "class" and meaning.rest and "." not in meaning.rest:
            return InstanceScope(self.scopes, Meaning("class", meaning.path, meaning.name)).returns(
                meaning.rest, node, caller
            )
        if meaning.kind != "function" or names is None:
            return None
        parsed = self.scopes.function(meaning.path, names.functions[meaning.name])
        if parsed is None:
            return None
        return returned(parsed.node, node, caller, parsed.home, parsed.source, skip_first=False)


class InstanceScope:
    """The surroundings of a class's methods: `self` is an instance of `owner`, made by a known call or by any."""

    def __init__(
        self, scopes: Scopes, owner: Meaning, assigned: dict[str, list[Value]] | None = None
    ) -> None:
        self.scopes = scopes
        self.owner = owner
        self.level = 0
        self.path = owner.path
        self.parent = scopes.module(owner.path)
        self.assigned = assigned if assigned is not None else {}
        """What the constructor put into the instance's attributes, where the call is known."""
        self.is_exact = assigned is not None
        """Whether the instance is of this very class, not of one derived from it."""

    def text(self, node: ast.expr) -> str:
        """Return the expression as source."""
        return ast.unparse(node)

    def lookup(self, name: str) -> Found | None:
        """Return what the module's name holds."""
        return self.parent.lookup(name)

    @property
    def line(self) -> tuple[Meaning, ...]:
        """The class and its ancestors, those of the package only."""
        classes = self.scopes.classes
        return tuple(one for one in (self.owner, *classes.ancestors(self.owner)) if one.kind == "class")

    def attribute(self, node: ast.Attribute) -> Found | None:
        """Return what `self.x` may hold: what the constructor assigned, a class attribute, or a property's result."""
        root = node.value
        if isinstance(root, ast.Call) and isinstance(root.func, ast.Name) and root.func.id == "type":
            root = root.args[0] if root.args else root
        if isinstance(root, ast.Attribute) and root.attr == "__class__":
            root = root.value
        if not (isinstance(root, ast.Name) and root.id in {"self", "cls"}):
            return self.parent.attribute(node)
        if node.attr in self.assigned:
            return Found(self.assigned[node.attr], "argument")
        if node.attr == "__name__" and self.is_exact:
            return Found([Value(ast.Constant(self.owner.name.rpartition(".")[2]), self)], "argument")
        if node.attr == "error_messages":
            return self._message_table()
        return (
            self.class_attribute(node.attr) or self._property(node.attr) or self._assigned_anywhere(node.attr)
        )

    def _message_table(self) -> Found | None:
        """Return `default_error_messages` of the class and its ancestors: Django, DRF and marshmallow merge them."""
        entries: dict[str, Value] = {}
        for one in self.line:
            fact = self.scopes.classes.fact(one)
            source = fact.attributes.get("default_error_messages") if fact is not None else None
            node = self.scopes.expression(source) if source is not None else None
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        entries.setdefault(key.value, Value(value, self.scopes.module(one.path)))
        return Found([Value(GivenMapping(entries), self)], "table") if entries else None

    def _assigned_anywhere(self, name: str) -> Found | None:
        """Return what the class's own constructor assigns to `self.name`, whoever calls it."""
        found = self.method("__init__")
        parsed = self.scopes.function(found[0].path, found[1]) if found is not None else None
        if found is None or parsed is None:
            return None
        values = [
            Value(
                statement.value,
                FunctionScope(parsed.node, position, parsed.home, parsed.source, parsed.bindings),
            )
            for statement, position in statements_of(parsed.node.body)
            if isinstance(statement, ast.Assign)
            and any(
                isinstance(target, ast.Attribute)
                and target.attr == name
                and isinstance(target.value, ast.Name)
                and target.value.id == "self"
                for target in statement.targets
            )
        ]
        return Found(values[:MAX_MODULE_VALUES], "variable") if values else None

    def class_attribute(self, name: str) -> Found | None:
        """Return what a class attribute holds, the class's own or an ancestor's."""
        for one in self.line:
            fact = self.scopes.classes.fact(one)
            if fact is not None and name in fact.attributes:
                node = self.scopes.expression(fact.attributes[name])
                return (
                    Found([Value(node, self.scopes.module(one.path))], "constant")
                    if node is not None
                    else None
                )
        return None

    def method(self, name: str, *, after: Meaning | None = None) -> tuple[Meaning, int] | None:
        """Return the class that defines a method and its index; `after` skips that class and those before it."""
        line = self.line
        if after is not None and after in line:
            line = line[line.index(after) + 1 :]
        for one in line:
            index = self.scopes.names.package.names(one.path).functions.get(f"{one.name}.{name}")
            if index is not None:
                return one, index
        return None

    def _property(self, name: str) -> Found | None:
        found = self.method(name)
        if found is None:
            return None
        fact = self.scopes.names.package.names(found[0].path).facts.functions[found[1]]
        if fact.kind != "property":
            return None
        call = ast.Call(func=ast.Name("property", ast.Load()), args=[], keywords=[])
        return self.returns(name, call, self)

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        """Return what `self.method(...)` or `super().method(...)` may return."""
        function = node.func
        if isinstance(function, ast.Attribute):
            root = function.value
            if isinstance(root, ast.Name) and root.id in {"self", "cls"}:
                return self.returns(function.attr, node, caller)
        return self.parent.call(node, caller)

    def returns(self, name: str, node: ast.Call, caller: Scope) -> Found | None:
        """Return what a method may return to a call."""
        found = self.method(name)
        parsed = self.scopes.function(found[0].path, found[1]) if found is not None else None
        if found is None or parsed is None:
            return None
        fact = self.scopes.names.package.names(found[0].path).facts.functions[found[1]]
        return returned(
            parsed.node, node, caller, self, parsed.source, skip_first=fact.kind != "staticmethod"
        )


def dotted_text(node: ast.expr) -> str | None:
    """Return `a.b.c` for a chain of names; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


__all__ = [
    "InstanceScope",
    "ModuleScope",
    "ParsedFunction",
    "Scopes",
    "dotted_text",
    "expression_text",
    "locate",
    "statements_of",
]
