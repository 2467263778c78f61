"""The outline of a file that linking reads: imports, constants, classes, functions, calls of private names."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from errdex.extract.module_scope import ModuleScope, class_attributes
from errdex.model.facts import (
    CallFact,
    ClassFact,
    ConstantFact,
    FileFacts,
    FunctionDetails,
    FunctionFact,
    FunctionKind,
    ImportFact,
    RawSite,
)
from errdex.model.site import Condition, Parameter
from errdex.syntax.flow import Bindings, target_names
from errdex.syntax.signature import details_of
from errdex.syntax.spelling import expression_text
from errdex.syntax.text import SourceText

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
MAX_CALL_CHARACTERS = 200
MAX_CONSTANT_CHARACTERS = 20_000
_WORDLIKE = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call, ast.Dict, ast.Tuple, ast.List, ast.Name, ast.Attribute,
             ast.IfExp)  # fmt: skip
_SMALL = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call, ast.Name, ast.Attribute, ast.Tuple, ast.Dict)
_IDENTIFIER = re.compile(rb"[A-Za-z0-9_\x80-\xff]")
Reader = Literal["ast", "tree-sitter"]


class Outline:
    """Collects the facts of one file that are not throw sites."""

    def __init__(self, source: SourceText, module: ModuleScope) -> None:
        self.source = source
        self.module = module
        self.imports: dict[tuple[str, str, str | None], ImportFact] = {}
        self.exported: list[str] | None = None
        self.classes: list[ClassFact] = []
        self.functions: list[FunctionFact] = []
        self.nodes: list[FunctionNode] = []
        self.detailed: set[int] = set()
        """Functions that hold a site: their signatures are read."""
        self._bindings: dict[int, Bindings] = {}
        self._constants: dict[str, ast.expr] = {}

    def survey(self, body: list[ast.stmt]) -> None:
        """Read the module-level names of a file, those under `if` and `try` too, before the walk asks for them."""
        module = self.module
        for statement in body:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    self._assigned(target, statement.value)
            elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
                if statement.value is not None:
                    self._assigned(statement.target, statement.value)
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                module.functions[statement.name] = statement
            elif isinstance(statement, ast.ClassDef):
                module.classes[statement.name] = statement
            elif isinstance(statement, (ast.If, ast.Try, ast.With)):
                self.survey(statement.body)
                for field in ("orelse", "finalbody"):
                    self.survey(statement.__dict__.get(field) or [])
                for handler in statement.__dict__.get("handlers", ()):
                    self.survey(handler.body)

    def _assigned(self, target: ast.expr, value: ast.expr) -> None:
        for name in target_names(target):
            if name == "__all__":
                self.exported = [*(self.exported or []), *_strings(value)]
            elif isinstance(value, _WORDLIKE) and isinstance(target, ast.Name):
                self.module.names.setdefault(name, []).append(value)
                self._constants[name] = value
            else:
                self.module.names.setdefault(name, [])

    def add_import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Take one import statement, wherever it stands."""
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                fact = ImportFact(alias.asname or alias.name, node.module or "", node.level, alias.name)
            elif alias.asname:
                fact = ImportFact(alias.asname, alias.name, 0, None)
            else:
                fact = ImportFact(alias.name.partition(".")[0], alias.name.partition(".")[0], 0, None)
                if "." in alias.name:
                    full = ImportFact(alias.name, alias.name, 0, None)
                    self.imports[full.name, full.module, None] = full
            self.imports[fact.name, fact.module, fact.attribute] = fact
            self.module.imported.add(fact.name)

    def add_class(self, node: ast.ClassDef, function: int, outer_class: str) -> str:
        """Take a class; return its qualified name."""
        name = self._qualified(node.name, function, outer_class)
        self.add_class_written(name, node)
        return name

    def add_class_written(self, name: str, node: ast.ClassDef) -> None:
        """Take a class under its qualified name."""
        attributes: dict[str, str] = {}
        for attribute, value in class_attributes(node):
            if isinstance(value, _SMALL) and (value.end_lineno or 0) - value.lineno < 40:
                attributes[attribute] = self.source.segment(value)
        fields = tuple(
            statement.target.id
            for statement in node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        )
        bases = tuple(
            expression_text(base.value if isinstance(base, ast.Subscript) else base, self.source)
            for base in node.bases
            if isinstance(base, (ast.Name, ast.Attribute, ast.Subscript))
        )
        decorators = tuple(expression_text(mark, self.source) for mark in node.decorator_list)
        end = node.end_lineno or node.lineno
        self.classes.append(ClassFact(name, node.lineno, end, bases, decorators, attributes, fields))

    def add_function(self, node: FunctionNode, outer: int, class_name: str) -> tuple[int, str]:
        """Take a function; return its index, and the class that names inside it are qualified by (none)."""
        directly = class_name if class_name and self._is_method(outer, class_name) else ""
        name = self._qualified(node.name, outer, directly)
        decorators = tuple(expression_text(mark, self.source) for mark in node.decorator_list)
        self.functions.append(
            FunctionFact(
                name,
                node.lineno,
                node.end_lineno or node.lineno,
                _kind(decorators, in_class=bool(directly)),
                isinstance(node, ast.AsyncFunctionDef),
                directly or None,
                outer >= 0 and not (directly and directly.rpartition(".")[0] == ""),
                node.body[0].lineno,
                decorators,
            )
        )
        self.nodes.append(node)
        return len(self.functions) - 1, ""

    def _is_method(self, outer: int, class_name: str) -> bool:
        """Whether a class stands where the walker is: inside the function `outer`, or at module level."""
        return outer < 0 or class_name.startswith(self.functions[outer].name + ".")

    def _qualified(self, name: str, function: int, class_name: str) -> str:
        if class_name:
            return f"{class_name}.{name}"
        return f"{self.functions[function].name}.{name}" if function >= 0 else name

    def private_calls(self) -> Iterator[CallFact]:
        """Yield the calls of this file's private and nested functions, and of private names it imports."""
        wanted: set[str] = set()
        for function in self.functions:
            last = function.name.rpartition(".")[2]
            if (
                function.nested
                or (last.startswith("_") and not last.startswith("__"))
                or (last.startswith("__") and not last.endswith("__"))
            ):
                wanted.add(last)
        for found in self.classes:
            last = found.name.rpartition(".")[2]
            if last.startswith("_"):
                wanted.add(last)
        for fact in self.imports.values():
            if fact.attribute and (fact.attribute.startswith("_") or "._" in f".{fact.module}"):
                wanted.add(fact.name)
        yield from self._calls_of(wanted)

    def _calls_of(self, names: set[str]) -> Iterator[CallFact]:
        data = self.source.data
        starts: list[int] | None = None
        for name in sorted(names):
            needle = name.encode() + b"("
            position = data.find(needle)
            while position >= 0:
                before = data[position - 1 : position]
                if not _IDENTIFIER.match(before) and not data[max(0, position - 6) : position].endswith(
                    (b"def ", b"class ")
                ):
                    starts = starts if starts is not None else self.source.line_starts()
                    call = self._call_at(position, len(name), starts)
                    if call is not None:
                        yield call
                position = data.find(needle, position + len(needle))

    def _call_at(self, position: int, length: int, starts: list[int]) -> CallFact | None:
        """Return the call whose callee's name starts at a byte, if the tree has one there."""
        line = bisect_right(starts, position)
        column = position - starts[line - 1] + length
        index = self.function_at(line)
        found = _find_call(self.nodes[index] if index >= 0 else None, line, column)
        if found is None:
            return None
        callee = self._typed(found.func, index)
        text = self.source.segment(found)[:MAX_CALL_CHARACTERS]
        end = found.end_lineno or found.lineno
        return CallFact(index, callee, found.lineno, end, found.col_offset, text, False)

    def _typed(self, callee: ast.expr, index: int) -> str:
        """Return a callee as written; `made.check` as `Class.check` where `made = Class(...)` is all that made it."""
        written = expression_text(callee, self.source)
        if index < 0 or not (isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name)):
            return written
        name = callee.value.id
        if name in {"self", "cls"} or name in self.module.imported or name in self.module.classes:
            return written
        if index not in self._bindings:
            self._bindings[index] = Bindings(self.nodes[index].body)
        held = self._bindings[index].sole(name)
        made = held[0].expression if held else None
        if not (isinstance(made, ast.Call) and isinstance(made.func, ast.Name)):
            return written
        maker = made.func.id
        known = maker == "cls" or maker in self.module.classes or maker in self.module.imported
        return f"{maker}.{callee.attr}" if known else written

    def function_at(self, line: int) -> int:
        """Return the index of the innermost function whose lines hold `line`; -1 if none does."""
        found = -1
        for index, function in enumerate(self.functions):
            if function.line > line:
                break
            if function.end_line >= line:
                found = index
        return found

    def facts(self, sites: list[RawSite], conditions: list[Condition], calls: list[CallFact]) -> FileFacts:
        """Return everything as one record."""
        functions = [
            _with_details(function, details_of(self.nodes[index], self.source))
            if index in self.detailed
            else function
            for index, function in enumerate(self.functions)
        ]
        constants = tuple(
            ConstantFact(name, self.source.segment(value))
            for name, value in self._constants.items()
            if _may_hold_words(value)
        )
        return FileFacts(
            "ast",
            tuple(self.imports.values()),
            tuple(self.exported) if self.exported is not None else None,
            tuple(one for one in constants if len(one.source) <= MAX_CONSTANT_CHARACTERS),
            tuple(self.classes),
            tuple(functions),
            tuple(conditions),
            tuple(sites),
            tuple(calls),
        )


def _with_details(function: FunctionFact, details: FunctionDetails) -> FunctionFact:
    return FunctionFact(
        function.name,
        function.line,
        function.end_line,
        function.kind,
        function.is_async,
        function.owner,
        function.nested,
        function.body_line,
        function.decorators,
        details,
    )


def _find_call(node: FunctionNode | None, line: int, column: int) -> ast.Call | None:
    """Return the call whose callee ends at a place, looked for in the statements around it only."""
    if node is None:
        return None
    body: list[ast.AST] = [*node.body]
    while body:
        current = body.pop()
        end = getattr(current, "end_lineno", None)
        if end is not None and not (getattr(current, "lineno", 0) <= line <= end):
            continue
        if isinstance(current, ast.Call):
            function = current.func
            if function.end_lineno == line and function.end_col_offset == column:
                return current
        body.extend(ast.iter_child_nodes(current))
    return None


def _kind(decorators: tuple[str, ...], *, in_class: bool) -> FunctionKind:
    if not in_class:
        return "function"
    for mark in decorators:
        last = mark.partition("(")[0].rpartition(".")[2]
        if last == "classmethod":
            return "classmethod"
        if last == "staticmethod":
            return "staticmethod"
        if last in {"property", "cached_property", "setter", "getter", "deleter"} or last.endswith(
            "property"
        ):
            return "property"
    return "method"


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for element in node.elts:
            if isinstance(element, ast.Constant) and isinstance(element.value, str):
                yield element.value
    elif isinstance(node, ast.BinOp):
        yield from _strings(node.left)
        yield from _strings(node.right)


def _may_hold_words(node: ast.expr) -> bool:
    """Whether a module-level value is worth keeping: strings and what may be made of them, tables, aliases."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, (ast.JoinedStr, ast.Name, ast.Attribute, ast.IfExp)):
        return True
    if isinstance(node, ast.BinOp):
        return _may_hold_words(node.left) or _may_hold_words(node.right)
    if isinstance(node, ast.Call):
        return len(node.args) <= 8
    if isinstance(node, ast.Dict):
        return any(_may_hold_words(value) for value in node.values[:20])
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(_may_hold_words(value) for value in node.elts[:20])
    return False


__all__ = ["Outline", "Parameter"]
