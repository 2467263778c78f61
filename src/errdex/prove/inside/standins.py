"""Stand-ins for what cannot be imported: the package's source runs, every library that it names is a `Standin`.

One file is run whole; of the package's other files, only the statements that make what is asked for.

A program that imports from here says by that import that it is a slice: no library of
these names was there. Whatever calls a stand-in tells the observer (`sys.audit`), so that
a run that went on into the missing library is never reported as having returned from it.
"""

from __future__ import annotations

import ast
import builtins
import dis
import importlib.machinery
import inspect
import re
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

SITE = "/site/"
_PLAIN = (int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, type)
_PROBE = re.compile(r"(^|[._])(is|has|use|supports?|enables?)_\w+\(\)$")
"""A question about the machine that is asked without arguments."""
_NOT_IN_TORCH, _ONLY_IN_TORCH = frozenset({"astype"}), frozenset({"to", "type"})
"""How arrays of one library are cast and those of others (mlx, jax, numpy) are not; tried on torch 2.11 and mlx 0.32."""


_RECORDS = re.compile(r"(^|\.)Struct$")
"""Bases that make the constructor from the class's annotations and check no value (msgspec; pydantic checks them)."""
_DTYPE = re.compile(r"(^|\.)(torch|mx|mlx\.core)\.(b?float|u?int|complex|bool|float8_e)\w*$")
"""Element types: of no value of another kind would these libraries say that it equals one."""


def _is_asked_for() -> bool:
    """Whether code two frames up writes the attribute itself, and does not ask whether there is one (`hasattr`)."""
    frame = sys._getframe(2)  # noqa: SLF001 - the documented way to a caller
    if frame.f_code.co_filename.startswith("<frozen importlib"):  # `from library import name`
        return True
    instruction = dis.opname[frame.f_code.co_code[frame.f_lasti]]
    return instruction.startswith(("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"))


class _Base:
    """What a class inherits from where it names a stand-in as its base."""

    def __init_subclass__(cls, **_: Any) -> None:
        pass

    def __init__(self, *arguments: Any, **named: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        """Return what the missing base class may have; that it has it is never said to who asks."""
        if name.startswith("__") or not _is_asked_for():
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(message)
        return Standin(f"{type(self).__name__}.{name}")


class _Record(_Base):
    """A base whose subclasses are made from their annotated fields, by name."""

    def __init_subclass__(cls, **_: Any) -> None:
        kind = inspect.Parameter.KEYWORD_ONLY
        fields: dict[str, inspect.Parameter] = {}
        for each in reversed(cls.__mro__):
            for name, annotation in inspect.get_annotations(each).items():
                if "ClassVar" not in str(annotation):
                    default = each.__dict__.get(name, inspect.Parameter.empty)
                    fields[name] = inspect.Parameter(name, kind, default=default, annotation=annotation)
        cls.__signature__ = inspect.Signature(list(fields.values()))  # type: ignore[attr-defined]

    def __init__(self, **named: Any) -> None:
        bound = inspect.signature(type(self)).bind(**named)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)
        if finish := getattr(type(self), "__post_init__", None):
            finish(self)


class Standin:
    """A name of a library that is not there: has every attribute, can be called, equals itself."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if not _is_asked_for():
            sys.audit("errdex.standin.decided", self._name)  # hasattr, or getattr with a default
        return Standin(f"{self._name}.{name}")

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return another stand-in; a function or class that it decorates is returned as it is."""
        if len(arguments) == 1 and not named and isinstance(arguments[0], types.FunctionType | type):
            sys.audit("errdex.standin.decided", self._name)  # a decorator, when the file is loaded
            return arguments[0]
        if arguments and isinstance(arguments[-1], types.FunctionType) and not named:
            sys.audit("errdex.standin.decided", self._name)
            return arguments[-1]
        sys.audit("errdex.standin", self._name)
        return Standin(f"{self._name}()")

    def __bool__(self) -> bool:
        """Whether it counts as true: all but the answers of probes (`is_hip()`, `has_flag()`), which say no."""
        if _PROBE.search(self._name):
            return False
        sys.audit("errdex.standin.decided", self._name)
        return True

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        first = next(each for each in bases if isinstance(each, Standin))
        made = _Record if _RECORDS.search(self._name) else _Base
        return (made,) if first is self and not any(isinstance(each, type) for each in bases) else ()

    def __getitem__(self, key: Any) -> Any:
        return Standin(f"{self._name}[{key!r}]")

    def __setitem__(self, key: Any, value: Any) -> None:
        sys.audit("errdex.standin", self._name)

    def __iter__(self) -> Iterator[Any]:
        sys.audit("errdex.standin.decided", self._name)
        return iter(())

    def __repr__(self) -> str:
        return str(self._name)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __instancecheck__(self, instance: Any) -> bool:
        if not isinstance(instance, Tensor) and type(instance).__module__ != "builtins":
            sys.audit("errdex.standin.decided", self._name)
        return isinstance(instance, Tensor) and self._name.endswith((".Tensor", ".array", ".ndarray"))

    def __hash__(self) -> int:
        return hash(self._name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Standin) and not (_DTYPE.search(self._name) and type(other) in _PLAIN):
            sys.audit("errdex.standin.decided", self._name)
        return isinstance(other, Standin) and other._name == self._name

    def __or__(self, other: Any) -> Any:
        return Standin(f"{self._name} | {other!r}")

    __ror__ = __or__

    def _compute(self, _other: Any = None) -> Any:
        sys.audit("errdex.standin", self._name)
        return Standin(f"({self._name})")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _compute
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __pow__ = __matmul__ = __and__ = _compute


class Tensor:
    """An array that knows its shape, its element type and its device, and no element.

    Other attributes may be given by name; what is neither known nor given is a stand-in.
    """

    def __init__(
        self, shape: Sequence[int] = (2,), dtype: Any = None, device: Any = None, **attributes: Any
    ) -> None:
        self.shape = tuple(shape)
        self.ndim = len(self.shape)
        self.dtype = Standin("torch.float32") if dtype is None else dtype
        self.device = Standin("cpu") if device is None else device
        for name, value in attributes.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        is_torch = repr(self.dtype).startswith("torch.")
        if name.startswith("__") or name in (_NOT_IN_TORCH if is_torch else _ONLY_IN_TORCH):
            message = f"{name!r} is no attribute of this library's arrays"
            raise AttributeError(message)
        if name in ("to", "type", "astype"):
            return self._cast
        return Standin(f"tensor.{name}")

    def dim(self) -> int:
        """Return the number of dimensions."""
        return self.ndim

    def size(self, index: int | None = None) -> Any:
        """Return the shape, or one extent."""
        return self.shape if index is None else self.shape[index]

    def numel(self) -> int:
        """Return the number of elements."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    def stride(self, index: int | None = None) -> Any:
        """Return the strides of a contiguous array of this shape, or one of them."""
        strides: list[int] = []
        step = 1
        for extent in reversed(self.shape):
            strides.insert(0, step)
            step *= max(extent, 1)
        return tuple(strides) if index is None else strides[index]

    def is_contiguous(self, *_: Any) -> bool:
        """Whether the elements lie in order: always."""
        return True

    def contiguous(self) -> Tensor:
        """Return the array itself."""
        return self

    def _cast(self, dtype: Any = None, **_: Any) -> Tensor:
        """Return an array of another element type."""
        return Tensor(self.shape, dtype if isinstance(dtype, Standin) else self.dtype, self.device)

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __getitem__(self, key: Any) -> Any:
        sys.audit("errdex.standin", "tensor[]")
        return Standin("tensor[]")

    def __setitem__(self, key: Any, value: Any) -> None:
        sys.audit("errdex.standin", "tensor[]")

    def __repr__(self) -> str:
        return f"tensor(shape={self.shape}, dtype={self.dtype!r})"


class _Module(types.ModuleType):
    """A module that is not there, or another file of the package, whose names are made when they are asked for."""

    _sibling: _Sibling | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        if self._sibling is None and not _is_asked_for():
            sys.audit("errdex.standin.decided", self.__name__)
        value = self._sibling[name] if self._sibling is not None else Standin(f"{self.__name__}.{name}")
        setattr(self, name, value)
        return value


class _Finder:
    """Finds every module that nothing else finds, and makes it a stand-in."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> importlib.machinery.ModuleSpec:
        return importlib.machinery.ModuleSpec(name, _Finder, is_package=True)  # type: ignore[arg-type]

    root: str | None = None
    """The folder from which the package under proof is imported; None before a file was loaded."""

    @staticmethod
    def create_module(spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = _Module(spec.name)
        if _Finder.root is not None:
            module._sibling = _sibling(spec.name, _Finder.root)  # noqa: SLF001 - its own maker
        return module

    @staticmethod
    def exec_module(module: types.ModuleType) -> None:
        pass


class _Names(dict[str, Any]):
    """A module's names; one that was never made is a stand-in."""

    def __missing__(self, name: str) -> Any:
        if name.startswith("__") or hasattr(builtins, name):
            raise KeyError(name)
        self[name] = Standin(name)
        return self[name]


class _Sibling(_Names):
    """The names of another file of the package: the statement that makes one runs when it is first asked for."""

    def __init__(self, name: str, file: str, package: str) -> None:
        super().__init__(__name__=name, __file__=file, __package__=package, __builtins__=__builtins__)
        self._makers: dict[str, ast.stmt] = {}
        self._flags = 0
        with open(file, encoding="utf-8", errors="replace") as opened:  # noqa: PTH123
            tree = ast.parse(opened.read())
        for statement in tree.body:
            self._flags |= _future(statement)
            self._makers |= dict.fromkeys(_bound(statement), statement)

    def __missing__(self, name: str) -> Any:
        statement = self._makers.pop(name, None)
        if statement is not None and _run(statement, self, self._flags) and name in self:
            return self[name]
        return super().__missing__(name)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module gives a meaning."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((each.asname or each.name).partition(".")[0] for each in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def _future(statement: ast.stmt) -> int:
    is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    return 0x1000000 if is_future else 0  # CO_FUTURE_ANNOTATIONS


def _run(statement: ast.stmt, names: _Names, flags: int) -> bool:
    """Run one statement of a module; False where it fails, as what needs the missing library does."""
    code = compile(ast.Module([statement], []), names["__file__"], "exec", flags=flags, dont_inherit=True)
    try:
        exec(code, names)  # noqa: S102 - inside the sandbox
    except BaseException:  # noqa: BLE001
        return False
    return True


def _sibling(name: str, root: str) -> _Sibling | None:
    """Return the names of the package's own module `name`; None where it has no such file, or an unreadable one."""
    for tail, package in ((".py", name.rpartition(".")[0]), ("/__init__.py", name)):
        try:
            return _Sibling(name, root + name.replace(".", "/") + tail, package)
        except (OSError, SyntaxError, ValueError):
            continue
    return None


def load(path: str, name: str) -> types.ModuleType:
    """Run one file of the package statement by statement, as module `name`; a statement that fails is left out."""
    if _Finder not in sys.meta_path:
        finders: list[Any] = sys.meta_path
        finders.append(_Finder)
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) == SITE + path:
        return sys.modules[name]
    with open(SITE + path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        tree = ast.parse(file.read())
    stem = path.removesuffix(".py").removesuffix("/__init__")
    if stem.endswith(name.replace(".", "/")):
        _Finder.root = SITE + stem.removesuffix(name.replace(".", "/"))
    module = sys.modules[name] = _Module(name)  # dataclasses look their class's module up
    names = _Names(
        __name__=name, __file__=SITE + path, __package__=name.rpartition(".")[0], __builtins__=__builtins__
    )
    flags = 0
    for statement in tree.body:
        flags |= _future(statement)
        _run(statement, names, flags)
    for key, value in names.items():
        setattr(module, key, value)
    return module


def __getattr__(name: str) -> Any:
    """Return the stand-in of a whole library, so that `from standins import torch` says what it is."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Standin(name)
