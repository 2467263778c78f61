"""Who calls a function that raises: the public callables from which a site is reached, and how.

Only calls whose target is known are followed: names of the module, imports within
the package, `self`, `cls`, `super()` and class attributes. Nothing is matched by
its bare name alone.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import NamedTuple

from errdex.link.callables import CallableTable, is_public_name
from errdex.link.classes import ClassTable
from errdex.link.names import Meaning, NameTable
from errdex.model.facts import CallFact, FunctionFact
from errdex.model.site import CallStep, EntryPoint
from errdex.syntax.signature import signature_text

MAX_ENTRY_POINTS = 5
MAX_CHAIN = 6
MAX_VISITED = 400
MAX_HEIRS = 20
MAX_CALL_CHARACTERS = 200
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__", "model_post_init"})
_VALIDATOR = re.compile(r"(?:^|\.)(?:field_|model_|root_)?validator\b|\.validator$")
"""Decorators of pydantic and attrs: what they mark runs when the class is called."""


class Place(NamedTuple):
    """A function of the package."""

    path: str
    number: int


class _Call(NamedTuple):
    path: str
    fact: CallFact


class CallerTable:
    """The reverse call graph, resolved only where a site asks for it."""

    def __init__(self, names: NameTable, classes: ClassTable, callables: CallableTable) -> None:
        self.names = names
        self.classes = classes
        self.callables = callables
        self._by_name: dict[str, list[_Call]] = defaultdict(list)
        self._callers: dict[Place, list[tuple[Place, _Call]]] = {}
        self._derived: dict[str, list[Meaning]] | None = None
        self._entries: dict[Place, tuple[EntryPoint, ...]] = {}
        for path in sorted(names.package.facts):
            self.add_calls(path)

    def add_calls(self, path: str) -> None:
        """Take the calls of a file into the graph."""
        for fact in self.names.package.facts[path].calls:
            self._by_name[fact.callee.rpartition(".")[2]].append(_Call(path, fact))

    def calls_named(self, last: str) -> list[_Call]:
        """Return the kept calls whose callee ends in a name, in file and line order."""
        return self._by_name.get(last, [])

    def function(self, place: Place) -> FunctionFact:
        """Return a place's function."""
        return self.names.package.names(place.path).facts.functions[place.number]

    def target(self, path: str, fact: CallFact) -> Place | None:
        """Return the function of the package that a call calls, where that is certain."""
        callee = fact.callee
        head, _, last = callee.rpartition(".")
        names = self.names.package.names(path)
        caller = self.names.package.function(path, fact.function)
        if not head:
            return self._named(path, caller, last)
        if head in {"self", "cls"} or head.startswith("super("):
            owner = self._owner(path, caller)
            if owner is None:
                return None
            return self.method(Meaning("class", path, owner), last, skip_own=head.startswith("super("))
        meaning = self.names.meaning(path, callee)
        if meaning is not None and meaning.kind == "function":
            return self._place(meaning)
        if meaning is not None and meaning.kind == "class":
            if meaning.rest and "." not in meaning.rest:
                return self.method(Meaning("class", meaning.path, meaning.name), meaning.rest)
            return None if meaning.rest else self.method(meaning, "__init__")
        if head in names.classes:
            return self.method(Meaning("class", path, head), last)
        return None

    def _named(self, path: str, caller: FunctionFact | None, name: str) -> Place | None:
        names = self.names.package.names(path)
        outer = caller.name if caller else ""
        while outer:
            index = names.functions.get(f"{outer}.{name}")
            if index is not None and names.facts.functions[index].owner is None:
                return Place(path, index)
            outer = outer.rpartition(".")[0]
        meaning = self.names.meaning(path, name)
        if meaning is None:
            return None
        if meaning.kind == "class" and not meaning.rest:
            return self.method(meaning, "__init__")
        return self._place(meaning) if meaning.kind == "function" else None

    def _place(self, meaning: Meaning) -> Place | None:
        index = self.names.package.names(meaning.path).functions.get(meaning.name)
        return Place(meaning.path, index) if index is not None else None

    def _owner(self, path: str, caller: FunctionFact | None) -> str | None:
        """Return the class whose `self` a function sees: its own, or that of the method around it."""
        while caller is not None:
            if caller.owner is not None:
                return caller.owner
            outer = self.names.package.names(path).functions.get(caller.name.rpartition(".")[0])
            caller = self.names.package.function(path, outer) if outer is not None else None
        return None

    def method(self, owner: Meaning, name: str, *, skip_own: bool = False) -> Place | None:
        """Return the method that `owner` has under a name, its own or an ancestor's."""
        line = self.classes.ancestors(owner)
        for one in line if skip_own else (owner, *line):
            if one.kind == "class":
                index = self.names.package.names(one.path).functions.get(f"{one.name}.{name}")
                if index is not None:
                    return Place(one.path, index)
        return None

    def callers(self, place: Place) -> list[tuple[Place, _Call]]:
        """Return the functions that call `place`, in file and line order, each once."""
        found = self._callers.get(place)
        if found is None:
            found = self._callers[place] = self._find_callers(place)
        return found

    def _find_callers(self, place: Place) -> list[tuple[Place, _Call]]:
        function = self.function(place)
        last = function.name.rpartition(".")[2]
        if last == "__init__" and function.owner:
            last = function.owner.rpartition(".")[2]
        made: dict[Place, tuple[Place, _Call]] = {}
        for call in self.calls_named(last):
            caller = Place(call.path, call.fact.function)
            if caller.number < 0 or caller == place or caller in made:
                continue
            if self.target(call.path, call.fact) == place or self._overridden(place, function, call):
                made[caller] = (caller, call)
        return list(made.values())

    def _overridden(self, place: Place, function: FunctionFact, call: _Call) -> bool:
        """Whether `self.x()` in an ancestor of the method's class reaches it."""
        if function.owner is None or not call.fact.callee.startswith("self."):
            return False
        owner = self._owner(call.path, self.names.package.function(call.path, call.fact.function))
        if owner is None:
            return False
        line = self.classes.ancestors(Meaning("class", place.path, function.owner))
        return any(one.path == call.path and one.name == owner for one in line)

    def entry_points(self, place: Place) -> tuple[EntryPoint, ...]:
        """Return the public callables that reach a function, shortest chain first."""
        found = self._entries.get(place)
        if found is None:
            found = self._entries[place] = self._search(place)
        return found

    def _public_name(self, path: str, function: FunctionFact, last: str) -> str | None:
        """Return the public name of a function; of a method of a private class, by a public class that inherits it."""
        if function.owner is None:
            return self.names.import_name(path, function.name)
        owners = [Meaning("class", path, function.owner)]
        if not is_public_name(function.owner) or self.names.import_name(path, function.owner) is None:
            owners = self._heirs(owners[0])
        for owner in owners:
            public = self.names.import_name(owner.path, owner.name)
            if public is not None and is_public_name(owner.name):
                return f"{public}.{last}" if last else public
        return None

    def _heirs(self, owner: Meaning) -> list[Meaning]:
        """Return the classes of the files read so far that inherit from a class, directly or not."""
        if self._derived is None:
            self._derived = defaultdict(list)
            for path in sorted(self.names.package.facts):
                for fact in self.names.package.facts[path].classes:
                    for base in fact.bases:
                        self._derived[base.rpartition(".")[2]].append(Meaning("class", path, fact.name))
        found: list[Meaning] = []
        waiting = [owner]
        while waiting and len(found) < MAX_HEIRS:
            current = waiting.pop(0)
            for one in self._derived.get(current.name.rpartition(".")[2], ()):
                if one not in found and owner in self.classes.ancestors(one):
                    found.append(one)
                    waiting.append(one)
        return found

    def _search(self, start: Place) -> tuple[EntryPoint, ...]:
        own = self._entry(start, ())
        if own is not None:
            return (own,)
        found: list[EntryPoint] = []
        seen = {start}
        queue: deque[tuple[Place, tuple[CallStep, ...]]] = deque([(start, ())])
        while queue and len(found) < MAX_ENTRY_POINTS and len(seen) < MAX_VISITED:
            place, chain = queue.popleft()
            if len(chain) >= MAX_CHAIN:
                continue
            for caller, call in self.callers(place):
                if caller in seen:
                    continue
                seen.add(caller)
                step = CallStep(
                    caller=self.function(caller).name,
                    path=call.path,
                    line=call.fact.line,
                    call=" ".join(call.fact.text[:MAX_CALL_CHARACTERS].split()),
                )
                entry = self._entry(caller, (step, *chain))
                if entry is not None:
                    found.append(entry)
                    if len(found) >= MAX_ENTRY_POINTS:
                        break
                else:
                    queue.append((caller, (step, *chain)))
        if not found:
            return self._surrounding(start)
        return tuple(found)

    def _surrounding(self, start: Place) -> tuple[EntryPoint, ...]:
        """Return the public function that a nested one stands in, when no call of it is known: it hands it out."""
        function = self.function(start)
        if not function.nested:
            return ()
        outer = self.names.package.names(start.path).functions.get(function.name.rpartition(".")[0])
        if outer is None:
            return ()
        return self.entry_points(Place(start.path, outer))

    def _entry(self, place: Place, chain: tuple[CallStep, ...]) -> EntryPoint | None:
        """Return a function as an entry point; None if a user cannot call it by a public name."""
        function = self.function(place)
        last = function.name.rpartition(".")[2]
        if function.nested:
            return None
        constructs = last in _CONSTRUCTORS or any(_VALIDATOR.search(mark) for mark in function.decorators)
        if not constructs and not is_public_name(last):
            return None
        public = self._public_name(place.path, function, "" if constructs else last)
        if public is None:
            return None
        parameters = self.callables.details(place.path, place.number).parameters
        signature = "" if function.kind == "property" else signature_text(parameters)
        return EntryPoint(name=public, signature=signature, path=place.path, line=function.line, chain=chain)
