"""Wordings that one file cannot tell: constants and classes of other files, factories, helpers' callers."""

from __future__ import annotations

import ast
from typing import NamedTuple

from errdex.link.class_messages import ClassMessages
from errdex.link.classes import ClassTable
from errdex.link.names import Meaning
from errdex.link.scopes import ParsedFunction, Scopes, dotted_text, locate
from errdex.model.facts import RawSite
from errdex.syntax.bound import Arguments, arguments_of
from errdex.syntax.local import FunctionScope
from errdex.syntax.percent import split_percent
from errdex.syntax.raised import Raised, raised_expression, raised_values, unwrapped
from errdex.syntax.scope import Scope
from errdex.syntax.words import MAX_WORDINGS, Words


class Told(NamedTuple):
    """What linking knows of a raised expression."""

    words: list[Words]
    meaning: Meaning | None
    """The class, where it is known."""
    class_written: str | None


class Wording:
    """Reads raised expressions again, with the package in scope."""

    def __init__(self, scopes: Scopes, classes: ClassTable, messages: ClassMessages) -> None:
        self.scopes = scopes
        self.classes = classes
        self.messages = messages

    def of_site(self, path: str, raw: RawSite) -> Told | None:
        """Return what is raised at a raw site; None if its function cannot be read again.

        A site whose values lead further than the interpreter's stack goes is one whose words are not known:
        one site must not cost the others.
        """
        try:
            return self._of_site(path, raw)
        except RecursionError:
            return None

    def _of_site(self, path: str, raw: RawSite) -> Told | None:
        if raw.function < 0:
            node = _statement(raw.statement)
            return self._told(node, self.scopes.module(path)) if node is not None else None
        parsed = self.scopes.function(path, raw.function)
        placed = place_of(parsed, raw.line) if parsed is not None else None
        if placed is None:
            return None
        statement, scope = placed
        return self._told(statement, scope)

    def _told(self, statement: ast.stmt, scope: Scope) -> Told | None:
        raised = raised_expression(statement)
        return self.of_expression(raised, scope) if raised is not None else None

    def of_expression(self, node: ast.expr, scope: Scope) -> Told:
        """Return what an expression raises, all that it may be taken together."""
        values = raised_values(unwrapped(node), scope)
        words: list[Words] = []
        meaning: Meaning | None = None
        class_written: str | None = None
        for value in values:
            found = self.class_of(value)
            if class_written is None and value.class_node is not None:
                meaning = found
                class_written = value.class_scope.text(value.class_node)
            words.extend(self._words(value, found))
        return Told(words[:MAX_WORDINGS], meaning, class_written)

    def class_of(self, value: Raised) -> Meaning | None:
        """Return the class of a raised value; a variable or attribute that holds a class is followed once."""
        node, scope = value.class_node, value.class_scope
        if node is None:
            return None
        path = home_path(scope)
        written = dotted_text(node)
        if path is None or written is None:
            return None
        found = self.classes.resolve(path, written)
        if found is not None:
            return found
        held = scope.lookup(node.id) if isinstance(node, ast.Name) else None
        if held is None and isinstance(node, ast.Attribute):
            held = scope.attribute(node)
        for one in held.values if held is not None else ():
            inner = dotted_text(one.expression)
            home = home_path(one.scope)
            if inner is not None and home is not None:
                return self.classes.resolve(home, inner)
        if written in {"cls", "self.__class__"} and (owner := _owner(scope)) is not None:
            return owner
        return None

    def _words(self, value: Raised, meaning: Meaning | None) -> list[Words]:
        """Return a value's wordings: its class's where the class words them, else what the call gives."""
        if meaning is None or not self.messages.is_custom(meaning):
            return value.words
        empty = Arguments([], {}, is_open=False)
        given = arguments_of(value.call, value.class_scope) if value.call is not None else empty
        made = self.messages.words(meaning, given)
        same = [words for words in made if any(words.written == one.written for one in value.words)]
        if same and not any(_fills(words, one) for words in same for one in value.words):
            return value.words
        return made if says_as_much(made, value.words) else value.words


def says_as_much(made: list[Words], given: list[Words]) -> bool:
    """Whether a class's wordings hold what the raise itself says; a class that is not understood loses words."""
    if not made:
        return False
    for words in given:
        literals = [
            literal.strip() for part in words.parts if isinstance(part, str) for literal in _literals(part)
        ]
        pieces = [literal for literal in literals if len(literal) > 1]
        if pieces and not any(all(piece in one.plain_text for piece in pieces) for one in made):
            return False
    return True


def _fills(made: Words, given: Words) -> bool:
    """Whether a class takes what the raise says as a format, and fills it: the text stays, its pieces do not."""
    return made.written == given.written and len(made.parts) > len(given.parts)


def _literals(text: str) -> list[str]:
    """Return the literal pieces of a text that the class may fill as a printf-style format."""
    return [piece for piece in split_percent(text) or [text] if isinstance(piece, str)]


def place_of(parsed: ParsedFunction, line: int) -> tuple[ast.stmt, FunctionScope] | None:
    """Return the statement of a parsed function at a line of its file, with the scope there."""
    position = locate(parsed.node.body, line - parsed.shift)
    if position is None:
        return None
    block, index = position[-1]
    return block[index], FunctionScope(parsed.node, position, parsed.home, parsed.source, parsed.bindings)


def home_path(scope: Scope) -> str | None:
    """Return the file whose names a scope sees."""
    current: object = scope
    while current is not None:
        path = getattr(current, "path", None)
        if isinstance(path, str):
            return path
        current = getattr(current, "parent", None) or getattr(current, "_scope", None)
    return None


def _owner(scope: Scope) -> Meaning | None:
    current: object = scope
    while current is not None:
        owner = getattr(current, "owner", None)
        if isinstance(owner, Meaning):
            return owner
        current = getattr(current, "parent", None)
    return None


def _statement(text: str) -> ast.stmt | None:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[0] if len(body) == 1 else None
