"""What names of an imported module are: signatures, classes and how they are made, plain data."""

from __future__ import annotations

import enum
import importlib
import inspect
import re
import sys
import types
import typing
from typing import Any

_MAX_REPR = 1500
_PLAIN = (int, float, str, bytes, bool, type(None), complex)
_DEPTH = 4


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the request's target and names are; names that do not resolve are left out."""
    module = sys.modules[request["module"].rpartition(":")[2]]
    found: dict[str, Any] = {"names": {}}
    target = request.get("target")
    if target:
        found["target"] = _target(module, target)
    owner = _resolve(module, target.rpartition(".")[0]) if target and "." in target else None
    for name in request.get("names", ()):
        try:
            if name.startswith(("self.", "cls.")) and owner is not None:
                value = _resolve(owner, name.partition(".")[2])
            elif ":" in name:
                home, _, qualname = name.partition(":")
                value = _resolve(sys.modules.get(home) or importlib.import_module(home), qualname)
            else:
                value = _resolve(module, name)
        except Exception:  # noqa: BLE001, S112 - a name that raises is a name that does not resolve
            continue
        if value is not None:
            found["names"][name] = _value(value)
    return found


def _resolve(start: Any, dotted: str) -> Any:
    value = start
    for index, part in enumerate(dotted.split(".")):
        if index == 0 and isinstance(start, types.ModuleType) and not hasattr(start, part):
            value = (
                __builtins__.get(part)
                if isinstance(__builtins__, dict)
                else getattr(__builtins__, part, None)
            )
            if value is None:
                value = sys.modules.get(part)
            if value is None:
                return None
        else:
            value = (
                inspect.getattr_static(value, part, None) if isinstance(value, type) else getattr(value, part)
            )
            if isinstance(value, (classmethod, staticmethod)):
                value = value.__func__
    return value


def _target(module: Any, dotted: str) -> dict[str, Any]:
    owner_name, _, name = dotted.rpartition(".")
    owner = _resolve(module, owner_name) if owner_name else module
    if owner is None:
        return {}
    raw = inspect.getattr_static(owner, name, None)
    function = raw
    if isinstance(raw, (classmethod, staticmethod)):
        function = raw.__func__
    elif isinstance(raw, property):
        function = raw.fget
    elif raw is not None and hasattr(raw, "func") and not callable(raw):  # functools.cached_property
        function = raw.func
    described: dict[str, Any] = {"binding": type(raw).__name__}
    if callable(function):
        described["parameters"] = _parameters(function)
        described["generator"] = inspect.isgeneratorfunction(inspect.unwrap(function))
        described["public"] = _public(module, name) if not owner_name else None
    if isinstance(owner, type):
        described["owner"] = _class(owner)
    return described


def _public(module: Any, name: str) -> str:
    """Return the shortest package from which `name` is the very same object."""
    value = getattr(module, name, None)
    parts = module.__name__.split(".")
    for count in range(1, len(parts)):
        candidate = ".".join(parts[:count])
        holder = sys.modules.get(candidate)
        if (
            not any(part.startswith("_") for part in parts[:count])
            and getattr(holder, "__dict__", {}).get(name) is value
        ):
            return candidate
    return str(module.__name__)


def _parameters(function: Any) -> list[dict[str, Any]]:
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return []
    hints = _hints(function)
    return [
        {
            "name": each.name,
            "kind": each.kind.name,
            "default": None if each.default is each.empty else _literal(each.default),
            "has_default": each.default is not each.empty,
            "type": _type(hints.get(each.name, each.annotation), 0),
        }
        for each in signature.parameters.values()
    ]


def _hints(function: Any) -> dict[str, Any]:
    function = (
        inspect.unwrap(function)
        if not isinstance(function, type)
        else inspect.getattr_static(function, "__init__")
    )
    raw = dict(getattr(function, "__annotations__", {}) or {})
    space = getattr(function, "__globals__", {})
    for name, value in raw.items():
        if isinstance(value, str):
            try:
                raw[name] = eval(value, dict(space), vars(typing))  # noqa: S307 - inside the sandbox
            except Exception:  # noqa: BLE001
                raw[name] = value
    return raw


def _type(hint: Any, depth: int) -> dict[str, Any]:
    """Return an annotation as plain data."""
    if hint is inspect.Parameter.empty or hint is typing.Any or depth > _DEPTH:
        return {"t": "any"}
    if hint is None or hint is type(None):
        return {"t": "none"}
    if isinstance(hint, str):
        return {"t": "text", "text": hint[:200]}
    origin = typing.get_origin(hint)
    arguments = typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return {"t": "union", "of": [_type(each, depth + 1) for each in arguments]}
    if origin is typing.Literal:
        return {"t": "literal", "values": [repr(each) for each in arguments if isinstance(each, _PLAIN)]}
    if origin is typing.Annotated:
        return _type(arguments[0], depth + 1)
    if isinstance(hint, typing.TypeVar):
        if hint.__constraints__:
            return {"t": "union", "of": [_type(each, depth + 1) for each in hint.__constraints__]}
        return _type(hint.__bound__, depth + 1) if hint.__bound__ else {"t": "any"}
    if origin is not None:
        inner = [
            _type(each, depth + 1)
            for each in arguments
            if each is not Ellipsis and not isinstance(each, list)
        ]
        return {"t": "generic", "name": getattr(origin, "__name__", str(origin)), "of": inner}
    if isinstance(hint, type):
        return {
            "t": "class",
            **_name(hint),
            "enum": _members(hint),
        }
    if isinstance(hint, typing.ForwardRef):
        return {"t": "text", "text": hint.__forward_arg__[:200]}
    if hasattr(hint, "__supertype__"):
        return _type(hint.__supertype__, depth + 1)
    return {"t": "text", "text": str(hint)[:200]}


def _members(kind: type) -> list[str]:
    """Return the names of an enumeration's members; none for other classes."""
    return list(getattr(kind, "__members__", ()))[:20] if issubclass(kind, enum.Enum) else []


def _name(kind: type) -> dict[str, str]:
    """Return where a class can be imported from: the shortest package that shows it, else its module."""
    head = kind.__qualname__.partition(".")[0]
    parts = kind.__module__.split(".")
    top = getattr(sys.modules.get(kind.__module__), head, None)
    for count in range(1, len(parts)):
        package = ".".join(parts[:count])
        if top is not None and getattr(sys.modules.get(package), "__dict__", {}).get(head) is top:
            return {"module": package, "qualname": kind.__qualname__}
    return {"module": kind.__module__, "qualname": kind.__qualname__}


def _class(kind: type) -> dict[str, Any]:
    subclasses: list[type] = []
    waiting: list[type] = list(type.__subclasses__(kind))
    while waiting and len(subclasses) < 8:
        each = waiting.pop(0)
        waiting.extend(type.__subclasses__(each))
        if not inspect.isabstract(each):
            subclasses.append(each)
    return {
        "k": "class",
        **_name(kind),
        "mro": [f"{each.__module__}.{each.__qualname__}" for each in kind.__mro__],
        "abstract": inspect.isabstract(kind),
        "enum": _members(kind),
        "exception": issubclass(kind, BaseException),
        "parameters": _parameters(kind),
        "subclasses": [_name(each) for each in subclasses],
        "members": [name for name in dir(kind) if not name.startswith("__")][:400],
        "attributes": {
            name: _literal(value)
            for name, value in list(vars(kind).items())[:80]
            if isinstance(value, _PLAIN) and not name.startswith("__")
        },
    }


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, types.ModuleType):
        return {"k": "module", "name": value.__name__}
    literal = _literal(set(value) if isinstance(value, frozenset) else value)  # which no literal writes
    if literal is not None:
        return {"k": "data", "repr": literal, "type": type(value).__name__}
    if isinstance(value, tuple) and value and all(isinstance(each, type) for each in value):
        return {"k": "classes", "of": [_name(each) for each in value]}
    if isinstance(value, (dict, list, set, frozenset, tuple)) and len(value) < 200:
        keys = [_literal(each) for each in value]
        return {"k": "keys", "of": [each for each in keys if each is not None], "type": type(value).__name__}
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        return {"k": "pattern", "repr": value.pattern[:_MAX_REPR]}
    if callable(value):
        return {"k": "callable", "name": getattr(value, "__qualname__", "")}
    return {"k": "object", **_name(type(value))}


def _literal(value: Any) -> str | None:
    """Return the source of a plain value; None for anything else."""
    if not _is_plain(value, 0):
        return None
    text = repr(value)
    return text if len(text) <= _MAX_REPR else None


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind in _PLAIN:
        return kind is not float or (value == value and abs(value) != float("inf"))  # noqa: PLR0124 - not a number
    if kind in (list, tuple, set) and depth < 3 and len(value) < 100:
        return all(_is_plain(each, depth + 1) for each in value) and (kind is not set or len(value) > 0)
    if kind is frozenset and 0 < len(value) < 100 and depth == 0:
        return all(_is_plain(each, 1) for each in value)
    if kind is dict and depth < 3 and len(value) < 100:
        return all(_is_plain(key, 2) and _is_plain(each, depth + 1) for key, each in value.items())
    return False
