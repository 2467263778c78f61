"""Helpers that raise words given to them: each caller that gives the words is a site of its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from errdex.link.callers import CallerTable, Place
from errdex.link.scopes import ParsedFunction, Scopes, locate
from errdex.link.wording import Told, Wording, place_of
from errdex.model.facts import CallFact, FunctionFact, RawSite
from errdex.syntax.bound import Arguments, BoundScope, arguments_of, bind
from errdex.syntax.local import FunctionScope
from errdex.syntax.messages import wordings, words_of_value
from errdex.syntax.scope import Scope, Value
from errdex.syntax.words import Words

MIN_LITERAL_CHARACTERS = 6
MIN_PROSE_WORDS = 2


class _Raiser(NamedTuple):
    """One raise of a helper that takes its words from the helper's parameters."""

    raw: RawSite
    names: frozenset[str]
    """The parameters that its message reads."""


class HelperCall(NamedTuple):
    """A call that makes a helper raise the caller's words."""

    fact: CallFact
    place: Place
    """The helper."""
    raw: RawSite
    """The raise in the helper."""
    told: Told


class HelperTable:
    """Finds helpers and the calls that give them words."""

    def __init__(self, scopes: Scopes, callers: CallerTable, wording: Wording) -> None:
        self.scopes = scopes
        self.callers = callers
        self.wording = wording
        self._raisers: dict[Place, list[_Raiser]] = {}
        self._last_names: set[str] = set()
        self._calls: dict[str, list[HelperCall]] | None = None

    def calls(self, path: str) -> list[HelperCall]:
        """Return the calls in a file that give a helper words."""
        if self._calls is None:
            self._calls = defaultdict(list)
            for call_path, found in self._find():
                self._calls[call_path].append(found)
        return self._calls.get(path, [])

    def _find(self) -> Iterator[tuple[str, HelperCall]]:
        package = self.scopes.names.package
        for path in sorted(package.facts):
            facts = package.names(path).facts
            for raw in facts.sites:
                raiser = _raiser(raw, facts.functions[raw.function]) if raw.function >= 0 else None
                if raiser is not None:
                    self._raisers.setdefault(Place(path, raw.function), []).append(raiser)
                    self._last_names.add(facts.functions[raw.function].name.rpartition(".")[2])
        for path in sorted(package.facts):
            for fact in package.names(path).facts.calls:
                if fact.has_words and fact.callee.rpartition(".")[2] in self._last_names:
                    found = self._read(path, fact)
                    if found is not None:
                        yield path, found

    def _read(self, path: str, fact: CallFact) -> HelperCall | None:
        place = self.callers.target(path, fact)
        raisers = self._raisers.get(place) if place is not None else None
        helper = self.scopes.function(place.path, place.number) if place is not None and raisers else None
        if place is None or raisers is None or helper is None or place == Place(path, fact.function):
            return None
        call, scope = self._call(path, fact)
        if call is None:
            return None
        function = self.callers.function(place)
        given = arguments_of(call, scope)
        skip_first = function.owner is not None and function.kind != "staticmethod"
        if skip_first and fact.callee.rpartition(".")[0] == function.owner:  # `Base.fail(self, "…")`
            given = Arguments(given.positional[1:], given.keywords, is_open=given.is_open)
        bound = bind(helper.node, given, helper.home, skip_first=skip_first)
        worded = {name for name, value in bound.items() if _are_words(words_of_value(value, 0))}
        for raiser in raisers:
            if not raiser.names & worded:
                continue
            told = self._told(raiser.raw, helper, bound)
            if told is not None and any(_is_said(words) for words in told.words):
                return HelperCall(fact, place, raiser.raw, told)
        return None

    def _told(self, raw: RawSite, helper: ParsedFunction, bound: dict[str, Value]) -> Told | None:
        placed = place_of(helper, raw.line)
        if placed is None:
            return None
        statement, scope = placed
        inside = BoundScope(
            helper.node,
            scope.position,
            helper.home,
            helper.source,
            bound,
            helper.bindings,
        )
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            return self.wording.of_expression(statement.exc, inside)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args:
            words = [
                words
                for one in statement.value.args[:2]
                for words in wordings(one, inside)
                if words.has_literal
            ]
            return Told(words, None, raw.class_written)
        return None

    def _call(self, path: str, fact: CallFact) -> tuple[ast.Call | None, Scope]:
        """Return the tree of a call with the scope it stands in."""
        module = self.scopes.module(path)
        if fact.function < 0:
            return _parsed_call(fact.text), module
        parsed = self.scopes.function(path, fact.function)
        if parsed is None:
            return None, module
        line = fact.line - parsed.shift
        position = locate(parsed.node.body, line)
        if position is None:
            return None, module
        block, index = position[-1]
        scope = FunctionScope(parsed.node, position, parsed.home, parsed.source, parsed.bindings)
        for node in ast.walk(block[index]):
            if (
                isinstance(node, ast.Call)
                and node.lineno == line
                and _last(node.func) == fact.callee.rpartition(".")[2]
            ):
                return node, scope
        return None, module


def _raiser(raw: RawSite, function: FunctionFact) -> _Raiser | None:
    """Return a site as a helper's raise, if its words, or a part of them, are one of the function's parameters."""
    if raw.kind not in {"raise", "http", "exit"} or function.details is None or raw.is_reraise:
        return None
    parameters = {parameter.name for parameter in function.details.parameters}
    if raw.templates:
        read = {hole.expression for template in raw.templates for hole in template.holes}
    elif raw.argument is not None:
        read = parameters  # directly, or through locals: the call decides
    else:
        return None
    names = frozenset(parameters & read)
    return _Raiser(raw, names) if names else None


def _are_words(words: list[Words]) -> bool:
    return any(
        _is_said(one) and (len(one.plain_text.split()) >= MIN_PROSE_WORDS or not one.is_plain)
        for one in words
    )


def _is_said(words: Words) -> bool:
    return len(words.plain_text.strip()) >= MIN_LITERAL_CHARACTERS


def _parsed_call(text: str) -> ast.Call | None:
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return node if isinstance(node, ast.Call) else None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
