"""The function around a site, read: which parameters a line depends on, what leads to the site, what was reached."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import msgspec

from errdex.model.functions import functions_around, parsed
from errdex.model.site import Condition, ThrowSite
from errdex.prove.inlining import Inlining, starts_empty
from errdex.prove.observation import Observation

_MATCHERS = frozenset({"match", "search", "fullmatch", "split", "findall", "finditer", "sub"})
"""Methods of patterns, and functions of `re` that take the pattern first."""


class Step(msgspec.Struct, frozen=True):
    """One condition on the way to the site."""

    expression: ast.expr | None
    """In terms of parameters where that was possible; None where it does not parse."""
    wanted: bool
    line: int
    end_line: int
    kind: str


class Anatomy:
    """What the search reads out of one function's source."""

    def __init__(self, site: ThrowSite, source: str, siblings: Sequence[ThrowSite] = ()) -> None:
        """Read the function of `site`; `siblings` are the other sites of the same function."""
        self.site = site
        self.later = tuple(
            _step(each.guard) for each in siblings if each.guard is not None and each.line > site.end_line
        )
        """Guards that come after the site: a call that is to go on must pass them too."""
        tree = parsed(source)
        self.module = tree
        around = functions_around(tree, site.line)
        self.function = around[-1] if around else None
        self._inlining = Inlining(tree, self.function, site.line)
        self.steps = tuple(self._inlined(step) for step in _steps(site.path_conditions))
        self.guard = _step(site.guard) if site.guard else (self.steps[-1] if self.steps else None)
        body: ast.AST = self.function or tree
        self._sources = _sources(body)
        self._statements = _statements(body)
        self._loops = {node.lineno: node for node in ast.walk(body) if isinstance(node, ast.For)}
        self.guard_lines = self._guard_lines()
        self.before = tuple(self._before(body))
        """Earlier conditions that would leave the function, as far as the site's own path does not name them."""

    def _before(self, body: ast.AST) -> Iterator[Step]:
        known = {step.line for step in self.steps}
        beside = _lines_beside(body, self.site.line)
        for node in ast.walk(body):
            if not isinstance(node, ast.If) or node.lineno in known or node.lineno >= self.site.line:
                continue
            if node.lineno not in beside:
                continue
            inside = node.body[0].lineno <= self.site.line <= (node.body[-1].end_lineno or 0)
            if not inside and isinstance(node.body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break):
                test = self._inlining.of(node.test)
                yield Step(
                    test, wanted=False, line=node.lineno, end_line=node.test.end_lineno or 0, kind="if"
                )

    def _inlined(self, step: Step) -> Step:
        if step.expression is None or step.kind == "except":
            return step
        return msgspec.structs.replace(step, expression=self._inlining.of(step.expression))

    def raised(self) -> set[str]:
        """Return the names of which the site raises what they stand for (`raise value`, `raise value from None`)."""
        statement = self._statements.get(self.site.line)
        node = statement.exc if isinstance(statement, ast.Raise) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value  # raise value.with_traceback(tb)
        return set(_names(node)) if isinstance(node, ast.Name | ast.Attribute) else set()

    def deciders(self, line: int) -> set[str]:
        """Return what the conditions around a statement that leaves the function depend on, the innermost's only."""
        statement = self._statements.get(line)
        if not isinstance(statement, ast.Raise | ast.Return):
            return set()
        holders = [
            node
            for node in ast.walk(self.function or self.module)
            if isinstance(node, ast.If | ast.While | ast.For) and node.lineno < line <= (node.end_lineno or 0)
        ]
        return self.origins(_own(max(holders, key=lambda node: node.lineno))) if holders else set()

    def names_at(self, line: int) -> set[str]:
        """Return the dotted names that the statement around `line` reads, locals followed to where they come from."""
        statement = self._statements.get(line)
        if statement is None:
            return set()
        return self.origins(_own(statement))

    def origins(self, node: ast.AST | None) -> set[str]:
        """Return the parameters and attributes of `self` that an expression depends on."""
        if node is None:
            return set()
        waiting, found = list(_names(node)), set[str]()
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            waiting.extend(self._sources.get(name.partition(".")[0], ()))
        return found

    def guarded_imports(self) -> list[str]:
        """Return the top-level modules whose failing import leads to the site (`try: import x except ImportError`)."""
        guard = self.site.guard
        if (
            guard is None
            or guard.kind != "except"
            or not re.search(r"ImportError|ModuleNotFoundError", guard.text)
        ):
            return []
        found: dict[str, None] = {}
        for node in ast.walk(self.function or self.module):
            if not isinstance(node, ast.Try) or not any(
                each.lineno <= self.site.line <= (each.end_lineno or 0) for each in node.handlers
            ):
                continue
            for statement in node.body:
                if isinstance(statement, ast.Import):
                    found |= dict.fromkeys(alias.name.partition(".")[0] for alias in statement.names)
                elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
                    found[statement.module.partition(".")[0]] = None
        return list(found)

    def matched(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """Yield the pattern and the text of every match that the function makes up to the site: `RE.match(text)`."""
        for node in ast.walk(self.function or self.module):
            if not isinstance(node, ast.Call) or node.lineno > self.site.end_line or not node.args:
                continue
            if not isinstance(node.func, ast.Attribute) or node.func.attr not in _MATCHERS:
                continue
            if ast.unparse(node.func.value) == "re":
                if len(node.args) > 1:
                    yield node.args[0], node.args[1]
            else:
                yield node.func.value, node.args[0]

    def imported(self) -> dict[str, str]:
        """Return the names that only the function imports, or only a type checker, each as `module:name`."""
        package = self.site.callable.module.split(".")
        if self.site.path.endswith("/__init__.py"):
            package.append("")
        holders = [
            each
            for each in self.module.body
            if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test)
        ]
        found: dict[str, str] = {}
        for holder in (*holders, *([self.function] if self.function else ())):
            for node in ast.walk(holder):
                if isinstance(node, ast.ImportFrom):
                    start = package[: -node.level] if node.level else []
                    module = ".".join([*start, *([node.module] if node.module else [])])
                    found |= {each.asname or each.name: f"{module}:{each.name}" for each in node.names}
        return found

    def followed(self, expression: ast.expr) -> ast.expr:
        """Return an expression with locals replaced by what they were assigned."""
        return self._inlining.of(expression)

    def tried(self) -> list[ast.stmt]:
        """Return the `try` block of the handler that holds the site; empty where none does."""
        for node in ast.walk(self.function or self.module):
            if isinstance(node, ast.Try) and any(
                each.lineno <= self.site.line <= (each.end_lineno or 0) for each in node.handlers
            ):
                return node.body
        return []

    def loop_target(self, line: int) -> ast.expr | None:
        """Return what the `for` statement of this line assigns."""
        statement = self._loops.get(line)
        return statement.target if statement is not None else None

    def reached(self, seen: Observation) -> int:
        """Return how many of the conditions on the way were evaluated."""
        lines = set(seen.lines)
        return sum(
            any(number in lines for number in range(step.line, step.end_line + 1)) for step in self.steps
        )

    def last_step(self, seen: Observation) -> Step | None:
        """Return the last condition on the way that was evaluated."""
        lines = set(seen.lines)
        hit = [s for s in self.steps if any(n in lines for n in range(s.line, s.end_line + 1))]
        return hit[-1] if hit else None

    def is_object(self, name: str) -> bool:
        """Whether the function uses an attribute of `self` as an object: reads its attributes, or calls it."""
        for node in ast.walk(self.function or self.module):
            inner = (
                getattr(node, "value", None)
                if isinstance(node, ast.Attribute)
                else getattr(node, "func", None)
            )
            if not isinstance(inner, ast.Attribute) or not isinstance(inner.value, ast.Name):
                continue
            if inner.attr == name and inner.value.id == "self":
                return True
        return False

    def unpacked_shapes(self) -> dict[str, int]:
        """Return how many dimensions the function takes a parameter's shape apart into (`t, h, d = q.shape`)."""
        found = {}
        for node in ast.walk(self.function or self.module):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                value = node.value
                if (
                    isinstance(value, ast.Attribute)
                    and value.attr == "shape"
                    and isinstance(value.value, ast.Name)
                ):
                    found[value.value.id] = len(node.targets[0].elts)
        return found

    def uses(self, parameters: Sequence[str]) -> Iterator[tuple[str, list[str], list[str]]]:
        """Yield for each parameter the text keys and the attributes that are read of it up to the site."""
        keys: dict[str, dict[str, None]] = {name: {} for name in parameters}
        attributes: dict[str, dict[str, None]] = {name: {} for name in parameters}
        called: set[int] = set()
        for node in ast.walk(self.function or self.module):
            if isinstance(node, ast.Call):
                called.add(id(node.func))
            base = getattr(node, "value", None)
            if (
                not isinstance(base, ast.Name)
                or base.id not in keys
                or getattr(node, "lineno", 0) > self.site.end_line
            ):
                continue
            if (
                isinstance(node, ast.Subscript)
                and isinstance(node.slice, ast.Constant)
                and isinstance(node.slice.value, str)
            ):
                keys[base.id][node.slice.value] = None
            elif isinstance(node, ast.Attribute):
                attributes[base.id][node.attr + ("()" if id(node) in called else "")] = None
        for name in parameters:
            yield name, list(keys[name]), list(attributes[name])

    def read_attributes(self, name: str) -> list[str]:
        """Return the attributes that the function reads of a parameter; a method's name ends in `()`."""
        found: dict[str, None] = {}
        called = set()
        for node in ast.walk(self.function or self.module):
            if isinstance(node, ast.Call):
                called.add(id(node.func))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                found[node.attr + ("()" if id(node) in called else "")] = None
        return list(found)

    def attributes(self) -> list[str]:
        """Return the attributes of `self` that the function reads up to the site, or its conditions do, in order."""
        found: dict[str, None] = {}
        read = [
            node
            for node in ast.walk(self.function or self.module)
            if getattr(node, "lineno", 0) <= self.site.end_line
        ]
        for step in (*self.before, *self.steps):
            read += ast.walk(step.expression) if step.expression is not None else ()
        for node in read:
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                found[node.attr] = None
        return list(found)

    def passes_guard(self, seen: Observation) -> bool:
        """Whether the guard's line ran and the site's did not."""
        is_hook = self.site.callable.name == "__getattr__"  # importing a name from its module calls it first
        lines = set(seen.last_call if is_hook else seen.lines)
        ran = not self.guard_lines.isdisjoint(lines)
        if seen.error is not None and any(
            frame.line in self.guard_lines and frame.path.endswith(f"/{self.site.path}")
            for frame in seen.error.frames
        ):
            return False  # the condition itself could not be evaluated
        return ran and not any(self.site.line <= line <= self.site.end_line for line in lines)

    def _guard_lines(self) -> frozenset[int]:
        guard = self.site.guard
        if guard is None:
            return frozenset()
        if guard.kind == "except" and (body := self.tried()):
            return frozenset(range(body[0].lineno, (body[-1].end_lineno or 0) + 1))
        return frozenset(range(guard.line, guard.end_line + 1))


def _lines_beside(body: ast.AST, line: int) -> set[int]:
    """Return the first lines of the conditions that stand before `line` in a block that holds it, `elif`s included."""
    found: set[int] = set()
    for node in ast.walk(body):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if not isinstance(block, list) or not any(_reaches(each, line) for each in block):
                continue
            for statement in block:
                chain = [statement]
                while chain:
                    each = chain.pop()
                    if isinstance(each, ast.If):
                        found.add(each.lineno)
                        chain += each.orelse if len(each.orelse) == 1 else []
    return found


def _reaches(node: ast.AST, line: int) -> bool:
    return isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)


def _steps(conditions: tuple[Condition, ...]) -> Iterator[Step]:
    for each in conditions:
        yield _step(each)


def _step(condition: Condition) -> Step:
    written = _parsed(condition.text)
    followed = _parsed(condition.inlined)
    if followed is not None and written is not None and starts_empty(followed) > starts_empty(written):
        followed = None  # a container that was filled since
    return Step(
        expression=followed or written,
        wanted=not condition.negated,
        line=condition.line,
        end_line=condition.end_line,
        kind=condition.kind,
    )


def _parsed(text: str | None) -> ast.expr | None:
    if not text:
        return None
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _names(node: ast.AST) -> Iterator[str]:
    """Yield names read below `node`: plain ones, and `self.x` as one."""
    for each in ast.walk(node):
        if (
            isinstance(each, ast.Attribute)
            and isinstance(each.value, ast.Name)
            and each.value.id in ("self", "cls")
        ):
            yield f"{each.value.id}.{each.attr}"
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in ("self", "cls"):
            yield each.id


def _sources(body: ast.AST) -> dict[str, set[str]]:
    """Return for every local the names that it may have been made from, those included that decide over it."""
    found: dict[str, set[str]] = {}

    def note(target: ast.AST, value: ast.AST, deciding: set[str]) -> None:
        names = set(_names(value)) | deciding
        for each in ast.walk(target):
            if isinstance(each, ast.Name):
                found.setdefault(each.id, set()).update(names)

    def read(node: ast.AST, deciding: set[str]) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                note(target, node.value, deciding)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            note(node.target, node.value, deciding)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            note(node.target, node.iter, deciding)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            note(node.optional_vars, node.context_expr, deciding)
        if isinstance(node, ast.If | ast.While):
            deciding = deciding | set(_names(node.test))
        for child in ast.iter_child_nodes(node):
            read(child, deciding)

    read(body, set())
    return found


def _statements(body: ast.AST) -> dict[int, ast.stmt]:
    """Return the innermost statement by line."""
    found: dict[int, ast.stmt] = {}
    for node in ast.walk(body):  # parents before children: the innermost wins
        if isinstance(node, ast.stmt) and node is not body:
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[line] = node
    return found


def _own(statement: ast.stmt) -> ast.AST:
    """Return the part of a compound statement that its first line runs."""
    if isinstance(statement, ast.If | ast.While):
        return statement.test
    if isinstance(statement, ast.For | ast.AsyncFor):
        return statement.iter
    if isinstance(statement, ast.With | ast.AsyncWith):
        return ast.Tuple([item.context_expr for item in statement.items], ast.Load())
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Try):
        return ast.Constant(None)
    return statement
