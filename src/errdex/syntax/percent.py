"""Printf-style format strings (`"%r is not %(kind)s"`), cut into literals and conversions."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

_CONVERSION = re.compile(
    r"%(?:\((?P<key>[^()]*(?:\([^()]*\)[^()]*)*)\))?"
    r"(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>[diouxXeEfFgGcrsa%])"
)


class Conversion(msgspec.Struct, frozen=True):
    """One conversion of a printf-style format string."""

    written: str
    key: str | None
    stars: int
    """How many values its width and precision take before its own."""
    conversion: Literal["", "s", "r", "a"]
    spec: str


def split_percent(text: str) -> list[str | Conversion] | None:
    """Return the literals (`%%` as `%`) and conversions of `text`; None if it is no valid format string."""
    pieces: list[str | Conversion] = []
    position = 0
    while (sign := text.find("%", position)) >= 0:
        found = _CONVERSION.match(text, sign)
        if found is None:
            return None
        if sign > position:
            pieces.append(text[position:sign])
        pieces.append("%" if found["type"] == "%" else _conversion(found))
        position = found.end()
    if position < len(text):
        pieces.append(text[position:])
    return pieces


def _conversion(found: re.Match[str]) -> Conversion:
    kind = found["type"]
    precision = found["precision"]
    size = (
        (found["flags"] or "") + (found["width"] or "") + (f".{precision}" if precision is not None else "")
    )
    conversion: Literal["", "s", "r", "a"] = (
        "r" if kind == "r" else "a" if kind == "a" else "s" if kind == "s" else ""
    )
    return Conversion(
        written=found.group(),
        key=found["key"],
        stars=(found["width"] == "*") + (precision == "*"),
        conversion=conversion,
        spec=size if conversion else size + kind,
    )
