"""What families and narrative read of a site, worked out once and only when asked for."""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from errdex.explain.message import ADJECTIVES, PHRASES, claimed_text
from errdex.explain.names import Names
from errdex.explain.source_text import NAME, encloses, handler_around, is_rebound, tried_expression
from errdex.syntax.logic import Test, Tree, parse, read_expression, tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errdex.explain.interface import Context
    from errdex.model.site import Condition, MessageTemplate, ThrowSite

_WORD = re.compile(r"[a-z][a-z0-9]*(?:'[a-z]+)?")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")


@dataclass(eq=False)
class Facts:
    """One site, seen as families see it."""

    site: ThrowSite
    template: MessageTemplate | None
    context: Context
    trees: dict[int, Tree] = field(default_factory=dict)
    """Trees of the path's conditions, by identity: several keys ask for each."""
    told_conditions: str | None = None
    """The path in words, once `documentation` has told it: three keys repeat it."""
    held_of: int = 0
    """How many phrases were known when `held` was worked out."""
    held: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """The known phrases that the message claims, and those that it holds."""

    @cached_property
    def message(self) -> str:
        """The literal words of the message, lower case; a hole is one space. Empty without words."""
        if self.template is None:
            return ""
        text = " ".join(part for part in self.template.parts if isinstance(part, str)).lower()
        return _OPEN.sub("", text) if "whether" in text else text

    @cached_property
    def claimed(self) -> str:
        """What the message says of its subject, lower case: no names, no circumstances (`message.claimed_text`)."""
        if self.template is None:
            return ""
        return claimed_text("".join(part if isinstance(part, str) else "\0" for part in self.template.parts))

    @cached_property
    def words(self) -> frozenset[str]:
        """The single words of `message`."""
        return frozenset(_WORD.findall(self.message))

    @cached_property
    def claimed_words(self) -> frozenset[str]:
        """The single words of `claimed`."""
        return frozenset(_WORD.findall(self.claimed))

    @cached_property
    def runs_as_program(self) -> bool:
        """Whether the site stands under `if __name__ == "__main__"`: what a module does when it is run, often a demonstration."""
        return any("__main__" in condition.text for condition in self.site.path_conditions)

    @cached_property
    def spoken_names(self) -> frozenset[str]:
        """Every identifier in the message, holes included, lower case."""
        return (
            frozenset(re.findall(r"[a-z_]\w*", self.template.text.lower())) if self.template else frozenset()
        )

    @cached_property
    def classes(self) -> frozenset[str]:
        """Last names of the class and of its ancestors."""
        return frozenset((*self.own_names, *self.ancestors))

    @cached_property
    def own_names(self) -> tuple[str, ...]:
        """The class's own last name: as it is imported, as it is written where that is not known."""
        name = self.site.error_class or self.site.class_written
        return (name.rpartition(".")[2],) if name else ()

    @cached_property
    def ancestors(self) -> tuple[str, ...]:
        """Last names of the class's ancestors, nearest first."""
        return tuple(name.rpartition(".")[2] for name in self.site.bases)

    @cached_property
    def class_name(self) -> str:
        """The class's own last name, `Exception` where it is unknown."""
        return (self.site.error_class or self.site.class_written or "Exception").rpartition(".")[2]

    @cached_property
    def class_words(self) -> frozenset[str]:
        """The words of the class's own name: `ConnectTimeout` → `connect`, `timeout`; builtins say nothing here."""
        if self.class_name in _BUILTIN_CLASSES:
            return frozenset()
        words = frozenset(word.lower() for word in _CAMEL.findall(self.class_name)) - {"error", "exception"}
        package = self.context.package.lower()
        return frozenset(word for word in words if word not in package)  # `NetworkXError` is about no network

    @cached_property
    def class_claims(self) -> frozenset[str]:
        """Those of `class_words` that say what happened: of `InvalidProxyURL`, `invalid`; empty for `ProxyError`."""
        names = [word.lower() for word in _CAMEL.findall(self.class_name)]
        ending = next((word for word in reversed(names) if word not in {"error", "exception", "warning"}), "")
        return self.class_words & (_HAPPENED | ({ending} & _EVENTS))

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The words of the enclosing callable's own name."""
        return frozenset(word.lower() for word in _CAMEL.findall(self.site.callable.name.rpartition(".")[2]))

    @cached_property
    def tree(self) -> Tree | None:
        """The guard; None when the statement always runs."""
        guard = self.site.guard
        if guard is None or guard.text in _ALWAYS or "__main__" in guard.text:
            return None
        return self.tree_of(guard)

    def tree_of(self, condition: Condition) -> Tree:
        """Return what holds when `condition`, one of the site's own, leads on."""
        known = self.trees.get(id(condition))
        if known is None:
            known = self.trees[id(condition)] = condition_tree(condition, self.context, self.site)
        return known

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """The guard's single tests, elements' tests included."""
        return tuple(tests(self.tree))

    @cached_property
    def deciding(self) -> tuple[Test, ...]:
        """The guard's tests without those that only ask whether something is there or switched on, if any are left."""
        found = tuple(
            test
            for test in self.tests
            if test.relation not in _PRESENCE or (test.relation in {"true", "false"} and "(" in test.subject)
        )
        return found or self.tests

    @cached_property
    def hands_on(self) -> bool:
        """Whether the statement raises an error that was made elsewhere and kept (`raise self._exception`)."""
        site = self.site
        return self.template is None and site.kind == "raise" and site.error_class is None and not site.caught

    @cached_property
    def caught(self) -> frozenset[str]:
        """Last names of the classes whose handling the site stands in."""
        caught = self.site.caught or self._defined_in or ""
        return frozenset(re.findall(r"(\w+)\s*(?:[,)\]|]|$)", caught))

    @cached_property
    def _defined_in(self) -> str | None:
        """What the handler catches that defines the callable (`except ImportError: def feature(): raise …`)."""
        callable_ = self.site.callable
        if "." in callable_.name or callable_.kind != "function":
            return None
        return handler_around(self.context.source_lines(callable_.path), callable_.line)

    @cached_property
    def guard_encloses(self) -> bool:
        """Whether the site stands in the guard's branch; else the guard is an early exit that was not taken."""
        guard = self.site.guard
        return guard is not None and (
            not guard.negated or encloses(guard, self.site.line, self.context.source_lines(self.site.path))
        )

    def is_plain(self, test: Test) -> bool:
        """Whether a test reads nothing but what the caller knows: parameters, the object, constants, what the message names.

        A call counts as what it is called with: the function is the library's own.
        """
        text = _STRING.sub("", f"{test.subject} {' '.join(test.objects)}")
        names = NAME.findall(_CALLED.sub("(", text))
        return all(
            name in self.parameter_names
            or name in _KNOWN
            or name.lower() in self.spoken_names
            or name.lstrip("_")[:1].isupper()
            for name in names
        )

    @cached_property
    def names(self) -> Names:
        """How the names of the callable are told."""
        return Names(self.site.callable)

    @cached_property
    def parameter_names(self) -> frozenset[str]:
        """All parameters of the enclosing callable."""
        return frozenset(parameter.name for parameter in self.site.callable.parameters)

    @cached_property
    def guard_code(self) -> str:
        """The guard's source with locals inlined; empty without a guard."""
        guard = self.site.guard
        return (guard.inlined or guard.text) if guard else ""

    def says(self, *phrases: str) -> bool:
        """Whether the message claims one of the phrases; one that names a topic counts only where it is claimed."""
        asked = PHRASES.asked.get(phrases) or PHRASES.add(phrases)
        return not self._held[0].isdisjoint(asked)

    def mentions(self, *phrases: str) -> bool:
        """Whether the message holds one of the phrases, be it as its subject only."""
        asked = PHRASES.asked.get(phrases) or PHRASES.add(phrases)
        return not self._held[1].isdisjoint(asked)

    @property
    def _held(self) -> tuple[frozenset[str], frozenset[str]]:
        """Of all phrases ever asked for, those that the message claims, and those that it holds."""
        if self.held_of != len(PHRASES.known):
            self.held_of = len(PHRASES.known)
            held = PHRASES.within(self.message)
            self.held = ((held - PHRASES.topics) | PHRASES.within(self.claimed), held)
        return self.held

    def has_words(self, *words: str) -> bool:
        """Whether the message claims one of the single words."""
        return not self.claimed_words.isdisjoint(words)

    def is_class(self, *names: str) -> bool:
        """Whether the class is, or descends from, one of these names."""
        return not self.classes.isdisjoint(names)

    def tests_with(self, *relations: str) -> Iterator[Test]:
        """Yield the guard's tests of these relations."""
        return (test for test in self.tests if test.relation in relations)

    def reading(self, pattern: str | re.Pattern[str], *relations: str) -> list[Test]:
        """Return the guard's tests whose text `pattern` finds, of these relations (of any, where none is given)."""
        if not self.tests:
            return []
        search = re.compile(pattern).search
        return [
            test
            for test, text in self._test_texts
            if (not relations or test.relation in relations) and search(text) is not None
        ]

    @cached_property
    def _test_texts(self) -> tuple[tuple[Test, str], ...]:
        return tuple((test, f"{test.subject} {' '.join(test.objects)}") for test in self.tests)

    def is_parameter(self, text: str) -> bool:
        """Whether an expression is a parameter of the callable, whole."""
        return text in self.parameter_names

    def reads_parameter(self, text: str) -> bool:
        """Whether an expression starts from a parameter of the callable."""
        return self.names.root_parameter(text) is not None


_PRESENCE = frozenset(("is-none", "not-none", "true", "false", "has"))
_ALWAYS = frozenset(("__debug__", "True"))
"""Guards that hold in every ordinary run."""
_OPEN = re.compile(r"\bwhether\b[^.;,\n]*")
"""What a message leaves open, it does not claim."""
_HAPPENED = ADJECTIVES | frozenset(
    ("found", "exist", "exists", "already", "expired", "closed", "detached", "exceeded", "exhausted", "timed", "denied", "forbidden",
     "refused", "deprecation", "removed", "cancelled", "canceled", "aborted", "interrupted", "revoked", "failed", "stale", "locked",
     "frozen", "readonly", "immutable", "unsafe", "suspicious", "insecure", "circular", "cyclic", "singular", "unreachable",
     "disconnected", "throttled", "throttling", "uninitialized", "unbound", "unfitted")
)  # fmt: skip
"""Words of class names that say what happened, not to what."""
_EVENTS = frozenset(("timeout", "mismatch", "violation", "overflow", "abort"))
"""Nouns that say so at the end of a name: a `TimeoutStateError` speaks of a state."""
_BUILTIN_CLASSES = frozenset(
    ("Exception", "BaseException", "ValueError", "TypeError", "RuntimeError", "KeyError", "IndexError", "LookupError",
     "AttributeError", "OSError", "IOError", "ArithmeticError", "AssertionError", "Warning", "UserWarning", "SystemExit")
)  # fmt: skip
"""Builtins too general to tell a kind of failure by name."""


def condition_tree(condition: Condition, context: Context, site: ThrowSite) -> Tree:
    """Return what holds when `condition` leads on, as a tree."""
    if condition.kind == "except":
        classes = tuple(re.findall(r"[\w.]+", condition.text))
        tried = tried_expression(context.source_lines(site.path), condition.line)
        return Test("returns" if condition.negated else "raises", tried, classes)
    if condition.kind == "for":
        return Test("each", condition.text)
    if condition.kind in {"with", "match", "try-else"}:
        return Test("false" if condition.negated else "true", " ".join(condition.text.split()))
    return read_expression(condition_text(condition, context, site), negated=condition.negated)


def condition_text(condition: Condition, context: Context, site: ThrowSite) -> str:
    """Return the tested expression, locals inlined where each has one value only."""
    inlined = condition.inlined
    if not inlined or parse(inlined) is None:
        return condition.text
    if any(empty in inlined and empty not in condition.text for empty in _EMPTY):
        return condition.text  # a container that is filled on the way
    replaced = set(NAME.findall(condition.text)) - set(NAME.findall(inlined))
    if not replaced:
        return inlined
    body = context.source_lines(site.path)[site.callable.line - 1 : site.callable.end_line]
    return condition.text if any(is_rebound(name, body) for name in replaced) else inlined


_EMPTY = ("{}", "[]", "set()", "dict()", "list()", "''", '""', "b''")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_CALLED = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\(")
_KNOWN = frozenset(dir(builtins)) | {
    "torch",
    "pd",
    "mx",
    "jnp",
    "jax",
    "tf",
    "math",
    "re",
    "self",
    "cls",
    "sys",
    "os",
    "np",
    "exact",
    "not",
    "is",
    "and",
    "or",
    "in",
    "if",
    "else",
    "for",
    "lambda",
}
