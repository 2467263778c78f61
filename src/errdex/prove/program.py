"""Programs that call one callable: arguments as source text, put together and laid out for a reader."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from keyword import iskeyword
from typing import Any

import msgspec

from errdex.model.record import Run
from errdex.model.site import ThrowSite
from errdex.prove.observation import Description, ParameterSeen, TypeSeen, ValueSeen
from errdex.prove.tidy import joined_imports, tidied

_WIDTH = 88
_MOST_BY_POSITION = 4
"""More arguments than these are given by name: nobody counts to the fifth."""
_STAND_INS = "from standins import "
RECEIVER = "self."
"""Starts the names of slots that belong to the receiver: arguments of its constructor, or `self.=name` attributes."""
BY_HAND = "self.="
THEN = "then."
"""Starts the names of slots of the function that the first call returns."""
_WHOLE = ParameterSeen(name=RECEIVER, kind="KEYWORD_ONLY", default="None", has_default=True)
"""The receiver as a whole, where its constructor is not called by slots."""


class Value(msgspec.Struct, frozen=True):
    """One argument: an expression, and what must stand before it."""

    code: str
    imports: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    """Statements that make what the expression names."""
    is_real: bool = True
    """False for stand-ins: objects that only look like what the library expects."""
    by_hand: bool = False
    """True for instances that were not made by their constructor."""

    @property
    def cost(self) -> tuple[int, int]:
        """How much a reader has to read; smaller is plainer. An empty text is less plain than a letter."""
        length = 4 if self.code in ("''", '""') else len(self.code)
        return (len(self.setup) + len(self.imports), length)


Arguments = Mapping[str, Value]
"""By slot; a slot that is absent is left to its default."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How the callable that holds a site is called."""

    module: str
    """From where it is imported."""
    qualname: str
    binding: str
    """`function`, `method`, `classmethod`, `staticmethod`, `property`, `setter`, `init`, `module`."""
    parameters: tuple[ParameterSeen, ...]
    owner: ValueSeen | None
    is_async: bool
    is_generator: bool
    is_context: bool
    is_public: bool
    then: tuple[ParameterSeen, ...] | None = None
    """Parameters of the function that the call returns, where the site stands in that one."""
    prelude: tuple[str, ...] = ()
    """Statements that come before every import: those of a slice."""
    unbound: bool = False
    """Whether a method is called as a function of its class, on a receiver that is no instance of it."""
    in_loop: bool = False
    """Whether everything has to happen inside a running event loop."""

    @property
    def is_hook(self) -> bool:
        """Whether it is what a module answers for names that it does not have."""
        return self.binding == "function" and self.qualname == "__getattr__"

    @property
    def slots(self) -> tuple[ParameterSeen, ...]:
        """Parameters of the callable; a receiver's come before them, their names with `self.` in front."""
        own = tuple(each for each in self.parameters if each.name != _first_name(self))
        if self.binding not in {"method", "property", "setter"} or self.owner is None:
            return own + self._then_slots()
        made = tuple(
            msgspec.structs.replace(each, name=RECEIVER + each.name) for each in self.owner.parameters
        )
        return (msgspec.structs.replace(_WHOLE), *made, *own, *self._then_slots())

    @property
    def is_called_by_constructor(self) -> bool:
        """Whether making an instance calls it."""
        return self.qualname.endswith(".__post_init__") and self.binding == "method"

    def _then_slots(self) -> tuple[ParameterSeen, ...]:
        return tuple(msgspec.structs.replace(each, name=THEN + each.name) for each in self.then or ())

    def program(self, arguments: Arguments) -> str:
        """Return the whole program that makes the call with these arguments."""
        imports = {line for value in arguments.values() for line in value.imports}
        setup = dict.fromkeys(line for value in arguments.values() for line in value.setup)
        body = [*setup, *self._call(arguments, imports)]
        if self.in_loop or self.is_async:
            imports.add("import asyncio")
            inner = textwrap.indent("\n".join(body), "    ")
            body = [f"\nasync def main():\n{inner}\n\n\nasyncio.run(main())"]
        parts = [*self._opening(imports), *(["\n".join(body)] if body else [])]
        return tidied("\n\n".join(parts) + "\n")

    def _opening(self, imports: Iterable[str]) -> list[str]:
        """Return the paragraphs before the call: the names of stand-ins, what the prelude does, the other imports."""
        lines = {*imports, *(line for line in self.prelude if line.startswith(_STAND_INS))}
        stand_ins = {line for line in lines if line.startswith(_STAND_INS)}
        done = [line for line in self.prelude if not line.startswith(_STAND_INS)]
        parts = (joined_imports(stand_ins), done, joined_imports(lines - stand_ins))
        return ["\n".join(part) for part in parts if part]

    def run(self, arguments: Arguments, output: str, outcome: str) -> Run:
        """Return the record of a run of this program."""
        imports = {line for value in arguments.values() for line in value.imports}
        setup = dict.fromkeys(line for value in arguments.values() for line in value.setup)
        given = {each.name: each.default for each in self.parameters if each.default is not None}
        given |= {
            name: value.code for name, value in arguments.items() if not name.startswith((RECEIVER, THEN))
        }
        receiver, made = "", list[str]()
        if self.owner is not None and self.binding in {"method", "property", "setter"}:
            receiver, made = self.receiver(arguments, imports)
        lines = [*self._opening(imports), *setup, *made]
        return Run(
            code=self.program(arguments),
            output=output,
            outcome=outcome,
            setup="\n".join(lines),
            arguments=given,
            receiver=receiver,
        )

    def _call(self, arguments: Arguments, imports: set[str]) -> Iterator[str]:
        head, *rest = self.qualname.split(".")
        if self.binding == "module":
            imports.add(f"import {self.module}")
            return
        own = {name: value for name, value in arguments.items() if not name.startswith((RECEIVER, THEN))}
        parameters = tuple(each for each in self.parameters if each.name != _first_name(self))
        given = arguments_text(parameters, own)
        if self.is_hook and (
            name := _identifier(own)
        ):  # PEP 562: reading the name from the module is the call
            imports.add(f"import {self.module}")
            yield f"{self.module}.{name}"
            return
        if self.binding in {"function", "classmethod", "staticmethod", "init"}:
            imports.add(f"from {self.module} import {head}")
            name = ".".join([head, *rest][: -1 if self.binding == "init" else None])
            yield from self._finish(call_text(name, given), arguments)
            return
        assert self.owner is not None
        receiver, lines = self.receiver(arguments, imports)
        yield from lines
        member = rest[-1]
        if self.is_called_by_constructor and RECEIVER not in arguments:
            return
        if self.unbound:
            imports.add(f"from {self.owner.module} import {self.owner.qualname.partition('.')[0]}")
            yield from self._finish(
                call_text(f"{self.owner.qualname}.{member}", [receiver, *given]), arguments
            )
            return
        if self.binding == "property":
            yield f"{receiver}.{member}"
        elif self.binding == "setter":
            yield (
                f"{receiver}.{member} = {given[0].partition('=')[2] if '=' in given[0] else given[0]}"
                if given
                else ""
            )
        else:
            yield from self._finish(_member_call(receiver, member, given), arguments)

    def receiver(self, arguments: Arguments, imports: set[str]) -> tuple[str, list[str]]:
        """Return the variable that holds the receiver and the statements that make it; adds to `imports`."""
        assert self.owner is not None
        made = {
            name.removeprefix(RECEIVER): value
            for name, value in arguments.items()
            if name.startswith(RECEIVER) and not name.startswith(BY_HAND)
        }
        owner = self.owner
        name = variable_name(owner.qualname.rpartition(".")[2])
        whole = made.pop("", None)
        if whole is not None and whole.code.isidentifier():
            name, lines = whole.code, []
        elif whole is not None:
            lines = [f"{name} = {whole.code}"]
        else:
            imports.add(f"from {owner.module} import {owner.qualname.partition('.')[0]}")
            lines = [f"{name} = {call_text(owner.qualname, arguments_text(owner.parameters, made))}"]
        lines += [
            f"{name}.{_mangled(slot.removeprefix(BY_HAND), owner.qualname)} = {value.code}"
            for slot, value in arguments.items()
            if slot.startswith(BY_HAND)
        ]
        return name, lines

    def _finish(self, call: str, arguments: Arguments) -> Iterator[str]:
        if self.then is not None:
            inner = {
                name.removeprefix(THEN): value for name, value in arguments.items() if name.startswith(THEN)
            }
            call = call_text(call, arguments_text(self.then, inner))
        if self.is_context:
            yield f"{'async ' if self.is_async else ''}with {call}:\n    pass"
        elif self.is_async and self.is_generator:
            yield f"async for _ in {call}:\n    pass"
        elif self.is_async:
            yield f"await {call}"
        elif self.is_generator:
            yield f"list({call})"
        else:
            yield call


def _identifier(arguments: Arguments) -> str | None:
    """Return the one argument, where it is a text that is a name."""
    codes = [each.code for each in arguments.values()]
    name = codes[0][1:-1] if len(codes) == 1 and codes[0][:1] in "'\"" else ""
    return name if name.isidentifier() and not iskeyword(name) else None


def _mangled(attribute: str, owner: str) -> str:
    """Return the name that a class's own code reaches an attribute under (`__x` is `_Owner__x`)."""
    if not attribute.startswith("__") or attribute.endswith("__"):
        return attribute
    return f"_{owner.rpartition('.')[2].lstrip('_')}{attribute}"


def _first_name(recipe: Recipe) -> str | None:
    """Return the name of the parameter that the receiver or the class takes."""
    if recipe.binding in {"method", "property", "setter", "classmethod", "init"} and recipe.parameters:
        return recipe.parameters[0].name
    return None


def make_recipe(site: ThrowSite, description: Description, chain: Chain) -> Recipe | None:
    """Return how to call the function that holds `site`; None where its function is nested or not found."""
    facts = site.callable
    if facts.name == "<module>" or facts.kind == "module":
        return Recipe(
            module=facts.module, qualname="", binding="module", parameters=(), owner=None,
            is_async=False, is_generator=False, is_context=False, is_public=True,
        )  # fmt: skip
    seen = description.target
    if len(chain.functions) > 2 or seen is None or not seen.binding or seen.binding == "NoneType":
        return None
    owner, name = seen.owner, chain.outer.rpartition(".")[2]
    decorators = facts.decorators if len(chain.functions) == 1 else ()
    binding = "function" if owner is None else _binding(seen.binding, decorators, name)
    module = facts.module
    if owner is not None:
        module = owner.module
    elif seen.public:
        module = seen.public
    return Recipe(
        module=module,
        qualname=chain.outer,
        binding=binding,
        parameters=_signature(seen.parameters, chain.functions[0]),
        owner=owner,
        is_async=facts.is_async,
        is_generator=seen.generator or (len(chain.functions) == 1 and _yields(chain.functions[0])),
        is_context=any("contextmanager" in each for each in decorators),
        then=None if len(chain.functions) == 1 else _written(chain.functions[1]),
        is_public=_is_public(module, chain.outer),
    )


def _is_public(module: str, qualname: str) -> bool:
    parts = [*module.split("."), *qualname.split(".")]
    return not any(part.startswith("_") and not part.endswith("__") for part in parts)


class Chain(msgspec.Struct, frozen=True):
    """The functions around a site, outermost first, and the qualified name of that one."""

    outer: str
    functions: tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]


def chain_of(tree: ast.Module, line: int) -> Chain:
    """Return the functions around a line; classes between module and function are part of the name."""
    names: list[str] = []
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    body: list[ast.stmt] = tree.body
    while body:
        inner: list[ast.stmt] = []
        for node in body:
            if not node.lineno <= line <= (node.end_lineno or 0):
                continue
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names += [] if functions else [node.name]
                functions.append(node)
            elif isinstance(node, ast.ClassDef):
                names += [] if functions else [node.name]
            inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            for each in ast.iter_child_nodes(node):
                if isinstance(each, ast.ExceptHandler | ast.match_case):
                    inner += each.body
        body = inner
    return Chain(".".join(names), tuple(functions))


def _signature(
    seen: tuple[ParameterSeen, ...], function: ast.FunctionDef | ast.AsyncFunctionDef
) -> tuple[ParameterSeen, ...]:
    """Return the inspected parameters, unless a decorator hides them behind `*args, **kwargs`."""
    written = _written(function)
    if all(each.kind.startswith("VAR") for each in seen) and not all(
        each.kind.startswith("VAR") for each in written
    ):
        return written
    return seen


def _written(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[ParameterSeen, ...]:
    """Return the parameters as the source writes them."""
    found = []
    names = function.args
    positional = [*names.posonlyargs, *names.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(names.defaults))
    defaults += names.defaults
    for index, (each, default) in enumerate(zip(positional, defaults, strict=True)):
        kind = "POSITIONAL_ONLY" if index < len(names.posonlyargs) else "POSITIONAL_OR_KEYWORD"
        found.append(_parameter(each, default, kind))
    if names.vararg:
        found.append(_parameter(names.vararg, None, "VAR_POSITIONAL"))
    for each, default in zip(names.kwonlyargs, names.kw_defaults, strict=True):
        found.append(_parameter(each, default, "KEYWORD_ONLY"))
    if names.kwarg:
        found.append(_parameter(names.kwarg, None, "VAR_KEYWORD"))
    return tuple(found)


def _parameter(node: ast.arg, default: ast.expr | None, kind: Any) -> ParameterSeen:
    text = ast.unparse(node.annotation) if node.annotation is not None else ""
    return ParameterSeen(
        name=node.arg,
        kind=kind,
        default=ast.unparse(default) if isinstance(default, ast.Constant) else None,
        has_default=default is not None,
        type=TypeSeen(t="text", text=text) if text else TypeSeen(),
    )


def _yields(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _binding(kind: str, decorators: tuple[str, ...], name: str) -> str:
    if name == "__new__":
        return "init"
    if kind in {"classmethod", "staticmethod"}:
        return kind
    if any(each.endswith(".setter") for each in decorators):
        return "setter"
    if kind in {"property", "cached_property"} or any("property" in each for each in decorators):
        return "property"
    return "init" if name == "__init__" else "method"


def arguments_for(recipe: Recipe, arguments: Arguments) -> dict[str, Value]:
    """Return those of the arguments that the recipe has slots for, in the order of its slots."""
    order = [each.name for each in recipe.slots]
    kept = {name: arguments[name] for name in order if name in arguments}
    return kept | {name: value for name, value in arguments.items() if name.startswith(BY_HAND)}


def arguments_text(parameters: Iterable[ParameterSeen], arguments: Arguments) -> list[str]:
    """Return the arguments of a call, as a person writes them: required ones by position."""
    parameters = list(parameters)
    texts = []
    required = [each for each in parameters if each.name in arguments and not each.has_default]
    by_position = len(required) <= _MOST_BY_POSITION or any("VAR_POS" in each.kind for each in required)
    for each in parameters:
        value = arguments.get(each.name)
        if each.kind == "VAR_POSITIONAL":
            if value is not None:
                texts.append(f"*{value.code}" if not value.code.startswith("(") else _unpacked(value.code))
            by_position = False
        elif value is None:
            by_position = False
        elif each.kind == "VAR_KEYWORD":
            texts += _as_keywords(value.code)
        elif each.kind == "POSITIONAL_ONLY" or (
            by_position and each.kind == "POSITIONAL_OR_KEYWORD" and not each.has_default
        ):
            texts.append(value.code)
        else:
            by_position = False
            texts.append(f"{each.name}={value.code}")
    return texts


def _unpacked(code: str) -> str:
    """Return the elements of a tuple's source, to stand as arguments of their own."""
    try:
        node = ast.parse(code, mode="eval").body
    except SyntaxError:
        return f"*{code}"
    if not isinstance(node, ast.Tuple):
        return f"*{code}"
    return ", ".join(ast.unparse(each) for each in node.elts)


def _as_keywords(code: str) -> list[str]:
    """Return a dictionary's source as keyword arguments, where its keys are names; else as `**` of it."""
    try:
        node = ast.parse(code, mode="eval").body
    except SyntaxError:
        return [f"**{code}"]
    keys = [getattr(key, "value", None) for key in node.keys] if isinstance(node, ast.Dict) else [None]
    if not all(isinstance(key, str) and key.isidentifier() and not iskeyword(key) for key in keys):
        return [f"**{code}"]
    assert isinstance(node, ast.Dict)
    return [f"{key}={ast.unparse(value)}" for key, value in zip(keys, node.values, strict=True)]


def call_text(name: str, arguments: list[str]) -> str:
    """Return a call, on several lines where one would be too long."""
    arguments = [each for each in arguments if each]
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= _WIDTH or not arguments:
        return line
    return f"{name}(\n" + "".join(f"    {each},\n" for each in arguments) + ")"


_ITEM = {"__getitem__": "{0}[{1}]", "__call__": "{0}({1})", "__contains__": "{1} in {0}"}
_UNARY = {
    "__len__": "len({0})", "__iter__": "list({0})", "__next__": "next({0})", "__str__": "str({0})", "__repr__": "repr({0})",
    "__hash__": "hash({0})", "__bool__": "bool({0})", "__int__": "int({0})", "__float__": "float({0})", "__abs__": "abs({0})",
    "__invert__": "~{0}", "__neg__": "-{0}", "__pos__": "+{0}", "__reversed__": "reversed({0})",
}  # fmt: skip
"""How a person calls the methods that have a syntax of their own."""


def _member_call(receiver: str, member: str, given: list[str]) -> str:
    if member in _UNARY and not given:
        return _UNARY[member].format(receiver)
    if member == "__call__":
        return call_text(receiver, given)
    if member in _ITEM and len(given) == 1 and "=" not in given[0]:
        return _ITEM[member].format(receiver, given[0])
    return call_text(f"{receiver}.{member}", given)


def variable_name(class_name: str) -> str:
    """Return a variable's name for an instance: `HTTPAdapter` gives `http_adapter`."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name.lstrip("_")).lower()
    return snake if snake.isidentifier() and snake != class_name else "instance"
