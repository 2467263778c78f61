"""Test functions as programs of their own: fixtures, helpers and imports laid out before the failing call.

Nothing runs here. A name that a test uses is followed to where its file, or a file
that it imports from, defines it; what comes from elsewhere (a plug-in's fixture, a
base class of a framework) makes the test no case.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from errdex.prove.expected import Expected, as_import, expected_in, last_name, leading_to, rows_of
from errdex.prove.tidy import joined_imports, laid_out, tidied

_MAX_DEFINITIONS = 24
_MAX_DEPTH = 4
_BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__"}
_SETUPS = ("setUpClass", "setup_class", "setUp", "setup_method", "setup")
_FOLDERS = ("tmp_path", "tmpdir")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


class Place(msgspec.Struct, frozen=True):
    """Where a test expects an error."""

    file: TestFile
    owner: ast.ClassDef | None
    function: Function
    expected: Expected


class Case(msgspec.Struct, frozen=True):
    """One expected error of a test, as statements that end with it."""

    file: TestFile
    statements: tuple[ast.stmt, ...]
    is_async: bool
    constants: tuple[ast.Constant, ...] = ()
    """Those of the whole test: what it holds up as right stands beside what it expects to fail."""

    def program(self, statements: Sequence[ast.stmt] | None = None) -> str | None:
        """Return the program of these statements (all of the case's, if not given); None where a name stays unknown."""
        importing = _Importing(self.file.imports)
        chosen = [importing.visit(each) for each in (self.statements if statements is None else statements)]
        laid = self.file.laid_out(chosen)
        if laid is None:
            return None
        imports, definitions = laid
        if self.is_async:
            imports.append("import asyncio")
            main, run = ast.parse("async def main():\n    pass\n\nasyncio.run(main())").body
            assert isinstance(main, ast.AsyncFunctionDef)
            main.body = chosen
            chosen = [main, run]
        try:
            body = laid_out([ast.fix_missing_locations(each) for each in (*definitions, *chosen)])
        except ValueError:  # a value put into an f-string that cannot be written there
            return None
        opening = "\n".join(joined_imports(imports))
        room = "\n\n\n" if body.startswith(("def ", "class ", "async def ", "@")) else "\n\n"
        return tidied(room.join(part for part in (opening, body) if part) + "\n")


class _Importing(ast.NodeTransformer):
    """Turns `importorskip("numpy")` into the module's name, and notes the import."""

    def __init__(self, imports: dict[str, str]) -> None:
        self._imports = imports

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Replace the call."""
        self.generic_visit(node)
        name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        if last_name(node.func) != "importorskip" or not isinstance(name, str):
            return node
        self._imports.setdefault(name.partition(".")[0], f"import {name}")
        return ast.parse(name, mode="eval").body


class TestFile:
    """One file of tests, or one that tests import from."""

    def __init__(
        self, path: Path, text: str, package: str | None, find: Callable[[str, Path], TestFile | None]
    ) -> None:
        """Read `text`; raises as `ast.parse`.

        Args:
            path: Where it stands.
            text: What it holds.
            package: The dotted package that it is installed in; None where it is not installed.
            find: Returns the file of a module that the tests bring along; None for any other.
        """
        self.path, self.package, self._find = path, package, find
        self.tree = ast.parse(text)
        self.imports: dict[str, str] = {}
        self.elsewhere: dict[str, tuple[str, str]] = {}
        """Names imported from modules that may be the tests' own: module (with its dots) and name there."""
        self.definitions: dict[str, Definition] = {}
        self._read(self.tree.body)

    def _read(self, body: Sequence[ast.stmt]) -> None:
        for each in body:
            if isinstance(each, ast.Import):
                for alias in each.names:
                    tail = f" as {alias.asname}" if alias.asname else ""
                    name = alias.asname or alias.name.partition(".")[0]
                    self.imports[name] = f"import {alias.name}{tail}"
            elif isinstance(each, ast.ImportFrom):
                module = "." * each.level + (each.module or "")
                for alias in each.names:
                    tail = f" as {alias.asname}" if alias.asname else ""
                    self.imports[alias.asname or alias.name] = f"from {module} import {alias.name}{tail}"
                    self.elsewhere[alias.asname or alias.name] = (module, alias.name)
            elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.definitions[each.name] = each
            elif (imported := as_import(each)) is not None:
                self.imports[imported.names[0].asname or ""] = ast.unparse(imported)
            elif isinstance(each, ast.Assign | ast.AnnAssign):
                for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                    for node in ast.walk(target):
                        if isinstance(node, ast.Name):
                            self.definitions[node.id] = each
            elif isinstance(each, ast.If | ast.Try):
                self._read([*each.body, *each.orelse])

    def places(self) -> Iterator[Place]:
        """Yield every place of the file's tests where an error is expected."""
        for owner, function in self._tests():
            for expected in expected_in(function):
                yield Place(self, owner, function, expected)

    def cases(self, place: Place) -> Iterator[Case]:
        """Yield what a place stands for: one case for each row of a parametrised test."""
        decorators = [*(place.owner.decorator_list if place.owner else ()), *place.function.decorator_list]
        for row in rows_of(decorators):
            statements = self._statements(place.owner, place.function, place.expected, row)
            if statements is not None:
                is_async = isinstance(place.function, ast.AsyncFunctionDef)
                yield Case(self, tuple(statements), is_async, tuple(_constants(place.function)))

    def _tests(self) -> Iterator[tuple[ast.ClassDef | None, Function]]:
        for each in self.tree.body:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test"):
                yield None, each
            elif isinstance(each, ast.ClassDef):
                for inner in each.body:
                    if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name.startswith(
                        "test"
                    ):
                        yield each, inner

    def _statements(
        self,
        owner: ast.ClassDef | None,
        function: Function,
        expected: Expected,
        row: dict[str, ast.expr],
    ) -> list[ast.stmt] | None:
        """Return what a test does up to an expected error, its parameters bound; None where one cannot be had."""
        given: list[ast.stmt] = []
        for each in (*function.args.args, *function.args.kwonlyargs):
            if each.arg in ("self", "cls") and owner is not None:
                continue
            made = [_assigned(each.arg, row[each.arg])] if each.arg in row else self.fixture(each.arg, owner)
            if made is None:
                return None
            given += made
        statements = [*given, *leading_to(function.body, expected.statement)]
        if owner is None:
            return statements
        return _without_self(owner, statements)

    def fixture(self, name: str, owner: ast.ClassDef | None = None, depth: int = 0) -> list[ast.stmt] | None:
        """Return the statements that bind a fixture's value to its name; None where none of ours makes it."""
        if name in _FOLDERS:
            return ast.parse(f"{name} = Path(tempfile.mkdtemp())").body
        holder = next((each for each in owner.body if _defines(each, name)), None) if owner else None
        function = holder or self._fixture_called(name) or self._beside(name)
        if not isinstance(function, ast.FunctionDef) or depth > _MAX_DEPTH:
            return None
        found: list[ast.stmt] = []
        for each in function.args.args:
            if each.arg in ("self", "cls", "request"):
                continue
            inner = self.fixture(each.arg, owner, depth + 1)
            if inner is None:
                return None
            found += inner
        return [*found, *_yielding(_with_parameter(function), name)]

    def _fixture_called(self, name: str) -> Definition | None:
        """Return the definition of this name, or the fixture that is given it (`fixture(name="slots")`)."""
        if name in self.definitions:
            return self.definitions[name]
        for each in self.definitions.values():
            for decorator in getattr(each, "decorator_list", ()):
                given = decorator.keywords if isinstance(decorator, ast.Call) else ()
                if any(
                    keyword.arg == "name"
                    and isinstance(keyword.value, ast.Constant)
                    and keyword.value.value == name
                    for keyword in given
                ):
                    return each
        return None

    def _beside(self, name: str) -> Definition | None:
        """Return what `conftest.py` of this folder, or of one above, makes."""
        module = "."
        for _ in range(_MAX_DEPTH):
            found = self._find(f"{module}conftest", self.path)
            made = found._fixture_called(name) if found is not None else None  # noqa: SLF001 - of this class
            if found is not None and made is not None:
                self.imports = found.imports | self.imports
                self.elsewhere = found.elsewhere | self.elsewhere
                self.definitions = found.definitions | self.definitions
                return made
            module += "."
        return None

    def laid_out(self, statements: Sequence[ast.stmt]) -> tuple[list[str], list[ast.stmt]] | None:
        """Return the imports and the definitions that statements need; None where a name stays unknown."""
        imports: dict[str, None] = {}
        definitions: dict[int, ast.stmt] = {}
        known: set[str] = set()
        if not self._lay_out(statements, imports, definitions, known, 0):
            return None
        return list(imports), list(definitions.values())

    def _lay_out(
        self,
        statements: Sequence[ast.stmt],
        imports: dict[str, None],
        definitions: dict[int, ast.stmt],
        known: set[str],
        depth: int,
    ) -> bool:
        for name in _free(statements):
            if name in known or name in _BUILTINS:
                continue
            known.add(name)
            if name in ("Path", "tempfile") and name not in self.imports:
                imports["from pathlib import Path" if name == "Path" else "import tempfile"] = None
                continue
            home = self._home(name)
            if home is not None:
                node = home.definitions[home.name_there(self, name)]
                if id(node) in definitions:
                    continue
                if len(definitions) >= _MAX_DEFINITIONS or depth > _MAX_DEPTH:
                    return False
                bare = _undecorated(node)
                if not home._lay_out([bare], imports, definitions, known, depth + 1):  # noqa: SLF001 - of this class
                    return False
                definitions[id(node)] = bare
            elif name in self.imports and (line := self._import_line(name)) is not None:
                imports[line] = None
            else:
                return False
        return True

    def _home(self, name: str) -> TestFile | None:
        """Return the file of the tests that defines a name of this one."""
        if name in self.definitions:
            return self
        if name in self.elsewhere:
            module, there = self.elsewhere[name]
            found = self._find(module, self.path)
            if found is not None and there in found.definitions:
                return found
        return None

    def name_there(self, user: TestFile, name: str) -> str:
        """Return the name that this file has for what another calls `name`."""
        return name if user is self else user.elsewhere[name][1]

    def _import_line(self, name: str) -> str | None:
        """Return the line that imports a name from anywhere; a relative one is spelled out where that is possible."""
        line = self.imports[name]
        if not line.startswith("from ."):
            return line
        module, there = self.elsewhere[name]
        package = self._absolute(module)
        if package is None:
            return None
        return f"from {package} import {there}" + (f" as {name}" if name != there else "")

    def _absolute(self, module: str) -> str | None:
        if self.package is None:
            return None
        level = len(module) - len(module.lstrip("."))
        parts = self.package.split(".")[: -(level - 1) or None]
        tail = module[level:]
        return ".".join([*parts, *([tail] if tail else [])]) if parts else None


def _constants(function: Function) -> Iterator[ast.Constant]:
    known: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and (key := repr(node.value)) not in known:
            known.add(key)
            yield node


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign(targets=[ast.Name(name, ast.Store())], value=copy.deepcopy(value), lineno=0)


def _defines(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == name


def _with_parameter(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a fixture with `request.param` replaced by the first of its parameters."""
    for decorator in function.decorator_list:
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if keyword.arg == "params" and isinstance(keyword.value, ast.List | ast.Tuple):
                first = keyword.value.elts[:1]
                made: ast.FunctionDef = (
                    _Parameter(first).visit(copy.deepcopy(function)) if first else function
                )
                return made
    return function


class _Parameter(ast.NodeTransformer):
    """Puts a value in the place of `request.param`."""

    def __init__(self, values: list[ast.expr]) -> None:
        self._value = values[0]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace the attribute."""
        self.generic_visit(node)
        return copy.deepcopy(self._value) if ast.unparse(node) == "request.param" else node


def _yielding(function: ast.FunctionDef, name: str) -> list[ast.stmt]:
    """Return a fixture's statements with what it returns or yields bound to `name`; what comes after is clean-up."""
    found: list[ast.stmt] = []
    for each in function.body:
        value = each.value if isinstance(each, ast.Return | ast.Expr) else None
        if isinstance(value, ast.Yield):
            value = value.value
        elif not isinstance(each, ast.Return):
            value = None
            if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):
                found.append(_opened_at_yield(each, name))
            if _yields(each):
                break
            continue
        found.append(_assigned(name, value or ast.Constant(None)))
        break
    return found


def _yields(node: ast.stmt) -> bool:
    return any(isinstance(each, ast.Yield) for each in ast.walk(node))


def _opened_at_yield(node: ast.stmt, name: str) -> ast.stmt:
    """Return a statement with `yield x` in it replaced by `name = x`."""
    opened: ast.stmt = _Yields(name).visit(copy.deepcopy(node))
    return ast.fix_missing_locations(opened)


class _Yields(ast.NodeTransformer):
    """Binds what is yielded."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """Replace a statement that yields."""
        if not isinstance(node.value, ast.Yield):
            return node
        return _assigned(self._name, node.value.value or ast.Constant(None))


def _without_self(owner: ast.ClassDef, statements: list[ast.stmt]) -> list[ast.stmt] | None:
    """Return a method's statements as plain code: attributes become variables, helpers functions; None if neither."""
    members = {
        each.name: each for each in owner.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    values = {
        target.id: each
        for each in owner.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    before = [
        each
        for name in _SETUPS
        if name in members
        for each in members[name].body
        if not (isinstance(each, ast.Expr) and _is_super(each.value))
    ]
    body = [*copy.deepcopy(before), *statements]
    needed: dict[str, ast.stmt] = {}
    waiting = _attributes_of_self(body)
    assigned = set(_attributes_of_self(body, ast.Store))
    while waiting:
        name = waiting.pop()
        if name in needed or name in assigned:
            continue
        if name in members:
            needed[name] = _as_function(members[name])
            waiting += _attributes_of_self([members[name]])
        elif name in values:
            needed[name] = copy.deepcopy(values[name])
        else:
            return None
    flat = [_Flat().visit(each) for each in [*reversed(needed.values()), *body]]
    return [ast.fix_missing_locations(each) for each in flat]


def _is_super(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "super" for each in ast.walk(node))


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _attributes_of_self(body: Sequence[ast.stmt], context: type[ast.expr_context] = ast.Load) -> list[str]:
    """Return the attributes of `self` that statements read, or assign; classes within have a `self` of their own."""
    found: list[str] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Attribute) and _is_self(node.value) and isinstance(node.ctx, context):
            found.append(node.attr)
        if not isinstance(node, ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return found


def _as_function(method: Function) -> Function:
    made = copy.deepcopy(method)
    made.decorator_list = []
    made.args.args = [each for each in made.args.args if each.arg not in ("self", "cls")]
    return made


class _Flat(ast.NodeTransformer):
    """Turns attributes of `self` into variables."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace `self.x` by `x`."""
        self.generic_visit(node)
        return ast.Name(node.attr, node.ctx) if _is_self(node.value) else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Leave a class as it is: `self` is another there."""
        return node


def _undecorated(node: Definition) -> Definition:
    """Return a definition without what only a test runner reads."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or not node.decorator_list:
        return node
    bare = copy.copy(node)
    bare.decorator_list = [
        each
        for each in node.decorator_list
        if "pytest" not in ast.unparse(each) and last_name(getattr(each, "func", each)) != "fixture"
    ]
    return bare


def _free(statements: Sequence[ast.stmt]) -> list[str]:
    """Return the names that statements read and do not bind, in order."""
    bound: set[str] = set()
    read: dict[str, None] = {}
    for each in statements:
        for node in ast.walk(each):
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    read[node.id] = None
                else:
                    bound.add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                bound.add(node.name)
            elif isinstance(node, ast.ExceptHandler):
                bound |= {node.name or ""}
            elif isinstance(node, ast.Import | ast.ImportFrom):
                bound |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return [name for name in read if name not in bound]
