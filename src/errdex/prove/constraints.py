"""Conditions on the way to a site, as constraints; what cannot be said in them is left open, never guessed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3

from errdex.prove.anatomy import Step
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
    MAX_DIMENSIONS,
    NONE,
    NUMBERS,
    OTHER,
    SET,
    SIZED,
    STR,
    TUPLE,
    TYPE,
    DtypeOf,
    Fixed,
    Row,
    Shape,
    Term,
    TypeOf,
    is_one_of,
)  # fmt: skip

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
_SAME = frozenset(
    {
        "tuple",
        "list",
        "set",
        "frozenset",
        "sorted",
        "asarray",
        "array",
        "asanyarray",
        "atleast_1d",
        "iter",
        "as_tensor",
        "check_array",
        "ascontiguousarray",
    }
)
_STRING_SAME = frozenset({"lower", "strip", "upper", "casefold", "lstrip", "rstrip", "title", "decode"})
_FLIP = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


class Conditions:
    """Builds the constraints of one path. `terms` are the roots: parameters, and attributes of `self`."""

    def __init__(
        self, parameters: Sequence[str], names: dict[str, ValueSeen], *, tensors: bool = False
    ) -> None:
        self._tensors = tensors
        self.solver = z3.Solver()
        self.solver.set("timeout", 400)
        self.terms: dict[str, Term] = {}
        self.classes: list[str] = []
        self.bound: dict[str, Any] = {}
        """Loop variables, standing for the first element."""
        self._parameters, self._names = frozenset(parameters), names
        self._context: list[Any] = []
        self._apart: list[Any] | None = None
        self._fresh = 0

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

    def apart(self, step: Step) -> Any:
        """Return a step's constraint together with all that it presupposes: nothing is added to the solver."""
        self._apart = []
        try:
            truth = self.add(step)
            return z3.And(truth, *self._apart)
        finally:
            self._apart = None

    def _unknown(self) -> Any:
        self._fresh += 1
        return z3.Bool(f"unknown{self._fresh}")

    # --- truth

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

    # --- comparisons

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
            return self._same(one, two)
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
                *(self._same(one, Fixed(each)) for each in list(two.value)[:60]), z3.BoolVal(val=False)
            )
        if isinstance(two, Row):
            return z3.Or(*(self._same(one, each) for each in two.items), z3.BoolVal(val=False))
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
        """Return a condition that makes `one` the first element of `two`, or `two` empty."""
        self._fresh += 1
        flag = z3.Bool(f"member{self._fresh}")
        two.ask("length")
        self._presume(is_one_of(two, (LIST, TUPLE)))
        self.solver.add(z3.Implies(flag, z3.And(two.length >= 1, self._term_is(one, two.part("[0]")))))
        self.solver.add(z3.Implies(z3.Not(flag), two.length == 0))
        return flag

    def _part_of_text(self, one: Any, text: str) -> Any:
        if not isinstance(one, Term):
            return self._unknown()
        one.ask("text")
        self._presume(one.kind == STR)
        return z3.Contains(z3.StringVal(text), one.text)

    def _same(self, one: Any, two: Any) -> Any:
        if isinstance(one, Fixed) and isinstance(two, Fixed):
            return z3.BoolVal(one.value == two.value)
        if isinstance(two, Term) and not isinstance(one, Term):
            one, two = two, one
        if isinstance(one, Term):
            return self._term_is(one, two)
        if isinstance(one, Shape) or isinstance(two, Shape):
            return self._same_shape(one, two)
        if isinstance(one, Row) and isinstance(two, Row):
            if len(one.items) != len(two.items):
                return z3.BoolVal(val=False)
            return z3.And(
                *(self._same(a, b) for a, b in zip(one.items, two.items, strict=True)), z3.BoolVal(val=True)
            )
        first, second = _number(one), _number(two)
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
        number = _number(value)
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

    def _as_number(self, value: Any) -> Any:
        if isinstance(value, Term):
            value.ask("number")
            self._presume(is_one_of(value, NUMBERS))
            return value.number
        return _number(value)

    # --- values

    def value(self, node: ast.expr) -> Any:
        """Return what is known of an expression's value; None where nothing is."""
        handler: Callable[[Any], Any] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        return handler(node) if handler else None

    def _constant(self, node: ast.Constant) -> Any:
        return Fixed(node.value)

    def _name(self, node: ast.Name) -> Any:
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

    def _attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            return self._global(node) or self.term(f"self.{node.attr}")
        base = self.value(node.value)
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

    def _tuple(self, node: ast.Tuple) -> Any:
        return Row(tuple(self.value(each) for each in node.elts))

    _list = _set = _tuple

    def _subscript(self, node: ast.Subscript) -> Any:
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

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            if isinstance(value, Fixed) and isinstance(value.value, int | float):
                return Fixed(-value.value)
            number = self._as_number(value)
            return -number if number is not None else None
        return self.truth(node) if isinstance(node.op, ast.Not) else None

    def _binop(self, node: ast.BinOp) -> Any:
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

    def _boolop(self, node: ast.BoolOp) -> Any:
        return self.truth(node)

    _compare_value = _boolop

    def _namedexpr(self, node: ast.NamedExpr) -> Any:
        value = self.value(node.value)
        if isinstance(node.target, ast.Name) and value is not None:
            self.bound[node.target.id] = value
        return value

    def _ifexp(self, node: ast.IfExp) -> Any:
        """Take the branch that depends on a parameter: most are `x if x is not None else default`."""
        body = self.value(node.body)
        return body if body is not None and not isinstance(body, Fixed) else self.value(node.orelse)

    def _call(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        first = self.value(node.args[0]) if node.args else None
        if name == "len" and len(node.args) == 1:
            return self._length(first)
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
        base = self.value(node.func.value)
        if not isinstance(base, Term):
            return None
        first = self.value(node.args[0]) if node.args else None
        if name in _STRING_SAME:
            self._presume(base.kind == STR)
            return base
        if name == "get" and isinstance(first, Fixed):
            self._presume(base.kind == DICT)
            return base.part(f"[{first.value!r}]")
        if name == "dim" and not node.args:
            base.ask("shape")
            return base.ndim
        if name == "size" and isinstance(first, Fixed):
            base.ask("shape")
            return self._shape_item(Shape(base.dims, base.ndim), node.args[0])
        if name in ("split", "splitlines", "rsplit") and not node.args:
            self._presume(z3.Or(base.kind == STR, base.kind == OTHER))
            words = base.part(f".{name}()")
            self.solver.add(words.kind == LIST)
            return words
        self._presume(self._has_attributes(base))
        return base.part(f".{name}()")

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


def _number(value: Any) -> Any:
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
