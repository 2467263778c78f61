"""Files that this interpreter refuses (Python 2, later syntax, broken code): read by tree-sitter as far as it goes.

The grammar gives the structure; single expressions, headers and imports are handed
to the interpreter's own parser, which reads nearly all of them. Guards are the
conditions around a site; earlier guards that leave are not followed here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter_python
from tree_sitter import Language, Node, Parser

from errdex.extract.guards import Kind
from errdex.extract.module_scope import ModuleScope
from errdex.extract.outline import Outline
from errdex.model.facts import FileFacts, FunctionDetails, FunctionFact, RawSite
from errdex.model.site import Condition
from errdex.syntax.raised import BUILTIN_EXCEPTIONS, raised_values
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.signature import details_of
from errdex.syntax.spelling import parsed_expression
from errdex.syntax.text import SourceText
from errdex.syntax.words import MAX_WORDINGS, templates_of

_LANGUAGE = Language(tree_sitter_python.language())
MAX_LOCALS = 8
_DEFINITIONS = frozenset({"function_definition", "class_definition"})


class _Locals:
    """Names assigned before a place in the same function, by plain statements."""

    level = 0

    def __init__(self, parent: Scope, values: dict[str, list[ast.expr]]) -> None:
        self.parent = parent
        self.values = values

    def text(self, node: ast.expr) -> str:
        return ast.unparse(node)

    def lookup(self, name: str) -> Found | None:
        values = self.values.get(name)
        if values is None:
            return self.parent.lookup(name)
        return Found([Value(value, self.parent) for value in values[-MAX_LOCALS:]], "variable")

    def attribute(self, node: ast.Attribute) -> Found | None:
        return self.parent.attribute(node)

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        return self.parent.call(node, caller)


class _Place(NamedTuple):
    """Where the reader is: the function and the class around, and the assignments met in that function."""

    function: int
    class_name: str
    values: dict[str, list[ast.expr]]


class LegacyReader:
    """Reads one file."""

    def __init__(self, data: bytes) -> None:
        self.source = SourceText(data)
        self.data = data
        self.module = ModuleScope(SourceText(b""))
        self.outline = Outline(self.source, self.module)
        self.functions: list[FunctionFact] = []
        self.conditions: list[Condition] = []
        self.sites: list[RawSite] = []

    def read(self) -> FileFacts:
        """Return the file's facts."""
        root = Parser(_LANGUAGE).parse(self.data).root_node
        self._block(root, _Place(-1, "", {}), ())
        facts = self.outline.facts([], [], [])
        return FileFacts(
            "tree-sitter",
            facts.imports,
            facts.exported,
            facts.constants,
            facts.classes,
            tuple(self.functions),
            tuple(self.conditions),
            tuple(self.sites),
        )

    def _text(self, node: Node) -> str:
        return (node.text or b"").decode("utf-8", "replace")

    def _block(self, node: Node, place: _Place, conditions: tuple[int, ...]) -> None:
        """Visit a node's statements; a stack of its own keeps deep nesting from the interpreter's."""
        stack: list[tuple[Node, _Place, tuple[int, ...]]] = [(node, place, conditions)]
        while stack:
            current, where, held = stack.pop()
            kind = current.type
            if kind == "raise_statement":
                self._raise(current, where, held)
            elif kind in {"import_statement", "import_from_statement", "future_import_statement"}:
                self._import(current)
            elif kind == "expression_statement":
                self._assignment(current, where)
            elif kind in _DEFINITIONS:
                inner = self._definition(current, where)
                body = current.child_by_field_name("body")
                if body is not None:
                    stack.append((body, inner, ()))
            else:
                children = list(self._children(current, held))
                stack.extend((child, where, inside) for child, inside in reversed(children))

    def _children(self, node: Node, held: tuple[int, ...]) -> Iterator[tuple[Node, tuple[int, ...]]]:
        """Yield a node's children, each with the conditions that hold in it."""
        kind = node.type
        if kind in {"if_statement", "while_statement"}:
            yield from self._branches(node, held)
            return
        inside = held
        if kind == "for_statement" and (iterated := node.child_by_field_name("right")) is not None:
            inside = (*held, self._condition("for", node, iterated))
        elif kind == "except_clause":
            caught = next((child for child in node.named_children if child.type != "block"), None)
            inside = (*held, self._condition("except", node, caught))
        for child in node.named_children:
            yield child, inside

    def _branches(self, node: Node, held: tuple[int, ...]) -> Iterator[tuple[Node, tuple[int, ...]]]:
        kind: Kind = "if" if node.type == "if_statement" else "while"
        test = node.child_by_field_name("condition")
        passed: list[int] = []
        for child in node.named_children:
            if child == test:
                continue
            if child.type == "elif_clause":
                if test is not None:
                    passed.append(self._condition(kind, node, test, negated=True))
                node, test = child, child.child_by_field_name("condition")
                body = child.child_by_field_name("consequence")
                if body is not None and test is not None:
                    yield body, (*held, *passed, self._condition(kind, child, test))
            elif child.type == "else_clause":
                if test is not None:
                    passed.append(self._condition(kind, node, test, negated=True))
                yield child, (*held, *passed)
            elif test is not None:
                yield child, (*held, self._condition(kind, node, test))

    def _condition(self, kind: Kind, node: Node, test: Node | None, *, negated: bool = False) -> int:
        line = node.start_point[0] + 1
        text = " ".join(self._text(test).split()) if test is not None else "BaseException"
        if kind == "except":
            text = text.partition(",")[0].partition(" as ")[0]
        end = (test.end_point[0] if test is not None else node.start_point[0]) + 1
        made = Condition(text=text, line=line, end_line=end, kind=kind, negated=negated)
        self.conditions.append(made)
        return len(self.conditions) - 1

    def _import(self, node: Node) -> None:
        try:
            statement = ast.parse(self._text(node)).body[0]
        except (SyntaxError, ValueError, IndexError):
            return
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            self.outline.add_import(statement)

    def _assignment(self, node: Node, place: _Place) -> None:
        inner = node.named_children[0] if node.named_children else None
        if inner is None or inner.type != "assignment":
            return
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if left is None or right is None or left.type != "identifier":
            return
        value = parsed_expression(self._text(right))
        if value is None:
            return
        name = self._text(left)
        if place.function >= 0:
            place.values.setdefault(name, []).append(value)
        elif not place.class_name:
            self.module.names.setdefault(name, []).append(value)

    def _definition(self, node: Node, place: _Place) -> _Place:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        own = self._text(name_node) if name_node is not None else "?"
        outer = self.functions[place.function].name if place.function >= 0 else ""
        prefix = place.class_name or outer
        name = f"{prefix}.{own}" if prefix else own
        start = node.start_byte
        end = body.start_byte if body is not None else node.end_byte
        header = self.data[start:end].decode("utf-8", "replace").rstrip()
        statement = _header(header)
        if node.type == "class_definition":
            if isinstance(statement, ast.ClassDef):
                statement.lineno, statement.end_lineno = node.start_point[0] + 1, node.end_point[0] + 1
                self.outline.add_class_written(name, statement)
            return _Place(place.function, name, {})
        details = FunctionDetails((), None, None, None)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            details = details_of(statement, SourceText(header.encode()))
        self.functions.append(
            FunctionFact(
                name,
                node.start_point[0] + 1,
                node.end_point[0] + 1,
                "method" if place.class_name else "function",
                isinstance(statement, ast.AsyncFunctionDef),
                place.class_name or None,
                place.function >= 0,
                (body.start_point[0] if body is not None else node.start_point[0]) + 1,
                (),
                details,
            )
        )
        return _Place(len(self.functions) - 1, "", {})

    def _raise(self, node: Node, place: _Place, conditions: tuple[int, ...]) -> None:
        expression = _raised_expression([self._text(child) for child in self._raised(node)])
        if expression is None:
            return
        scope: Scope = _Locals(self.module, place.values) if place.function >= 0 else self.module
        self.module.pending = False
        values = raised_values(expression, scope)
        words = [one for value in values for one in value.words][:MAX_WORDINGS]
        first = next((one for one in values if one.words), values[0] if values else None)
        written = (
            ast.unparse(first.class_node) if first is not None and first.class_node is not None else None
        )
        templates = templates_of(words)
        reason = (first.reason if first is not None else "re-raise") if not templates else None
        caught = next(
            (
                self.conditions[index].text
                for index in reversed(conditions)
                if self.conditions[index].kind == "except"
            ),
            None,
        )
        self.sites.append(
            RawSite(
                "raise",
                node.start_point[0] + 1,
                node.end_point[0] + 1,
                node.start_point[1],
                self._text(node),
                place.function,
                place.class_name,
                written,
                templates,
                reason,
                first.argument if first is not None and not templates else None,
                conditions,
                caught,
                not values,
                written not in BUILTIN_EXCEPTIONS,
            )
        )

    @staticmethod
    def _raised(node: Node) -> list[Node]:
        """Return what a raise statement raises: one expression, or class, value and traceback of Python 2."""
        cause = node.child_by_field_name("cause")
        children = [child for child in node.named_children if child != cause and child.type != "comment"]
        if len(children) == 1 and children[0].type == "expression_list":
            return [child for child in children[0].named_children if child.type != "comment"]
        return children


def _header(text: str) -> ast.stmt | None:
    text = (
        text.partition("#")[0].rstrip() if text.count("#") and '"' not in text and "'" not in text else text
    )
    for candidate in (f"{text} pass", f"{text.rstrip(':')}: pass"):
        try:
            return ast.parse(candidate).body[0]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _raised_expression(texts: list[str]) -> ast.expr | None:
    """Return `X(value)` for the texts of `raise X, value`; None if there is nothing that parses."""
    if not texts:
        return None
    raised = parsed_expression(texts[0])
    if raised is None or len(texts) == 1 or isinstance(raised, ast.Call):
        return raised
    value = parsed_expression(texts[1])
    if value is None:
        return raised
    if isinstance(value, ast.Constant) and value.value is None:
        return raised
    arguments = value.elts if isinstance(value, ast.Tuple) else [value]
    return ast.copy_location(ast.Call(func=raised, args=arguments, keywords=[]), raised)


def read_legacy(data: bytes) -> FileFacts:
    """Return the facts of a file as tree-sitter reads it; sites that no expression can be read of are left out."""
    return LegacyReader(data).read()
