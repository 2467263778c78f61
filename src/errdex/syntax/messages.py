"""A message expression as templates: every wording that it may have.

Literals, implicit and `+` concatenation, f-strings, `%`, `.format`, `join`,
conditional expressions, variables, constants and tables (through a `Scope`),
wrappers that keep or trim their text. `wordings` returns nothing for an
expression in which no words can be found: a fact, not a failure.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from string import Formatter
from typing import Literal

from errdex.model.site import Hole
from errdex.syntax.bound import GivenMapping, GivenTuple
from errdex.syntax.format_values import FormatValues, PercentValues
from errdex.syntax.layout import cased, reflowed, replaced, stripped
from errdex.syntax.percent import split_percent
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.words import MAX_WORDINGS, Words, hole_words, joined, literal, product

MAX_DEPTH = 12
"""Names followed from one to the next before a message is given up as dynamic."""

_FORMATTER = Formatter()
_LETTERS: dict[str, Literal["", "s", "r", "a"]] = {"s": "s", "r": "r", "a": "a"}
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


def _constant(node: ast.Constant, _scope: Scope, _depth: int) -> list[Words]:
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
    source = PercentValues(values, scope)
    choices: list[list[Words]] = []
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
                choices.append(
                    _shown(source.value(piece), depth, piece.conversion, piece.spec, piece.written)
                )
    form: Literal["percent", "mixed"] = (
        "percent" if words.form in {"literal", "percent", "concat"} else "mixed"
    )
    made = product(choices, form) if choices else [words]
    for one in made:
        one.form = form
        if one.origin == "inline":
            one.origin = words.origin
    return made


def _shown(
    value: Value | str, depth: int, conversion: Literal["", "s", "r", "a"], spec: str, written: str
) -> list[Words]:
    """Return what a place of a format string shows."""
    if isinstance(value, Value):
        return _fill(value.expression, value.scope, depth, conversion, spec, written)
    hole = Hole(expression=value, written=written, conversion=conversion, spec=spec)
    return [Words([hole], written, "concat")]


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
        return _each(function.value, scope, depth, lambda words: [stripped(words, _STRIPS[name], characters)])
    if name in _CASES and not node.args:
        return _each(function.value, scope, depth, lambda words: [cased(words, _CASES[name])])
    if name == "replace" and len(node.args) >= 2:
        return _each(function.value, scope, depth, lambda words: replaced(words, node))
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
    arguments = FormatValues(node, scope)
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
                written = (
                    "{"
                    + field
                    + (f"!{conversion}" if conversion else "")
                    + (f":{spec}" if spec else "")
                    + "}"
                )
                letter = _LETTERS.get(conversion or "", "")
                choices.append(_shown(arguments.value(field, spec or ""), depth, letter, spec or "", written))
    form: Literal["format", "mixed"] = "format" if words.form in {"literal", "format", "concat"} else "mixed"
    made = product(choices, form) if choices else [words]
    for one in made:
        one.form = form
        if one.origin == "inline":
            one.origin = words.origin
    return made


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
    return [reflowed(words, change) for words in wordings(node.args[0], scope, depth + 1)]


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
