"""What an expression's value is, in terms of what is looked for: parameters, attributes, items, lengths, shapes."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import z3

from errdex.prove.observation import ValueSeen
from errdex.prove.terms import (
    ARRAY,
    CLASSES,
    DICT,
    LIST,
    MAX_DIMENSIONS,
    NUMBERS,
    OTHER,
    SIZED,
    STR,
    TUPLE,
    DtypeKind,
    DtypeOf,
    Fixed,
    Row,
    Shape,
    Term,
    TypeOf,
    is_one_of,
)

_SAME = frozenset({
    "tuple", "list", "set", "frozenset", "sorted", "asarray", "array", "asanyarray", "atleast_1d", "iter", "as_tensor",
    "check_array", "ascontiguousarray",
})  # fmt: skip
"""Calls whose result answers a condition as their first argument does."""
_STEPS = 400_000
"""z3's own measure of work for one question, about 0.1 CPU seconds: the same answer on a busy machine."""
_DISTINCT = frozenset({"set", "frozenset", "unique"})
"""Calls that leave one of equal elements."""
_STRING_SAME = frozenset({"lower", "strip", "upper", "casefold", "lstrip", "rstrip", "title", "decode"})
"""Methods whose result is text that a condition may be asked of instead of the text itself."""


class Expressions(ABC):
    """Reads expressions. `terms` are the roots: parameters, and attributes of `self`."""

    def __init__(
        self, parameters: Sequence[str], names: dict[str, ValueSeen], *, tensors: bool = False
    ) -> None:
        self._tensors = tensors
        self.solver = z3.Solver()
        self.solver.set("rlimit", _STEPS)
        self.terms: dict[str, Term] = {}
        self.bound: dict[str, Any] = {}
        """Loop variables, standing for the first element."""
        self._parameters, self._names = frozenset(parameters), names
        self._context: list[Any] = []
        self._apart: list[Any] | None = None
        self._fresh = 0

    @abstractmethod
    def truth(self, node: ast.expr) -> Any:
        """Return the condition that an expression is true."""

    def term(self, key: str) -> Term:
        """Return the root of this name."""
        if key not in self.terms:
            self.terms[key] = Term(key, self.solver)
        return self.terms[key]

    # --- what must hold for an expression to be evaluated at all

    def _presume(self, condition: Any) -> None:
        implied = z3.Implies(z3.And(*self._context), condition) if self._context else condition
        if self._apart is None:
            self.solver.add(implied)
        else:
            self._apart.append(implied)

    def _unknown(self) -> Any:
        self._fresh += 1
        return z3.Bool(f"unknown{self._fresh}")

    def _as_number(self, value: Any) -> Any:
        if isinstance(value, Term):
            value.ask("number")
            self._presume(is_one_of(value, NUMBERS))
            return value.number
        return number_of(value)

    def value(self, node: ast.expr) -> Any:
        """Return what is known of an expression's value; None where nothing is."""
        handler: Callable[[Any], Any] | None = getattr(self, f"_read_{type(node).__name__.lower()}", None)
        return handler(node) if handler else None

    def _read_constant(self, node: ast.Constant) -> Any:
        return Fixed(node.value)

    def _read_name(self, node: ast.Name) -> Any:
        if node.id in self.bound:
            return self.bound[node.id]
        if node.id in self._parameters:
            return self.term(node.id)
        return self._global(node)

    def _global(self, node: ast.expr) -> Any:
        seen = self._names.get(ast.unparse(node))
        if seen is not None and seen.k == "data":
            try:
                return Fixed(ast.literal_eval(seen.repr))
            except (ValueError, SyntaxError):
                return None
        if seen is not None and seen.k == "keys":
            keys = []
            for each in seen.of:
                try:
                    keys.append(ast.literal_eval(each) if isinstance(each, str) else None)
                except (ValueError, SyntaxError):
                    return None
            return Fixed(tuple(keys))
        return None

    def _read_attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            return self._global(node) or self.term(f"self.{node.attr}")
        base = self.value(node.value)
        if isinstance(base, DtypeOf) and node.attr == "kind":
            return DtypeKind(base.term)
        if not isinstance(base, Term):
            return self._global(node) if base is None else None
        if node.attr in ("shape", "ndim", "dtype"):
            self._presume(base.kind == ARRAY)
            base.ask("shape" if node.attr != "dtype" else "dtype")
            if node.attr == "shape":
                return Shape(base.dims, base.ndim)
            return base.ndim if node.attr == "ndim" else DtypeOf(base)
        self._presume(self._has_attributes(base))
        return base.part(f".{node.attr}")

    def _has_attributes(self, term: Term) -> Any:
        options = [term.kind == OTHER, term.kind >= CLASSES]
        if self._tensors:  # a stand-in for an array takes any attribute
            options.append(term.kind == ARRAY)
        return z3.Or(*options)

    def _read_tuple(self, node: ast.Tuple) -> Any:
        return Row(tuple(self.value(each) for each in node.elts))

    _read_list = _read_set = _read_tuple

    def _read_subscript(self, node: ast.Subscript) -> Any:
        base = self.value(node.value)
        if isinstance(base, Shape):
            return self._shape_item(base, node.slice)
        index = self.value(node.slice)
        if (
            isinstance(base, Row)
            and isinstance(index, Fixed)
            and isinstance(index.value, int)
            and abs(index.value) < len(base.items)
        ):
            return base.items[index.value]
        if (
            isinstance(base, Term)
            and isinstance(index, Fixed)
            and isinstance(index.value, int)
            and not isinstance(index.value, bool)
        ):
            base.ask("length")
            position = max(index.value, 0)
            self._presume(z3.And(is_one_of(base, (LIST, TUPLE)), base.length > position))
            return base.part(f"[{position}]")
        if isinstance(base, Term) and isinstance(index, Fixed) and isinstance(index.value, str):
            self._presume(base.kind == DICT)
            self.solver.add(z3.Bool(f"{base.key}[{index.value!r}]#present"))
            return base.part(f"[{index.value!r}]")
        return None

    def _shape_item(self, base: Shape, index: ast.expr) -> Any:
        if isinstance(index, ast.Slice):
            low, high = (
                self.value(index.lower) if index.lower else Fixed(0),
                self.value(index.upper) if index.upper else None,
            )
            if not isinstance(low, Fixed) or not isinstance(low.value, int) or low.value < 0:
                return None
            count = base.count
            if high is not None:
                if not isinstance(high, Fixed) or not isinstance(high.value, int):
                    return None
                count = count + high.value if high.value < 0 else z3.If(count < high.value, count, high.value)
            return Shape(base.dims[low.value :], count - low.value)
        value = self.value(index)
        if not isinstance(value, Fixed) or not isinstance(value.value, int):
            return None
        position = value.value
        if position >= 0:
            if position >= len(base.dims):
                return None
            self._presume(base.count > position)
            return base.dims[position]
        self._presume(base.count >= -position)
        found = base.dims[0]
        for count in range(-position, MAX_DIMENSIONS + 1):
            if 0 <= count + position < len(base.dims):
                found = z3.If(base.count == count, base.dims[count + position], found)
        return found

    def _read_unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            if isinstance(value, Fixed) and isinstance(value.value, int | float):
                return Fixed(-value.value)
            number = self._as_number(value)
            return -number if number is not None else None
        return self.truth(node) if isinstance(node.op, ast.Not) else None

    def _read_binop(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(left, Fixed) and isinstance(right, Fixed):
            return _folded(node.op, left.value, right.value)
        one, two = self._as_number(left), self._as_number(right)
        if one is None or two is None:
            return None
        if isinstance(node.op, ast.Mod | ast.FloorDiv):
            return self._whole(node.op, one, two)
        if isinstance(node.op, ast.Add):
            return one + two
        if isinstance(node.op, ast.Sub):
            return one - two
        if isinstance(node.op, ast.Mult):
            return one * two
        if isinstance(node.op, ast.Div):
            return z3.ToReal(one) / two if z3.is_int(one) else one / two
        return None

    def _whole(self, operator: ast.operator, one: Any, two: Any) -> Any:
        whole = [
            each if z3.is_int(each) else z3.ToInt(each)
            for each in (
                z3.simplify(one) if z3.is_expr(one) else z3.IntVal(int(one)),
                z3.simplify(two) if z3.is_expr(two) else z3.IntVal(int(two)),
            )
        ]
        self._presume(whole[1] != 0)
        return whole[0] % whole[1] if isinstance(operator, ast.Mod) else whole[0] / whole[1]

    def _read_boolop(self, node: ast.BoolOp) -> Any:
        return self.truth(node)

    _read_compare = _read_boolop

    def _read_namedexpr(self, node: ast.NamedExpr) -> Any:
        value = self.value(node.value)
        if isinstance(node.target, ast.Name) and value is not None:
            self.bound[node.target.id] = value
        return value

    def _read_ifexp(self, node: ast.IfExp) -> Any:
        """Take the branch that depends on a parameter: most are `x if x is not None else default`."""
        body = self.value(node.body)
        return body if body is not None and not isinstance(body, Fixed) else self.value(node.orelse)

    def _read_call(self, node: ast.Call) -> Any:
        name = _called_name(node)
        first = self.value(node.args[0]) if node.args else None
        if name == "len" and len(node.args) == 1:
            distinct = isinstance(node.args[0], ast.Call) and _called_name(node.args[0]) in _DISTINCT
            return self._count_distinct(first) if distinct else self._length(first)
        if name == "type" and len(node.args) == 1:
            return TypeOf(first) if isinstance(first, Term) else None
        if name in _SAME and node.args:
            return first
        if name in ("ndim", "shape") and isinstance(first, Term):
            self._presume(first.kind == ARRAY)
            first.ask("shape")
            return first.ndim if name == "ndim" else Shape(first.dims, first.ndim)
        if (
            name == "getattr"
            and len(node.args) >= 2
            and isinstance(first, Term)
            and isinstance(node.args[1], ast.Constant)
        ):
            self._presume(z3.Or(first.kind == OTHER, first.kind >= CLASSES))
            return first.part(f".{node.args[1].value!s}")
        if name in ("int", "float", "abs", "round") and len(node.args) == 1:
            number = self._as_number(first)
            return z3.If(number < 0, -number, number) if name == "abs" and number is not None else number
        if name in ("min", "max") and len(node.args) == 2:
            one, two = self._as_number(first), self._as_number(self.value(node.args[1]))
            if one is None or two is None:
                return None
            return z3.If((one < two) if name == "min" else (one > two), one, two)
        if isinstance(node.func, ast.Attribute):
            return self._method(node, name)
        return None

    def _method(self, node: ast.Call, name: str) -> Any:
        assert isinstance(node.func, ast.Attribute)
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "self":
            return self.term(f"self.{name}()")
        base = self.value(node.func.value)
        if not isinstance(base, Term):
            return None
        first = self.value(node.args[0]) if node.args else None
        if name in _STRING_SAME:
            self._presume(base.kind == STR)
            return base
        if name in ("get", "pop") and isinstance(first, Fixed):
            self._presume(base.kind == DICT)
            return base.part(f"[{first.value!r}]")
        if name == "dim" and not node.args:
            base.ask("shape")
            return base.ndim
        if name == "size" and isinstance(first, Fixed):
            base.ask("shape")
            return self._shape_item(Shape(base.dims, base.ndim), node.args[0])
        if name in ("split", "splitlines", "rsplit") and (not node.args or _is_text(first)):
            self._presume(z3.Or(base.kind == STR, base.kind == OTHER))
            words = base.part(f".{name}({ast.unparse(node.args[0]) if node.args else ''})")
            self.solver.add(words.kind == LIST)
            return words
        self._presume(self._has_attributes(base))
        return base.part(f".{name}()")

    def _count_distinct(self, value: Any) -> Any:
        """Return how many different elements there are: all, or all but one where the first two are the same."""
        length = self._length(value)
        if not isinstance(value, Term):
            return length
        self._fresh += 1
        twice = z3.Bool(f"twice{self._fresh}")
        self.solver.add(
            z3.Implies(
                twice,
                z3.And(
                    is_one_of(value, (LIST, TUPLE)),
                    value.length >= 2,
                    self._equals(value.part("[0]"), value.part("[1]")),
                ),
            )
        )
        return z3.If(twice, length - 1, length)

    @abstractmethod
    def _equals(self, one: Any, two: Any) -> Any:
        """Return the condition that two values are equal."""

    def _length(self, value: Any) -> Any:
        if isinstance(value, Term):
            value.ask("length")
            self._presume(is_one_of(value, SIZED))
            return value.length
        if isinstance(value, Shape):
            return value.count
        if isinstance(value, Row):
            return Fixed(len(value.items))
        if isinstance(value, Fixed) and hasattr(value.value, "__len__"):
            return Fixed(len(value.value))
        return None


def _called_name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _is_text(value: Any) -> bool:
    return isinstance(value, Fixed) and isinstance(value.value, str) and bool(value.value)


def number_of(value: Any) -> Any:
    """Return a number as the solver has it; None for what is none."""
    if isinstance(value, Fixed):
        plain = (
            isinstance(value.value, bool | int | float)
            and value.value == value.value
            and abs(value.value) < 1e15
        )
        return (
            z3.RealVal(str(value.value) if isinstance(value.value, float) else int(value.value))
            if plain
            else None
        )
    return value if z3.is_arith(value) else None


def _folded(operator: ast.operator, left: Any, right: Any) -> Fixed | None:
    try:
        if isinstance(operator, ast.Add):
            return Fixed(left + right)
        if isinstance(operator, ast.Sub):
            return Fixed(left - right)
        if (
            isinstance(operator, ast.Mult)
            and isinstance(left, int | float)
            and isinstance(right, int | float)
        ):
            return Fixed(left * right)
    except TypeError:
        return None
    return None
