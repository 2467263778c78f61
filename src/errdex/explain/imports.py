"""Where the free names of an expression come from, so that copied code can import them."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from errdex.explain.facts import Facts
from errdex.syntax.logic import parse

_BUILTINS = frozenset(dir(builtins))


_CHANGING = frozenset(
    ("read", "readline", "readlines", "recv", "next", "send", "pop", "popitem", "popleft", "append", "add", "remove", "discard", "write", "seek",
     "close", "acquire", "release", "open", "input", "iter", "update", "clear", "setdefault", "execute", "fetchone", "connect", "wait", "get_nowait",
     "put", "run", "call", "load", "loads", "parse", "start", "exec", "eval", "print")
)  # fmt: skip
"""Calls that change something, or cost much: a check before the call must not make them."""


@lru_cache(maxsize=8_000)
def free_names(text: str) -> tuple[str, ...] | None:
    """Return the names an expression reads, comprehension variables left out; None for code that cannot be moved."""
    node = parse(text)
    if node is None:
        return None
    bound: set[str] = set()
    read: dict[str, None] = {}
    for child in ast.walk(node):
        match child:
            case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr() | ast.Starred():
                return None
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _CHANGING:
                return None
            case ast.Attribute(attr=attr) if attr.startswith("_") and not attr.endswith("__"):
                return None  # private: not for a caller to read
            case ast.Name(id=name, ctx=ast.Store()):
                bound.add(name)
            case ast.Name(id=name):
                read[name] = None
            case ast.arg(arg=name):
                bound.add(name)
    return tuple(name for name in read if name not in bound)


def imports_for(facts: Facts, names: Sequence[str]) -> list[str] | None:
    """Return the import lines that define `names` outside of the site's file; None where one cannot be imported."""
    known = module_names(facts)
    lines: list[str] = []
    for name in names:
        if name in _BUILTINS and name not in known:
            continue
        line = known.get(name)
        if line is None:
            return None
        lines.append(line)
    return merged(lines)


def merged(lines: Iterable[str]) -> list[str]:
    """Return import lines sorted, those from one module joined."""
    plain: list[str] = []
    names: dict[str, list[str]] = {}
    for line in sorted(set(lines)):
        if line.startswith("from "):
            module, _, name = line[5:].partition(" import ")
            names.setdefault(module, []).append(name)
        else:
            plain.append(line)
    return plain + [f"from {module} import {', '.join(found)}" for module, found in names.items()]


_last: tuple[Sequence[str], str, Mapping[str, str]] | None = None
"""The file read last: sites come file by file, and the lines of a file are one object while it is explained."""


def module_names(facts: Facts) -> Mapping[str, str]:
    """Return, for each importable top-level name of the site's file, the line that imports it elsewhere."""
    global _last  # noqa: PLW0603  # a cache of one; its loss costs time, nothing else
    lines = facts.context.source_lines(facts.site.path)
    if _last is None or _last[0] is not lines or _last[1] != facts.site.path:
        module = facts.site.callable.module
        package = module if facts.site.path.endswith("__init__.py") else module.rpartition(".")[0]
        _last = (lines, facts.site.path, _read(lines, module, package))
    return _last[2]


def is_importable(module: str) -> bool:
    """Whether an import statement can name the module: a script's file name often cannot be one."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


_DEFINITION = re.compile(r"(?:async def|def|class)\s+([A-Za-z]\w*)|([A-Za-z]\w*)\s*(?::[^=]+)?=(?!=)")


def _read(lines: Sequence[str], module: str, package: str) -> dict[str, str]:
    found: dict[str, str] = {}
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line[:5] in {"from ", "impor"}:
            text = line
            while text.count("(") > text.count(")") and number < len(lines):
                text += "\n" + lines[number]
                number += 1
            found.update(_imported(text, package))
        elif line[:1].isalpha():
            defined = _DEFINITION.match(line)
            if defined and is_importable(module):
                name = defined[1] or defined[2]
                found.setdefault(name, f"from {module} import {name}")
    return found


def _imported(text: str, package: str) -> dict[str, str]:
    try:
        statement = ast.parse(text).body[0]
    except (SyntaxError, ValueError, IndexError):
        return {}
    found: dict[str, str] = {}
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            name = alias.asname or alias.name.partition(".")[0]
            found[name] = f"import {alias.name} as {alias.asname}" if alias.asname else f"import {alias.name}"
    elif isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
        origin = _absolute(statement, package)
        for alias in statement.names:
            if origin and not alias.name.startswith("_") and alias.name != "*":
                suffix = f" as {alias.asname}" if alias.asname else ""
                found[alias.asname or alias.name] = f"from {origin} import {alias.name}{suffix}"
    return found


def _absolute(statement: ast.ImportFrom, package: str) -> str:
    if statement.level == 0:
        return statement.module or ""
    base = package.split(".")
    if statement.level > len(base):
        return ""
    kept = base[: len(base) - statement.level + 1]
    return ".".join([*kept, *([statement.module] if statement.module else [])])
