"""Which class a value has, and which function a name runs, as far as the package's own source tells.

A class is known where a constructor is called, and promised where an annotation
or a function's return annotation names it; methods are looked up along the class
and its ancestors in the package.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from errdex.link.classes import ClassTable
from errdex.link.function_bodies import Body, BodyTable
from errdex.link.names import Meaning, NameTable

_INITIALISERS = ("__new__", "__init__", "__post_init__", "__attrs_post_init__", "model_post_init")


class FunctionNode(msgspec.Struct, frozen=True):
    """A function that is reached, with the class of its `self` where that is known."""

    path: str
    name: str
    receiver: Meaning | None = None


class KnownValue(msgspec.Struct, frozen=True):
    """What is known of a value: its class, and whether that is more than a promise."""

    meaning: Meaning
    certain: bool
    is_class: bool = False


class ValueTable:
    """Answers questions about values and names inside the functions of a package."""

    def __init__(
        self,
        names: NameTable,
        bodies: BodyTable,
        targets: Callable[[FunctionNode, Body, ast.expr], list[FunctionNode]],
    ) -> None:
        """Take what resolves names, what reads functions, and what says which functions a call target runs."""
        self.names = names
        self.classes = ClassTable(names)
        self.bodies = bodies
        self._targets = targets
        self._attributes: dict[tuple[str, str], dict[str, KnownValue | None]] = {}

    def value(self, node: FunctionNode, body: Body, base: ast.expr, depth: int = 0) -> KnownValue | None:
        """Return the class of a value, where it is written out; None if not."""
        if depth > 4:
            return None
        match base:
            case ast.Name(id=name):
                return self._local_value(node, body, name, depth)
            case ast.Call(func=func):
                return self._result(node, body, func, depth)
            case ast.Attribute(value=inner, attr=name):
                owner = self.value(node, body, inner, depth + 1)
                if owner is not None and not owner.is_class:
                    found = self._attribute(owner.meaning, name)
                    return (
                        None if found is None else KnownValue(found.meaning, found.certain and owner.certain)
                    )
            case ast.Await(value=inner):
                return self.value(node, body, inner, depth + 1)
        return None

    def _local_value(self, node: FunctionNode, body: Body, name: str, depth: int) -> KnownValue | None:
        first = first_parameter(body.node)
        if name == first and node.receiver is not None:
            is_class = any(dotted_text(one) == "classmethod" for one in body.node.decorator_list)
            return KnownValue(node.receiver, certain=True, is_class=is_class)
        assigned = body.types.get(name)
        if assigned is None:
            return None
        if name in body.annotated:
            return self._annotated(node.path, assigned)
        return (
            self.value(node, body, assigned, depth + 1)
            if isinstance(assigned, ast.Call | ast.Await)
            else None
        )

    def _annotated(self, path: str, annotation: ast.expr) -> KnownValue | None:
        """Return the class an annotation promises: `X`, `"X"`, `X | None`, `Optional[X]`."""
        match annotation:
            case ast.Constant(value=str(text)):
                try:
                    return self._annotated(path, ast.parse(text, mode="eval").body)
                except SyntaxError:
                    return None
            case ast.BinOp(op=ast.BitOr(), left=left, right=ast.Constant(value=None)):
                return self._annotated(path, left)
            case ast.Subscript(value=outer, slice=inner) if dotted_text(outer).endswith("Optional"):
                return self._annotated(path, inner)
        written = dotted_text(annotation)
        meaning = self.classes.resolve(path, written) if written else None
        if meaning is None or meaning.kind != "class":
            return None
        return KnownValue(Meaning("class", meaning.path, meaning.name), certain=False)

    def _result(self, node: FunctionNode, body: Body, func: ast.expr, depth: int) -> KnownValue | None:
        """Return the class of a call's result: a constructor's own, or what the called function's annotation says."""
        written = dotted_text(func)
        if written and not self.is_local(body, written.partition(".")[0]):
            meaning = self.names.meaning(node.path, written)
            if meaning is not None and meaning.kind == "class" and not meaning.rest:
                return KnownValue(Meaning("class", meaning.path, meaning.name), certain=True)
        targets = self._targets(node, body, func) if depth < 3 else []
        if len(targets) != 1:
            return None
        called = self.bodies.file(targets[0].path).body(targets[0].name)
        if called is None or called.node.returns is None:
            return None
        if dotted_text(called.node.returns) == "Self" and targets[0].receiver is not None:
            return KnownValue(targets[0].receiver, certain=True)
        return self._annotated(targets[0].path, called.node.returns)

    def _constructed(self, node: FunctionNode, body: Body, value: ast.Call) -> KnownValue | None:
        written = dotted_text(value.func)
        if not written or self.is_local(body, written.partition(".")[0]):
            return None
        meaning = self.names.meaning(node.path, written)
        if meaning is None or meaning.kind != "class" or meaning.rest:
            return None
        return KnownValue(Meaning("class", meaning.path, meaning.name), certain=True)

    def _attribute(self, owner: Meaning, name: str) -> KnownValue | None:
        """Return the class of `self.name`: the one constructor it is ever set to, or what an annotation promises."""
        for one in self._line(owner):
            values = self._attributes_of(one)
            if name in values:
                return values[name]
        return None

    def _attributes_of(self, owner: Meaning) -> dict[str, KnownValue | None]:
        key = (owner.path, owner.name)
        if key not in self._attributes:
            self._attributes[key] = {}
            self._attributes[key] = self._read_attributes(owner)
        return self._attributes[key]

    def _read_attributes(self, owner: Meaning) -> dict[str, KnownValue | None]:
        found: dict[str, KnownValue | None] = {}
        file = self.bodies.file(owner.path)
        definition = file.classes.get(owner.name)
        for statement in definition.body if definition else ():
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                found[statement.target.id] = self._annotated(owner.path, statement.annotation)
        for method, body in file.methods(owner.name):
            node = FunctionNode(owner.path, f"{owner.name}.{method}", owner)
            first = first_parameter(body.node)
            for attribute, value, annotation in _self_assignments(body.node, first):
                known = self._annotated(owner.path, annotation) if annotation else None
                if known is None and isinstance(value, ast.Call):
                    known = self._constructed(node, body, value)
                if isinstance(value, ast.Constant) and value.value is None and annotation is None:
                    continue
                same = attribute not in found or found[attribute] == known
                found[attribute] = known if same else None
        return found

    def is_local(self, body: Body, name: str) -> bool:
        """Tell whether a name is one of the function's own."""
        return name in body.parameters or name in body.types

    def is_outside(self, meaning: Meaning) -> bool:
        """Tell whether a class has a base of another distribution, which may define what it does not."""
        fact = self.classes.fact(meaning)
        known = len(self.classes.ancestors(meaning))
        return (
            fact is None
            or any(one.kind == "external" for one in self.classes.ancestors(meaning))
            or (bool(fact.bases) and not known)
        )

    def is_a(self, path: str) -> Callable[[Meaning, str], bool | None]:
        """Return the test whether an instance of a class is one of a class as this file writes it."""

        def test(meaning: Meaning, written: str) -> bool | None:
            wanted = self.classes.resolve(path, written)
            if wanted is None:
                return None
            line = [(one.path, one.name) for one in (meaning, *self.classes.ancestors(meaning))]
            if (wanted.path, wanted.name) in line:
                return True
            return None if wanted.kind == "external" or self.is_outside(meaning) else False

        return test

    def _line(self, owner: Meaning) -> list[Meaning]:
        """Return a class and its ancestors of the package, nearest first."""
        return [owner, *(one for one in self.classes.ancestors(owner) if one.kind == "class")]

    def method(self, owner: Meaning, name: str) -> FunctionNode | None:
        """Return what `name` runs on an instance of the class."""
        for one in self._line(owner):
            if self.bodies.file(one.path).has(f"{one.name}.{name}"):
                return FunctionNode(one.path, f"{one.name}.{name}", owner)
        return None

    def super_method(self, node: FunctionNode, name: str) -> FunctionNode | None:
        """Return what `super().name` runs: the next class after the one that defines the caller."""
        if node.receiver is None:
            return None
        defining = node.name.rpartition(".")[0]
        line = self._line(node.receiver)
        places = [index for index, one in enumerate(line) if (one.path, one.name) == (node.path, defining)]
        for one in line[places[0] + 1 :] if places else ():
            if self.bodies.file(one.path).has(f"{one.name}.{name}"):
                return FunctionNode(one.path, f"{one.name}.{name}", node.receiver)
        return None

    def constructors(self, owner: Meaning) -> Iterator[FunctionNode]:
        """Yield what calling a class runs."""
        for name in _INITIALISERS:
            found = self.method(owner, name)
            if found is not None:
                yield found

    def function_node(self, meaning: Meaning) -> FunctionNode:
        """Return a function; one named through its class has that class's `self`."""
        owner = meaning.name.rpartition(".")[0]
        is_method = owner in self.bodies.file(meaning.path).classes
        return FunctionNode(
            meaning.path, meaning.name, Meaning("class", meaning.path, owner) if is_method else None
        )

    def nested(self, node: FunctionNode, name: str) -> FunctionNode | None:
        """Return the function of this name that is defined inside the calling one, or inside one around it."""
        outer = node.name
        bodies = self.bodies.file(node.path)
        while outer:
            if outer not in bodies.classes and bodies.has(f"{outer}.{name}"):
                return FunctionNode(node.path, f"{outer}.{name}", node.receiver)
            outer = outer.rpartition(".")[0]
        return None

    def called(self, meaning: Meaning) -> Iterator[FunctionNode]:
        """Yield what calling a module-level name runs."""
        if meaning.kind == "function":
            yield self.function_node(meaning)
        elif meaning.kind == "class":
            owner = Meaning("class", meaning.path, meaning.name)
            if not meaning.rest:
                yield from self.constructors(owner)
            elif "." not in meaning.rest and (found := self.method(owner, meaning.rest)) is not None:
                yield found

    def heirs(self, base: Meaning) -> Iterator[Meaning]:
        """Yield the classes that have `base` among their ancestors, of the files read so far."""
        for path in sorted(self.names.package.facts):
            for name in self.names.package.names(path).classes:
                heir = Meaning("class", path, name)
                if any(
                    (one.path, one.name) == (base.path, base.name) for one in self.classes.ancestors(heir)
                ):
                    yield heir


def is_property(decorator: ast.expr) -> bool:
    """Tell whether a decorator makes a method run when an attribute is read."""
    return dotted_text(decorator).rpartition(".")[2] in ("property", "cached_property", "abstractproperty")


def first_parameter(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """Return the name of a method's `self` or `cls`; None for a function that takes none."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    is_static = any(dotted_text(decorator) == "staticmethod" for decorator in node.decorator_list)
    return arguments[0].arg if arguments and not is_static else None


def _self_assignments(
    node: ast.FunctionDef | ast.AsyncFunctionDef, first: str | None
) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """Yield the attribute, value and annotation of every `self.x = …` of a method."""
    for part in ast.walk(node):
        match part:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if _is_attribute_of(target, first):
                        yield target.attr, value, None  # type: ignore[attr-defined]
            case ast.AnnAssign(
                target=ast.Attribute(attr=attribute) as target, value=value, annotation=annotation
            ):
                if _is_attribute_of(target, first):
                    yield attribute, value, annotation


def _is_attribute_of(target: ast.expr, first: str | None) -> bool:
    return (
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == first
    )


def dotted_text(node: ast.expr) -> str:
    """Return `a.b.c` for a name with attributes; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted_text(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""
