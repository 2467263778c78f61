"""One pass over a file's statements: sites with the conditions before them, and the outline that linking reads."""

from __future__ import annotations

import ast
from collections.abc import Callable

from errdex.extract.calls import INTERESTING, last_name
from errdex.extract.guards import Guards, Pushed, matched_case
from errdex.extract.module_scope import ClassScope, ModulePlace, ModuleScope
from errdex.extract.outline import FunctionNode, Outline
from errdex.extract.sites import SiteReader, gives_words
from errdex.model.facts import FileFacts
from errdex.syntax.flow import Bindings
from errdex.syntax.local import FunctionScope
from errdex.syntax.scope import Scope
from errdex.syntax.text import SourceText


class Context:
    """The function that the walker is in, or the module."""

    __slots__ = (
        "bindings",
        "class_name",
        "conditions",
        "frames",
        "function",
        "handlers",
        "loops",
        "node",
        "scope",
    )

    def __init__(self, function: int, node: FunctionNode | None, scope: Scope, class_name: str) -> None:
        self.function = function
        self.node = node
        self.scope = scope
        """What surrounds the function."""
        self.class_name = class_name
        self.conditions: list[Pushed] = []
        self.frames: list[tuple[list[ast.stmt], int]] = []
        self.handlers: list[ast.ExceptHandler] = []
        self.loops: list[bool] = []
        """For each loop around: whether a `break` was met."""
        self.bindings: Bindings | None = None

    def place(self, source: SourceText) -> FunctionScope | None:
        """Return the scope of the statement being read; None at module level."""
        if self.node is None:
            return None
        if self.bindings is None:
            self.bindings = Bindings(self.node.body)
        return FunctionScope(self.node, list(self.frames), self.scope, source, self.bindings)

    def words_scope(self, tree: ast.Module, source: SourceText) -> Scope:
        """Return the scope in which the words of the statement being read are looked up."""
        if isinstance(self.scope, ModuleScope) and self.node is None:
            if self.bindings is None:
                self.bindings = Bindings(tree.body)
            return ModulePlace(tree, list(self.frames), self.scope, self.bindings)
        return self.place(source) or self.scope


class Walker:
    """Walks one module. Every handler returns whether its statement always leaves its block."""

    def __init__(
        self, tree: ast.Module, source: SourceText, module: ModuleScope, *, names_only: bool = False
    ) -> None:
        self.source = source
        self.names_only = names_only
        self.module = module
        self.outline = Outline(source, module)
        self.guards = Guards(source)
        self.sites = SiteReader(tree, source, module, self.outline, self.guards)
        self.context = Context(-1, None, module, "")
        self.tree = tree

    def read(self) -> FileFacts:
        """Return the facts of the whole file."""
        self.outline.survey(self.tree.body)
        self.block(self.tree.body)
        calls = [*self.sites.calls, *self.outline.private_calls()]
        return self.outline.facts(self.sites.found, self.guards.conditions, calls)

    def block(self, body: list[ast.stmt]) -> bool:
        """Walk a block; conditions that its guards leave behind end with it."""
        context = self.context
        frames = context.frames
        conditions = context.conditions
        mark = len(conditions)
        depth = len(frames)
        frames.append((body, 0))
        left = False
        for index, statement in enumerate(body):
            handler = _HANDLERS.get(statement.__class__)
            if handler is not None:
                frames[depth] = (body, index)
                left = handler(self, statement) or left
        frames.pop()
        del conditions[mark:]
        return left

    def inside(self, kind: str, node: ast.AST, body: list[ast.stmt], *, negated: bool = False) -> bool:
        """Walk a block that is reached under a condition."""
        self.push(kind, node, negated=negated)
        left = self.block(body)
        self.context.conditions.pop()
        return left

    def push(self, kind: str, node: ast.AST, *, negated: bool) -> None:
        """Put a condition on the stack: of the statement being read, for what follows or stands in it."""
        frames = self.context.frames
        block, index = frames[-1]
        pushed = Pushed(kind, node, negated, len(frames) - 1, index, block)  # type: ignore[arg-type]
        self.context.conditions.append(pushed)

    # --- statements that raise, call, leave ---

    def raised(self, node: ast.Raise) -> bool:
        """Read a raise; what follows it is not reached."""
        return self.sites.read_raise(node, self.context)

    def expression(self, node: ast.Expr | ast.Return) -> bool:
        """Read a call that stands alone or is returned."""
        value = node.value
        if value.__class__ is ast.Await:
            value = value.value
        if value.__class__ is not ast.Call:
            return node.__class__ is ast.Return
        assert isinstance(value, ast.Call)
        name = last_name(value.func)
        if name in INTERESTING:
            if self.sites.read_raise(node, self.context):
                return True
            kind = self.sites.read_call(node, value, self.context)
            if kind == "exit":
                return True
            if kind is not None:
                return node.__class__ is ast.Return
        if gives_words(value):
            self.sites.read_worded_call(value, self.context)
        return node.__class__ is ast.Return or name in {"exit", "_exit"}

    def leaving(self, node: ast.stmt) -> bool:
        """Note a `continue` or `break`."""
        if node.__class__ is ast.Break and self.context.loops:
            self.context.loops[-1] = True
        return True

    def imported(self, node: ast.Import | ast.ImportFrom) -> bool:
        """Note an import."""
        self.outline.add_import(node)
        return False

    # --- compound statements ---

    def if_(self, node: ast.If) -> bool:
        """Walk an `if` with all its `elif` branches: chains may be longer than the interpreter can nest."""
        conditions = self.context.conditions
        mark = len(conditions)
        branches: list[tuple[ast.If, bool]] = []
        current = node
        while True:
            branches.append((current, self.inside("if", current, current.body)))
            if not current.orelse:
                left = False
                break
            self.push("if", current, negated=True)
            following = current.orelse
            if len(following) == 1 and isinstance(following[0], ast.If):
                current = following[0]
                continue
            left = self.block(following)
            break
        del conditions[mark:]
        self._after_if(branches, has_else=bool(current.orelse), else_left=left)
        return left and all(gone for _, gone in branches)

    def _after_if(self, branches: list[tuple[ast.If, bool]], *, has_else: bool, else_left: bool) -> None:
        """Leave behind what is known once an `if` chain has been passed."""
        staying = [branch for branch, gone in branches if not gone]
        for branch, gone in branches:
            if not gone:
                break
            self.push("if", branch, negated=True)
        if has_else and else_left and len(staying) == 1:
            self.push("if", staying[0], negated=False)

    def while_(self, node: ast.While) -> bool:
        """Walk a `while` loop; past it, its condition is false unless a `break` was met."""
        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.context.loops.append(False)
        if forever:
            self.block(node.body)
        else:
            self.inside("while", node, node.body)
        broken = self.context.loops.pop()
        left = bool(node.orelse) and self.inside("while", node, node.orelse, negated=True)
        if not broken and not forever:
            self.push("while", node, negated=True)
        return (forever or left) and not broken

    def for_(self, node: ast.For | ast.AsyncFor) -> bool:
        """Walk a `for` loop; its `else` is reached when no `break` was."""
        self.context.loops.append(False)
        self.inside("for", node, node.body)
        broken = self.context.loops.pop()
        left = bool(node.orelse) and self.inside("for", node, node.orelse, negated=True)
        return left and not broken

    def with_(self, node: ast.With | ast.AsyncWith) -> bool:
        """Walk a `with` block; one that suppresses errors leaves nothing certain."""
        return self.inside("with", node, node.body) and "suppress" not in last_name(
            getattr(node.items[0].context_expr, "func", node.items[0].context_expr)
        )

    def try_(self, node: ast.Try | ast.TryStar) -> bool:
        """Walk a `try` with its handlers."""
        context = self.context
        body_left = self.block(node.body)
        staying: list[ast.ExceptHandler] = []
        for handler in node.handlers:
            context.handlers.append(handler)
            if not self.inside("except", handler, handler.body):
                staying.append(handler)
            context.handlers.pop()
        if node.orelse:
            body_left = self.inside("try-else", node, node.orelse) or body_left
        if node.finalbody and self.block(node.finalbody):
            return True
        if body_left and len(staying) == 1:
            self.push("except", staying[0], negated=False)
        return body_left and not staying

    def match_(self, node: ast.Match) -> bool:
        """Walk a `match`; a case is reached when those before it did not fit."""
        mark = len(self.context.conditions)
        cases: list[tuple[ast.AST, bool]] = []
        exhaustive = False
        for case in node.cases:
            matched = matched_case(node, case)
            exhaustive = (
                case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            )
            if exhaustive:
                cases.append((matched, self.block(case.body)))
            else:
                cases.append((matched, self.inside("match", matched, case.body)))
                self.push("match", matched, negated=True)
        del self.context.conditions[mark:]
        for matched, gone in cases:
            if not gone:
                break
            self.push("match", matched, negated=True)
        return exhaustive and all(gone for _, gone in cases)

    # --- definitions ---

    def function(self, node: FunctionNode) -> bool:
        """Walk a function: conditions around its definition say nothing of its calls."""
        outer = self.context
        index, class_name = self.outline.add_function(node, outer.function, outer.class_name)
        scope: Scope = outer.place(self.source) or outer.scope
        self.context = Context(index, node, scope, class_name)
        if not self.names_only:
            self.block(node.body)
        self.context = outer
        return False

    def class_(self, node: ast.ClassDef) -> bool:
        """Walk a class."""
        outer = self.context
        name = self.outline.add_class(node, outer.function, outer.class_name)
        surroundings: Scope = outer.place(self.source) or outer.scope
        inner = Context(outer.function, None, ClassScope(node, surroundings, self.source), name)
        self.context = inner
        self.block(node.body)
        self.context = outer
        return False


_HANDLERS: dict[type[ast.stmt], Callable[..., bool]] = {
    ast.Raise: Walker.raised,
    ast.Expr: Walker.expression,
    ast.Return: Walker.expression,
    ast.Continue: Walker.leaving,
    ast.Break: Walker.leaving,
    ast.Import: Walker.imported,
    ast.ImportFrom: Walker.imported,
    ast.If: Walker.if_,
    ast.While: Walker.while_,
    ast.For: Walker.for_,
    ast.AsyncFor: Walker.for_,
    ast.With: Walker.with_,
    ast.AsyncWith: Walker.with_,
    ast.Try: Walker.try_,
    ast.TryStar: Walker.try_,
    ast.Match: Walker.match_,
    ast.FunctionDef: Walker.function,
    ast.AsyncFunctionDef: Walker.function,
    ast.ClassDef: Walker.class_,
}
