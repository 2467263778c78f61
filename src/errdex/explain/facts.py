"""What families and narrative read of a site, worked out once and only when asked for."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from errdex.explain.names import Names
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

    @cached_property
    def message(self) -> str:
        """The literal words of the message, lower case; a hole is one space. Empty without words."""
        if self.template is None:
            return ""
        return " ".join(part for part in self.template.parts if isinstance(part, str)).lower()

    @cached_property
    def words(self) -> frozenset[str]:
        """The single words of `message`."""
        return frozenset(_WORD.findall(self.message))

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
        site = self.site
        names = (site.error_class, site.class_written, *site.bases)
        return frozenset(name.rpartition(".")[2] for name in names if name)

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
    def caught(self) -> frozenset[str]:
        """Last names of the classes whose handling the site stands in."""
        return frozenset(re.findall(r"(\w+)\s*(?:[,)\]|]|$)", self.site.caught or ""))

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
        """Whether the message holds one of the phrases."""
        anchors, short = _anchors(phrases)
        message = self.message
        if not self.grams.isdisjoint(anchors) and any(phrase in message for phrase in phrases):
            return True
        return any(phrase in message for phrase in short) if short else False

    @cached_property
    def grams(self) -> frozenset[str]:
        """Every run of `GRAM` characters of the message."""
        message = self.message
        return frozenset(message[at : at + GRAM] for at in range(len(message) - GRAM + 1))

    def has_words(self, *words: str) -> bool:
        """Whether the message holds one of the single words."""
        return not self.words.isdisjoint(words)

    def is_class(self, *names: str) -> bool:
        """Whether the class is, or descends from, one of these names."""
        return not self.classes.isdisjoint(names)

    def class_says(self, *words: str) -> bool:
        """Whether the class's own name holds one of these words."""
        return not self.class_words.isdisjoint(words)

    def tests_with(self, *relations: str) -> Iterator[Test]:
        """Yield the guard's tests of these relations."""
        return (test for test in self.tests if test.relation in relations)

    def is_parameter(self, text: str) -> bool:
        """Whether an expression is a parameter of the callable, whole."""
        return text in self.parameter_names

    def reads_parameter(self, text: str) -> bool:
        """Whether an expression starts from a parameter of the callable."""
        return self.names.root_parameter(text) is not None


GRAM = 4
"""Characters that a phrase and a message must share, at least, for the phrase to be in the message."""


@lru_cache(maxsize=1_000)
def _anchors(phrases: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the rarest run of `GRAM` characters of each phrase, and the phrases that are shorter.

    The question is asked of every site 80 times; nearly always no run is in the message, and one set operation
    says so.
    """
    long = [phrase for phrase in phrases if len(phrase) >= GRAM]
    return frozenset(map(_rarest, long)), tuple(phrase for phrase in phrases if len(phrase) < GRAM)


_COMMON_FIRST = " etaionsrhldcumfpgwybvkxjqz"
"""Letters by how often English uses them; what is not among them is rarer."""


def _rarest(phrase: str) -> str:
    runs = (phrase[at : at + GRAM] for at in range(len(phrase) - GRAM + 1))
    return max(runs, key=lambda run: sum(_COMMON_FIRST.find(letter) % len(_COMMON_FIRST) for letter in run))


_ALWAYS = frozenset(("__debug__", "True"))
"""Guards that hold in every ordinary run."""
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
    replaced = set(_NAME.findall(condition.text)) - set(_NAME.findall(inlined))
    if not replaced:
        return inlined
    body = context.source_lines(site.path)[site.callable.line - 1 : site.callable.end_line]
    return condition.text if any(_is_rebound(name, body) for name in replaced) else inlined


_EMPTY = ("{}", "[]", "set()", "dict()", "list()", "''", '""', "b''")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def _is_rebound(name: str, body: Sequence[str]) -> bool:
    """Whether a local is assigned more than once, in a loop or by `+=`, or filled later: its first value is not its value."""
    bound = 0
    for line in body:
        if name not in line:
            continue
        text = line.partition("#")[0]
        if any(name in pattern.findall(text) for pattern in _CHANGED):
            return True
        if any(name in _NAME.findall(targets) for targets in _LOOPED.findall(text)):
            return True
        bound += any(name in _NAME.findall(targets) for targets in _ASSIGNED.findall(text))
    return bound > 1


_CHANGED = (
    re.compile(r"([A-Za-z_]\w*)\s*(?:[-+*/%|&^@]|//|>>|<<|\*\*)=(?!=)"),
    re.compile(r"([A-Za-z_]\w*)\[[^\]]*\]\s*[-+*/|&]?=(?!=)"),
    re.compile(
        r"([A-Za-z_]\w*)\.(?:append|add|extend|update|insert|pop|remove|clear|discard|setdefault|popleft|appendleft)\("
    ),
    re.compile(r"\bas ([A-Za-z_]\w*)"),
)
"""What changes a local after its assignment, as text of one line."""
_LOOPED = re.compile(r"\bfor\b(.*?)\bin\b")
_ASSIGNED = re.compile(r"^\s*([A-Za-z_][\w\s,.*()\[\]:|]*?)(?<![=!<>:+\-*/%&|^@])=(?!=)")
"""The targets of an assignment; its annotation may be among them."""
_TRY_LINES = 12
"""A `try` body longer than this is not quoted, so looking further up is of no use."""


def tried_expression(lines: Sequence[str], except_line: int) -> str:
    """Return the one expression that the `try` of the handler at `except_line` evaluates, else an empty text."""
    if not 0 < except_line <= len(lines):
        return ""
    indent = _indent(lines[except_line - 1])
    body: list[str] = []
    for number in range(except_line - 1, max(0, except_line - _TRY_LINES), -1):
        line = lines[number - 1]
        if line.strip() and _indent(line) <= indent:
            return _single("\n".join(reversed(body))) if line.strip() == "try:" else ""
        body.append(line)
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=4_000)
def _single(body: str) -> str:
    """Return what a body of one statement evaluates: its right-hand side, an import whole; empty for other bodies."""
    text = textwrap.dedent(body).strip()
    if not text or len(text) > 160:
        return ""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError):
        return ""
    match statements:
        case [ast.Import() | ast.ImportFrom() as imported]:
            return ast.unparse(imported)
        case [
            ast.Assign(value=value)
            | ast.Return(value=ast.expr() as value)
            | ast.Expr(value=value)
            | ast.AnnAssign(value=ast.expr() as value)
            | ast.AugAssign(value=value)
        ]:
            return ast.unparse(value.value if isinstance(value, ast.Await) else value)
    return ""
