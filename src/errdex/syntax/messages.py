"""A message expression as templates: every wording that it may have.

Literals, implicit and `+` concatenation, f-strings, `%`, `.format`, `join`,
conditional expressions, variables, constants and tables (through a `Scope`),
wrappers that keep or trim their text. `wordings` returns nothing for an
expression in which no words can be found: a fact, not a failure.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from string import Formatter
from typing import Literal

from errdex.model.site import Hole
from errdex.syntax.bound import GivenMapping, GivenTuple
from errdex.syntax.percent import Conversion, split_percent
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.words import MAX_WORDINGS, Words, hole_words, joined, literal, product

MAX_DEPTH = 12
"""Names followed from one to the next before a message is given up as dynamic."""

_FORMATTER = Formatter()
_FIELD_HEAD = re.compile(r"[^.\[]*")
_FIELD_STEP = re.compile(r"\.[^.\[]+|\[(?P<key>[^\]]+)\]")
_GETTEXT = frozenset(
    [
        "_",
        "N_",
        "_l",
        "_n",
        "_lazy",
        "gettext",
        "gettext_lazy",
        "gettext_noop",
        "lazy_gettext",
        "ugettext",
        "ugettext_lazy",
        "translate",
        "_translate",
        "lazy_translate",
        "i18n",
    ]
)
_PLURAL = frozenset(["ngettext", "ngettext_lazy", "ungettext", "ungettext_lazy", "lazy_ngettext"])
_CONTEXT = frozenset(["pgettext", "pgettext_lazy", "lazy_pgettext"])
_KEEPS_TEXT = frozenset(
    [
        "str",
        "unicode",
        "text_type",
        "u",
        "force_str",
        "force_text",
        "smart_str",
        "smart_text",
        "ensure_str",
        "ensure_text",
        "to_native",
        "to_str",
        "to_text",
        "mark_safe",
        "Markup",
        "escape",
        "lazy_string",
        "LazyString",
        "Text",
        "style",
        "colored",
        "secho",
        "native_str",
    ]
)
_TRIMS = frozenset({"dedent", "cleandoc"})
_FORMATS = frozenset({"format_html", "format_lazy"})
_CASES = {"lower": str.lower, "upper": str.upper, "title": str.title, "capitalize": str.capitalize}
_STRIPS = {"strip": str.strip, "lstrip": str.lstrip, "rstrip": str.rstrip}
_UNCHANGED = frozenset({"encode", "decode", "expandtabs", "ljust", "rjust", "center"})


def wordings(node: ast.expr, scope: Scope, depth: int = 0) -> list[Words]:
    """Return every wording that `node` may have, in source order; empty if no words can be found."""
    reader = _READERS.get(node.__class__)
    if reader is None or depth > MAX_DEPTH:
        return []
    return reader(node, scope, depth)


def _constant(node: ast.Constant, scope: Scope, depth: int) -> list[Words]:
    value = node.value
    if isinstance(value, str):
        return [literal(value)]
    if isinstance(value, bytes):
        return [literal(value.decode("utf-8", "replace"))]
    return []


# --- f-strings -----------------------------------------------------------------------------------------


def _fstring(node: ast.JoinedStr, scope: Scope, depth: int) -> list[Words]:
    choices: list[list[Words]] = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            text = str(value.value)
            choices.append([Words([text], text.replace("{", "{{").replace("}", "}}"), "literal")])
        elif isinstance(value, ast.FormattedValue):
            conversion = _conversion_letter(value.conversion)
            spec = _spec_text(value.format_spec, scope)
            choices.append(_fill(value.value, scope, depth, conversion, spec))
        else:
            return []
    if not choices:
        return [literal("")]
    made = product(choices, "fstring")
    for words in made:
        words.form = "fstring"
    return made


def _conversion_letter(number: int) -> Literal["", "s", "r", "a"]:
    return "r" if number == 114 else "s" if number == 115 else "a" if number == 97 else ""


def _spec_text(spec: ast.expr | None, scope: Scope) -> str:
    if not isinstance(spec, ast.JoinedStr):
        return ""
    pieces: list[str] = []
    for value in spec.values:
        if isinstance(value, ast.FormattedValue):
            letter = _conversion_letter(value.conversion)
            pieces.append("{" + scope.text(value.value) + (f"!{letter}" if letter else "") + "}")
        elif isinstance(value, ast.Constant):
            pieces.append(str(value.value))
    return "".join(pieces)


def _fill(
    node: ast.expr,
    scope: Scope,
    depth: int,
    conversion: Literal["", "s", "r", "a"] = "",
    spec: str = "",
    written: str | None = None,
) -> list[Words]:
    """Return what stands in a hole: the hole itself, or words where `node` holds nothing but prose."""
    if conversion not in {"r", "a"} and not spec:
        told = _told(node, scope, depth)
        if told:
            return told
    expression = scope.text(node)
    if written is None:
        letter = f"!{conversion}" if conversion else ""
        written = "{" + expression + letter + (f":{spec}" if spec else "") + "}"
    return [
        Words(
            [Hole(expression=expression, written=written, conversion=conversion, spec=spec)],
            written,
            "concat",
        )
    ]


def _told(node: ast.expr, scope: Scope, depth: int) -> list[Words]:
    """Return the words that a hole is sure to hold: a literal, or a name bound to prose or to a caller's words."""
    if isinstance(node, ast.Constant):
        return [literal(node.value)] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return wordings(node, scope, depth + 1)
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return []
    found = scope.lookup(node.id) if isinstance(node, ast.Name) else scope.attribute(node)
    if found is None or not found.is_certain or not found.values or len(found.values) > 4:
        return []
    if any(is_default(value.expression, value.scope) for value in found.values):
        return []
    told = _of_values(found, depth)
    if not told or len(told) < len(found.values):
        return []
    if found.origin == "argument" or all(_is_prose(words) for words in told):
        return told
    return []


def _is_prose(words: Words) -> bool:
    text = words.plain_text.strip()
    return len(text) >= 8 and " " in text


# --- concatenation, conditionals -----------------------------------------------------------------------


def _binary(node: ast.BinOp, scope: Scope, depth: int) -> list[Words]:
    if isinstance(node.op, ast.Mod):
        return _percent(node, scope, depth)
    if not isinstance(node.op, ast.Add):
        return []
    operands: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        operands.append(left.right)
        left = left.left
    operands.append(left)
    operands.reverse()
    choices: list[list[Words]] = []
    some = False
    for operand in operands:
        words = _operand_words(operand, scope, depth)
        some = some or any(
            choice.parts and (choice.has_literal or choice.form != "concat") for choice in words
        )
        choices.append(words or [_hole_of(operand, scope)])
    return product(choices, "concat") if some else []


def _operand_words(node: ast.expr, scope: Scope, depth: int) -> list[Words]:
    """Return what an operand of `+` says for certain: a parameter's default is only one of many things."""
    return [] if is_default(node, scope) else wordings(node, scope, depth + 1)


def is_default(node: ast.expr, scope: Scope) -> bool:
    """Whether a name is a parameter of which nothing but its default is known."""
    for _ in range(MAX_DEPTH):
        found = scope.lookup(node.id) if isinstance(node, ast.Name) else None
        if found is None:
            return False
        if not found.is_certain:
            return True
        if found.origin != "argument" or len(found.values) != 1:
            return False
        node, scope = found.values[0].expression, found.values[0].scope
    return False


def _hole_of(node: ast.expr, scope: Scope) -> Words:
    """Return the hole that an operand of `+` or an element of `join` makes; `str(x)` and `repr(x)` unwrapped."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and len(node.args) == 1
        and not node.keywords
    ):
        if node.func.id in {"str", "unicode", "text_type"}:
            return hole_words(scope.text(node.args[0]), "s")
        if node.func.id == "repr":
            return hole_words(scope.text(node.args[0]), "r")
    return hole_words(scope.text(node))


def _conditional(node: ast.IfExp, scope: Scope, depth: int) -> list[Words]:
    return [*wordings(node.body, scope, depth + 1), *wordings(node.orelse, scope, depth + 1)][:MAX_WORDINGS]


def _either(node: ast.BoolOp, scope: Scope, depth: int) -> list[Words]:
    made: list[Words] = []
    for value in node.values:
        made.extend(wordings(value, scope, depth + 1))
    return made[:MAX_WORDINGS]


def _walrus(node: ast.NamedExpr, scope: Scope, depth: int) -> list[Words]:
    return wordings(node.value, scope, depth + 1)


# --- names, attributes, tables -------------------------------------------------------------------------


def _of_values(found: Found, depth: int) -> list[Words]:
    made: list[Words] = []
    for value in found.values:
        made.extend(words.moved(found.origin) for words in words_of_value(value, depth + 1))
        if len(made) >= MAX_WORDINGS:
            break
    return made[:MAX_WORDINGS]


def words_of_value(value: Value, depth: int) -> list[Words]:
    """Return the wordings of one thing a name may hold, with what an augmented assignment adds to."""
    own = wordings(value.expression, value.scope, depth)
    if value.before is None:
        return own
    earlier = [words for before in value.before for words in words_of_value(before, depth + 1)]
    if not own and not earlier:
        return []
    return product([earlier or [literal("")], own or [_hole_of(value.expression, value.scope)]], "concat")


def _name(node: ast.Name, scope: Scope, depth: int) -> list[Words]:
    found = scope.lookup(node.id)
    return _of_values(found, depth) if found else []


def _attribute(node: ast.Attribute, scope: Scope, depth: int) -> list[Words]:
    found = scope.attribute(node)
    return _of_values(found, depth) if found else []


def _subscript(node: ast.Subscript, scope: Scope, depth: int) -> list[Words]:
    made: list[Words] = []
    for value in _tables(node.value, scope, depth):
        made.extend(words.moved("table") for words in _of_table(value, node.slice, depth))
        if len(made) >= MAX_WORDINGS:
            break
    return made[:MAX_WORDINGS]


def _tables(node: ast.expr, scope: Scope, depth: int) -> list[Value]:
    """Return the dict, list and tuple displays that `node` may be."""
    if isinstance(node, (ast.Dict, ast.List, ast.Tuple)):
        return [Value(node, scope)]
    if isinstance(node, ast.Subscript) and depth <= MAX_DEPTH:
        outer = _tables(node.value, scope, depth + 1)
        inner = [value for table in outer for value in _entries_of(table, node.slice)]
        return [found for value in inner for found in _tables(value.expression, value.scope, depth + 1)]
    found: Found | None = None
    if isinstance(node, ast.Name):
        found = scope.lookup(node.id)
    elif isinstance(node, ast.Attribute):
        found = scope.attribute(node)
    if found is None or depth > MAX_DEPTH:
        return []
    return [table for value in found.values for table in _tables(value.expression, value.scope, depth + 1)]


def _of_table(table: Value, key: ast.expr, depth: int) -> list[Words]:
    made: list[Words] = []
    for value in _entries_of(table, key):
        made.extend(words_of_value(value, depth + 1))
        if len(made) >= MAX_WORDINGS:
            break
    return made


def _entries_of(table: Value, key: ast.expr) -> list[Value]:
    """Return what a table holds under a key; everything it holds where the key is not known before it runs."""
    node = table.expression
    if isinstance(node, ast.Dict):
        pairs: list[tuple[ast.expr | None, ast.expr]] = list(zip(node.keys, node.values, strict=True))
    elif isinstance(node, (ast.List, ast.Tuple)):
        pairs = [(ast.Constant(index), element) for index, element in enumerate(node.elts)]
    else:
        return []
    if isinstance(node, GivenMapping):
        return (
            [node.entries[key.value]] if isinstance(key, ast.Constant) and key.value in node.entries else []
        )
    if isinstance(node, GivenTuple):
        index = key.value if isinstance(key, ast.Constant) else None
        return [node.values[index]] if isinstance(index, int) and index < len(node.values) else []
    wanted = [value for name, value in pairs if name is not None and _same_key(name, key)]
    if not wanted and isinstance(key, ast.Constant):
        return []
    return [Value(value, table.scope) for value in wanted or [value for _, value in pairs]]


def _same_key(left: ast.expr, right: ast.expr) -> bool:
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        return bool(left.value == right.value)
    return not isinstance(left, ast.Constant) and ast.dump(left) == ast.dump(right)


# --- printf-style formatting ---------------------------------------------------------------------------


def _percent(node: ast.BinOp, scope: Scope, depth: int) -> list[Words]:
    made: list[Words] = []
    for words in wordings(node.left, scope, depth + 1):
        made.extend(apply_percent(words, node.right, scope, depth))
    return made[:MAX_WORDINGS]


def apply_percent(
    words: Words, values: ast.expr | list[ast.expr], scope: Scope, depth: int = 0
) -> list[Words]:
    """Return `words` as a printf-style format filled with `values` (the right side of `%`, or a log call's rest)."""
    source = _PercentValues(values, scope)
    choices: list[list[Words]] = []
    holes = 0
    for part in words.parts:
        if isinstance(part, Hole):
            choices.append([Words([part], part.written, "concat")])
            continue
        pieces = split_percent(part)
        if pieces is None:
            return [words]
        for piece in pieces:
            if isinstance(piece, str):
                choices.append([Words([piece], piece.replace("%", "%%"), "literal")])
            else:
                holes += 1
                choices.append(source.fill(piece, depth))
    form: Literal["percent", "mixed"] = (
        "percent" if words.form in {"literal", "percent", "concat"} else "mixed"
    )
    made = product(choices, form) if choices else [words]
    for one in made:
        one.form = form
        if one.origin == "inline":
            one.origin = words.origin
    return made


class _PercentValues:
    """The right side of `%`, handed out conversion by conversion."""

    def __init__(self, values: ast.expr | list[ast.expr], scope: Scope) -> None:
        self.sequence: list[Value] | None = None
        self.node: ast.expr = ast.Tuple(elts=values, ctx=ast.Load()) if isinstance(values, list) else values
        self.scope = scope
        self.next = 0
        if isinstance(self.node, ast.Name):
            self.node, self.scope = _sole_display(self.node, scope)
        if isinstance(self.node, GivenTuple):
            self.sequence = self.node.values
        elif isinstance(self.node, ast.Tuple):
            self.sequence = [Value(node, self.scope) for node in self.node.elts]
        if isinstance(values, list) and len(values) == 1:
            self.node = values[0]

    def fill(self, piece: Conversion, depth: int) -> list[Words]:
        if piece.key is not None:
            return self._by_key(piece, depth)
        self.next += piece.stars
        index = self.next
        self.next += 1
        if self.sequence is None:
            if index == 0:
                return _fill(self.node, self.scope, depth, piece.conversion, piece.spec, piece.written)
            return _plain_hole(f"{self.scope.text(self.node)}[{index}]", piece)
        for place, value in enumerate(self.sequence[: index + 1]):
            if isinstance(value.expression, ast.Starred):
                return _plain_hole(f"{value.scope.text(value.expression.value)}[{index - place}]", piece)
        if index >= len(self.sequence):
            return _plain_hole("", piece)
        value = self.sequence[index]
        return _fill(value.expression, value.scope, depth, piece.conversion, piece.spec, piece.written)

    def _by_key(self, piece: Conversion, depth: int) -> list[Words]:
        node = self.node
        assert piece.key is not None
        found = entry_of(node, piece.key, self.scope)
        if isinstance(found, Value):
            return _fill(found.expression, found.scope, depth, piece.conversion, piece.spec, piece.written)
        return _plain_hole(found or f"{_operand(node, self.scope)}[{piece.key!r}]", piece)


def _sole_display(node: ast.Name, scope: Scope) -> tuple[ast.expr, Scope]:
    """Return the tuple or dict that a name is sure to hold, with its scope; else the name itself."""
    found = scope.lookup(node.id)
    if found and found.is_certain and len(found.values) == 1 and found.values[0].before is None:
        value = found.values[0]
        if isinstance(value.expression, (ast.Tuple, ast.Dict)):
            return value.expression, value.scope
    return node, scope


def _plain_hole(expression: str, piece: Conversion) -> list[Words]:
    hole = Hole(expression=expression, written=piece.written, conversion=piece.conversion, spec=piece.spec)
    return [Words([hole], piece.written, "concat")]


# --- calls: .format, join, gettext, wrappers -----------------------------------------------------------


def _call(node: ast.Call, scope: Scope, depth: int) -> list[Words]:
    function = node.func
    if isinstance(function, ast.Attribute):
        made = _method(function, node, scope, depth)
        if made is not None:
            return made
        name = function.attr
    elif isinstance(function, ast.Name):
        name = function.id
    else:
        return []
    reader = _WRAPPERS.get(name)
    if reader is not None and node.args:
        made = reader(node, scope, depth)
        if made:
            return made
    found = scope.call(node, scope)
    made = _of_values(found, depth) if found else []
    if not made and len(node.args) == 1 and not node.keywords and not name[:1].isupper():
        return _kept(node.args[0], scope, depth)
    return made


def _kept(node: ast.expr, scope: Scope, depth: int) -> list[Words]:
    """Return a sentence handed to an unknown function: functions that take a sentence lay it out or translate it."""
    if not isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
        return []
    made = wordings(node, scope, depth + 1)
    return made if made and all(len(words.plain_text.split()) >= 4 for words in made) else []


def _method(function: ast.Attribute, node: ast.Call, scope: Scope, depth: int) -> list[Words] | None:
    """Return the words of a string method's result; None if the call is of no such method."""
    name = function.attr
    if name in {"format", "format_map"}:
        return _each(function.value, scope, depth, lambda words: apply_format(words, node, scope, depth))
    if name == "join" and len(node.args) == 1:
        return _join(function.value, node.args[0], scope, depth)
    if name in _STRIPS:
        characters = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        return _each(
            function.value, scope, depth, lambda words: [_stripped(words, _STRIPS[name], characters)]
        )
    if name in _CASES and not node.args:
        return _each(function.value, scope, depth, lambda words: [_cased(words, _CASES[name])])
    if name == "replace" and len(node.args) >= 2:
        return _each(function.value, scope, depth, lambda words: _replaced(words, node))
    if name in _UNCHANGED:
        return wordings(function.value, scope, depth + 1)
    return None


def _each(
    node: ast.expr, scope: Scope, depth: int, change: Callable[[Words], list[Words]]
) -> list[Words] | None:
    found = wordings(node, scope, depth + 1)
    if not found:
        return None
    return [changed for words in found for changed in change(words)][:MAX_WORDINGS]


def _stripped(words: Words, strip: Callable[..., str], characters: object) -> Words:
    parts = list(words.parts)
    arguments = (characters,) if isinstance(characters, str) else ()
    if parts and isinstance(parts[0], str) and strip is not str.rstrip:
        parts[0] = parts[0].lstrip(*arguments)
    if parts and isinstance(parts[-1], str) and strip is not str.lstrip:
        parts[-1] = parts[-1].rstrip(*arguments)
    return Words(parts, strip(words.written, *arguments), words.form, words.origin)


def _cased(words: Words, change: Callable[[str], str]) -> Words:
    if not words.is_plain:
        return words
    return Words([change(words.plain_text)], change(words.written), words.form, words.origin)


def _replaced(words: Words, node: ast.Call) -> list[Words]:
    old, new = node.args[0], node.args[1]
    if not (isinstance(old, ast.Constant) and isinstance(old.value, str)):
        return [words]
    if not (isinstance(new, ast.Constant) and isinstance(new.value, str)):
        return [words]
    parts = [part.replace(old.value, new.value) if isinstance(part, str) else part for part in words.parts]
    return [Words(parts, words.written.replace(old.value, new.value), words.form, words.origin)]


def _join(separator: ast.expr, elements: ast.expr, scope: Scope, depth: int) -> list[Words]:
    glue = wordings(separator, scope, depth + 1)
    if isinstance(elements, ast.Name):
        found = scope.lookup(elements.id)
        if found and len(found.values) == 1 and isinstance(found.values[0].expression, (ast.List, ast.Tuple)):
            scope = found.values[0].scope
            elements = found.values[0].expression
    if len(glue) != 1 or not glue[0].is_plain or not isinstance(elements, (ast.List, ast.Tuple)):
        return []
    choices: list[list[Words]] = []
    for element in elements.elts:
        if choices:
            choices.append([literal(glue[0].plain_text)])
        if isinstance(element, ast.Starred):
            choices.append([hole_words(scope.text(element.value))])
        else:
            choices.append(_operand_words(element, scope, depth) or [_hole_of(element, scope)])
    made = product(choices, "join")
    return [words for words in made if words.has_literal]


def apply_format(words: Words, node: ast.Call, scope: Scope, depth: int = 0) -> list[Words]:
    """Return `words` as a `str.format` string filled with the arguments of `node`."""
    arguments = _FormatValues(node, scope)
    choices: list[list[Words]] = []
    for part in words.parts:
        if isinstance(part, Hole):
            choices.append([Words([part], part.written, "concat")])
            continue
        try:
            pieces = list(_FORMATTER.parse(part))
        except ValueError:
            return [words]
        for text, field, spec, conversion in pieces:
            if text:
                choices.append([Words([text], text.replace("{", "{{").replace("}", "}}"), "literal")])
            if field is not None:
                choices.append(arguments.fill(field, spec or "", conversion, depth))
    form: Literal["format", "mixed"] = "format" if words.form in {"literal", "format", "concat"} else "mixed"
    made = product(choices, form) if choices else [words]
    for one in made:
        one.form = form
        if one.origin == "inline":
            one.origin = words.origin
    return made


class _FormatValues:
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

    def fill(self, field: str, spec: str, conversion: str | None, depth: int) -> list[Words]:
        written = "{" + field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"
        letter: Literal["", "s", "r", "a"] = "r" if conversion == "r" else "a" if conversion == "a" else ""
        letter = "s" if conversion == "s" else letter
        head = _FIELD_HEAD.match(field)
        first: int | str = head.group() if head else ""
        rest = field[len(str(first)) :]
        if first == "":
            first = self.next
            self.next += 1
        elif str(first).isdecimal():
            first = int(first)
        node = self._argument(first)
        if "{" in spec:
            self.next += spec.count("{}")
        if isinstance(node, Value) and rest[1:].isidentifier() and isinstance(node.expression, ast.Name):
            node = Value(
                ast.Attribute(node.expression, rest[1:], ast.Load(), lineno=0, col_offset=0), node.scope
            )
            rest = ""
        if isinstance(node, Value) and not rest:
            return _fill(node.expression, node.scope, depth, letter, spec, written)
        expression = node if isinstance(node, str) else _operand(node.expression, node.scope)
        for index in _FIELD_STEP.finditer(rest):
            key = index["key"]
            expression += index.group() if key is None or key.isdecimal() else f"[{key!r}]"
        hole = Hole(expression=expression, written=written, conversion=letter, spec=spec)
        return [Words([hole], written, "concat")]

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


# --- wrappers: a function's name to what it does to its text -------------------------------------------


def _first_argument(node: ast.Call, scope: Scope, depth: int) -> list[Words]:
    return wordings(node.args[0], scope, depth + 1)


def _second_argument(node: ast.Call, scope: Scope, depth: int) -> list[Words]:
    return wordings(node.args[1], scope, depth + 1) if len(node.args) > 1 else []


def _both_arguments(node: ast.Call, scope: Scope, depth: int) -> list[Words]:
    return [words for argument in node.args[:2] for words in wordings(argument, scope, depth + 1)]


def _trimmed(node: ast.Call, scope: Scope, depth: int) -> list[Words]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    change = textwrap.dedent if name == "dedent" else inspect.cleandoc
    return [_reflowed(words, change) for words in wordings(node.args[0], scope, depth + 1)]


def _reflowed(words: Words, change: Callable[[str], str]) -> Words:
    """Return `words` with their literals changed as one text, each hole standing for itself as one character."""
    mark = "\ufdd0"
    text = "".join(part if isinstance(part, str) else mark for part in words.parts)
    holes: Iterator[Hole] = (part for part in words.parts if isinstance(part, Hole))
    parts: list[str | Hole] = []
    for index, piece in enumerate(change(text).split(mark)):
        if index and (hole := next(holes, None)) is not None:
            parts.append(hole)
        parts.append(piece)
    return Words(parts, change(words.written), words.form, words.origin)


def _formatted(node: ast.Call, scope: Scope, depth: int) -> list[Words]:
    rest = ast.Call(func=node.func, args=node.args[1:], keywords=node.keywords)
    made = (apply_format(words, rest, scope, depth) for words in wordings(node.args[0], scope, depth + 1))
    return [words for group in made for words in group][:MAX_WORDINGS]


_Reader = Callable[[ast.Call, Scope, int], list[Words]]
_WRAPPERS: dict[str, _Reader] = {
    **dict.fromkeys(_GETTEXT | _KEEPS_TEXT, _first_argument),
    **dict.fromkeys(_PLURAL, _both_arguments),
    **dict.fromkeys(_CONTEXT, _second_argument),
    **dict.fromkeys(_TRIMS, _trimmed),
    **dict.fromkeys(_FORMATS, _formatted),
}
_READERS: dict[type[ast.expr], Callable[..., list[Words]]] = {
    ast.Constant: _constant,
    ast.JoinedStr: _fstring,
    ast.BinOp: _binary,
    ast.IfExp: _conditional,
    ast.BoolOp: _either,
    ast.NamedExpr: _walrus,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
}
__all__ = ["MAX_DEPTH", "apply_format", "apply_percent", "joined", "wordings", "words_of_value"]
