"""Values that a solver found, as a person writes them: literals, rows, arrays, instances, stand-ins."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import z3

from errdex.prove.constraints import Conditions
from errdex.prove.observation import NameSeen, ValueSeen
from errdex.prove.program import Value
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
)
from errdex.prove.values import NUMPY, Pools

_WRITTEN_OUT = 40
"""Longest text or list that is written element by element."""
_ARRAYS_OWN = frozenset({"device", "is_cuda", "requires_grad", "layout", "grad", "data", "T", "numel()", "stride()", "is_contiguous()", "data_ptr()", "element_size()"})  # fmt: skip
"""Attributes by which a parameter shows itself to be an array."""
_NUMPY_DTYPES = frozenset({"float32", "float16", "float64", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128", "uint16", "uint32", "uint64", "object"})  # fmt: skip
_SPLITS = re.compile(r"\.(?:r?split|splitlines)\(")
_STAND_IN = ("from types import SimpleNamespace",)


class Arrays:
    """How an array is written: a numpy array, or a stand-in where its type is not numpy's or numpy is missing."""

    def __init__(self, *, has_numpy: bool, library: str | None = None) -> None:
        self.has_numpy = has_numpy
        self.library = library
        """In a slice: the name of the library whose arrays are stood in for."""

    @property
    def can_be_made(self) -> bool:
        """Whether there are arrays at all; else one is stood in for only where its shape or type is read."""
        return self.has_numpy or self.library is not None

    def write(
        self, shape: tuple[int, ...], dtype: str | None, attributes: dict[str, Value] | None = None
    ) -> Value:
        """Return an array of zeros, or one without elements."""
        if self.library is not None:
            return self._stand_in(shape, dtype, attributes or {})
        if self.has_numpy and (dtype is None or dtype in _NUMPY_DTYPES):
            tail = f", dtype=np.{dtype}" if dtype not in (None, "float64", "bool", "object") else ""
            tail = f", dtype={dtype}" if dtype in ("bool", "object") else tail
            size = repr(shape) if len(shape) != 1 else str(shape[0])
            return Value(f"np.zeros({size}{tail})", NUMPY)
        fields = f"shape={shape!r}, ndim={len(shape)}, dtype={dtype!r}"
        return Value(f"SimpleNamespace({fields})", _STAND_IN, is_real=False)

    def _stand_in(self, shape: tuple[int, ...], dtype: str | None, attributes: dict[str, Value]) -> Value:
        parts = [repr(shape)]
        imports = [
            "from standins import Tensor",
            *(line for value in attributes.values() for line in value.imports),
        ]
        if dtype is not None:
            parts.append(f"{self.library}.{dtype}")
            imports.append(f"from standins import {self.library}")
        for name, value in attributes.items():
            parts.append(
                f"{name}={value.code}"
                if not name.endswith("()")
                else f"{name[:-2]}=lambda *args, **kwargs: {value.code}"
            )
        return Value(f"Tensor({', '.join(parts)})", tuple(imports), is_real=False)


class Writer:
    """Turns one model of a path's constraints into source."""

    def __init__(
        self,
        conditions: Conditions,
        model: Any,
        arrays: Arrays,
        names: dict[str, ValueSeen],
        pools: Pools,
    ) -> None:
        self._conditions, self._model = conditions, model
        self.arrays, self.names, self.pools = arrays, names, pools

    def value(self, term: Term) -> Value | None:
        """Return the source of a term's value; None where it cannot be written."""
        kind = _int(self._model, term.kind)
        words = next(
            (each for each in term.parts.items() if _SPLITS.match(each[0])),
            None,
        )
        if words is not None and kind in (STR, OTHER):
            separator = words[0][words[0].index("(") + 1 : -1]
            return self._words(words[1], ast.literal_eval(separator or "' '"))
        if kind >= CLASSES:
            return self._instance(term, kind)
        writer = {
            NONE: lambda: Value("None"),
            BOOL: lambda: Value(str(_real(self._model, term.number) != 0)),
            INT: lambda: Value(str(int(_real(self._model, term.number)))),
            FLOAT: lambda: Value(repr(float(_real(self._model, term.number)))),
            STR: lambda: self._long(term, "str") or Value(repr(_text(self._model, term))),
            BYTES: lambda: self._long(term, "bytes") or Value(repr(b"a" * _int(self._model, term.length))),
            CALLABLE: lambda: Value("lambda *args, **kwargs: None"),
            TYPE: lambda: Value("int"),
            SET: lambda: (
                Value("{" + ", ".join(map(str, range(1, 1 + _int(self._model, term.length)))) + "}")
                if _int(self._model, term.length)
                else Value("set()")
            ),
            LIST: lambda: self._long(term, "list") or self._row(term, "[", "]"),
            TUPLE: lambda: self._long(term, "tuple") or self._row(term, "(", ")"),
            DICT: lambda: self._dict(term),
            ARRAY: lambda: self._array(term),
            OTHER: lambda: self._object(term),
        }.get(kind)
        return writer() if writer else None

    def _long(self, term: Term, kind: str) -> Value | None:
        """Return what is too long to be written out, as a product; None where it is not."""
        count = _int(self._model, term.length)
        if count <= _WRITTEN_OUT or ("text" in term.asked and kind == "str"):
            return None
        unit = {"str": '"a"', "bytes": 'b"a"', "list": "[1]", "tuple": "(1,)"}[kind]
        return Value(f"{unit} * {count}")

    def _words(self, words: Term, separator: str) -> Value:
        """Return the text that splits into the words wanted."""
        texts = []
        for index in range(_int(self._model, words.length)):
            part = words.parts.get(f"[{index}]")
            value = self.value(part) if part is not None else None
            texts.append(ast.literal_eval(value.code) if value and value.code[:1] in "'\"" else f"w{index}")
        return Value(repr(separator.join(each or "w" for each in texts)))

    def _instance(self, term: Term, kind: int) -> Value | None:
        index = kind - CLASSES
        if index >= len(self._conditions.classes):
            return Value("object()")
        name = self._conditions.classes[index]
        if ":" in name:
            module, _, qualname = name.partition(":")
            made = self.pools.instances(NameSeen(module=module, qualname=qualname))
            return made[0] if made else None
        seen = self.names.get(name)
        if seen is None or seen.k != "class":
            return None
        fields = {
            part_name[1:]: self.value(part) or Value("None")
            for part_name, part in term.parts.items()
            if part_name.startswith(".") and not part_name.endswith("()")
        }
        if fields and {each.name for each in seen.parameters} >= fields.keys():
            made = self.pools.working(self.pools.constructed(seen, given=fields)[:1])
            if made:
                return made[0]
        made = self.pools.of_known(seen.module, seen.qualname) or self.pools.instances(
            NameSeen(module=seen.module, qualname=seen.qualname)
        )
        return made[0] if made else None

    def _row(self, term: Term, opening: str, closing: str) -> Value:
        count = _int(self._model, term.length)
        items = []
        for index in range(min(count, 40)):
            part = term.parts.get(f"[{index}]")
            items.append((self.value(part) if part is not None else None) or Value(str(index + 1)))
        tail = "," if opening == "(" and count == 1 else ""
        return joined(f"{opening}{', '.join(each.code for each in items)}{tail}{closing}", items)

    def _dict(self, term: Term) -> Value:
        pairs: list[tuple[str, Value]] = []
        for name, part in term.parts.items():
            key = name[1:-1]
            present = self._model.eval(z3.Bool(f"{term.key}{name}#present"), model_completion=False)
            if name.startswith("[") and not z3.is_false(present):
                pairs.append((key, self.value(part) or Value("1")))
        missing = _int(self._model, term.length) - len(pairs)
        pairs += [(repr(f"k{index}"), Value("1")) for index in range(missing)]
        return joined(
            "{" + ", ".join(f"{key}: {value.code}" for key, value in pairs) + "}",
            [value for _, value in pairs],
        )

    def _array(self, term: Term) -> Value:
        attributes = {
            name[1:]: self.value(part) or Value("None")
            for name, part in term.parts.items()
            if name.startswith(".")
        }
        if "shape" not in term.asked and "dtype" not in term.asked:
            if attributes and _ARRAYS_OWN.isdisjoint(attributes):  # a configuration, by what is read of it
                return self._object(term)
            return self.arrays.write((2,), None, attributes)
        count = _int(self._model, term.ndim) if "shape" in term.asked else 1
        shape = tuple(_int(self._model, dim) for dim in term.dims[:count])
        dtype = DTYPES[_int(self._model, term.dtype)] if "dtype" in term.asked else None
        return self.arrays.write(shape, dtype, attributes)

    def _object(self, term: Term) -> Value:
        fields = []
        values = []
        for name, part in term.parts.items():
            if not name.startswith(".") or name.startswith(".__"):
                continue
            flag = self._model.eval(
                z3.Bool(f"{term.key}{name.removesuffix('()')}#present"), model_completion=False
            )
            if z3.is_false(flag):
                continue
            value = self.value(part) or Value("None")
            values.append(value)
            bare = name[1:]
            fields.append(
                f"{bare[:-2]}=lambda *args, **kwargs: {value.code}"
                if bare.endswith("()")
                else f"{bare}={value.code}"
            )
        if not fields:
            return Value("object()")
        made = joined(f"SimpleNamespace({', '.join(fields)})", values)
        return Value(made.code, (*made.imports, *_STAND_IN), made.setup, is_real=False)


def joined(code: str, values: Sequence[Value]) -> Value:
    """Return source that is made of values, with all that they need."""
    imports = tuple(dict.fromkeys(line for each in values for line in each.imports))
    setup = tuple(dict.fromkeys(line for each in values for line in each.setup))
    by_hand = any(each.by_hand for each in values)
    return Value(code, imports, setup, all(each.is_real for each in values), by_hand)


def _int(model: Any, variable: Any) -> int:
    value = model.eval(variable, model_completion=True)
    return int(value.as_long()) if z3.is_int_value(value) else 0


def _real(model: Any, variable: Any) -> float:
    value = model.eval(variable, model_completion=True)
    if z3.is_rational_value(value):
        return float(value.numerator_as_long()) / float(value.denominator_as_long())
    if z3.is_algebraic_value(value):
        return float(value.approx(6).as_fraction())
    return 0.0


def _text(model: Any, term: Term) -> str:
    if "text" not in term.asked:
        return "a" * max(_int(model, term.length), 0)
    value = model.eval(term.text, model_completion=True)
    text = value.as_string() if z3.is_string_value(value) else ""
    return re.sub(r"\\u\{([0-9a-f]+)\}", lambda match: chr(int(match.group(1), 16)), text)
