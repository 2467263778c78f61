"""What one function does, as far as its own file tells: its calls, the handlers around them, the types of its names.

Read from syntax trees that are parsed when a walk first needs a file. Says
nothing about what a name means in other files: that is the walk's business.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator

import msgspec

from errdex.link.known_arguments import Test

Function = ast.FunctionDef | ast.AsyncFunctionDef
Try = ast.Try | ast.TryStar

_SUPPRESS = frozenset({"suppress", "contextlib.suppress"})


class Handlers(msgspec.Struct, frozen=True):
    """What is caught around a place and not raised again, innermost first; classes as written."""

    caught: tuple[str, ...] = ()
    """`*` for everything (`except:`)."""


class Reach(msgspec.Struct, frozen=True):
    """One place where a function runs other code: a call, or an attribute that may be a property."""

    node: ast.expr
    target: ast.expr
    """What is called; for an attribute, the attribute itself."""
    is_call: bool
    handlers: Handlers
    is_iterated: bool
    """Whether the result is looped over at once: a generator's body runs then."""
    tests: tuple[Test, ...] = ()
    """The conditions and loops around it, outermost first."""


class Body(msgspec.Struct, frozen=True):
    """One function, read."""

    node: Function
    reaches: tuple[Reach, ...]
    handlers_at: dict[int, Handlers]
    """Line of a statement that leaves by `raise`, or of a call that stands alone -> the handlers around it."""
    types: dict[str, ast.expr | None]
    """Local name -> the one call or name it is ever assigned, or its annotation; None where it has several."""
    annotated: frozenset[str]
    """Names whose type is only promised by an annotation."""
    parameters: frozenset[str]
    assigned: dict[str, int]
    """Parameters that it assigns, with the first line that does: from there on they hold something else."""
    is_generator: bool
    is_abstract: bool
    """Whether all it does is raise NotImplementedError: subclasses do the work."""


class FileBodies:
    """The functions and classes of one file, each read when asked for."""

    def __init__(self, source: bytes) -> None:
        """Parse the file; one that cannot be parsed has no functions."""
        self._functions: dict[str, Function] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self._bodies: dict[str, Body] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            try:
                tree = ast.parse(source)
            except (SyntaxError, ValueError, RecursionError):
                return
        self._collect(tree.body, "")

    def _collect(self, body: list[ast.stmt], outer: str) -> None:
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self._functions[outer + statement.name] = statement
                self._collect(statement.body, f"{outer}{statement.name}.")
            elif isinstance(statement, ast.ClassDef):
                self.classes[outer + statement.name] = statement
                self._collect(statement.body, f"{outer}{statement.name}.")
            else:
                for block in inner_blocks(statement):
                    self._collect(block, outer)

    def has(self, name: str) -> bool:
        """Tell whether a function of this qualified name is defined here."""
        return name in self._functions

    def body(self, name: str) -> Body | None:
        """Return a function, read; None if it is not defined here."""
        if name not in self._bodies:
            node = self._functions.get(name)
            if node is None:
                return None
            self._bodies[name] = read_body(node)
        return self._bodies[name]

    def methods(self, class_name: str) -> Iterator[tuple[str, Body]]:
        """Yield the methods that a class defines itself."""
        for statement in self.classes[class_name].body if class_name in self.classes else ():
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                body = self.body(f"{class_name}.{statement.name}")
                if body is not None:
                    yield statement.name, body


def inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements inside one statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
    for case in getattr(statement, "cases", ()):
        yield case.body


def read_body(node: Function) -> Body:
    """Read one function; what is nested in it (functions, classes, lambdas) does not run with it and is left out."""
    reader = _Reader()
    reader.block(node.body, Handlers())
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = {argument.arg for argument in every}
    names |= {argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument is not None}
    types = dict(reader.types)
    annotated: set[str] = set(reader.annotated)
    for argument in every:
        if argument.annotation is not None and argument.arg not in types:
            types[argument.arg] = argument.annotation
            annotated.add(argument.arg)
        else:
            types[argument.arg] = None
    return Body(
        node=node,
        reaches=tuple(reader.reaches),
        handlers_at=reader.handlers_at,
        types=types,
        annotated=frozenset(annotated),
        parameters=frozenset(names),
        assigned={name: line for name, line in reader.first_lines.items() if name in names},
        is_generator=reader.is_generator,
        is_abstract=_is_abstract(node),
    )


def _is_abstract(node: Function) -> bool:
    if any(_dotted(decorator).endswith("abstractmethod") for decorator in node.decorator_list):
        return True
    work = [
        statement
        for statement in node.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    ]
    if len(work) != 1 or not isinstance(work[0], ast.Raise) or work[0].exc is None:
        return False
    raised = work[0].exc.func if isinstance(work[0].exc, ast.Call) else work[0].exc
    return _dotted(raised) in ("NotImplementedError", "AbstractMethodError")


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


class _Reader:
    """Walks a function's own statements."""

    def __init__(self) -> None:
        self.reaches: list[Reach] = []
        self.handlers_at: dict[int, Handlers] = {}
        self.types: dict[str, ast.expr | None] = {}
        self.annotated: set[str] = set()
        self.first_lines: dict[str, int] = {}
        self.is_generator = False
        self._tests: tuple[Test, ...] = ()

    def block(self, body: list[ast.stmt], handlers: Handlers) -> None:
        for statement in body:
            self._statement(statement, handlers)

    def _statement(self, statement: ast.stmt, handlers: Handlers) -> None:
        self.handlers_at.setdefault(statement.lineno, handlers)
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._expressions(statement.decorator_list, handlers)
                return
            case ast.Try() | ast.TryStar():
                self._try(statement, handlers)
                return
            case ast.With() | ast.AsyncWith():
                inner = handlers
                for item in statement.items:
                    self._expression(item.context_expr, handlers)
                    inner = Handlers((*_suppressed(item.context_expr), *inner.caught))
                    if isinstance(item.optional_vars, ast.Name):
                        self._assign(item.optional_vars.id, item.context_expr)
                self.block(statement.body, inner)
                return
            case ast.For() | ast.AsyncFor():
                self._expression(statement.iter, handlers, is_iterated=True)
                self._forget(statement.target)
                self._behind(Test(statement.iter, wanted=True, is_loop=True), statement.body, handlers)
                self.block(statement.orelse, handlers)
                return
            case ast.If() | ast.While():
                self._expression(statement.test, handlers)
                self._behind(Test(statement.test, wanted=True), statement.body, handlers)
                self._behind(Test(statement.test, wanted=False), statement.orelse, handlers)
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value)
                self._expression(value, handlers)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                self._assign(name, value if isinstance(value, ast.Call) else annotation)
                if not isinstance(value, ast.Call):
                    self.annotated.add(name)
                if value is not None:
                    self._expression(value, handlers)
            case _:
                for child in ast.iter_child_nodes(statement):
                    if isinstance(child, ast.expr):
                        self._forget(child)
                        self._expression(child, handlers)
        for block in inner_blocks(statement):
            self.block(block, handlers)

    def _behind(self, test: Test, body: list[ast.stmt], handlers: Handlers) -> None:
        """Read a block that runs only behind a test."""
        outside = self._tests
        self._tests = (*outside, test)
        self.block(body, handlers)
        self._tests = outside

    def _try(self, statement: Try, handlers: Handlers) -> None:
        caught = [
            name for handler in statement.handlers if not _raises_again(handler) for name in _classes(handler)
        ]
        self.block(statement.body, Handlers((*caught, *handlers.caught)))
        for handler in statement.handlers:
            self.block(handler.body, handlers)
        self.block(statement.orelse, handlers)
        self.block(statement.finalbody, handlers)

    def _assign(self, name: str, value: ast.expr) -> None:
        self.first_lines.setdefault(name, value.lineno)
        known = self.types.get(name, value)
        same = known is value or (known is not None and ast.dump(known) == ast.dump(value))
        self.types[name] = value if same else None

    def _forget(self, target: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.types[node.id] = None
                self.first_lines.setdefault(node.id, node.lineno)

    def _expressions(self, nodes: list[ast.expr], handlers: Handlers) -> None:
        for node in nodes:
            self._expression(node, handlers)

    def _expression(self, node: ast.expr, handlers: Handlers, *, is_iterated: bool = False) -> None:
        """Note the calls and attributes of an expression, innermost first: the order in which they run."""
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Yield | ast.YieldFrom):
            self.is_generator = True
        iterated = is_iterated or isinstance(node, ast.Starred)
        children: Iterator[ast.AST] = ast.iter_child_nodes(node)
        for child in children:
            if isinstance(child, ast.expr):
                self._expression(child, handlers, is_iterated=_iterates(node, child))
            elif isinstance(child, ast.comprehension):
                self._expression(child.iter, handlers, is_iterated=True)
                self._expressions(child.ifs, handlers)
            elif isinstance(child, ast.keyword):
                self._expression(child.value, handlers)
        if isinstance(node, ast.Call):
            self.reaches.append(
                Reach(
                    node, node.func, is_call=True, handlers=handlers, is_iterated=iterated, tests=self._tests
                )
            )
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            self.reaches.append(
                Reach(node, node, is_call=False, handlers=handlers, is_iterated=iterated, tests=self._tests)
            )


_CONSUMERS = frozenset(
    {"list", "tuple", "set", "dict", "sorted", "sum", "next", "any", "all", "max", "min", "join"}
)


def _iterates(parent: ast.expr, child: ast.expr) -> bool:
    """Tell whether `parent` loops over what `child` gives."""
    if isinstance(parent, ast.YieldFrom | ast.Starred | ast.Await):
        return True
    return (
        isinstance(parent, ast.Call)
        and child in parent.args
        and (_dotted(parent.func).rpartition(".")[2] in _CONSUMERS)
    )


def _suppressed(context: ast.expr) -> list[str]:
    if isinstance(context, ast.Call) and _dotted(context.func) in _SUPPRESS:
        return [_dotted(argument) for argument in context.args]
    return []


def _classes(handler: ast.ExceptHandler) -> list[str]:
    if handler.type is None:
        return ["*"]
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [_dotted(part) for part in parts if _dotted(part)]


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler may let the caught exception out: a bare `raise`, or a `raise` of its name."""
    for node in _own_nodes(handler.body):
        if isinstance(node, ast.Raise) and (
            node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == handler.name)
        ):
            return True
    return False


def _own_nodes(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for block in inner_blocks(statement):
                yield from _own_nodes(block)


class BodyTable:
    """The bodies of a package's files, parsed when first asked for."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """Take what returns a file's bytes as UTF-8, None where it cannot be read."""
        self._read = read
        self._files: dict[str, FileBodies] = {}

    def file(self, path: str) -> FileBodies:
        """Return one file's functions."""
        if path not in self._files:
            self._files[path] = FileBodies(self._read(path) or b"")
        return self._files[path]

    @property
    def size(self) -> int:
        """How many files have been parsed."""
        return len(self._files)
