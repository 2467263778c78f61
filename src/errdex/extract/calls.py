"""Calls that end in an error without a `raise`: exits, warnings, error logs, aborts, framework helpers."""

from __future__ import annotations

import ast
from typing import NamedTuple

from errdex.model.site import SiteKind
from errdex.syntax.messages import apply_percent, wordings
from errdex.syntax.raised import http_status
from errdex.syntax.scope import Scope
from errdex.syntax.words import Words

LOG_METHODS = frozenset({"error", "critical", "exception", "fatal"})
_LOGGERS = frozenset(["logger", "log", "logging", "_logger", "_log", "LOG", "LOGGER", "__logger", "_LOGGER"])
_PARSERS = frozenset(["parser", "ap", "argparser", "arg_parser", "argument_parser", "_parser", "subparser"])
INTERESTING = frozenset(
    [
        *LOG_METHODS,
        "exit",
        "_exit",
        "warn",
        "warn_explicit",
        "fail",
        "abort",
        "raise_from",
        "reraise",
        "error",
    ]
)
"""Last names of the calls that may report an error."""


class Reported(NamedTuple):
    """A call that reports an error to the user."""

    kind: SiteKind
    class_written: str | None
    words: list[Words]
    status: int | None = None
    argument: str | None = None


def last_name(node: ast.expr) -> str:
    """Return the name that a callee ends in; empty for anything that is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def read_call(node: ast.Call, scope: Scope) -> Reported | None:
    """Return what a call reports; None if it reports nothing."""
    name = last_name(node.func)
    owner = last_name(node.func.value) if isinstance(node.func, ast.Attribute) else None
    if name in {"exit", "_exit"}:
        return _exit(node, owner, scope)
    if name in {"warn", "warn_explicit"}:
        return _warning(node, owner, scope)
    if name in LOG_METHODS and owner in _LOGGERS:
        return _log(node, scope)
    if name == "error" and owner in _PARSERS:
        words = _literal_words(node.args[0], scope) if node.args else []
        return Reported("helper", "SystemExit", words, None, _given(node, scope)) if words else None
    if name == "fail" and owner in {"ctx", "self"}:
        return _fail(node, scope)
    if name == "abort" and (owner is None or owner in {"flask", "self"}):
        return _abort(node, scope)
    return None


def _given(node: ast.Call, scope: Scope) -> str | None:
    return ", ".join(scope.text(argument) for argument in node.args) or None


def _literal_words(node: ast.expr, scope: Scope) -> list[Words]:
    return [words for words in wordings(node, scope) if words.has_literal]


def _exit(node: ast.Call, owner: str | None, scope: Scope) -> Reported | None:
    if owner not in {None, "sys", "_sys", "system"} or len(node.args) != 1:
        return None
    words = _literal_words(node.args[0], scope)
    return Reported("exit", "SystemExit", words) if words else None


def _warning(node: ast.Call, owner: str | None, scope: Scope) -> Reported | None:
    if owner not in {None, "warnings", "_warnings"} or not node.args:
        return None
    category: ast.expr | None = node.args[1] if len(node.args) > 1 else None
    for keyword in node.keywords:
        if keyword.arg == "category":
            category = keyword.value
    first = node.args[0]
    if owner is None and category is None and not isinstance(first, (ast.Constant, ast.JoinedStr, ast.BinOp)):
        return None
    class_written = scope.text(category) if category is not None else "UserWarning"
    words = _literal_words(first, scope)
    if not words and isinstance(first, ast.Call) and last_name(first.func).endswith("Warning"):
        class_written = scope.text(first.func)
        words = _literal_words(first.args[0], scope) if first.args else []
    return Reported("warn", class_written, words, None, None if words else _given(node, scope))


def _log(node: ast.Call, scope: Scope) -> Reported | None:
    if not node.args:
        return None
    words = _literal_words(node.args[0], scope)
    if not words:
        return None
    if len(node.args) > 1:
        rest = node.args[1:]
        values: ast.expr | list[ast.expr] = (
            rest[0] if len(rest) == 1 and isinstance(rest[0], ast.Dict) else rest
        )
        words = [filled for one in words for filled in apply_percent(one, values, scope)]
    return Reported("log", None, words)


def _fail(node: ast.Call, scope: Scope) -> Reported | None:
    """`self.fail("…", param, ctx)` of click's types, `ctx.fail("…")`: the linker knows if `self.fail` is its own."""
    if not node.args:
        return None
    words = _literal_words(node.args[0], scope)
    assert isinstance(node.func, ast.Attribute)
    known = "UsageError" if last_name(node.func.value) == "ctx" else "BadParameter"
    return Reported("helper", known, words) if words else None


def _abort(node: ast.Call, scope: Scope) -> Reported | None:
    status = http_status(node, "HTTPException") if node.args else None
    if status is None:
        return None
    words = _literal_words(node.args[1], scope) if len(node.args) > 1 else []
    for keyword in node.keywords:
        if keyword.arg in {"description", "message", "detail", "errors"} and not words:
            words = _literal_words(keyword.value, scope)
    return Reported("http", None, words, status, None if words else _given(node, scope))
