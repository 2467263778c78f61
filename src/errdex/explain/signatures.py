"""Calls that bind: what to import, what to call, with every required argument."""

from __future__ import annotations

import ast
import keyword
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from errdex.explain.facts import Facts
from errdex.explain.imports import is_importable
from errdex.model.site import EntryPoint, Parameter

LINE = 88
"""Longest line of generated code before a call is broken over several."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something a reader can import and call."""

    name: str
    """The last part of its name: `send`."""
    imports: str
    """`from requests import Session`."""
    head: str
    """What stands before the parenthesis: `session.send`, `get`, `Session`."""
    parameters: tuple[Parameter, ...]
    instance: tuple[str, str] | None
    """Placeholder and class of the object a method needs: `("session", "Session")`."""
    is_async: bool
    is_own: bool
    """Whether it is the callable that holds the site, so that the guard's parameters are its own."""

    def arguments(self, given: Mapping[str, str], also: Iterable[str] = ()) -> list[str] | None:
        """Return the arguments of a call: every required one, and those of `also`; None where that cannot be said.

        `given` replaces the placeholder of a parameter by an expression.
        """
        wanted = set(also) | set(given)
        pieces: list[str] = []
        by_name = False
        for parameter in self.parameters:
            if parameter.kind in {"var-positional", "var-keyword"}:
                by_name = by_name or parameter.kind == "var-positional"
                continue
            if parameter.default is not None and parameter.name not in wanted:
                by_name = True
                continue
            value = given.get(parameter.name, parameter.name)
            if parameter.kind == "positional-only" and by_name:
                return None
            named = by_name or parameter.kind == "keyword-only" or parameter.name in given
            by_name = by_name or named
            pieces.append(
                f"{parameter.name}={value}" if named and parameter.kind != "positional-only" else value
            )
        return pieces

    def placeholders(self, given: Mapping[str, str], also: Iterable[str] = ()) -> list[str]:
        """Return the names that a block around the call must define."""
        wanted = set(also) | set(given)
        names = [self.instance[0]] if self.instance else []
        for parameter in self.parameters:
            if (
                parameter.kind in {"var-positional", "var-keyword"}
                or given.get(parameter.name, parameter.name) != parameter.name
            ):
                continue
            if parameter.default is None or parameter.name in wanted:
                names.append(parameter.name)
        return names

    def call(self, arguments: list[str], prefix: str, indent: int) -> str:
        """Return `prefix head(arguments)` indented, broken over lines where it is long."""
        pad = " " * indent
        line = f"{pad}{prefix}{self.head}({', '.join(arguments)})"
        if len(line) <= LINE or not arguments:
            return line
        body = textwrap.fill(
            ", ".join(arguments) + ",", LINE, initial_indent=pad + "    ", subsequent_indent=pad + "    ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        return f"{pad}{prefix}{self.head}(\n{body}\n{pad})"


def target_of(facts: Facts) -> Target | None:
    """Return what a reader calls to get to the site: the callable itself, else its nearest entry point."""
    callable_ = facts.site.callable
    if callable_.import_name and callable_.is_public:
        own = _target(
            callable_.import_name,
            callable_.name,
            callable_.parameters,
            callable_.kind,
            is_async=callable_.is_async,
            is_own=True,
        )
        if own is not None:
            return own
    for entry in facts.site.entry_points:
        if entry.chain:
            reached = _entry_target(entry, facts)
            if reached is not None:
                return reached
    return None


def _entry_target(entry: EntryPoint, facts: Facts) -> Target | None:
    """Return the target of an entry point, read where it is defined; None where that is no plain function or method."""
    parameters = parameters_of(entry.signature)
    caller = entry.chain[0].caller
    head = _head(facts.context.source_lines(entry.path), entry.line, caller.rpartition(".")[2])
    if parameters is None or head is None:
        return None
    is_async, decorators = head
    known: Kind = "method" if "." in caller else "function"
    for decorator in decorators:
        if decorator in {"classmethod", "staticmethod"}:
            known = "classmethod" if decorator == "classmethod" else "staticmethod"
        elif decorator != "override":  # a property, a context manager, a command: called in another way
            return None
    return _target(entry.name, caller, parameters, known, is_async=is_async, is_own=False)


_HEAD_LINES = 12


def _head(lines: Sequence[str], line: int, name: str) -> tuple[bool, list[str]] | None:
    """Return whether the function at `line` is async, and its decorators; None where it is not there."""
    decorators: list[str] = []
    for text in lines[max(0, line - 1) : line + _HEAD_LINES]:
        stripped = text.strip()
        if stripped.startswith("@"):
            decorators.append(stripped[1:].partition("(")[0].rpartition(".")[2])
        found = re.match(r"(async\s+)?def\s+(\w+)", stripped)
        if found:
            above = _decorators_above(lines, line)
            return (bool(found[1]), decorators or above) if found[2] == name else None
        if stripped.startswith("class "):
            return (False, [])
    return None


def _decorators_above(lines: Sequence[str], line: int) -> list[str]:
    found: list[str] = []
    for number in range(line - 2, -1, -1):
        stripped = lines[number].strip()
        if not stripped.startswith("@"):
            break
        found.append(stripped[1:].partition("(")[0].rpartition(".")[2])
    return found


Kind = Literal["module", "function", "method", "classmethod", "staticmethod", "property", "class"]


def _target(
    dotted: str,
    qualified: str,
    parameters: tuple[Parameter, ...],
    kind: Kind,
    *,
    is_async: bool,
    is_own: bool,
) -> Target | None:
    """Return the target `dotted`, whose last parts are its name within the module; None for what cannot be called plainly."""
    parts = dotted.split(".")
    inside = qualified.split(".")
    if (
        len(parts) <= len(inside)
        or parts[-len(inside) :] != inside
        or len(inside) > 2
        or "<locals>" in qualified
    ):
        return None
    module, last = ".".join(parts[: -len(inside)]), inside[-1]
    if not is_importable(dotted):
        return None  # a script whose file name is no module's
    whole = Target(
        name=last,
        imports=f"from {module} import {inside[0]}",
        head=last,
        parameters=parameters,
        instance=None,
        is_async=is_async,
        is_own=is_own,
    )
    if len(inside) == 1:
        return whole if kind in {"function", "class"} else None
    return _member(whole, inside[0], kind)


MAX_INSTANCE = 24
"""A class of a longer name gives its instance no name."""


def _member(target: Target, owner: str, kind: str) -> Target | None:
    """Return a target within the class `owner`."""
    last = target.name
    if last in {"__init__", "__new__"}:
        return replace(target, name=owner, head=owner)
    if kind == "property" or last.startswith("_"):
        return None
    if kind in {"classmethod", "staticmethod"}:
        return replace(target, head=f"{owner}.{last}")
    instance = snake(owner) if len(owner) <= MAX_INSTANCE else "instance"
    if any(parameter.name == instance for parameter in target.parameters):
        instance = f"the_{instance}"
    return replace(target, head=f"{instance}.{last}", instance=(instance, owner))


@lru_cache(maxsize=4_000)
def snake(name: str) -> str:
    """Return `HTTPAdapter` as `http_adapter`, never a keyword."""
    words = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*", name)
    text = "_".join(words).lower() or "value"
    return (
        text if text.isidentifier() and not keyword.iskeyword(text) and text not in _SHADOWING else f"{text}_"
    )


_SHADOWING = frozenset(("list", "dict", "set", "type", "object", "str", "int", "tuple"))


@lru_cache(maxsize=8_000)
def parameters_of(signature: str) -> tuple[Parameter, ...] | None:
    """Read `(url, params=None, **kwargs)`; None where it is no signature (cut, or not Python)."""
    head = signature.strip()
    try:
        tree = ast.parse(f"def _{head}: ...")
    except (SyntaxError, ValueError):
        return None
    function = tree.body[0]
    return tuple(_parameters(function.args)) if isinstance(function, ast.FunctionDef) else None


def _parameters(args: ast.arguments) -> Iterator[Parameter]:
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    defaults += args.defaults
    for index, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
        kind = "positional-only" if index < len(args.posonlyargs) else "positional-or-keyword"
        if not (index == 0 and arg.arg in {"self", "cls"}):
            yield _parameter(arg, kind, default)
    if args.vararg:
        yield _parameter(args.vararg, "var-positional", None)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _parameter(arg, "keyword-only", default)
    if args.kwarg:
        yield _parameter(args.kwarg, "var-keyword", None)


def _parameter(arg: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
    return Parameter(
        name=arg.arg,
        kind=kind,  # type: ignore[arg-type]  # one of the five kinds above
        annotation=ast.unparse(arg.annotation) if arg.annotation else None,
        default=ast.unparse(default) if default is not None else None,
    )
