"""Trees of tests back to Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Literal

from errdex.syntax.logic import Test, Tree, parse


def as_code(tree: Tree) -> str:
    """Return `tree` as an expression of Python."""
    return _expression(tree, outer=None)


def _expression(tree: Tree, outer: Literal["all", "any"] | None) -> str:
    if isinstance(tree, Test):
        return _test_code(tree)
    text = (" and " if tree.kind == "all" else " or ").join(
        _expression(part, tree.kind) for part in tree.parts
    )
    return f"({text})" if outer is not None and outer != tree.kind else text


_SIGNS = {
    "is-none": "{0} is None", "not-none": "{0} is not None", "is": "{0} is {1}", "is-not": "{0} is not {1}",
    "eq": "{0} == {1}", "ne": "{0} != {1}", "lt": "{0} < {1}", "ge": "{0} >= {1}", "gt": "{0} > {1}", "le": "{0} <= {1}",
    "callable": "callable({0})", "not-callable": "not callable({0})", "multiple": "{0} % {1} == 0",
    "not-multiple": "{0} % {1} != 0", "true": "{0}", "repeats": "len({0}) != len(set({0}))",
    "not-repeats": "len({0}) == len(set({0}))",
}  # fmt: skip


def _test_code(test: Test) -> str:
    if test.relation == "true":
        return test.subject
    plain = _SIGNS.get(test.relation)
    if plain is not None:
        return plain.format(_operand(test.subject), *map(_operand, test.objects))
    if test.relation in {"in", "not-in"}:
        container = test.objects[1] if test.objects[0] == "*" else _literal_tuple(test.objects)
        sign = "in" if test.relation == "in" else "not in"
        return f"{_operand(test.subject)} {sign} {_operand(container)}"
    if test.inner is not None:
        return _elements(test, test.inner)
    positive = not test.relation.startswith("not-") and test.relation not in {
        "false",
        "lacks",
        "outside",
        "missing",
    }
    text = _claim(test)
    return text if positive else f"not {text}"


def _elements(test: Test, inner: Tree) -> str:
    if isinstance(inner, Test) and test.objects[0] == "element":
        told = _test_code(Test(inner.relation, test.subject, inner.objects))
        text = f"({told}).{'all' if test.relation == 'every' else 'any'}()"
    else:
        word = "all" if test.relation == "every" else "any"
        text = f"{word}({as_code(inner)} for {test.objects[0]} in {test.subject})"
    return f"not {text}" if test.relation == "none-of" else text


def _claim(test: Test) -> str:
    """Return the positive form of a test that is a call, a range or a bare expression."""
    subject, objects = test.subject, test.objects
    match test.relation.removeprefix("not-"):
        case "instance" if "exact" in objects:
            return (
                f"type({subject}) is {objects[0]}"
                if not test.relation.startswith("not-")
                else f"(type({subject}) is {objects[0]})"
            )
        case "instance":
            return f"isinstance({subject}, {_tuple(objects)})"
        case "subclass":
            return f"issubclass({subject}, {_tuple(objects)})"
        case "has" | "lacks":
            return f"hasattr({subject}, {_attribute_name(objects[0])})"
        case "starts" | "ends" as side:
            return f"{_operand(subject)}.{side}with({_tuple(objects)})"
        case "matches":
            return f"re.{objects[1]}({objects[0]}, {subject})"
        case "within":
            return f"{objects[0]} {objects[1]} {subject} {objects[2]} {objects[3]}"
        case "outside":
            return f"({objects[0]} {objects[1]} {subject} {objects[2]} {objects[3]})"
        case "exists" | "missing":
            return f"os.path.exists({subject})"
        case "file":
            return f"os.path.isfile({subject})"
        case "directory":
            return f"os.path.isdir({subject})"
    return _operand(subject)


def _attribute_name(name: str) -> str:
    return name[1:] if name.startswith("*") else repr(name)


def _tuple(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"({', '.join(items)})"


def _literal_tuple(items: Sequence[str]) -> str:
    return f"({', '.join(items)},)" if len(items) == 1 else f"({', '.join(items)})"


def _operand(text: str) -> str:
    """Return `text` fit to stand beside an operator."""
    if (
        re.fullmatch(r"[\w.]+|'[^']*'|\"[^\"]*\"|[\w.]+\([^()]*\)|[\w.]+\[[^\[\]]*\]", text)
        or text[:1] in "([{"
    ):
        return text
    node = parse(text)
    if isinstance(
        node, ast.BoolOp | ast.IfExp | ast.Lambda | ast.Compare | ast.UnaryOp | ast.NamedExpr | ast.BinOp
    ):
        return f"({text})"
    return text
