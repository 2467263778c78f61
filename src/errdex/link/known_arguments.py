"""What a call's own arguments rule out inside the function called.

`cookiejar_from_dict({})` never enters its loop, and `merge(RequestsCookieJar(), …)`
never fails its `isinstance`. Three-valued: a condition whose value is not plain from
the arguments rules out nothing.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

import msgspec

from errdex.link.names import Meaning
from errdex.model.site import Condition

_BUILTIN_TYPES: dict[str, type] = {
    "str": str,
    "bytes": bytes,
    "int": int,
    "float": float,
    "bool": bool,
    "complex": complex,
    "dict": dict,
    "list": list,
    "tuple": tuple,
    "set": set,
}


_ORDERS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Constant(msgspec.Struct, frozen=True):
    """An argument that is written out: `None`, a number, a text, or an empty container."""

    source: str

    @property
    def value(self) -> object:
        """The value itself."""
        return ast.literal_eval(self.source)


class Instance(msgspec.Struct, frozen=True):
    """An argument whose class is written out: constructed, or promised by an annotation."""

    meaning: Meaning


class Filled(msgspec.Struct, frozen=True):
    """A list, tuple, set, dictionary or text with something in it."""


Known = Constant | Instance | Filled
IsA = Callable[[Meaning, str], bool | None]
"""Whether an instance of a class is one of the class written so; None if that cannot be told."""


class Test(msgspec.Struct, frozen=True):
    """One condition around a place inside a function: `expression` must come out as `wanted`, or be looped over."""

    expression: ast.expr
    wanted: bool
    is_loop: bool = False


def constant_of(node: ast.expr) -> Constant | None:
    """Return an argument as a constant, if it is one."""
    is_empty = (isinstance(node, ast.Dict) and not node.keys) or (
        isinstance(node, ast.List | ast.Tuple | ast.Set) and not node.elts
    )
    is_signed = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    if is_empty or is_signed or (isinstance(node, ast.Constant) and node.value is not Ellipsis):
        try:
            ast.literal_eval(node)
        except ValueError:
            return None
        return Constant(ast.unparse(node))
    return None


def literal_of(node: ast.expr) -> Known | None:
    """Return what an argument's own source tells: a constant, or that there is something in it."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            is_filled = any(not isinstance(part, ast.Starred) for part in parts)
        case ast.Dict(keys=keys):
            is_filled = any(key is not None for key in keys)
        case ast.JoinedStr(values=values):
            is_filled = any(isinstance(value, ast.Constant) for value in values)
        case _:
            is_filled = False
    return Filled() if is_filled else constant_of(node)


def bind(
    call: ast.Call, callee: ast.arguments, *, skip_first: bool, value_of: Callable[[ast.expr], Known | None]
) -> dict[str, Known]:
    """Return what is known of a function's parameters when it is called so; defaults count where no `**` is given."""
    parameters = [*callee.posonlyargs, *callee.args][1 if skip_first else 0 :]
    names = [parameter.arg for parameter in parameters]
    every = {*names, *(parameter.arg for parameter in callee.kwonlyargs)}
    given: dict[str, ast.expr] = {}
    is_open = any(isinstance(argument, ast.Starred) for argument in call.args)
    for name, argument in zip(names, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        given[name] = argument
    for keyword in call.keywords:
        if keyword.arg is None:
            is_open = True
        elif keyword.arg in every:
            given[keyword.arg] = keyword.value
    known: dict[str, Known] = {}
    for name, argument in given.items():
        value = value_of(argument)
        if value is not None:
            known[name] = value
    if not is_open:
        for name, default in _defaults(callee):
            constant = constant_of(default)
            if name not in given and constant is not None:
                known[name] = constant
    return known


def _defaults(callee: ast.arguments) -> list[tuple[str, ast.expr]]:
    positional = [*callee.posonlyargs, *callee.args]
    found = [
        (parameter.arg, default)
        for parameter, default in zip(
            positional[len(positional) - len(callee.defaults) :], callee.defaults, strict=True
        )
    ]
    found += [
        (parameter.arg, default)
        for parameter, default in zip(callee.kwonlyargs, callee.kw_defaults, strict=True)
        if default is not None
    ]
    return found


def rules_out(tests: tuple[Test, ...], known: Mapping[str, Known], is_a: IsA) -> bool:
    """Tell whether the arguments leave no way to a place behind these tests."""
    for test in tests:
        if test.is_loop:
            if isinstance(test.expression, ast.Name) and _is_empty(known.get(test.expression.id)):
                return True
        elif truth(test.expression, known, is_a) is (not test.wanted):
            return True
    return False


def rules_out_site(conditions: tuple[Condition, ...], known: Mapping[str, Known], is_a: IsA) -> bool:
    """Tell whether the arguments contradict a site's path conditions."""
    if not known:
        return False
    tests = []
    for condition in conditions:
        if condition.kind not in ("if", "while", "for", "assert"):
            continue
        try:
            expression = ast.parse(condition.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            continue
        tests.append(Test(expression, wanted=not condition.negated, is_loop=condition.kind == "for"))
    return rules_out(tuple(test for test in tests if not (test.is_loop and not test.wanted)), known, is_a)


def _is_empty(known: Known | None) -> bool:
    return isinstance(known, Constant) and known.source in ("{}", "[]", "()", "''", "b''")


def truth(node: ast.expr, known: Mapping[str, Known], is_a: IsA) -> bool | None:
    """Return what a condition comes out as; None where the arguments do not tell."""
    match node:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name):
            given = known.get(name)
            if isinstance(given, Filled):
                return True
            return bool(given.value) if isinstance(given, Constant) else None
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(operand, known, is_a)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=values):
            return _combined([truth(value, known, is_a) for value in values], is_and=isinstance(op, ast.And))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(left, op, right, known)
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), classes]):
            return _is_instance(known.get(name), classes, is_a)
    return None


def _combined(values: list[bool | None], *, is_and: bool) -> bool | None:
    if (not is_and) in values:
        return not is_and
    return None if None in values else is_and


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, known: Mapping[str, Known]) -> bool | None:
    if isinstance(op, ast.Is | ast.IsNot) and isinstance(right, ast.Constant) and right.value is None:
        value = known.get(left.id) if isinstance(left, ast.Name) else None
        if value is None:
            return None
        is_none = isinstance(value, Constant) and value.source == "None"
        return is_none is isinstance(op, ast.Is)
    one, other = _constant(left, known), _constant(right, known)
    if one is None or other is None:
        return None
    if isinstance(op, ast.Eq | ast.NotEq):
        return (one.value == other.value) is isinstance(op, ast.Eq)
    order = _ORDERS.get(type(op))
    if order is not None and isinstance(one.value, int | float) and isinstance(other.value, int | float):
        return order(one.value, other.value)
    return None


def _constant(node: ast.expr, known: Mapping[str, Known]) -> Constant | None:
    if isinstance(node, ast.Name):
        value = known.get(node.id)
        return value if isinstance(value, Constant) else None
    return constant_of(node)


def _is_instance(value: Known | None, classes: ast.expr, is_a: IsA) -> bool | None:
    if value is None or isinstance(value, Filled):
        return None
    parts = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    answers = [_is_one(value, ast.unparse(part), is_a) for part in parts]
    return _combined(answers, is_and=False)


def _is_one(value: Constant | Instance, written: str, is_a: IsA) -> bool | None:
    if isinstance(value, Instance):
        return is_a(value.meaning, written)
    builtin = _BUILTIN_TYPES.get(written)
    if builtin is not None:
        return isinstance(value.value, builtin)
    return False if value.source == "None" else None
