"""Comparisons as constraints: equality, order, membership, types of elements, classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import z3

from errdex.prove.expressions import Expressions, number_of
from errdex.prove.observation import ValueSeen
from errdex.prove.terms import (
    ARRAY,
    BOOL,
    BYTES,
    CALLABLE,
    CLASSES,
    DICT,
    DTYPES,
    FLOAT,
    INT,
    LIST,
    NONE,
    NUMBERS,
    OTHER,
    SET,
    STR,
    TUPLE,
    TYPE,
    DtypeKind,
    DtypeOf,
    Fixed,
    Row,
    Shape,
    Term,
    TypeOf,
    is_of_kind,
    is_one_of,
)

_KINDS_OF = {
    "int": (INT, BOOL), "bool": (BOOL,), "float": (FLOAT,), "str": (STR,), "bytes": (BYTES,), "list": (LIST,),
    "tuple": (TUPLE,), "dict": (DICT,), "set": (SET,), "type": (TYPE,),
    "ndarray": (ARRAY,), "Tensor": (ARRAY,), "Integral": (INT, BOOL), "Real": (INT, BOOL, FLOAT),
    "Number": (INT, BOOL, FLOAT), "Mapping": (DICT,),
    "MutableMapping": (DICT,), "Sequence": (LIST, TUPLE, STR, BYTES), "Iterable": (LIST, TUPLE, STR, BYTES, DICT, SET, ARRAY),
    "Callable": (CALLABLE, TYPE), "Sized": (LIST, TUPLE, STR, BYTES, DICT, SET, ARRAY), "Collection": (LIST, TUPLE, STR, BYTES, DICT, SET),
    "Set": (SET,), "Hashable": (NONE, BOOL, INT, FLOAT, STR, BYTES, TUPLE, CALLABLE, OTHER, TYPE), "string_types": (STR,),
    "object": tuple(range(14)), "NoneType": (NONE,),
}  # fmt: skip


class Comparisons(Expressions):
    """Compares what is looked for."""

    def __init__(
        self, parameters: Sequence[str], names: dict[str, ValueSeen], *, tensors: bool = False
    ) -> None:
        super().__init__(parameters, names, tensors=tensors)
        self.classes: list[str] = []
        """Classes that the code names, in the order of their kinds."""

    def _is_instance(self, term: Term, classes: ast.expr) -> Any:
        options: list[Any] = []
        for name in _class_names(classes, self._names):
            kinds = _KINDS_OF.get(name.rpartition(".")[2])
            if kinds is None:
                options.append(term.kind == self.class_kind(name))
            else:
                options += [term.kind == kind for kind in kinds]
        return z3.Or(*options) if options else z3.BoolVal(val=False)

    def class_kind(self, name: str) -> int:
        """Return the kind of instances of a class that the code names."""
        if name not in self.classes:
            self.classes.append(name)
        return CLASSES + self.classes.index(name)

    def _comparison(self, node: ast.Compare) -> Any:
        parts = []
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self._compare(operator, left, right))
            left = right
        return z3.And(*parts)

    def _compare(self, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> Any:
        if isinstance(operator, ast.NotEq | ast.IsNot | ast.NotIn):
            positive = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}[type(operator)]()
            return z3.Not(self._compare(positive, left, right))
        one = self.value(left)
        if isinstance(operator, ast.In):
            return self._member(one, right)
        if isinstance(one, TypeOf) or (
            isinstance(right, ast.Call) and getattr(right.func, "id", "") == "type"
        ):
            return self._type_is(one, right)
        two = self.value(right)
        if isinstance(one, DtypeOf) or isinstance(two, DtypeOf):
            return self._same_dtype(one, two, left, right)
        if isinstance(operator, ast.Eq | ast.Is):
            return self._equals(one, two)
        return self._ordered(operator, one, two)

    def _type_is(self, one: Any, right: ast.expr) -> Any:
        if isinstance(one, TypeOf) and isinstance(one.term, Term):
            return self._is_instance(one.term, right)
        return self._unknown()

    def _same_dtype(self, one: Any, two: Any, left: ast.expr, right: ast.expr) -> Any:
        numbers = [self._dtype_number(value, node) for value, node in ((one, left), (two, right))]
        if any(number is None for number in numbers):
            return self._unknown()
        return numbers[0] == numbers[1]

    def _dtype_number(self, value: Any, node: ast.expr) -> Any:
        if isinstance(value, DtypeOf):
            return value.term.dtype
        name = (
            value.value
            if isinstance(value, Fixed) and isinstance(value.value, str)
            else ast.unparse(node).rpartition(".")[2]
        )
        return DTYPES.index(name) if name in DTYPES else None

    def _member(self, one: Any, right: ast.expr) -> Any:
        if isinstance(one, DtypeOf) and isinstance(right, ast.Tuple | ast.List | ast.Set):
            numbers = [self._dtype_number(None, each) for each in right.elts]
            if any(number is None for number in numbers):
                return self._unknown()
            return z3.Or(*(one.term.dtype == number for number in numbers))
        two = self.value(right)
        if isinstance(two, Fixed) and isinstance(two.value, str):
            return self._part_of_text(one, two.value)
        if isinstance(two, Fixed) and isinstance(two.value, list | tuple | set | frozenset | dict):
            return z3.Or(
                *(self._equals(one, Fixed(each)) for each in list(two.value)[:60]), z3.BoolVal(val=False)
            )
        if isinstance(two, Row):
            return z3.Or(*(self._equals(one, each) for each in two.items), z3.BoolVal(val=False))
        if isinstance(two, Term) and isinstance(one, Fixed) and isinstance(one.value, str):
            flag = z3.Bool(f"{two.key}[{one.value!r}]#present")
            two.ask("text")
            two.part(f"[{one.value!r}]")
            self._presume(is_one_of(two, (STR, DICT)))
            self.solver.add(
                z3.Implies(two.kind == STR, flag == z3.Contains(two.text, z3.StringVal(one.value)))
            )
            return flag
        if isinstance(two, Term) and isinstance(one, Term):
            return self._member_of(one, two)
        return self._unknown()

    def _member_of(self, one: Term, two: Term) -> Any:
        """Return a condition that makes `one` the first element of `two`, or one that is not in it."""
        self._fresh += 1
        flag = z3.Bool(f"member{self._fresh}")
        two.ask("length")
        self._presume(is_one_of(two, (LIST, TUPLE)))
        same = self._term_is(one, two.part("[0]"))
        self.solver.add(z3.Implies(flag, z3.And(two.length >= 1, same)))
        self.solver.add(
            z3.Implies(z3.Not(flag), z3.Or(two.length == 0, z3.And(two.length == 1, z3.Not(same))))
        )
        return flag

    def _part_of_text(self, one: Any, text: str) -> Any:
        if isinstance(one, DtypeKind):
            return is_of_kind(one.term, text)
        if not isinstance(one, Term):
            return self._unknown()
        one.ask("text")
        self._presume(one.kind == STR)
        return z3.Contains(z3.StringVal(text), one.text)

    def _equals(self, one: Any, two: Any) -> Any:
        if isinstance(one, Fixed) and isinstance(two, Fixed):
            return z3.BoolVal(one.value == two.value)
        if isinstance(two, Term | DtypeKind) and not isinstance(one, Term):
            one, two = two, one
        if isinstance(one, DtypeKind):
            return is_of_kind(one.term, str(two.value)) if isinstance(two, Fixed) else self._unknown()
        if isinstance(one, Term):
            return self._term_is(one, two)
        if isinstance(one, Shape) or isinstance(two, Shape):
            return self._same_shape(one, two)
        if isinstance(one, Row) and isinstance(two, Row):
            if len(one.items) != len(two.items):
                return z3.BoolVal(val=False)
            return z3.And(
                *(self._equals(a, b) for a, b in zip(one.items, two.items, strict=True)), z3.BoolVal(val=True)
            )
        first, second = number_of(one), number_of(two)
        if first is not None and second is not None:
            return first == second
        return self._unknown()

    def _term_is(self, term: Term, value: Any) -> Any:
        if isinstance(value, Term):
            for side in ("number", "text"):
                term.ask(side)
                value.ask(side)
            return z3.Or(
                z3.And(is_one_of(term, NUMBERS), is_one_of(value, NUMBERS), term.number == value.number),
                z3.And(term.kind == STR, value.kind == STR, term.text == value.text),
                z3.And(term.kind == NONE, value.kind == NONE),
            )
        if isinstance(value, Fixed):
            return self._term_is_constant(term, value.value)
        if isinstance(value, Shape | Row):
            return self._unknown()
        number = number_of(value)
        if number is None:
            return self._unknown()
        term.ask("number")
        return z3.And(is_one_of(term, NUMBERS), term.number == number)

    def _term_is_constant(self, term: Term, value: Any) -> Any:
        if value is None:
            return term.kind == NONE
        if isinstance(value, bool | int | float) and value == value and abs(value) < 1e15:  # noqa: PLR0124 - not a number
            term.ask("number")
            kinds = (BOOL,) if isinstance(value, bool) else NUMBERS
            return z3.And(
                is_one_of(term, kinds),
                term.number == z3.RealVal(str(float(value)) if isinstance(value, float) else int(value)),
            )
        if isinstance(value, str):
            term.ask("text")
            return z3.And(term.kind == STR, term.text == z3.StringVal(value))
        if isinstance(value, list | tuple | dict | set | frozenset | bytes) and not value:
            term.ask("length")
            kinds_by_name = {"list": LIST, "tuple": TUPLE, "dict": DICT, "bytes": BYTES}
            kind = kinds_by_name.get(type(value).__name__, SET)
            return z3.And(term.kind == kind, term.length == 0)
        return self._unknown()

    def _same_shape(self, one: Any, two: Any) -> Any:
        if isinstance(two, Shape) and not isinstance(one, Shape):
            one, two = two, one
        if isinstance(two, Fixed) and isinstance(two.value, tuple):
            two = Row(tuple(Fixed(each) for each in two.value))
        if isinstance(two, Row):
            numbers = [self._as_number(each) for each in two.items]
            if any(number is None for number in numbers) or len(numbers) > len(one.dims):
                return self._unknown()
            return z3.And(
                one.count == len(numbers),
                *(dim == number for dim, number in zip(one.dims, numbers, strict=False)),
            )
        if isinstance(two, Shape):
            pairs = zip(one.dims, two.dims, strict=False)
            return z3.And(
                one.count == two.count,
                *(z3.Or(index >= one.count, a == b) for index, (a, b) in enumerate(pairs)),
            )
        return self._unknown()

    def _ordered(self, operator: ast.cmpop, one: Any, two: Any) -> Any:
        if isinstance(one, Term) and (
            isinstance(two, Row) or (isinstance(two, Fixed) and isinstance(two.value, tuple))
        ):
            one.ask("length")
            self._presume(z3.And(one.kind == TUPLE, one.length >= 1))
            items = two.items if isinstance(two, Row) else tuple(Fixed(each) for each in two.value)
            return self._ordered(operator, one.part("[0]"), items[0]) if items else self._unknown()
        first, second = self._as_number(one), self._as_number(two)
        if first is None or second is None:
            return self._unknown()
        if isinstance(operator, ast.Lt):
            return first < second
        if isinstance(operator, ast.LtE):
            return first <= second
        if isinstance(operator, ast.Gt):
            return first > second
        return first >= second if isinstance(operator, ast.GtE) else self._unknown()


def _class_names(node: ast.expr, names: dict[str, ValueSeen]) -> Iterator[str]:
    if isinstance(node, ast.Tuple | ast.List):
        for each in node.elts:
            yield from _class_names(each, names)
    elif isinstance(node, ast.BinOp):
        yield from _class_names(node.left, names)
        yield from _class_names(node.right, names)
    elif isinstance(node, ast.Name | ast.Attribute):
        text = ast.unparse(node)
        seen = names.get(text)
        if seen is not None and seen.k == "classes":
            for member in seen.of:
                if not isinstance(member, str):
                    yield (
                        member.qualname
                        if member.module == "builtins"
                        else f"{member.module}:{member.qualname}"
                    )
        else:
            yield text
