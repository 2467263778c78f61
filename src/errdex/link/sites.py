"""Raw sites of one file, with everything the package knows added: throw sites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from errdex.link.callables import CallableTable
from errdex.link.callers import CallerTable, Place
from errdex.link.class_messages import ClassMessages
from errdex.link.classes import ClassTable
from errdex.link.helpers import HelperCall, HelperTable
from errdex.link.names import Meaning, NameTable
from errdex.link.package import Package
from errdex.link.scopes import Scopes
from errdex.link.wording import Wording
from errdex.model.facts import FileFacts, RawSite
from errdex.model.site import Condition, Helper, MessageTemplate, ThrowSite
from errdex.syntax.words import templates_of

_STABLE_CODE = re.compile(r"^(?:[A-Z]{1,6}[-_.]?\d{2,6}|(?:ERR|ERROR|E)_[A-Z0-9_]{3,})$")
_FAILING_BASES = frozenset(
    {"ParamType", "Choice", "Path", "File", "IntRange", "FloatRange", "DateTime", "Tuple"}
)
"""Classes of click whose `self.fail(...)` raises `BadParameter`."""
_WEAK_GUARDS = frozenset({"with", "for"})


class Linker:
    """Completes sites. Built once for a package; asked file by file."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.names = NameTable(package)
        self.classes = ClassTable(self.names)
        self.callables = CallableTable(self.names)
        self.callers = CallerTable(self.names, self.classes, self.callables)
        scopes = Scopes(self.names, self.classes)
        self.messages = ClassMessages(scopes)
        self.wording = Wording(scopes, self.classes, self.messages)
        self.helpers = HelperTable(scopes, self.callers, self.wording)

    def link(self, path: str) -> Iterator[ThrowSite]:
        """Yield the throw sites of a file in source order."""
        facts = self.package.names(path).facts
        given = {(call.fact.line, call.fact.column): call for call in self.helpers.calls(path)}
        made = [
            self._site(path, facts, raw)
            for raw in facts.sites
            if raw.kind != "helper" or self._is_framework_helper(path, facts, raw, given)
        ]
        taken = {(site.line, site.column) for site in made}
        made += [self._helper_site(path, facts, call) for place, call in given.items() if place not in taken]
        yield from sorted(made, key=lambda site: (site.line, site.column))

    def _is_framework_helper(
        self, path: str, facts: FileFacts, raw: RawSite, given: dict[tuple[int, int], HelperCall]
    ) -> bool:
        """Whether a call named like a framework's helper is one: no method of the package, and of no known helper."""
        if (raw.line, raw.column) in given:
            return False
        if not raw.statement.startswith("self.fail("):
            return True
        owner = facts.functions[raw.function].owner if raw.function >= 0 else None
        if owner is None:
            return False
        line = self.classes.ancestors(Meaning("class", path, owner))
        return any(one.kind == "external" and one.name.rpartition(".")[2] in _FAILING_BASES for one in line)

    def _helper_site(self, path: str, facts: FileFacts, call: HelperCall) -> ThrowSite:
        """Return the site of a call that gives a helper the words it raises."""
        fact = call.fact
        function = self.callers.function(call.place)
        guard, conditions = _ordered(facts.conditions[index] for index in fact.conditions)
        meaning = call.told.meaning
        entries = self.callers.entry_points(Place(path, fact.function)) if fact.function >= 0 else ()
        return ThrowSite(
            kind="helper",
            path=path,
            line=fact.line,
            end_line=fact.end_line,
            column=fact.column,
            statement=fact.text,
            callable=self.callables.facts(path, fact.function),
            error_class=self.classes.dotted(meaning) if meaning is not None else None,
            class_written=call.told.class_written or call.raw.class_written,
            bases=self._bases(meaning),
            templates=templates_of(call.told.words),
            http_status=call.raw.http_status,
            guard=guard,
            path_conditions=conditions,
            parameters=guard.parameters if guard is not None else (),
            entry_points=entries,
            helper=Helper(name=function.name, path=call.place.path, line=call.raw.line),
            caught=fact.caught,
        )

    def _bases(self, meaning: Meaning | None) -> tuple[str, ...]:
        if meaning is None:
            return ()
        return tuple(self.classes.dotted(one) for one in self.classes.ancestors(meaning))

    def _site(self, path: str, facts: FileFacts, raw: RawSite) -> ThrowSite:
        place = self.callables.facts(path, raw.function, raw.scope)
        meaning, class_written, templates = self._read_again(path, raw)
        error_class = self.classes.dotted(meaning) if meaning is not None else None
        guard, conditions = _ordered(facts.conditions[index] for index in raw.conditions)
        entries = self.callers.entry_points(Place(path, raw.function)) if raw.function >= 0 else ()
        code = raw.error_code
        return ThrowSite(
            kind=raw.kind,
            path=path,
            line=raw.line,
            end_line=raw.end_line,
            column=raw.column,
            statement=raw.statement,
            callable=place,
            error_class=error_class,
            class_written=class_written,
            bases=self._bases(meaning),
            templates=templates,
            unresolved=None if templates else _reason(raw, meaning),
            argument=None if templates else raw.argument,
            error_code=code if code is not None and _STABLE_CODE.match(code) else None,
            http_status=raw.http_status
            or (self.classes.http_status(meaning) if meaning is not None else None),
            errno=raw.errno,
            guard=guard,
            path_conditions=conditions,
            parameters=guard.parameters if guard is not None else (),
            entry_points=entries,
            caught=raw.caught,
            is_reraise=raw.is_reraise,
        )

    def _read_again(
        self, path: str, raw: RawSite
    ) -> tuple[Meaning | None, str | None, tuple[MessageTemplate, ...]]:
        """Return class, class as written and templates, asking the package where the file alone cannot tell."""
        meaning = self.classes.resolve(path, raw.class_written) if raw.class_written is not None else None
        if not raw.pending or raw.kind not in {"raise", "http", "helper"}:
            return meaning, raw.class_written, raw.templates
        known = meaning is not None and not self.messages.is_custom(meaning)
        if known and (raw.templates or raw.unresolved == "no-message"):
            return meaning, raw.class_written, raw.templates
        if raw.templates and meaning is None and raw.class_written in self.package.names(path).imports:
            return meaning, raw.class_written, raw.templates
        told = self.wording.of_site(path, raw)
        if told is None:
            return meaning, raw.class_written, raw.templates
        templates = templates_of(told.words)
        if _spelled(templates) == _spelled(raw.templates):
            templates = raw.templates
        return told.meaning or meaning, told.class_written or raw.class_written, templates or raw.templates


def _spelled(templates: tuple[MessageTemplate, ...]) -> set[tuple[str, int]]:
    """Return how templates are written; a class may format what the raise gives plain, and the text stays."""
    return {(one.written, len(one.parts)) for one in templates}


def _ordered(conditions: Iterable[Condition]) -> tuple[Condition | None, tuple[Condition, ...]]:
    """Return the guard, and all conditions in source order with the guard last."""
    ordered = tuple(sorted(conditions, key=lambda one: one.line))
    guard = guard_of(ordered)
    if guard is not None and ordered[-1] is not guard:
        ordered = (*(one for one in ordered if one is not guard), guard)
    return guard, ordered


def _reason(raw: RawSite, meaning: Meaning | None) -> str | None:
    if raw.unresolved == "no-message" and meaning is not None and meaning.kind == "external":
        return "foreign-class"
    return raw.unresolved


def guard_of(conditions: tuple[Condition, ...]) -> Condition | None:
    """Return the innermost condition that decides: a `with` or `for` only where there is nothing else."""
    for condition in reversed(conditions):
        if condition.kind not in _WEAK_GUARDS:
            return condition
    return conditions[-1] if conditions else None
