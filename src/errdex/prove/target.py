"""What a run must show to count as the site's error, and what our own reading of the file says of it."""

from __future__ import annotations

import ast
import dis
import hashlib
import re
from collections.abc import Iterator
from types import CodeType

import msgspec

from errdex.model.functions import function_span, functions_around, parsed
from errdex.model.site import Hole, MessageTemplate, ThrowSite
from errdex.prove.observation import ErrorSeen, Observation

_RAISES_BY_CALL = frozenset({"exit", "helper", "http"})

_NOT_RAISED = re.compile(r"exceptions must derive from|exception causes must derive from")
"""What the interpreter says of a `raise` that has nothing to raise: at the site, but never the site's error."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """One throw site as the prover aims at it."""

    inside: str
    """The file, as the code under proof sees it (`/site/requests/models.py`)."""
    first: int
    """First line of the enclosing function, decorators included; 1 at module level."""
    last: int
    line: int
    end_line: int
    class_name: str | None
    """Last part of the error's class; None where the source does not tell."""
    patterns: tuple[str, ...]
    """Regular expressions, one a wording; empty where the source gives no words."""
    by_call: bool
    """Whether a call raises (`sys.exit`, a helper), not a `raise` statement of the site's own."""
    digests: frozenset[str]
    """Byte code of the file's functions that hold the line, as our own compiler makes it."""
    imports: tuple[str, ...]
    """Modules that the function around the line imports."""

    def is_hit_by(self, error: ErrorSeen | None) -> bool:
        """Whether `error` is this site's: its class, its words, its very statement."""
        if error is None or error.timeout or not self._names(error) or _NOT_RAISED.match(error.text):
            return False
        return self._is_at_line(error) and self.says(error)

    def says(self, error: ErrorSeen) -> bool:
        """Whether the message is one of the site's wordings."""
        if not self.patterns:
            return True
        return any(self.renders(text) for text in (error.text, *error.words))

    def renders(self, text: str) -> bool:
        """Whether a text is one of the site's wordings; that of a `KeyError` is the repr of it."""
        texts = [text, _unquoted(text)] if self.class_name != "SystemExit" else [text]
        return any(re.fullmatch(pattern, each, re.DOTALL) for pattern in self.patterns for each in texts)

    def _names(self, error: ErrorSeen) -> bool:
        return self.class_name is None or error.name.rpartition(".")[2] == self.class_name

    def _is_at_line(self, error: ErrorSeen) -> bool:
        if not error.frames:
            return False
        if not self.by_call:
            last = error.frames[-1]
            return last.raises and self._is_here(last.path, last.line, last.digest)
        return any(self._is_here(each.path, each.line, each.digest) for each in error.frames)

    def _is_here(self, path: str, line: int, digest: str) -> bool:
        return path == self.inside and self.line <= line <= self.end_line and digest in self.digests

    def is_reached_by(self, seen: Observation) -> bool:
        """Whether the raising statement ran at all."""
        return any(self.line <= line <= self.end_line for line in seen.lines)


def make_target(site: ThrowSite, source: str, inside: str, template: MessageTemplate | None = None) -> Target:
    """Return the target for `site`, or for one of its wordings, in the file with this source."""
    name = site.error_class or site.class_written
    first, last = function_span(source, site.line)
    templates = (template,) if template is not None else site.templates
    return Target(
        inside=inside,
        first=first,
        last=last,
        line=site.line,
        end_line=max(site.end_line, site.line),
        class_name=_class_name(site, name),
        patterns=tuple(pattern_of(each) for each in templates),
        by_call=site.kind in _RAISES_BY_CALL,
        digests=frozenset(_all_digests(source, inside, site.line)),
        imports=tuple(_imports(source, site.line)),
    )


def _imports(source: str, line: int) -> Iterator[str]:
    for function in functions_around(parsed(source), line)[:1]:
        for node in ast.walk(function):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                yield node.module


def _class_name(site: ThrowSite, name: str | None) -> str | None:
    if site.kind == "exit" and name is None:
        return "SystemExit"
    if name is None or not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return None
    last = name.rpartition(".")[2]
    if site.error_class is None and not last[:1].isupper():  # a variable, or what a function returns
        return None
    return last


def pattern_of(template: MessageTemplate) -> str:
    """Return a regular expression for every message that the template renders; holes may be empty."""
    return "".join("(.*)" if isinstance(part, Hole) else re.escape(part) for part in template.parts)


def _unquoted(text: str) -> str:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, str) else text


def _all_digests(source: str, inside: str, line: int) -> Iterator[str]:
    """Yield the digests of the code at a line, compiled whole and, as a slice is, statement by statement.

    They differ: calls on names that the same module imports are compiled otherwise.
    """
    tree = parsed(source)
    yield from _digests(compile(tree, inside, "exec", dont_inherit=True), line)
    for statement in tree.body:
        if statement.lineno <= line <= (statement.end_lineno or 0):
            yield from _digests(compile(ast.Module([statement], []), inside, "exec", dont_inherit=True), line)


def _digests(code: CodeType, line: int) -> Iterator[str]:
    lines = [number for _, number in dis.findlinestarts(code) if number is not None]
    if lines and min(lines) <= line <= max(lines):
        yield hashlib.sha256(code.co_code).hexdigest()[:16]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _digests(constant, line)
