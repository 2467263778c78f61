"""What the names of one file may hold, as far as the file itself tells."""

from __future__ import annotations

import ast
import builtins

from errdex.syntax.bound import returned
from errdex.syntax.flow import Bindings, Position
from errdex.syntax.local import FunctionNode, FunctionScope
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.spelling import expression_text
from errdex.syntax.text import SourceText

BUILTIN_NAMES = frozenset(dir(builtins))


class ModuleScope:
    """Module-level names. Sets `pending` when a name was asked that only other files can explain."""

    def __init__(self, source: SourceText) -> None:
        self.level = 0
        self.source = source
        self.names: dict[str, list[ast.expr]] = {}
        self.functions: dict[str, FunctionNode] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.imported: set[str] = set()
        self.pending = False

    def text(self, node: ast.expr) -> str:
        """Return the expression as written."""
        return expression_text(node, self.source)

    def lookup(self, name: str) -> Found | None:
        """Return what a module-level name may hold."""
        values = self.names.get(name)
        if values:
            return Found([Value(value, self) for value in values], "constant")
        if name not in BUILTIN_NAMES:
            self.pending = True
        return None

    def attribute(self, node: ast.Attribute) -> Found | None:  # noqa: ARG002 - the protocol's
        """Return nothing: an attribute of a module-level name is the linker's business."""
        self.pending = True
        return None

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        """Return what a function of this file may return."""
        if isinstance(node.func, ast.Name):
            function = self.functions.get(node.func.id)
            if function is not None:
                return returned(function, node, caller, self, self.source, skip_first=False)
            if node.func.id in BUILTIN_NAMES:
                return None
        self.pending = True
        return None


class ModulePlace(FunctionScope):
    """A place inside a module's own statements: a name that is assigned more than once holds what reaches it."""

    def __init__(self, tree: ast.Module, position: Position, module: ModuleScope, bindings: Bindings) -> None:
        super().__init__(_as_function(tree), position, module, module.source, bindings)

    def lookup(self, name: str) -> Found | None:
        """Return what a name holds here; the module's answer where it is not assigned on the way."""
        state = self.reaching(name) if name in self.module_names and name in self.bindings else ()
        return self.found(name, state) or self.parent.lookup(name)

    @property
    def module_names(self) -> dict[str, list[ast.expr]]:
        """Names that the module assigns values to: not its imports, classes and functions."""
        assert isinstance(self.parent, ModuleScope)
        return self.parent.names

    def attribute(self, node: ast.Attribute) -> Found | None:
        """Return what the module says: its names are its own here."""
        return self.parent.attribute(node)


def _as_function(tree: ast.Module) -> ast.FunctionDef:
    arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.FunctionDef(name="<module>", args=arguments, body=tree.body, decorator_list=[])


class ClassScope:
    """The surroundings of a class's methods: `self.x` may be one of its own attributes."""

    def __init__(self, node: ast.ClassDef, parent: Scope, source: SourceText) -> None:
        self.level = 0
        self.node = node
        self.parent = parent
        self.source = source
        self._attributes: dict[str, ast.expr] | None = None
        self._methods: dict[str, FunctionNode] | None = None

    def text(self, node: ast.expr) -> str:
        """Return the expression as written."""
        return expression_text(node, self.source)

    def lookup(self, name: str) -> Found | None:
        """Return what the module's name holds: a method does not see its class's names."""
        return self.parent.lookup(name)

    @property
    def attributes(self) -> dict[str, ast.expr]:
        """Class-level assignments, the last of each name."""
        if self._attributes is None:
            self._attributes = dict(class_attributes(self.node))
        return self._attributes

    @property
    def methods(self) -> dict[str, FunctionNode]:
        """The methods that stand directly in the class."""
        if self._methods is None:
            self._methods = {
                node.name: node
                for node in self.node.body
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
        return self._methods

    def attribute(self, node: ast.Attribute) -> Found | None:
        """Return what `self.x` or `cls.x` may hold when the class itself assigns it."""
        if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls", self.node.name}:
            value = self.attributes.get(node.attr)
            if value is not None:
                return Found([Value(value, self)], "constant")
        return self.parent.attribute(node)

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        """Return what `self.method(...)` may return when the class itself defines it."""
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            method = self.methods.get(function.attr)
            if method is not None and function.value.id in {"self", "cls", self.node.name}:
                static = any(
                    isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in method.decorator_list
                )
                return returned(method, node, caller, self, self.source, skip_first=not static)
        return self.parent.call(node, caller)


def class_attributes(node: ast.ClassDef) -> list[tuple[str, ast.expr]]:
    """Return the plain names that a class assigns in its own body, with their values."""
    found: list[tuple[str, ast.expr]] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            found.extend(
                (target.id, statement.value) for target in statement.targets if isinstance(target, ast.Name)
            )
        elif (
            isinstance(statement, ast.AnnAssign)
            and statement.value
            and isinstance(statement.target, ast.Name)
        ):
            found.append((statement.target.id, statement.value))
    return found
