"""Python values as z3 sees them: one object per parameter or attribute, of any kind, with what guards ask of it."""

from __future__ import annotations

from typing import Any

import msgspec
import z3

NONE, BOOL, INT, FLOAT, STR, BYTES, LIST, TUPLE, DICT, SET, ARRAY, CALLABLE, OTHER, TYPE = range(14)
CLASSES = 20
"""Kinds from here on are instances of classes that the code names, in the order of their first mention."""
NUMBERS = (BOOL, INT, FLOAT)
SIZED = (STR, BYTES, LIST, TUPLE, DICT, SET, ARRAY)
MAX_DIMENSIONS = 5
MAX_LENGTH = 1_000_000
DTYPES = (
    "float32", "float16", "bfloat16", "float64", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64",
    "complex128", "float8_e4m3fn", "float8_e5m2", "object", "uint16", "uint32", "uint64", "int", "float", "str_",
)  # fmt: skip

DTYPE_KINDS = {"f": "float", "i": "int", "u": "uint", "b": "bool", "c": "complex", "O": "object", "U": "str_"}
"""numpy's letters for kinds, and how the names of their types start."""


class Term:
    """An object whose value is looked for."""

    def __init__(self, key: str, solver: z3.Solver) -> None:
        self.key = key
        self.kind = z3.Int(f"{key}#kind")
        self.number = z3.Real(f"{key}#number")
        self.text = z3.String(f"{key}#text")
        self.length = z3.Int(f"{key}#length")
        self.ndim = z3.Int(f"{key}#ndim")
        self.dims = tuple(z3.Int(f"{key}#dim{index}") for index in range(MAX_DIMENSIONS))
        self.dtype = z3.Int(f"{key}#dtype")
        self.parts: dict[str, Term] = {}
        """Attributes (`.name`, `.name()` for what a method returns) and items (`[0]`, `['a']`)."""
        self.missing: set[str] = set()
        self.asked: set[str] = set()
        """Which of its sides the conditions speak of: `number`, `text`, `length`, `shape`, `dtype`."""
        solver.add(
            self.kind >= 0,
            z3.Or(z3.Not(is_one_of(self, (BOOL, INT))), z3.IsInt(self.number)),
            z3.Implies(self.kind == BOOL, z3.Or(self.number == 0, self.number == 1)),
            self.length >= 0,
            self.length <= MAX_LENGTH,
            self.ndim >= 0,
            self.ndim <= MAX_DIMENSIONS,
            self.dtype >= 0,
            self.dtype < len(DTYPES),
            *(dim >= 0 for dim in self.dims),
            *(dim <= 4096 for dim in self.dims),
        )
        self._solver = solver

    def part(self, name: str) -> Term:
        """Return an attribute or an item, made when first asked for."""
        if name not in self.parts:
            self.parts[name] = Term(self.key + name, self._solver)
        return self.parts[name]

    def ask(self, side: str) -> None:
        """Note that a condition speaks of one side of the value, and tie it to the kind."""
        if side in self.asked:
            return
        self.asked.add(side)
        if {"text", "length"} <= self.asked:
            self._solver.add(z3.Implies(self.kind == STR, self.length == z3.Length(self.text)))
        if {"length", "shape"} <= self.asked:
            self._solver.add(
                z3.Implies(z3.And(self.kind == ARRAY, self.ndim > 0), self.length == self.dims[0])
            )


class Shape(msgspec.Struct):
    """A tuple of integers whose length is looked for too."""

    dims: tuple[Any, ...]
    count: Any


class Row(msgspec.Struct):
    """A tuple or list that the code writes out."""

    items: tuple[Any, ...]


class Fixed(msgspec.Struct):
    """A constant."""

    value: Any


class DtypeOf(msgspec.Struct):
    """The element type of an array."""

    term: Any


class DtypeKind(msgspec.Struct):
    """The one-letter kind of an array's elements."""

    term: Any


class TypeOf(msgspec.Struct):
    """The class of an object."""

    term: Any


def is_of_kind(term: Any, letters: str) -> Any:
    """Return the condition that an array's elements are of one of these kinds."""
    starts = tuple(DTYPE_KINDS[each] for each in letters if each in DTYPE_KINDS)
    return z3.Or(
        *(term.dtype == index for index, name in enumerate(DTYPES) if name.startswith(starts or ("?",)))
    )


def is_one_of(term: Term, kinds: tuple[int, ...]) -> Any:
    """Return the condition that a term is of one of these kinds."""
    return z3.Or(*(term.kind == kind for kind in kinds))
