"""Which errors can a call raise: a walk from a public callable down the calls that are known to be real.

Followed are functions of the module and of imported modules of the package,
methods of `self`, `cls` and `super()` along the method resolution order,
constructors, properties, and methods of values whose class is written out (a
constructor's result, or an annotation, which makes the chain less than
certain). Everything else that may lead into the package is listed as uncertain,
and nothing is guessed by a name. What a handler on the way catches is not
listed.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from errdex.link.function_bodies import Body, BodyTable, Handlers, Reach
from errdex.link.known_arguments import Instance, Known, bind, literal_of, rules_out, rules_out_site
from errdex.link.names import Meaning, NameTable
from errdex.link.package import Package
from errdex.link.value_classes import FunctionNode, ValueTable, dotted_text, first_parameter, is_property
from errdex.model.site import CallStep, ThrowSite

MAX_DEPTH = 8
MAX_FUNCTIONS = 1_000
MAX_FILES = 400
MAX_CALL_CHARACTERS = 200
MAX_CANDIDATES = 5

_LEAVES = frozenset({"raise", "helper", "exit", "http"})
_HARMLESS_DECORATORS = frozenset(
    {
        "property",
        "staticmethod",
        "classmethod",
        "cached_property",
        "abstractmethod",
        "overload",
        "override",
        "final",
    }
    | {
        "lru_cache",
        "cache",
        "wraps",
        "contextmanager",
        "asynccontextmanager",
        "singledispatch",
        "setter",
        "getter",
    }
    | {"deleter", "total_ordering", "dataclass", "deprecated", "runtime_checkable"}
)
_BUILTIN_METHODS = frozenset(
    {"read", "write", "close", "flush", "seek", "readline"}.union(
        *(dir(one) for one in (str, bytes, list, dict, set, tuple, object))
    )
)
"""On a value of unknown class such a call is most likely one of a container, a text or a file: not listed."""
_EVERYTHING = frozenset({"*", "BaseException"})


class ReachableError(msgspec.Struct, frozen=True, kw_only=True):
    """One site that the call reaches."""

    site: ThrowSite
    chain: tuple[CallStep, ...]
    """The calls from the entry to the function that holds the site; empty when that is the entry itself."""
    certain: bool
    """False where a step rests on an annotation, on a decorator's good behaviour or on a generator being iterated."""


class UncertainCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call on the way whose target is not known."""

    text: str
    path: str
    line: int
    caller: str
    """Qualified name of the function that makes it."""
    why: str
    candidates: tuple[str, ...] = ()
    """Where the method is abstract: the package's classes that implement it."""


class ErrorsOf(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the errors of one callable."""

    entry: str
    path: str
    line: int
    errors: tuple[ReachableError, ...]
    """Shortest chain first, then by place."""
    uncertain: tuple[UncertainCall, ...]
    is_whole: bool
    """False when the walk stopped at its limits."""


class _Step(msgspec.Struct, frozen=True):
    node: FunctionNode
    chain: tuple[CallStep, ...]
    certain: bool
    caught: frozenset[str]
    known: tuple[tuple[str, Known], ...] = ()
    """Parameters whose value the call itself tells."""


def errors_of(
    package: Package, sites: Iterable[ThrowSite], dotted_name: str, read: Callable[[str], bytes | None]
) -> ErrorsOf | None:
    """Return the errors that a call of `dotted_name` can raise; None if the package has no such callable.

    Args:
        package: The files' names.
        sites: Throw sites of the package.
        dotted_name: As a user imports it: `requests.Session.get`; a class stands for calling it.
        read: Returns a file's bytes as UTF-8; None where it cannot be read.
    """
    walk = _Walk(package, sites, read)
    entry = walk.entry(dotted_name)
    return None if entry is None else walk.run(dotted_name, entry)


class _Walk:
    """One forward walk, breadth first."""

    def __init__(
        self, package: Package, sites: Iterable[ThrowSite], read: Callable[[str], bytes | None]
    ) -> None:
        self.names = NameTable(package)
        self.bodies = BodyTable(read)
        self.values = ValueTable(self.names, self.bodies, self._run_by)
        self._sites: dict[tuple[str, str], list[ThrowSite]] = defaultdict(list)
        self._leading: set[str] = set()
        for site in sites:
            if site.kind in _LEAVES:
                self._sites[site.path, site.callable.name].append(site)
                self._leading.add(site.callable.name.rpartition(".")[2])
                self._leading |= {
                    step.caller.rpartition(".")[2] for entry in site.entry_points for step in entry.chain
                }
        self._errors: dict[tuple[str, int, int, str], ReachableError] = {}
        self._uncertain: dict[tuple[str, int, str], UncertainCall] = {}

    def entry(self, dotted: str) -> list[FunctionNode] | None:
        """Return where a call of a dotted name starts; None if the package has no such callable."""
        meaning = self.names.dotted(dotted)
        if meaning is None:
            return None
        if meaning.kind == "function":
            return [self.values.function_node(meaning)]
        if meaning.kind != "class":
            return None
        owner = Meaning("class", meaning.path, meaning.name)
        if not meaning.rest:
            return list(self.values.constructors(owner))
        node = self.values.method(owner, meaning.rest) if "." not in meaning.rest else None
        return None if node is None else [node]

    def run(self, dotted: str, entries: list[FunctionNode]) -> ErrorsOf:
        """Walk from the entries until nothing new is reached or a limit is met."""
        waiting = deque(_Step(node, (), certain=True, caught=frozenset()) for node in entries)
        seen: dict[FunctionNode, list[tuple[frozenset[str], bool, frozenset[tuple[str, Known]]]]] = (
            defaultdict(list)
        )
        is_whole = True
        while waiting:
            step = waiting.popleft()
            known = frozenset(step.known)
            if any(
                before <= step.caught and certain >= step.certain and given <= known
                for before, certain, given in seen[step.node]
            ):
                continue
            if len(step.chain) > MAX_DEPTH or len(seen) > MAX_FUNCTIONS or self.bodies.size > MAX_FILES:
                is_whole = False
                continue
            seen[step.node].append((step.caught, step.certain, known))
            body = self.bodies.file(step.node.path).body(step.node.name)
            if body is not None:
                self._note_sites(step, body)
                self._note_decorators(step.node, body)
                waiting.extend(self._next(step, body))
        first = entries[0] if entries else None
        body = self.bodies.file(first.path).body(first.name) if first else None
        return ErrorsOf(
            entry=dotted,
            path=first.path if first else "",
            line=body.node.lineno if body else 0,
            errors=tuple(
                sorted(self._errors.values(), key=lambda one: (len(one.chain), one.site.path, one.site.line))
            ),
            uncertain=tuple(
                sorted(self._uncertain.values(), key=lambda call: (call.path, call.line, call.text))
            ),
            is_whole=is_whole,
        )

    def _note_sites(self, step: _Step, body: Body) -> None:
        """Take the function's own sites, those left out that a handler on the way out catches."""
        if body.is_abstract:
            return
        for site in self._sites.get((step.node.path, step.node.name), ()):
            local = body.handlers_at.get(site.line)
            caught = step.caught | (self._caught(step.node.path, local.caught) if local else frozenset())
            if _is_caught(site, caught):
                continue
            is_looped = any(condition.kind in ("for", "while") for condition in site.path_conditions)
            kept = _kept(step, body, None if is_looped else site.line)
            if rules_out_site(site.path_conditions, kept, self.values.is_a(step.node.path)):
                continue
            key = (site.path, site.line, site.column, site.kind)
            known = self._errors.get(key)
            if known is None or (step.certain and not known.certain):
                self._errors[key] = ReachableError(site=site, chain=step.chain, certain=step.certain)

    def _note_decorators(self, node: FunctionNode, body: Body) -> None:
        """Note the package's own decorators that hold sites: what they run before the function is not followed."""
        for decorator in body.node.decorator_list:
            written = self._raising_decorator(node.path, decorator)
            if written is not None:
                self._uncertain.setdefault(
                    ("", 0, written),
                    UncertainCall(
                        text=f"@{_shown(decorator)}",
                        path=node.path,
                        line=decorator.lineno,
                        caller=node.name,
                        why="the decorator may raise before the function runs",
                    ),
                )

    def _raising_decorator(self, path: str, decorator: ast.expr) -> str | None:
        """Return the name of a decorator of the package that holds sites."""
        written = dotted_text(decorator.func if isinstance(decorator, ast.Call) else decorator)
        meaning = self.names.meaning(path, written) if written else None
        if meaning is None or meaning.kind not in ("function", "class"):
            return None
        start = f"{meaning.name}."
        holds = any(
            where == meaning.path and (name == meaning.name or name.startswith(start))
            for where, name in self._sites
        )
        return written if holds else None

    def _is_plain(self, path: str, decorator: ast.expr) -> bool:
        """Tell whether a decorator leaves the call as it is: a well-known one, or the package's own without sites."""
        if _is_harmless(decorator):
            return True
        written = dotted_text(decorator.func if isinstance(decorator, ast.Call) else decorator)
        meaning = self.names.meaning(path, written) if written else None
        is_own = meaning is not None and meaning.kind in ("function", "class")
        return is_own and self._raising_decorator(path, decorator) is None

    def _caught(self, path: str, written: Sequence[str]) -> frozenset[str]:
        """Return the last names of the caught classes; `Exception` stands for all but the few outside it."""
        names = set()
        for name in written:
            found = self.values.classes.resolve(path, name) if name != "*" else None
            names.add((found.name if found is not None else name).rpartition(".")[2])
        return frozenset(names)

    def _next(self, step: _Step, body: Body) -> Iterator[_Step]:
        """Yield the functions that a function's calls and properties lead to."""
        for reach in body.reaches:
            kept = _kept(step, body, reach)
            if kept and rules_out(reach.tests, kept, self.values.is_a(step.node.path)):
                continue
            for node, certain in self._targets(step.node, body, reach):
                reached = self.bodies.file(node.path).body(node.name)
                if reached is None:
                    continue
                if reached.is_abstract:
                    self._abstract(step.node, reach, node)
                    continue
                is_sure = (
                    certain
                    and (reach.is_iterated or not reached.is_generator)
                    and all(self._is_plain(node.path, decorator) for decorator in reached.node.decorator_list)
                )
                call = CallStep(
                    caller=step.node.name,
                    path=step.node.path,
                    line=reach.node.lineno,
                    call=_shown(reach.node),
                )
                yield _Step(
                    node,
                    (*step.chain, call),
                    certain=step.certain and is_sure,
                    caught=step.caught | self._caught(step.node.path, reach.handlers.caught),
                    known=self._given(step, body, reach, node, reached),
                )

    def _given(
        self, step: _Step, body: Body, reach: Reach, node: FunctionNode, reached: Body
    ) -> tuple[tuple[str, Known], ...]:
        """Return what a call tells of the parameters of the function it reaches."""
        if not isinstance(reach.node, ast.Call):
            return ()
        kept = _kept(step, body, reach)

        def value_of(argument: ast.expr) -> Known | None:
            if isinstance(argument, ast.Name) and argument.id in kept:
                return kept[argument.id]
            value = self.values.value(step.node, body, argument)
            if value is not None:
                return None if value.is_class else Instance(value.meaning)
            return literal_of(argument)

        is_bound = node.receiver is not None and first_parameter(reached.node) is not None
        known = bind(reach.node, reached.node.args, skip_first=is_bound, value_of=value_of)
        return tuple(sorted(known.items(), key=lambda item: item[0]))

    def _targets(self, node: FunctionNode, body: Body, reach: Reach) -> Iterator[tuple[FunctionNode, bool]]:
        """Yield what one reach runs, each with whether that is certain; note it as uncertain if nobody can tell."""
        if not reach.is_call:
            yield from self._property(node, body, reach.target)
            return
        target = reach.target
        if isinstance(target, ast.Name):
            yield from self._named(node, body, reach, target.id)
        elif isinstance(target, ast.Attribute):
            yield from self._attribute_call(node, body, reach, target)

    def _run_by(self, node: FunctionNode, body: Body, target: ast.expr) -> list[FunctionNode]:
        """Return what a call of `target` would run, without noting what is uncertain about it."""
        before = dict(self._uncertain)
        reach = Reach(target, target, is_call=True, handlers=Handlers(), is_iterated=False)
        found = [one for one, _ in self._targets(node, body, reach)]
        self._uncertain = before
        return found

    def _named(
        self, node: FunctionNode, body: Body, reach: Reach, name: str
    ) -> Iterator[tuple[FunctionNode, bool]]:
        nested = self.values.nested(node, name)
        if nested is not None:
            yield nested, True
            return
        if name in body.parameters:
            self._note_uncertain(node, reach, f"`{name}` is a parameter: the caller decides what runs")
            return
        if name in body.types:
            value = self.values.value(node, body, ast.Name(id=name, ctx=ast.Load()))
            if value is not None and value.is_class:
                yield from ((one, value.certain) for one in self.values.constructors(value.meaning))
            return
        meaning = self.names.meaning(node.path, name)
        if meaning is not None:
            yield from ((one, True) for one in self.values.called(meaning))

    def _attribute_call(
        self, node: FunctionNode, body: Body, reach: Reach, target: ast.Attribute
    ) -> Iterator[tuple[FunctionNode, bool]]:
        base, name = target.value, target.attr
        if isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super":
            found = self.values.super_method(node, name)
            if found is not None:
                yield found, True
            return
        value = self.values.value(node, body, base)
        if value is not None:
            found = self.values.method(value.meaning, name)
            if found is not None:
                yield found, value.certain
            elif not self.values.is_outside(value.meaning):
                self._note_uncertain(node, reach, f"`{name}` is set at run time on `{value.meaning.name}`")
            return
        written = dotted_text(target)
        if written and not self.values.is_local(body, written.partition(".")[0]):
            meaning = self.names.meaning(node.path, written)
            if meaning is not None and meaning.kind in ("function", "class"):
                yield from ((one, True) for one in self.values.called(meaning))
                return
            if meaning is not None and meaning.kind in ("external", "builtin", "module"):
                return
        self._note_uncertain(node, reach, f"the class of `{_shown(base)}` is not known here")

    def _property(
        self, node: FunctionNode, body: Body, target: ast.expr
    ) -> Iterator[tuple[FunctionNode, bool]]:
        if not isinstance(target, ast.Attribute):
            return
        value = self.values.value(node, body, target.value)
        if value is None or value.is_class:
            return
        found = self.values.method(value.meaning, target.attr)
        reached = self.bodies.file(found.path).body(found.name) if found is not None else None
        if found is not None and reached is not None and any(map(is_property, reached.node.decorator_list)):
            yield found, value.certain

    def _abstract(self, node: FunctionNode, reach: Reach, target: FunctionNode) -> None:
        """Note a call of a method that only subclasses implement, with those of the package that do."""
        owner, _, name = target.name.rpartition(".")
        candidates = [
            f"{heir.name}.{name}"
            for heir in self.values.heirs(Meaning("class", target.path, owner))
            if self.bodies.file(heir.path).has(f"{heir.name}.{name}")
        ]
        why = f"`{target.name}` is abstract: the subclass decides what runs"
        self._note_uncertain(node, reach, why, tuple(candidates[:MAX_CANDIDATES]), always=True)

    def _note_uncertain(
        self,
        node: FunctionNode,
        reach: Reach,
        why: str,
        candidates: tuple[str, ...] = (),
        *,
        always: bool = False,
    ) -> None:
        """Keep a call whose target is not known, if a method of that name leads to an error in this package."""
        target = reach.target
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        is_callback = isinstance(target, ast.Name)
        if not always and not is_callback and (name not in self._leading or name in _BUILTIN_METHODS):
            return
        text = _shown(reach.node)
        key = (node.path, reach.node.lineno, text)
        self._uncertain.setdefault(
            key,
            UncertainCall(
                text=text,
                path=node.path,
                line=reach.node.lineno,
                caller=node.name,
                why=why,
                candidates=candidates,
            ),
        )


def _kept(step: _Step, body: Body, place: Reach | int | None) -> dict[str, Known]:
    """Return what is known of the parameters at a place: those assigned before it, or in a loop with it, are not."""
    if isinstance(place, Reach):
        line = None if any(test.is_loop for test in place.tests) else place.node.lineno
    else:
        line = place
    return {
        name: value
        for name, value in step.known
        if name not in body.assigned or (line is not None and line < body.assigned[name])
    }


def _is_caught(site: ThrowSite, caught: frozenset[str]) -> bool:
    """Tell whether handlers on the way out catch a site's class; one of unknown class escapes all but `except:`."""
    if caught & _EVERYTHING:
        return True
    if not caught or site.error_class is None:
        return "Exception" in caught
    names = {site.error_class.rpartition(".")[2], *(base.rpartition(".")[2] for base in site.bases)}
    outside = names & {"SystemExit", "KeyboardInterrupt", "GeneratorExit"}
    return bool(names & caught) or ("Exception" in caught and not outside)


def _is_harmless(decorator: ast.expr) -> bool:
    """Tell whether a decorator leaves the call as it is."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return dotted_text(target).rpartition(".")[2] in _HARMLESS_DECORATORS


def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= MAX_CALL_CHARACTERS else text[: MAX_CALL_CHARACTERS - 1] + "…"
