"""Programs that call one callable: arguments as source text, put together and laid out for a reader."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from errdex.model.site import ThrowSite
from errdex.prove.observation import Description, ParameterSeen, ValueSeen

_WIDTH = 88
RECEIVER = "self."
"""Starts the names of slots that belong to the receiver: arguments of its constructor, or `self.=name` attributes."""
BY_HAND = "self.="


class Value(msgspec.Struct, frozen=True):
    """One argument: an expression, and what must stand before it."""

    code: str
    imports: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    """Statements that make what the expression names."""
    is_real: bool = True
    """False for stand-ins: objects that only look like what the library expects."""

    @property
    def cost(self) -> tuple[int, int]:
        """How much a reader has to read; smaller is plainer."""
        return (len(self.setup) + len(self.imports), len(self.code))


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
    prelude: tuple[str, ...] = ()
    """Statements that set the scene before anything is imported (a missing module, a variable)."""

    @property
    def slots(self) -> tuple[ParameterSeen, ...]:
        """Parameters of the callable; a receiver's come before them, their names with `self.` in front."""
        own = tuple(each for each in self.parameters if each.name != _first_name(self))
        if self.binding not in {"method", "property", "setter"} or self.owner is None:
            return own
        made = tuple(msgspec.structs.replace(each, name=RECEIVER + each.name) for each in self.owner.parameters)
        return made + own

    def program(self, arguments: Arguments) -> str:
        """Return the whole program that makes the call with these arguments."""
        imports = {line for value in arguments.values() for line in value.imports}
        setup = [line for value in arguments.values() for line in value.setup]
        body = list(self._call(arguments, imports))
        head = _sorted_imports(imports)
        scene = list(self.prelude)
        parts = [part for part in ("\n".join(scene), "\n".join(head), "\n".join([*setup, *body])) if part]
        return "\n\n".join(parts) + "\n"

    def _call(self, arguments: Arguments, imports: set[str]) -> Iterator[str]:
        head, *rest = self.qualname.split(".")
        if self.binding == "module":
            imports.add(f"import {self.module}")
            return
        own = {name: value for name, value in arguments.items() if not name.startswith(RECEIVER)}
        parameters = tuple(each for each in self.parameters if each.name != _first_name(self))
        given = arguments_text(parameters, own)
        if self.binding in {"function", "classmethod", "staticmethod", "init"}:
            imports.add(f"from {self.module} import {head}")
            name = ".".join([head, *rest][: -1 if self.binding == "init" else None])
            yield from self._finish(call_text(name, given))
            return
        assert self.owner is not None
        receiver, lines = self._receiver(arguments, imports)
        yield from lines
        member = rest[-1]
        if self.binding == "property":
            yield f"{receiver}.{member}"
        elif self.binding == "setter":
            yield f"{receiver}.{member} = {given[0].partition('=')[2] if '=' in given[0] else given[0]}" if given else ""
        else:
            yield from self._finish(_member_call(receiver, member, given))

    def _receiver(self, arguments: Arguments, imports: set[str]) -> tuple[str, list[str]]:
        assert self.owner is not None
        made = {
            name.removeprefix(RECEIVER): value
            for name, value in arguments.items()
            if name.startswith(RECEIVER) and not name.startswith(BY_HAND)
        }
        owner = self.owner
        imports.add(f"from {owner.module} import {owner.qualname.partition('.')[0]}")
        name = variable_name(owner.qualname.rpartition(".")[2])
        whole = made.pop("", None)
        if whole is not None and whole.code.isidentifier():
            name, lines = whole.code, []
            imports.discard(f"from {owner.module} import {owner.qualname.partition('.')[0]}")
        elif whole is not None:
            imports.discard(f"from {owner.module} import {owner.qualname.partition('.')[0]}")
            lines = [f"{name} = {whole.code}"]
        else:
            lines = [f"{name} = {call_text(owner.qualname, arguments_text(owner.parameters, made))}"]
        lines += [
            f"{name}.{slot.removeprefix(BY_HAND)} = {value.code}"
            for slot, value in arguments.items()
            if slot.startswith(BY_HAND)
        ]
        return name, lines

    def _finish(self, call: str) -> Iterator[str]:
        if self.is_context:
            yield f"with {call}:\n    pass"
        elif self.is_async and self.is_generator:
            yield f"async def main():\n    async for _ in {call}:\n        pass\n\n\nimport asyncio\n\nasyncio.run(main())"
        elif self.is_async:
            yield f"async def main():\n    return await {call}\n\n\nimport asyncio\n\nasyncio.run(main())"
        elif self.is_generator:
            yield f"list({call})"
        else:
            yield call


def _first_name(recipe: Recipe) -> str | None:
    """Return the name of the parameter that the receiver or the class takes."""
    if recipe.binding in {"method", "property", "setter", "classmethod", "init"} and recipe.parameters:
        return recipe.parameters[0].name
    return None


def make_recipe(site: ThrowSite, description: Description) -> Recipe | None:
    """Return how to call the function that holds `site`; None where its function is nested or not found."""
    facts = site.callable
    if facts.name == "<module>" or facts.kind == "module":
        return Recipe(
            module=facts.module, qualname="", binding="module", parameters=(), owner=None,
            is_async=False, is_generator=False, is_context=False, is_public=True,
        )  # fmt: skip
    seen = description.target
    if seen is None or not seen.binding or seen.binding == "NoneType":
        return None
    owner, name = seen.owner, facts.name.rpartition(".")[2]
    binding = "function" if owner is None else _binding(seen.binding, facts.decorators, name)
    module = facts.module
    if owner is not None:
        module = owner.module
    elif seen.public:
        module = seen.public
    return Recipe(
        module=module,
        qualname=facts.name,
        binding=binding,
        parameters=seen.parameters,
        owner=owner,
        is_async=facts.is_async,
        is_generator=seen.generator,
        is_context=any("contextmanager" in each for each in facts.decorators),
        is_public=facts.is_public and not any(part.startswith("_") for part in facts.module.split(".")),
    )


def _binding(kind: str, decorators: tuple[str, ...], name: str) -> str:
    if kind in {"classmethod", "staticmethod"}:
        return kind
    if any(each.endswith(".setter") for each in decorators):
        return "setter"
    if kind in {"property", "cached_property"} or any("property" in each for each in decorators):
        return "property"
    return "init" if name in {"__init__", "__new__"} else "method"


def arguments_text(parameters: Iterable[ParameterSeen], arguments: Arguments) -> list[str]:
    """Return the arguments of a call, as a person writes them: required ones by position."""
    texts = []
    by_position = True
    for each in parameters:
        value = arguments.get(each.name)
        if each.kind == "VAR_POSITIONAL":
            if value is not None:
                texts.append(f"*{value.code}" if not value.code.startswith("(") else _unpacked(value.code))
            by_position = False
        elif value is None:
            by_position = False
        elif each.kind == "VAR_KEYWORD":
            texts.append(f"**{value.code}")
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


def call_text(name: str, arguments: list[str]) -> str:
    """Return a call, on several lines where one would be too long."""
    arguments = [each for each in arguments if each]
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= _WIDTH or not arguments:
        return line
    return f"{name}(\n" + "".join(f"    {each},\n" for each in arguments) + ")"


_ITEM = {"__getitem__": "{0}[{1}]", "__call__": "{0}({1})", "__contains__": "{1} in {0}"}
_UNARY = {"__len__": "len", "__iter__": "list", "__str__": "str", "__repr__": "repr", "__hash__": "hash", "__bool__": "bool", "__int__": "int", "__float__": "float"}  # fmt: skip


def _member_call(receiver: str, member: str, given: list[str]) -> str:
    if member in _UNARY and not given:
        return f"{_UNARY[member]}({receiver})"
    if member == "__call__":
        return call_text(receiver, given)
    if member in _ITEM and len(given) == 1 and "=" not in given[0]:
        return _ITEM[member].format(receiver, given[0])
    return call_text(f"{receiver}.{member}", given)


def variable_name(class_name: str) -> str:
    """Return a variable's name for an instance: `HTTPAdapter` gives `http_adapter`."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name.lstrip("_")).lower()
    return snake if snake.isidentifier() and snake != class_name else "instance"


def _sorted_imports(lines: Iterable[str]) -> list[str]:
    return sorted(set(lines), key=lambda line: (line.startswith("from"), line))
