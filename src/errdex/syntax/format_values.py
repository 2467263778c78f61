"""What fills the places of a format string: the right side of `%`, the arguments of `.format(...)`."""

from __future__ import annotations

import ast
import re

from errdex.syntax.bound import GivenMapping, GivenTuple
from errdex.syntax.percent import Conversion
from errdex.syntax.scope import Scope, Value

_FIELD_HEAD = re.compile(r"[^.\[]*")
_FIELD_STEP = re.compile(r"\.[^.\[]+|\[(?P<key>[^\]]+)\]")


class PercentValues:
    """The right side of `%`, handed out conversion by conversion."""

    def __init__(self, values: ast.expr | list[ast.expr], scope: Scope) -> None:
        self.sequence: list[Value] | None = None
        self.node: ast.expr = ast.Tuple(elts=values, ctx=ast.Load()) if isinstance(values, list) else values
        self.scope = scope
        self.next = 0
        if isinstance(self.node, ast.Name):
            self.node, self.scope = _sole_display(self.node, scope)
        elif isinstance(self.node, ast.Subscript) and (rest := _rest_of(self.node, scope)) is not None:
            self.node = rest
        if isinstance(self.node, GivenTuple):
            self.sequence = self.node.values
        elif isinstance(self.node, ast.Tuple):
            self.sequence = [Value(node, self.scope) for node in self.node.elts]
        if isinstance(values, list) and len(values) == 1:
            self.node = values[0]

    def value(self, piece: Conversion) -> Value | str:
        """Return what the next conversion shows, or the expression that stands for it."""
        if piece.key is not None:
            found = entry_of(self.node, piece.key, self.scope)
            return found or f"{_operand(self.node, self.scope)}[{piece.key!r}]"
        self.next += piece.stars
        index = self.next
        self.next += 1
        if self.sequence is None:
            return Value(self.node, self.scope) if index == 0 else f"{self.scope.text(self.node)}[{index}]"
        for place, value in enumerate(self.sequence[: index + 1]):
            if isinstance(value.expression, ast.Starred):
                return f"{value.scope.text(value.expression.value)}[{index - place}]"
        return self.sequence[index] if index < len(self.sequence) else ""


def _sole_display(node: ast.Name, scope: Scope) -> tuple[ast.expr, Scope]:
    """Return the tuple or dict that a name is sure to hold, with its scope; else the name itself."""
    found = scope.lookup(node.id)
    if found and found.is_certain and len(found.values) == 1 and found.values[0].before is None:
        value = found.values[0]
        if isinstance(value.expression, (ast.Tuple, ast.Dict)):
            return value.expression, value.scope
    return node, scope


def _rest_of(node: ast.Subscript, scope: Scope) -> GivenTuple | None:
    """Return what `self.args[1:]` holds, where the attribute's values are known one by one."""
    found = scope.attribute(node.value) if isinstance(node.value, ast.Attribute) else None
    held = found.values[0].expression if found is not None and len(found.values) == 1 else None
    piece = node.slice
    if not isinstance(held, GivenTuple) or not isinstance(piece, ast.Slice):
        return None
    if piece.upper is not None or piece.step is not None or not isinstance(piece.lower, ast.Constant):
        return None
    return GivenTuple(held.values[piece.lower.value :]) if isinstance(piece.lower.value, int) else None


class FormatValues:
    """The arguments of `.format(...)` or `.format_map(...)`, by field."""

    def __init__(self, node: ast.Call, scope: Scope) -> None:
        self.scope = scope
        mapping = isinstance(node.func, ast.Attribute) and node.func.attr == "format_map"
        self.positional = [] if mapping else node.args
        self.keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
        self.spread = [keyword.value for keyword in node.keywords if keyword.arg is None]
        if mapping:
            self.spread = node.args[:1]
        self.next = 0

    def value(self, field: str, spec: str) -> Value | str:
        """Return what a replacement field shows, or the expression that stands for it."""
        head = _FIELD_HEAD.match(field)
        first: int | str = head.group() if head else ""
        rest = field[len(str(first)) :]
        if first == "":
            first = self.next
            self.next += 1
        elif str(first).isdecimal():
            first = int(first)
        found = self._argument(first)
        if "{" in spec:
            self.next += spec.count("{}")
        if isinstance(found, Value) and rest[1:].isidentifier() and isinstance(found.expression, ast.Name):
            attribute = ast.Attribute(found.expression, rest[1:], ast.Load(), lineno=0, col_offset=0)
            return Value(attribute, found.scope)
        if not rest:
            return found
        expression = found if isinstance(found, str) else _operand(found.expression, found.scope)
        for step in _FIELD_STEP.finditer(rest):
            key = step["key"]
            expression += step.group() if key is None or key.isdecimal() else f"[{key!r}]"
        return expression

    def _argument(self, name: int | str) -> Value | str:
        """Return the argument that a field names, or the expression that stands for it."""
        if isinstance(name, int):
            for index, node in enumerate(self.positional):
                if isinstance(node, ast.Starred):
                    return f"{_operand(node.value, self.scope)}[{name - index}]"
                if index == name:
                    return Value(node, self.scope)
            return str(name)
        if name in self.keywords:
            return Value(self.keywords[name], self.scope)
        for mapping in self.spread:
            found = entry_of(mapping, name, self.scope)
            if found is not None:
                return found
        return name


def entry_of(mapping: ast.expr, name: str, scope: Scope) -> Value | str | None:
    """Return what a mapping holds under a name, or the expression that stands for it; None if it holds no such name."""
    if isinstance(mapping, GivenMapping):
        return mapping.entries.get(name)
    if isinstance(mapping, ast.Call) and isinstance(mapping.func, ast.Name):
        if mapping.func.id in {"locals", "globals"}:
            return name
        if mapping.func.id == "vars":
            return f"{_operand(mapping.args[0], scope)}.{name}" if mapping.args else name
        if mapping.func.id == "dict":
            value = next((keyword.value for keyword in mapping.keywords if keyword.arg == name), None)
            return Value(value, scope) if value is not None else None
    if isinstance(mapping, ast.Dict):
        for key, value in zip(mapping.keys, mapping.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == name:
                return Value(value, scope)
        return None
    if isinstance(mapping, ast.Attribute) and mapping.attr == "__dict__":
        return Value(ast.Attribute(mapping.value, name, ast.Load(), lineno=0, col_offset=0), scope)
    if isinstance(mapping, ast.Name):
        found = scope.lookup(mapping.id)
        if found and len(found.values) == 1 and isinstance(found.values[0].expression, (ast.Dict, ast.Call)):
            return entry_of(found.values[0].expression, name, found.values[0].scope)
    return f"{_operand(mapping, scope)}[{name!r}]"


def _operand(node: ast.expr, scope: Scope) -> str:
    """Return the source of `node`, in parentheses where an attribute or index could not follow it."""
    text = scope.text(node)
    simple = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.List, ast.Dict, ast.Tuple)
    return text if isinstance(node, simple) else f"({text})"
