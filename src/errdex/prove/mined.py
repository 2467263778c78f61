"""Calls that the package itself shows: examples in docstrings, and tests where the wheel brings them.

Nothing runs here: texts are read, cut into statements, and the statements that an
argument depends on become its set-up.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from errdex.prove.program import RECEIVER, Recipe, Value

_MAX_FILES = 6
_MAX_FILE_BYTES = 600_000
_MAX_CALLS = 10
_MAX_SETUP = 14
_ALIASES = {"np": "import numpy as np", "pd": "import pandas as pd", "plt": "import matplotlib.pyplot as plt",
    "nx": "import networkx as nx", "sp": "import scipy as sp",
}  # fmt: skip
"""What the numerical libraries' examples take as given."""
_PROMPT = re.compile(r"^([ \t]*)>>> ?(.*)$")
_MORE = re.compile(r"^[ \t]*\.\.\. ?(.*)$")
_BUILTINS = frozenset(dir(builtins))


class Block:
    """Statements that run one after the other, and the imports they may use."""

    def __init__(self, statements: tuple[ast.stmt, ...], imports: dict[str, str]) -> None:
        """Take the statements and, by name, the lines that import what they use."""
        self.statements, self.imports = statements, imports

    @cached_property
    def calls(self) -> dict[str, list[tuple[ast.Call, ast.stmt]]]:
        """The calls, by the last part of the name that is called, each with its statement."""
        found: dict[str, list[tuple[ast.Call, ast.stmt]]] = {}
        for statement in self.statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.Call):
                    called = node.func
                    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                    found.setdefault(name, []).append((node, statement))
        return found

    @cached_property
    def given(self) -> dict[str, list[tuple[ast.expr, ast.stmt]]]:
        """What is assigned to a variable, or passed as an argument, of each name, each with its statement."""
        found: dict[str, list[tuple[ast.expr, ast.stmt]]] = {}
        for statement in self.statements:
            for target in statement.targets if isinstance(statement, ast.Assign) else ():
                if isinstance(target, ast.Name) and isinstance(statement, ast.Assign):
                    found.setdefault(target.id, []).append((statement.value, statement))
        for call, statement in (each for calls in self.calls.values() for each in calls):
            for keyword in call.keywords:
                if keyword.arg is not None:
                    found.setdefault(keyword.arg, []).append((keyword.value, statement))
        return found


class Mine:
    """All Python text of one package, read once."""

    def __init__(self, folder: Path, root: str, tests: Path | None = None) -> None:
        """Read the package's files below `folder`, and the test files below `tests`, if given."""
        self.root = root
        self._texts: dict[Path, str] = {}
        self._blocks: dict[Path, list[Block]] = {}
        self._assigned: dict[tuple[str, Path], list[Value]] = {}
        top = folder / root
        paths = sorted(top.rglob("*.py")) if top.is_dir() else [folder / f"{root}.py"]
        if tests is not None:
            paths += sorted(path for path in tests.rglob("*.py") if "test" in path.name)
        for path in paths:
            if path.is_file() and path.stat().st_size <= _MAX_FILE_BYTES:
                self._texts[path] = path.read_text(encoding="utf-8", errors="replace")

    def test_files(self) -> dict[Path, str]:
        """Return the texts of the package's test files, by path."""
        return {path: text for path, text in self._texts.items() if "test" in path.name}

    def states(self, recipe: Recipe, home: Path) -> list[dict[str, Value]]:
        """Return the arguments of calls of the recipe's callable that the package shows, its own examples first."""
        name = recipe.qualname.rpartition(".")[2]
        if recipe.binding == "init":
            name = recipe.qualname.split(".")[-2]
        found: dict[str, dict[str, Value]] = {}
        for block in self._near((f"{name}(",), home):
            for state in _calls(block, name, recipe):
                found.setdefault(
                    repr({slot: (value.code, value.setup) for slot, value in state.items()}), state
                )
            if len(found) >= _MAX_CALLS:
                break
        return sorted(found.values(), key=lambda state: sum(len(v.setup) for v in state.values()))[
            :_MAX_CALLS
        ]

    def assigned(self, name: str, home: Path) -> list[Value]:
        """Return what examples assign to a variable of this name, the commonest first."""
        key = (name, home)
        if key in self._assigned:
            return self._assigned[key]
        counts: dict[Value, int] = {}
        for block in self._near((f"{name} = ", f"{name}="), home):
            for node, statement in block.given.get(name, ()):
                value = _value(node, block, statement)
                if value is not None and len(value.code) < 80 and len(value.setup) <= 2:
                    counts[value] = counts.get(value, 0) + 1
        self._assigned[key] = sorted(counts, key=lambda value: (-counts[value], value.cost))[:6]
        return self._assigned[key]

    def _near(self, texts: tuple[str, ...], home: Path) -> Iterator[Block]:
        """Yield blocks of files that hold one of `texts`: the home file first, then its tests, then the rest."""
        stem = home.stem.strip("_")
        holders = [path for path, body in self._texts.items() if any(text in body for text in texts)]
        holders.sort(
            key=lambda path: (path != home, f"test_{stem}" != path.stem, stem not in path.stem, str(path))
        )
        for path in holders[:_MAX_FILES]:
            if path not in self._blocks:
                self._blocks[path] = list(_blocks(self._texts[path], path, self.root))
            yield from self._blocks[path]


def _blocks(text: str, path: Path, root: str) -> Iterator[Block]:
    yield from _examples(text, root)
    if "test" not in path.stem:
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    imports = _ALIASES | _imports(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield Block(tuple(_flat(node.body)), imports | _imports(node.body))


def _examples(text: str, root: str) -> Iterator[Block]:
    """Yield the doctests of a file, one block for each docstring."""
    chunks: list[str] = []
    for line in [*text.splitlines(), '"""']:
        if match := _PROMPT.match(line):
            chunks.append(match.group(2))
        elif chunks and (more := _MORE.match(line)):
            chunks[-1] += "\n" + more.group(1)
        elif chunks and '"""' in line:
            yield _example(chunks, root)
            chunks = []


def _example(chunks: Iterable[str], root: str) -> Block:
    statements: list[ast.stmt] = []
    for chunk in chunks:
        try:
            statements += ast.parse(chunk).body
        except (SyntaxError, ValueError):
            continue
    return Block(tuple(statements), _ALIASES | {root: f"import {root}"} | _imports(statements))


def _imports(statements: Iterable[ast.stmt]) -> dict[str, str]:
    found = {}
    for each in statements:
        if isinstance(each, ast.Import):
            for alias in each.names:
                name = alias.asname or alias.name.partition(".")[0]
                found[name] = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
        elif isinstance(each, ast.ImportFrom) and each.level == 0 and each.module:
            for alias in each.names:
                name = alias.asname or alias.name
                tail = f" as {alias.asname}" if alias.asname else ""
                found[name] = f"from {each.module} import {alias.name}{tail}"
    return found


def _flat(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements in order, those of `with` blocks in their place: `pytest.raises` hides the best calls."""
    for each in statements:
        if isinstance(each, ast.With):
            yield from _flat(each.body)
        elif not isinstance(each, ast.FunctionDef | ast.ClassDef | ast.For | ast.While | ast.Try):
            yield each


def _calls(block: Block, name: str, recipe: Recipe) -> Iterator[dict[str, Value]]:
    for node, statement in block.calls.get(name, ()):
        if (state := _state(node, block, statement, recipe)) is not None:
            yield state


def _state(call: ast.Call, block: Block, statement: ast.stmt, recipe: Recipe) -> dict[str, Value] | None:
    """Return the call's arguments by slot; None where one of them cannot be had."""
    own = [each for each in recipe.slots if not each.name.startswith(RECEIVER)]
    positional = [each.name for each in own if each.kind.startswith("POSITIONAL")]
    rest = next((each.name for each in own if each.kind == "VAR_POSITIONAL"), None)
    state: dict[str, Value] = {}
    extra: list[Value] = []
    for index, argument in enumerate(call.args):
        value = None if isinstance(argument, ast.Starred) else _value(argument, block, statement)
        if value is None:
            return None
        if index < len(positional):
            state[positional[index]] = value
        else:
            extra.append(value)
    names = {each.name for each in own if not each.kind.startswith("VAR")}
    for keyword in call.keywords:
        value = _value(keyword.value, block, statement)
        if value is None or keyword.arg not in names:
            return None
        state[keyword.arg] = value
    if extra:
        if rest is None:
            return None
        state[rest] = Value(
            f"({', '.join(each.code for each in extra)},)",
            tuple(line for each in extra for line in each.imports),
            tuple(dict.fromkeys(line for each in extra for line in each.setup)),
        )
    if recipe.binding == "method" and isinstance(call.func, ast.Attribute):
        receiver = _value(call.func.value, block, statement)
        if receiver is None or recipe.owner is None:
            return None
        state = {RECEIVER: receiver} | state
    return state


def _value(node: ast.expr, block: Block, before: ast.stmt) -> Value | None:
    """Return an expression with the statements and imports that it needs; None where a name stays unknown."""
    needed = _free(node)
    setup: list[ast.stmt] = []
    position = next(index for index, each in enumerate(block.statements) if each is before)
    for statement in reversed(block.statements[:position]):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        made = _bound(statement)
        touches = isinstance(statement, ast.Expr | ast.AugAssign | ast.Assign) and needed & _roots(statement)
        if made & needed or touches:
            setup.append(statement)
            needed |= _free(statement)
    if len(setup) > _MAX_SETUP:
        return None
    bound = set[str]().union(*map(_bound, setup)) if setup else set[str]()
    imports = []
    for name in sorted(needed - bound - _BUILTINS):
        if name not in block.imports:
            return None
        imports.append(block.imports[name])
    return Value(ast.unparse(node), tuple(imports), tuple(ast.unparse(each) for each in reversed(setup)))


def _free(node: ast.AST) -> set[str]:
    own = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    targets = {
        name.id
        for each in ast.walk(node)
        if isinstance(each, ast.comprehension)
        for name in ast.walk(each.target)
        if isinstance(name, ast.Name)
    }
    return (
        {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        - own
        - targets
    )


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    return {
        each.id
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _roots(statement: ast.stmt) -> set[str]:
    """Return the names whose objects a statement may change: what methods are called on, what is assigned into."""
    found = set()
    for each in ast.walk(statement):
        target = each.func if isinstance(each, ast.Call) else each
        if isinstance(target, ast.Attribute | ast.Subscript) and (
            isinstance(each, ast.Call) or isinstance(target.ctx, ast.Store)
        ):
            root: ast.expr = target
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name):
                found.add(root.id)
    return found
