"""Throw sites as far as one file tells: class as written, wordings, conditions, what linking must finish."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from errdex.extract.calls import last_name, read_call
from errdex.extract.guards import Guards, Pushed
from errdex.extract.module_scope import BUILTIN_NAMES, ModuleScope
from errdex.extract.outline import MAX_CALL_CHARACTERS, Outline
from errdex.model.facts import CallFact, RawSite
from errdex.model.site import MessageTemplate, SiteKind
from errdex.syntax.local import FunctionScope
from errdex.syntax.raised import (
    BUILTIN_EXCEPTIONS,
    Raised,
    code_candidate,
    errno_name,
    http_status,
    raised_expression,
    raised_values,
    unwrapped,
)
from errdex.syntax.spelling import expression_text
from errdex.syntax.text import SourceText
from errdex.syntax.words import MAX_WORDINGS, Words, templates_of

if TYPE_CHECKING:
    from errdex.extract.walk import Context

MAX_CONDITIONS = 50
MAX_WORDED_CHARACTERS = 4_000
MAX_STATEMENT_CHARACTERS = 20_000
_HTTP_CLASSES = frozenset({"HTTPException", "HTTPError", "HttpError", "APIException"})
_QUIET_CALLS = frozenset(
    [
        "info",
        "debug",
        "warning",
        "log",
        "append",
        "add_argument",
        "print",
        "get",
        "join",
        "format",
        "startswith",
        "endswith",
        "replace",
        "write",
        "getattr",
        "setattr",
        "hasattr",
        "isinstance",
        "add",
        "pop",
        "setdefault",
        "update",
        "split",
        "echo",
        "secho",
        "import_module",
        "field",
        "Field",
        "TypeVar",
        "namedtuple",
    ]
)
_HELPER_LIKE = re.compile(
    r"raise|error|err$|fail|abort|invalid|reject|throw|die$|exc|refuse|unexpected|complain|assert|check|ensure|require|"
    r"validate|expect|not_|must|deny|forbid|bail|usage|problem|report|issue|warn",
    re.IGNORECASE,
)


class SiteReader:
    """Reads the sites of one file."""

    def __init__(
        self, tree: ast.Module, source: SourceText, module: ModuleScope, outline: Outline, guards: Guards
    ) -> None:
        self.tree = tree
        self.source = source
        self.module = module
        self.outline = outline
        self.guards = guards
        self.found: list[RawSite] = []
        self.calls: list[CallFact] = []

    def read_raise(self, node: ast.stmt, context: Context) -> bool:
        """Take one raising statement; tell whether it is one. A bare `raise` is one, but no site."""
        raised = raised_expression(node)
        if raised is None:
            return isinstance(node, ast.Raise)
        place = context.place(self.source)
        scope = context.words_scope(self.tree, self.source)
        self.module.pending = False
        exception = unwrapped(raised)
        handler = self._handler_named(exception, context)
        values = [] if handler is not None else raised_values(exception, scope)
        pending = self.module.pending
        class_written, words, reason, argument, call = _summary(values)
        if not values:
            caught_name = handler is not None
            reason = (
                "re-raise" if caught_name or isinstance(exception, (ast.Name, ast.Attribute)) else "dynamic"
            )
            if handler is not None and handler.type is not None:
                class_written = expression_text(handler.type, self.source)
        builtin = class_written in BUILTIN_EXCEPTIONS and class_written not in self.module.classes
        status = http_status(call, class_written or "") if call is not None else None
        kind: SiteKind = "raise" if isinstance(node, ast.Raise) else "helper"
        if status is not None and (class_written or "").rpartition(".")[2] in _HTTP_CLASSES:
            kind = "http"
        self._add(
            node, context, place, kind,
            class_written=class_written,
            templates=templates_of(words),
            unresolved=reason if not words else None,
            argument=argument,
            is_reraise=not values,
            pending=pending or (not builtin and class_written is not None),
            http_status=status,
            errno=errno_name(call) if call is not None else None,
            error_code=code_candidate(call) if call is not None else None,
        )  # fmt: skip
        return True

    def read_call(self, statement: ast.stmt, node: ast.Call, context: Context) -> SiteKind | None:
        """Take a call that may report an error; return how it does, None if it is no site."""
        place = context.place(self.source)
        scope = context.words_scope(self.tree, self.source)
        self.module.pending = False
        reported = read_call(node, scope)
        if reported is None:
            return None
        if reported.kind == "helper" and last_name(node.func) == "fail":
            root = node.func.value if isinstance(node.func, ast.Attribute) else None
            if isinstance(root, ast.Name) and root.id == "self":
                self.read_worded_call(node, context)
        self._add(
            statement, context, place, reported.kind,
            class_written=reported.class_written,
            templates=templates_of(reported.words),
            unresolved=None if reported.words else "dynamic",
            argument=reported.argument,
            is_reraise=False,
            pending=self.module.pending,
            http_status=reported.status,
            errno=None,
            error_code=None,
        )  # fmt: skip
        return reported.kind

    def read_worded_call(self, node: ast.Call, context: Context) -> None:
        """Keep a call that gives words to a function of the package: it may be one that raises them."""
        callee = node.func
        name = last_name(callee)
        if name in _QUIET_CALLS or not name or name[:1].isupper() or (name in BUILTIN_NAMES):
            return
        root: ast.expr = callee
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Call) and last_name(root.func) == "super":
            pass
        elif not isinstance(root, ast.Name):
            return
        elif isinstance(callee, ast.Name):
            if (
                name not in self.module.functions
                and name not in self.module.imported
                and context.node is None
            ):
                return
        elif (
            root.id not in {"self", "cls"}
            and root.id not in self.module.imported
            and root.id not in self.module.classes
        ):
            return
        text = self.source.statement(node)
        end = node.end_lineno or node.lineno
        conditions: tuple[int, ...] = ()
        if _HELPER_LIKE.search(name):
            conditions = self._conditions(context.conditions, context.place(self.source))
        self.calls.append(
            CallFact(
                context.function,
                expression_text(callee, self.source),
                node.lineno,
                end,
                node.col_offset,
                text if len(text) <= MAX_WORDED_CHARACTERS else text[:MAX_CALL_CHARACTERS],
                True,
                conditions,
                self._caught(context),
            )
        )

    def _caught(self, context: Context) -> str | None:
        handler = context.handlers[-1] if context.handlers else None
        return expression_text(handler.type, self.source) if handler and handler.type is not None else None

    @staticmethod
    def _handler_named(node: ast.expr, context: Context) -> ast.ExceptHandler | None:
        if isinstance(node, ast.Name):
            for handler in reversed(context.handlers):
                if handler.name == node.id:
                    return handler
        return None

    def _conditions(self, pushed: list[Pushed], place: FunctionScope | None) -> tuple[int, ...]:
        """Return the conditions of a site; of very many, those around it and the nearest before it."""
        kept = pushed
        if len(pushed) > MAX_CONDITIONS:
            around = [one for one in pushed if not one.negated]
            before = [one for one in pushed if one.negated][-max(0, MAX_CONDITIONS - len(around)) :]
            chosen = {id(one) for one in (*around, *before)}
            kept = [one for one in pushed if id(one) in chosen][-MAX_CONDITIONS:]
        return tuple(dict.fromkeys(self.guards.index(one, place) for one in kept))

    def _add(
        self,
        node: ast.stmt,
        context: Context,
        place: FunctionScope | None,
        kind: SiteKind,
        *,
        class_written: str | None,
        templates: tuple[MessageTemplate, ...],
        unresolved: str | None,
        argument: str | None,
        is_reraise: bool,
        pending: bool,
        http_status: int | None,
        errno: str | None,
        error_code: str | None,
    ) -> None:
        if context.function >= 0:
            self.outline.detailed.add(context.function)
        caught = self._caught(context)
        self.found.append(
            RawSite(
                kind, node.lineno, node.end_lineno or node.lineno, node.col_offset,
                self.source.statement(node)[:MAX_STATEMENT_CHARACTERS], context.function, context.class_name,
                class_written, templates, unresolved, argument, self._conditions(context.conditions, place),
                caught, is_reraise, pending, http_status, errno, error_code,
            )
        )  # fmt: skip


def _summary(
    values: list[Raised],
) -> tuple[str | None, list[Words], str | None, str | None, ast.Call | None]:
    """Return class, wordings, reason, argument and call of everything that may be raised, taken together."""
    if not values:
        return None, [], None, None, None
    first = next((one for one in values if one.words), values[0])
    words = [one for value in values for one in value.words][:MAX_WORDINGS]
    class_written = None
    if first.class_node is not None:
        class_written = first.class_scope.text(first.class_node)
    argument = first.argument if not words else None
    return class_written, words, first.reason, argument, first.call


def gives_words(node: ast.Call) -> bool:
    """Whether a call has an argument that looks like a message."""
    for value in node.args[:5]:
        if _worded(value):
            return True
    return any(_worded(keyword.value) for keyword in node.keywords[:6])


def _worded(node: ast.expr) -> bool:
    kind = node.__class__
    if kind is ast.Constant:
        return isinstance(node.value, str)  # type: ignore[attr-defined]
    if kind is ast.JoinedStr:
        return True
    if kind is ast.BinOp:
        return _worded(node.left)  # type: ignore[attr-defined]
    if kind is ast.Call:
        function = node.func  # type: ignore[attr-defined]
        if isinstance(function, ast.Attribute):
            return function.attr in {"format", "join"} and _worded(function.value)
        return isinstance(function, ast.Name) and function.id in {"_", "gettext", "gettext_lazy"}
    return False
