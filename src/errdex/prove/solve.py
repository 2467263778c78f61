"""Models of the constraints, turned back into arguments: several, each as plain as the constraints allow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import z3

from errdex.prove.anatomy import Anatomy, Step
from errdex.prove.constraints import Conditions
from errdex.prove.observation import ValueSeen
from errdex.prove.program import BY_HAND, RECEIVER, THEN, Recipe, Value
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
    OTHER,
    SET,
    STR,
    TUPLE,
    TYPE,
    Term,
    is_one_of,
)  # fmt: skip
from errdex.prove.values import Pools
from errdex.prove.written import Arrays, Writer, joined

_MODELS = 6
_WISHING = 8_000_000
"""z3's own measure of work (about 2 CPU seconds) after which a solution is taken as it is, however odd."""


class Solver:
    """Solutions of one site's path."""

    def __init__(
        self,
        anatomy: Anatomy,
        recipe: Recipe,
        names: dict[str, ValueSeen],
        pools: Pools,
        arrays: Arrays,
        *,
        by_hand: bool = False,
        complete: bool = True,
    ) -> None:
        """Take what is known of one callable.

        Args:
            anatomy: The path.
            recipe: How the callable is called.
            names: What the names of the conditions are.
            pools: Makes instances.
            arrays: Writes arrays.
            by_hand: Whether attributes of the receiver are set after it was made.
            complete: Whether a stand-in is given what no condition asks for but the function reads.
        """
        self._complete = complete
        self.anatomy, self.recipe, self.names, self.pools, self.arrays = anatomy, recipe, names, pools, arrays
        self.parameters = [
            each.name.removeprefix(THEN) for each in recipe.slots if not each.name.startswith(RECEIVER)
        ]
        self._many = {
            each.name.removeprefix(THEN): DICT if each.kind == "VAR_KEYWORD" else TUPLE
            for each in recipe.slots
            if each.kind.startswith("VAR")
        }
        """`**kwargs` is a dictionary, `*args` a tuple."""
        self._then = {each.name for each in recipe.then or ()}
        self._by_hand = by_hand
        self._patience = 0
        self._made: dict[str, str] = {}
        for each in recipe.slots:
            if not by_hand and each.name.startswith(RECEIVER) and not each.kind.startswith("VAR"):
                self._made[each.name.removeprefix(RECEIVER).strip("_")] = each.name

    def states(
        self, likely: dict[str, list[Value]], *, take_guard: bool = True, near: dict[str, Value] | None = None
    ) -> list[dict[str, Value]]:
        """Return arguments that satisfy the path (or, with `take_guard` false, all of it but the guard).

        Args:
            likely: Values that each slot is expected to accept: their kinds are preferred.
            take_guard: Whether the last condition is to hold.
            near: The witness: a solution that changes little of it is preferred.
        """
        conditions = Conditions(self.parameters, self.names, tensors=self.arrays.library is not None)
        steps = list(self.anatomy.steps)
        parts = [self._constraint(conditions, step) for step in steps]
        if not parts:
            return []
        later: list[Any] = []
        if not take_guard:
            parts[-1] = z3.Not(parts[-1])
            later = [
                self._apart(conditions, msgspec.structs.replace(step, wanted=False))
                for step in self.anatomy.later
                if step.wanted
            ]
        before = [self._apart(conditions, step) for step in self.anatomy.before]
        for name, kind in self._many.items():
            if name in conditions.terms:
                conditions.solver.add(conditions.terms[name].kind == kind)
        for term in _all_terms(conditions.terms.values()):
            conditions.solver.add(
                z3.Or(
                    term.kind < TYPE + 1,
                    z3.And(term.kind >= CLASSES, term.kind < CLASSES + len(conditions.classes)),
                )
            )
            if not self.arrays.can_be_made and term.asked.isdisjoint({"shape", "dtype"}):
                conditions.solver.add(term.kind != ARRAY)
        needed = self._satisfiable(conditions, parts)
        if needed is None or not conditions.terms:
            return []
        self._patience = _work(conditions.solver) + _WISHING
        for each in [*before, *later]:
            self._wish(conditions, each)
        self._prefer(conditions, likely, near)
        found = []
        for _ in range(_MODELS):
            if conditions.solver.check() != z3.sat:
                break
            model = conditions.solver.model()
            found.append(self._state(conditions, model))
            conditions.solver.add(_other(conditions, model))
        return found

    def _constraint(self, conditions: Conditions, step: Step) -> Any:
        try:
            return conditions.add(step, self.anatomy.loop_target(step.line) if step.kind == "for" else None)
        except (z3.Z3Exception, RecursionError, OverflowError, TypeError, AttributeError):
            return z3.BoolVal(val=True)

    def _apart(self, conditions: Conditions, step: Step) -> Any:
        try:
            return conditions.apart(step)
        except (z3.Z3Exception, RecursionError, OverflowError, TypeError, AttributeError):
            return z3.BoolVal(val=True)

    def _satisfiable(self, conditions: Conditions, parts: list[Any]) -> bool | None:
        """Add the constraints, the last first: one that contradicts the rest is left out."""
        solver = conditions.solver
        if solver.check() != z3.sat:
            return None
        for part in reversed(parts):
            solver.push()
            solver.add(part)
            if solver.check() != z3.sat:
                solver.pop()
                if part is parts[-1]:
                    return None
        return True

    def _prefer(
        self, conditions: Conditions, likely: dict[str, list[Value]], near: dict[str, Value] | None
    ) -> None:
        """Add wishes one by one, each only if it can still be had."""
        wishes: list[Any] = list(self._uses(conditions))
        for key, term in conditions.terms.items():
            slot = self._slot(key)
            if near is not None and slot in near:
                wishes += _is_value(term, near[slot].code)
            kinds = _kinds_of(likely.get(slot, ()))
            if kinds:
                wishes.append(is_one_of(term, kinds))
        for term in _all_terms(conditions.terms.values()):
            wishes += [
                z3.Or(
                    *(term.kind == k for k in (NONE, BOOL, INT, FLOAT, STR, LIST, TUPLE, DICT, ARRAY, OTHER)),
                    term.kind >= CLASSES,
                ),
                z3.Implies(
                    term.kind == ARRAY,
                    z3.And(term.ndim <= 3, *(z3.And(dim >= 1, dim <= 8) for dim in term.dims)),
                ),
                term.length <= 3,
                z3.And(term.number >= -2, term.number <= 10),
            ]
            if "text" in term.asked:
                wishes.append(z3.InRe(term.text, z3.Plus(z3.Range("a", "z"))))
        for wish in wishes:
            self._wish(conditions, wish)

    def _wish(self, conditions: Conditions, wish: Any) -> None:
        solver = conditions.solver
        if _work(solver) > self._patience:
            return
        solver.push()
        solver.add(wish)
        if solver.check() != z3.sat:
            solver.pop()

    def _uses(self, conditions: Conditions) -> Iterator[Any]:
        """Yield what the function's other lines ask of its parameters: keys that are read, attributes that are."""
        for name, count in self.anatomy.unpacked_shapes().items():
            if name in self.parameters:
                term = conditions.term(name)
                term.ask("shape")
                yield z3.And(term.kind == ARRAY, term.ndim == count)
        for name, keys, attributes in self.anatomy.uses(self.parameters):
            if keys:
                term = conditions.term(name)
                yield z3.And(term.kind == DICT, *(z3.Bool(f"{name}[{key!r}]#present") for key in keys))
                for key in keys:
                    term.part(f"[{key!r}]")
            elif self.arrays.library is not None and {"shape", "dtype", "ndim", "dim()", "size()"} & set(
                attributes
            ):
                term = conditions.term(name)
                term.ask("shape")
                term.ask("dtype")
                yield term.kind == ARRAY
                yield z3.Or(*(term.dtype == DTYPES.index(each) for each in ("bfloat16", "float16")))
            elif self._complete and attributes and name in conditions.terms:
                term = conditions.terms[name]
                if any(each.startswith(".") for each in term.parts):
                    for each in attributes:
                        term.part(f".{each}")

    def _slot(self, key: str) -> str:
        """Return the slot of a root: a parameter, a constructor's argument, or an attribute set by hand."""
        if not key.startswith("self."):
            return THEN + key if key in self._then else key
        name = key.removeprefix("self.")
        return self._made.get(name.strip("_"), BY_HAND + name)

    # --- from a model to source

    def _state(self, conditions: Conditions, model: Any) -> dict[str, Value]:
        state = {}
        passed: dict[str, Value] = {}
        writer = Writer(conditions, model, self.arrays, self.names, self.pools)
        for key, term in conditions.terms.items():
            slot = self._slot(key)
            if slot.startswith(BY_HAND) and self.recipe.binding in {
                "function",
                "classmethod",
                "staticmethod",
            }:
                continue
            value = writer.value(term)
            if value is None:
                continue
            if key.startswith("self.") and key.endswith("()"):  # what a method of the receiver returns
                if self._by_hand:
                    code = f"lambda *args, **kwargs: {value.code}"
                    state[slot[:-2]] = msgspec.structs.replace(value, code=code, is_real=False)
            elif slot.startswith(BY_HAND) and self.recipe.binding == "init":
                passed[slot.removeprefix(BY_HAND)] = value
            else:
                state[slot] = value
        rest = next((name for name, kind in self._many.items() if kind == DICT), None)
        if passed and rest is not None and rest not in state:  # a base class may keep it under this name
            fields = ", ".join(f"{name!r}: {value.code}" for name, value in passed.items())
            state[rest] = joined("{" + fields + "}", list(passed.values()))
        return state


def _work(solver: z3.Solver) -> int:
    """Return what z3 has done in this process so far, in its own measure; known once a solver was asked."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


def _all_terms(terms: Any) -> Iterator[Term]:
    for term in terms:
        yield term
        yield from _all_terms(term.parts.values())


def _other(conditions: Conditions, model: Any) -> Any:
    """Return the condition that a further model differs in a kind or a number of some root."""
    differences = []
    for term in conditions.terms.values():
        differences.append(term.kind != model.eval(term.kind, model_completion=True))
        if "number" in term.asked:
            differences.append(term.number != model.eval(term.number, model_completion=True))
        if "length" in term.asked:
            differences.append(term.length != model.eval(term.length, model_completion=True))
    return z3.Or(*differences)


def _kinds_of(values: Sequence[Value]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for value in values[:8]:
        kind = kind_of(value.code)
        if kind is not None:
            found[kind] = None
    return tuple(found)


def kind_of(code: str) -> int | None:
    """Return the kind of a value by its source; None where that does not tell."""
    if code.startswith("np."):
        return ARRAY
    if code.startswith("lambda"):
        return CALLABLE
    try:
        value = ast.literal_eval(code)
    except (ValueError, SyntaxError):
        return None
    table = {
        type(None): NONE,
        bool: BOOL,
        int: INT,
        float: FLOAT,
        str: STR,
        bytes: BYTES,
        list: LIST,
        tuple: TUPLE,
        dict: DICT,
        set: SET,
    }
    return table.get(type(value))


def _is_value(term: Term, code: str) -> list[Any]:
    """Return wishes that a term be the value of this source: its kind, then its worth."""
    kind = kind_of(code)
    if kind is None:
        return []
    wishes = [term.kind == kind]
    if kind == ARRAY:
        shape = re.match(r"np\.zeros\(\(?([\d, ]*)\)?", code)
        if shape:
            dims = [int(each) for each in shape.group(1).split(",") if each.strip()]
            wishes.append(term.ndim == len(dims))
            wishes += [term.dims[index] == dim for index, dim in enumerate(dims[:5])]
        dtype = re.search(r"dtype=(?:np\.)?(\w+)", code)
        name = dtype.group(1) if dtype else "float64"
        if name in DTYPES:
            wishes.append(term.dtype == DTYPES.index(name))
        return wishes
    value = ast.literal_eval(code) if kind != CALLABLE else None
    if isinstance(value, bool | int | float) and abs(value) < 1e12:
        wishes.append(term.number == z3.RealVal(str(value) if isinstance(value, float) else int(value)))
    elif isinstance(value, str):
        wishes += [
            term.length == len(value),
            *([term.text == z3.StringVal(value)] if "text" in term.asked else []),
        ]
    elif isinstance(value, list | tuple | dict | set | bytes):
        wishes.append(term.length == len(value))
    return wishes
