"""Conditions on the way to a site, as constraints; what cannot be said in them is left open, never guessed."""

from __future__ import annotations

import ast
from typing import Any

import z3

from errdex.prove.anatomy import Step
from errdex.prove.comparisons import Comparisons
from errdex.prove.terms import (
    ARRAY,
    CALLABLE,
    LIST,
    NONE,
    NUMBERS,
    OTHER,
    SIZED,
    STR,
    TUPLE,
    TYPE,
    Fixed,
    Row,
    Shape,
    Term,
    is_of_kind,
    is_one_of,
)

_EXISTS = frozenset({"exists", "lexists", "isdir"})
"""Functions of `os.path` that are true of the working directory."""


class Conditions(Comparisons):
    """Builds the constraints of one path."""

    def add(self, step: Step, loop_target: ast.expr | None = None) -> Any:
        """Return the constraint of one step; what it presupposes is added to the solver."""
        if step.expression is None:
            return z3.BoolVal(val=True)
        if step.kind == "for":
            return self._loop(step, loop_target)
        if step.kind in {"except", "with", "try-else", "match", "comprehension"}:
            return z3.BoolVal(val=True)
        truth = self.truth(step.expression)
        return truth if step.wanted else z3.Not(truth)

    def _loop(self, step: Step, target: ast.expr | None) -> Any:
        assert step.expression is not None
        value = self.value(step.expression)
        if not step.wanted:
            return z3.BoolVal(val=True)
        if isinstance(target, ast.Name):
            if isinstance(value, Term):
                self.bound[target.id] = value.part("[0]")
            elif isinstance(value, Row) and value.items:
                self.bound[target.id] = value.items[0]
        if isinstance(value, Term):
            value.ask("length")
            return z3.And(is_one_of(value, (LIST, TUPLE)), value.length >= 1)
        return z3.BoolVal(val=True)

    def apart(self, step: Step) -> Any:
        """Return a step's constraint together with all that it presupposes: nothing is added to the solver."""
        self._apart = []
        try:
            truth = self.add(step)
            return z3.And(truth, *self._apart)
        finally:
            self._apart = None

    def truth(self, node: ast.expr) -> Any:
        """Return the condition that an expression is true."""
        if isinstance(node, ast.BoolOp):
            return self._bool_op(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return z3.Not(self.truth(node.operand))
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.IfExp):
            test = self.truth(node.test)
            return z3.If(test, self._under(test, node.body), self._under(z3.Not(test), node.orelse))
        if isinstance(node, ast.Call) and (found := self._call_truth(node)) is not None:
            return found
        return self._truthy(self.value(node))

    def _under(self, condition: Any, node: ast.expr) -> Any:
        self._context.append(condition)
        try:
            return self.truth(node)
        finally:
            self._context.pop()

    def _bool_op(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        parts: list[Any] = []
        depth = len(self._context)
        try:
            for each in node.values:
                parts.append(self.truth(each))
                self._context.append(parts[-1] if is_and else z3.Not(parts[-1]))
        finally:
            del self._context[depth:]
        return z3.And(*parts) if is_and else z3.Or(*parts)

    def _truthy(self, value: Any) -> Any:
        if isinstance(value, Term):
            value.ask("length")
            value.ask("number")
            return z3.And(
                value.kind != NONE,
                z3.Implies(is_one_of(value, NUMBERS), value.number != 0),
                z3.Implies(is_one_of(value, SIZED), value.length > 0),
                value.kind != ARRAY,
            )
        if isinstance(value, Fixed):
            return z3.BoolVal(bool(value.value))
        if isinstance(value, Row):
            return z3.BoolVal(bool(value.items))
        if isinstance(value, Shape):
            return value.count > 0
        if z3.is_bool(value):
            return value
        if z3.is_arith(value):
            return value != 0
        if z3.is_string(value):
            return z3.Length(value) > 0
        return self._unknown()

    def _call_truth(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ("isinstance", "issubclass") and len(node.args) == 2 and isinstance(node.func, ast.Name):
            value = self.value(node.args[0])
            if isinstance(value, Fixed):
                return self._unknown()
            return (
                self._is_instance(value, node.args[1])
                if isinstance(value, Term) and name == "isinstance"
                else self._unknown()
            )
        if name == "callable" and len(node.args) == 1:
            value = self.value(node.args[0])
            return is_one_of(value, (CALLABLE, TYPE)) if isinstance(value, Term) else self._unknown()
        if name == "hasattr" and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
            value = self.value(node.args[0])
            if isinstance(value, Term):
                flag = z3.Bool(f"{value.key}.{node.args[1].value!s}#present")
                value.part(f".{node.args[1].value!s}")
                self.solver.add(z3.Implies(flag, value.kind == OTHER))
                return flag
        if (
            name in ("any", "all")
            and len(node.args) == 1
            and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp)
        ):
            return self._quantified(name == "any", node.args[0])
        if name == "iscomplexobj" and isinstance(value := self.value(node.args[0]), Term):
            value.ask("dtype")
            self._presume(value.kind == ARRAY)
            return is_of_kind(value, "c")
        if name in _EXISTS and len(node.args) == 1 and isinstance(value := self.value(node.args[0]), Term):
            value.ask("text")
            self._presume(value.kind == STR)
            return value.text == z3.StringVal(".")
        if name in ("startswith", "endswith") and isinstance(node.func, ast.Attribute) and node.args:
            return self._affix(name, node)
        return None

    def _affix(self, name: str, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Attribute)
        subject, affix = self.value(node.func.value), self.value(node.args[0])
        if not isinstance(subject, Term) or not isinstance(affix, Fixed):
            return self._unknown()
        self._presume(subject.kind == STR)
        subject.ask("text")
        options = affix.value if isinstance(affix.value, tuple) else (affix.value,)
        test = z3.PrefixOf if name == "startswith" else z3.SuffixOf
        return z3.Or(*(test(z3.StringVal(each), subject.text) for each in options if isinstance(each, str)))

    def _quantified(self, is_any: bool, node: ast.GeneratorExp | ast.ListComp) -> Any:  # noqa: FBT001
        generator = node.generators[0]
        if len(node.generators) != 1 or not isinstance(generator.target, ast.Name):
            return self._unknown()
        source = self.value(generator.iter)
        items: tuple[Any, ...]
        if isinstance(source, Row):
            items = source.items
        elif isinstance(source, Term):  # one element stands for all
            source.ask("length")
            self._presume(z3.And(is_one_of(source, (LIST, TUPLE)), source.length == 1))
            items = (source.part("[0]"),)
        else:
            return self._unknown()
        results = []
        for item in items[:8]:
            before = self.bound.get(generator.target.id)
            self.bound[generator.target.id] = item
            tests = [self.truth(each) for each in generator.ifs]
            result = self.truth(node.elt)
            results.append(z3.And(*tests, result) if is_any else z3.Implies(z3.And(*tests), result))
            if before is None:
                del self.bound[generator.target.id]
            else:
                self.bound[generator.target.id] = before
        return z3.Or(*results) if is_any else z3.And(*results)
