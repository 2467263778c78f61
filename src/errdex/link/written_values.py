"""What names of a test file are worth at one place, as far as it is written out."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import msgspec

from errdex.link.expected_text import GAP

_BINDS_NOTHING = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Expr,
    ast.Assert,
    ast.Return,
    ast.Pass,
)
"""Statements after which every name is worth what it was; a walrus in one of them is not looked for."""
_MAX_DEPTH = 6
_MAX_ALTERNATIVES = 8


class Text(msgspec.Struct, frozen=True):
    """A text with `GAP` for every part that is not written out."""

    text: str
    is_escaped: bool = False
    """Whether it stood in `re.escape(…)`: no character of it is a wildcard."""


class Values:
    """Names and the expressions last assigned to them; a name assigned on some paths only has no value."""

    def __init__(self, known: dict[str, ast.expr | None] | None = None) -> None:
        """Start from what is known."""
        self._known = known or {}
        self.rows: list[dict[str, ast.expr]] = []
        """Rows of the parametrised test around the place: argument name to value."""

    def copy(self) -> Values:
        """Return an independent copy with the same rows."""
        copied = Values(dict(self._known))
        copied.rows = self.rows
        return copied

    def bound(self, row: dict[str, ast.expr]) -> Values:
        """Return a copy in which the arguments of one row are set."""
        return Values({**self._known, **row})

    def get(self, name: str) -> ast.expr | None:
        """Return what the name was last assigned; None if that is not known."""
        return self._known.get(name)

    def forget(self, names: Iterable[str]) -> None:
        """Note that these names are set from outside."""
        for name in names:
            self._known[name] = None

    def read(self, body: list[ast.stmt]) -> None:
        """Take the assignments of statements that run one after the other."""
        for statement in body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, ast.Name):
                    self._known[target.id] = statement.value
                    continue
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                self._known[statement.target.id] = statement.value
                continue
            if not isinstance(statement, _BINDS_NOTHING):
                self.forget(
                    node.id
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                )


def text_of(node: ast.expr, values: Values, depth: int = 0) -> list[Text]:
    """Return the texts an expression may have; empty where none is written out."""
    if depth > _MAX_DEPTH:
        return []
    match node:
        case ast.Constant(value=str(text)):
            return [Text(text)]
        case ast.JoinedStr(values=parts):
            return [Text("".join(_joined_part(part, values, depth) for part in parts))]
        case ast.Name(id=name):
            value = values.get(name)
            return [] if value is None else text_of(value, values, depth + 1)
        case ast.BinOp(op=ast.Add()):
            return _sum(node, values, depth)
        case ast.BinOp(op=ast.Mod(), left=left):
            return [Text(_percent(text.text), text.is_escaped) for text in text_of(left, values, depth + 1)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*text_of(body, values, depth + 1), *text_of(orelse, values, depth + 1)]
        case ast.Call():
            return _called(node, values, depth)
    return []


def _joined_part(part: ast.expr, values: Values, depth: int) -> str:
    """Return one part of an f-string: what a name in it is worth, if that is one plain text."""
    match part:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=ast.Name() as name, conversion=-1, format_spec=None):
            texts = text_of(name, values, depth + 1)
            return texts[0].text if len(texts) == 1 and not texts[0].is_escaped else GAP
    return GAP


def _sum(node: ast.BinOp, values: Values, depth: int) -> list[Text]:
    left, right = text_of(node.left, values, depth + 1), text_of(node.right, values, depth + 1)
    if not left and not right:
        return []
    pairs = [(one, other) for one in left or [Text(GAP)] for other in right or [Text(GAP)]]
    if any(one.is_escaped != other.is_escaped for one, other in pairs):
        return []
    return [Text(one.text + other.text, one.is_escaped) for one, other in pairs][:_MAX_ALTERNATIVES]


def _percent(text: str) -> str:
    """Replace the conversions of a `%` format by gaps."""
    out, position = "", 0
    while position < len(text):
        if text[position] != "%":
            out += text[position]
        elif text[position + 1 : position + 2] == "%":
            out += "%"
            position += 1
        else:
            position += 1
            while position < len(text) and not text[position].isalpha():
                position += 1
            out += GAP
        position += 1
    return out


def _called(node: ast.Call, values: Values, depth: int) -> list[Text]:
    """Read `re.escape(x)`, `"…".format(…)`, `"|".join([…])` and gettext's `_("…")`."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "escape" and len(node.args) == 1:
        return [Text(text.text, is_escaped=True) for text in text_of(node.args[0], values, depth + 1)]
    if isinstance(function, ast.Name) and function.id in ("escape", "_", "gettext") and len(node.args) == 1:
        escaped = function.id == "escape"
        return [Text(text.text, escaped) for text in text_of(node.args[0], values, depth + 1)]
    if isinstance(function, ast.Attribute) and function.attr == "format":
        return [
            Text(_format(text.text), text.is_escaped) for text in text_of(function.value, values, depth + 1)
        ]
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value="|"), attr="join"),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
        ):
            found = [text_of(part, values, depth + 1) for part in parts]
            return [text for texts in found for text in texts] if all(found) else []
    return []


def _format(text: str) -> str:
    out, position = "", 0
    while position < len(text):
        if text[position : position + 2] in ("{{", "}}"):
            out += text[position]
            position += 2
        elif text[position] == "{" and (end := text.find("}", position)) > 0:
            out += GAP
            position = end + 1
        else:
            out += text[position]
            position += 1
    return out


def parametrized_rows(
    function: ast.FunctionDef | ast.AsyncFunctionDef, values: Values
) -> list[dict[str, ast.expr]]:
    """Return the rows of `@pytest.mark.parametrize("a, b", […])` that are written out.

    Several such decorators multiply; only their single columns are kept then, each row of each.
    """
    rows: list[dict[str, ast.expr]] = []
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, table, *_]):
                rows += _rows(names, table, values)
    return rows


def _rows(names: ast.expr, table: ast.expr, values: Values) -> list[dict[str, ast.expr]]:
    if isinstance(table, ast.Name):
        table = values.get(table.id) or table
    match names:
        case ast.Constant(value=str(text)):
            columns = [name.strip() for name in text.split(",") if name.strip()]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            columns = [
                part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
        case _:
            return []
    if not isinstance(table, ast.List | ast.Tuple):
        return []
    rows = []
    for entry in table.elts:
        match entry:
            case ast.Call(func=ast.Attribute(attr="param"), args=cells):
                pass
            case ast.Tuple(elts=cells) | ast.List(elts=cells) if len(columns) > 1:
                pass
            case _:
                cells = [entry]
        if len(cells) == len(columns):
            rows.append(dict(zip(columns, cells, strict=True)))
    return rows
