"""What a raised expression is: its class as written, its wordings, and what else it tells.

Shared by extraction, which knows one file, and linking, which asks again with
the whole package in scope.
"""

from __future__ import annotations

import ast
import builtins
import re

from errdex.syntax.bound import Arguments, arguments_of
from errdex.syntax.messages import MAX_DEPTH, apply_format, apply_percent, is_default, words_of_value
from errdex.syntax.scope import Found, Scope, Value
from errdex.syntax.words import MAX_WORDINGS, Words

BUILTIN_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_MESSAGE_KEYWORDS = (
    "message", "msg", "detail", "details", "description", "reason", "error", "error_message", "text", "errmsg",
    "err_msg", "title", "problem", "info", "explanation", "hint", "errors",
)  # fmt: skip
_RAISING_CALLS = {"raise_from": 0, "reraise": 1}
"""Which argument of `six.raise_from(exc, cause)` and `six.reraise(type, exc, traceback)` is raised."""
_CAPITALISED = re.compile(r"^_*[A-Z]")
_HTTP_CLASS = re.compile(r"(?:^|\.)_?HTTPException$|(?:^|\.)HTTPError$|(?:^|\.)HttpError$")


class Raised:
    """One raised expression, read."""

    __slots__ = ("argument", "call", "class_node", "class_scope", "reason", "words")

    def __init__(
        self,
        class_node: ast.expr | None,
        class_scope: Scope,
        call: ast.Call | None = None,
        words: list[Words] | None = None,
        reason: str | None = None,
        argument: str | None = None,
    ) -> None:
        self.class_node = class_node
        self.class_scope = class_scope
        self.call = call
        self.words = words or []
        self.reason = reason
        """Why there are no words."""
        self.argument = argument


def raised_expression(statement: ast.stmt) -> ast.expr | None:
    """Return what a statement raises: a `raise`, or a call of six's `raise_from(exc, cause)`, `reraise(type, exc)`."""
    if isinstance(statement, ast.Raise):
        return statement.exc
    call = statement.value if isinstance(statement, (ast.Expr, ast.Return)) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, (ast.Name, ast.Attribute)):
        return None
    place = _RAISING_CALLS.get(call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id)
    if place is None or len(call.args) < 2 or not isinstance(call.args[place], ast.Call):
        return None  # a name is an exception that exists already: the words are those of another site
    return call.args[place]


def unwrapped(node: ast.expr) -> ast.expr:
    """Return the exception inside `X(...).with_traceback(tb)` and its like."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"with_traceback", "with_context", "with_cause", "with_hint"}
        and isinstance(node.func.value, (ast.Call, ast.Name))
    ):
        node = node.func.value
    return node


def raised_values(node: ast.expr, scope: Scope, depth: int = 0) -> list[Raised]:
    """Return everything that a raised expression may be, in source order; empty if it is a stored exception."""
    node = unwrapped(node)
    if depth > MAX_DEPTH:
        return []
    if isinstance(node, ast.IfExp):
        return [*raised_values(node.body, scope, depth + 1), *raised_values(node.orelse, scope, depth + 1)]
    if isinstance(node, ast.BoolOp):
        return [one for value in node.values for one in raised_values(value, scope, depth + 1)]
    if isinstance(node, ast.NamedExpr):
        return raised_values(node.value, scope, depth + 1)
    if isinstance(node, ast.Call):
        return _of_call(node, scope, depth)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _of_name(node, scope, depth)
    return []


def _of_call(node: ast.Call, scope: Scope, depth: int) -> list[Raised]:
    if not is_class_like(node.func):
        made = _of_found(scope.call(node, scope), depth)
        if made:
            return made
    arguments = arguments_of(node, scope)
    words = _foreign_words(node, arguments) or message_words(arguments)
    argument = None
    reason = None
    if not words:
        given = [scope.text(value) for value in node.args]
        given += [
            f"{one.arg}={scope.text(one.value)}" if one.arg else f"**{scope.text(one.value)}"
            for one in node.keywords
        ]
        argument = ", ".join(given) or None
        reason = "dynamic" if argument else "no-message"
    return [Raised(node.func, scope, node, words, reason, argument)]


def _of_name(node: ast.Name | ast.Attribute, scope: Scope, depth: int) -> list[Raised]:
    found = scope.lookup(node.id) if isinstance(node, ast.Name) else scope.attribute(node)
    made = _of_found(found, depth)
    if made:
        return made
    if found is None and is_class_like(node):
        return [Raised(node, scope, reason="no-message")]
    return []


def _of_found(found: Found | None, depth: int) -> list[Raised]:
    values: list[Value] = found.values if found else []
    made: list[Raised] = []
    for value in values:
        made.extend(raised_values(value.expression, value.scope, depth + 1))
        if len(made) >= MAX_WORDINGS:
            break
    for one in made:
        one.words = [words.moved(found.origin) for words in one.words] if found else one.words
    return made


def is_class_like(node: ast.expr) -> bool:
    """Whether an expression is named like a class: capitalised, or a builtin exception."""
    if isinstance(node, ast.Name):
        return bool(_CAPITALISED.match(node.id)) or node.id in BUILTIN_EXCEPTIONS
    if isinstance(node, ast.Attribute):
        return bool(_CAPITALISED.match(node.attr))
    return False


def message_words(given: Arguments) -> list[Words]:
    """Return the wordings that an exception's arguments give, when nothing is known of its class.

    The first argument's words; else the first later argument's that read as prose; else a
    keyword's that is named like a message.
    """
    return _with_params(_given_words(given), given)


def _given_words(given: Arguments) -> list[Words]:
    first: list[Words] = []
    for index, value in enumerate(given.positional[:6]):
        words = _literal_words(value)
        if words and index == 0:
            first = words
            if any(_is_prose(one) for one in words) or len(given.positional) == 1:
                return words
        elif words and any(_is_prose(one) for one in words):
            return words
    for name in _MESSAGE_KEYWORDS:
        if name in given.keywords and (words := _literal_words(given.keywords[name])):
            return words
    if first:
        return first
    for value in given.keywords.values():
        words = _literal_words(value)
        if any(_is_prose(one) for one in words):
            return words
    return []


def _foreign_words(node: ast.Call, given: Arguments) -> list[Words]:
    """Return the wordings of classes of compiled modules whose ways are documented."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name == "PydanticCustomError" and len(given.positional) > 1:
        template, rest = given.positional[1], given.positional[2:]
        scope = template.scope
        keywords = [ast.keyword(None, rest[0].expression)] if rest else []
        call = ast.Call(func=node.func, args=[], keywords=keywords)
        return [made for words in _literal_words(template) for made in apply_format(words, call, scope)]
    return []


def _with_params(words: list[Words], given: Arguments) -> list[Words]:
    """Return wordings with `params=` filled in, as Django's errors do when they are shown."""
    params = given.keywords.get("params")
    if params is None or not any("%(" in one.plain_text for one in words):
        return words
    return [made for one in words for made in apply_percent(one, params.expression, params.scope)]


def _literal_words(value: Value) -> list[Words]:
    words = [one for one in words_of_value(value, 0) if one.has_literal]
    if words and is_default(value.expression, value.scope) and not any(_is_prose(one) for one in words):
        return []
    return words


def _is_prose(words: Words) -> bool:
    return " " in words.plain_text.strip()


def http_status(call: ast.Call, class_text: str) -> int | None:
    """Return the HTTP status that an exception's call names; None if it is no HTTP error's."""
    for keyword in call.keywords:
        if keyword.arg in {"status_code", "http_status", "status"}:
            return _status(keyword.value)
    if _HTTP_CLASS.search(class_text) and call.args:
        return _status(call.args[0])
    return None


def _status(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and 100 <= node.value <= 599:
        return node.value
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if isinstance(node, ast.Attribute) and name == "value":
        return _status(node.value)
    found = re.match(r"HTTP_(\d{3})(?:_|$)", name)
    return int(found.group(1)) if found else _STATUS_NAMES.get(name)


def _status_names() -> dict[str, int]:
    from http import HTTPStatus  # noqa: PLC0415 - one table, read once

    return {status.name: int(status) for status in HTTPStatus}


_STATUS_NAMES = _status_names()


def errno_name(call: ast.Call) -> str | None:
    """Return `ENOENT` for a first argument `errno.ENOENT`."""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Attribute) and isinstance(first.value, ast.Name) and first.value.id == "errno":
        return first.attr
    return None


def code_candidate(call: ast.Call) -> str | None:
    """Return the text given as `code=`; whether it is a stable code is decided by whoever knows the class."""
    for keyword in call.keywords:
        if keyword.arg in {"code", "error_code", "err_code", "errcode"}:
            value = keyword.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                return value.value
    return None
