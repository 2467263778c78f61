"""The least change of a call that turns its guard round, where the guard alone tells it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from errdex.explain.facts import Facts
from errdex.explain.imports import module_names
from errdex.syntax.logic import Test, parse


@dataclass(frozen=True, slots=True)
class Change:
    """Arguments before and after; parameters not named keep their placeholders."""

    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    steps: Sequence[str] = ()
    """Statements of the fixed block, before the call."""
    also: Sequence[str] = ()
    """Optional parameters that both calls pass on."""


def change_of(facts: Facts) -> Change | None:
    """Return the change that the guard asks for; None where it takes knowledge that the guard does not hold."""
    tree = facts.tree
    if isinstance(tree, Test):
        return _value(tree, facts) or _dtype([tree], facts)
    if tree is None or not all(isinstance(part, Test) for part in tree.parts):
        return None
    parts = [part for part in tree.parts if isinstance(part, Test)]
    if tree.kind == "any":
        return _dtype(parts, facts)
    return _exclusive(parts, facts)


def _value(test: Test, facts: Facts) -> Change | None:
    if not facts.is_parameter(test.subject):
        return None
    name = test.subject
    if test.relation == "not-in" and test.objects[0] != "*":
        return _choice(name, test.objects)
    if test.relation in {"lt", "le", "gt", "ge"}:
        return _bound(name, test.relation, test.objects[0])
    return None


def _choice(name: str, choices: Sequence[str]) -> Change | None:
    values = [node.value for node in map(parse, choices) if isinstance(node, ast.Constant)]
    words = [value for value in values if isinstance(value, str)]
    if len(values) != len(choices) or not words:
        return None
    wrong = f"{words[0]}-typo" if f"{words[0]}-typo" not in words else f"not-{words[0]}"
    return Change({name: repr(wrong)}, {name: repr(words[0])})


def _bound(name: str, relation: str, bound: str) -> Change | None:
    if not re.fullmatch(r"-?\d+", bound):
        return None
    limit = int(bound)
    refused = {"lt": limit - 1, "le": limit, "gt": limit + 1, "ge": limit}[relation]
    passed = {"lt": limit, "le": limit + 1, "gt": limit, "ge": limit - 1}[relation]
    return Change({name: str(refused)}, {name: str(passed)})


def _exclusive(parts: Sequence[Test], facts: Facts) -> Change | None:
    """`a` and `b` both given: pass one of them."""
    if len(parts) != 2 or any(
        part.relation != "not-none" or not facts.is_parameter(part.subject) for part in parts
    ):
        return None
    first, second = (part.subject for part in parts)
    defaults = {p.name: p.default for p in facts.site.callable.parameters}
    if first == second or defaults.get(first) != "None" or defaults.get(second) != "None":
        return None
    return Change({first: first, second: second}, {first: first})


def _dtype(parts: Sequence[Test], facts: Facts) -> Change | None:
    """Tensors in another dtype than a tensor: cast them, with the method that their library has."""
    if any(part.relation != "ne" for part in parts):
        return None
    pairs: dict[str, str] = {}
    for part in parts:
        left, right = part.subject, part.objects[0]
        if not (left.endswith(".dtype") and right.endswith(".dtype")):
            return None
        one, other = left.removesuffix(".dtype"), right.removesuffix(".dtype")
        if not (facts.is_parameter(one) and facts.is_parameter(other)):
            return None
        pairs[one] = other
    shared = {part.subject.removesuffix(".dtype") for part in parts}
    if len(parts) > 1 and len(shared) == 1:  # `q != k or q != v`: k and v follow q
        followed = shared.pop()
        pairs = {part.objects[0].removesuffix(".dtype"): followed for part in parts}
    cast = {name: _cast(name, other, facts) for name, other in pairs.items()}
    steps = [f"{name} = {expression}" for name, expression in cast.items() if expression]
    return Change({}, {}, steps, tuple(facts.site.parameters)) if steps and len(steps) == len(cast) else None


_CASTS = {
    "torch": "{0}.to({1}.dtype)",
    "mlx": "{0}.astype({1}.dtype)",
    "numpy": "{0}.astype({1}.dtype)",
    "jax": "{0}.astype({1}.dtype)",
}
"""How a tensor of each library is cast. mlx, NumPy and JAX arrays have `astype` and no `to`."""


def _cast(name: str, other: str, facts: Facts) -> str | None:
    parameter = facts.names.parameter(name)
    annotation = (parameter.annotation or "") if parameter else ""
    library = _library(annotation, facts)
    return _CASTS[library].format(name, other) if library else None


def _library(annotation: str, facts: Facts) -> str | None:
    """Return the library whose tensor the annotation names."""
    found = re.match(r"(?:Optional\[)?([A-Za-z_]\w*)(?:\.(\w+))*", annotation)
    if not found:
        return None
    written = found[0].removeprefix("Optional[")
    alias = written.partition(".")[0]
    origin = module_names(facts).get(alias, "") + " " + written
    for library, types in {
        "torch": "Tensor",
        "mlx": "array",
        "numpy": "ndarray|NDArray",
        "jax": "Array|ndarray",
    }.items():
        if re.search(rf"\b{library}\b", origin) or (library == "mlx" and alias == "mx"):
            return library if re.search(rf"\b({types})\b", written) else None
    return None
