"""What an exception says that its class words: `__init__`, `__str__`, class attributes, through ancestors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from errdex.link.names import Meaning
from errdex.link.scopes import InstanceScope, ParsedFunction, Scopes, dotted_text, statements_of
from errdex.syntax.bound import Arguments, BoundScope, GivenMapping, GivenTuple, arguments_of, bind
from errdex.syntax.local import returns_of
from errdex.syntax.messages import wordings, words_of_value
from errdex.syntax.raised import message_words
from errdex.syntax.scope import Scope, Value
from errdex.syntax.words import MAX_WORDINGS, Words

_MAX_ANCESTORS = 8
_MESSAGE_ATTRIBUTES = ("message", "msg", "default_detail", "detail", "description", "default_message", "reason", "fmt",
                       "_fmt", "error_message", "msg_fmt", "message_format", "template")  # fmt: skip


class ClassMessages:
    """Answers what a class makes of the arguments it is raised with."""

    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes
        self._custom: dict[tuple[str, str], bool] = {}

    def is_custom(self, meaning: Meaning) -> bool:
        """Whether the class, or an ancestor in the package, words its messages itself."""
        key = (meaning.path, meaning.name)
        if key not in self._custom:
            self._custom[key] = self._words_itself(meaning)
        return self._custom[key]

    def _words_itself(self, meaning: Meaning) -> bool:
        if meaning.kind != "class":
            return False
        instance = InstanceScope(self.scopes, meaning)
        if any(instance.method(name) is not None for name in ("__str__", "__init__", "__new__")):
            return True
        return any(instance.class_attribute(name) is not None for name in _MESSAGE_ATTRIBUTES)

    def words(self, meaning: Meaning, given: Arguments) -> list[Words]:
        """Return the wordings of an instance of `meaning` made with `given`; empty if the class adds nothing known."""
        assigned: dict[str, list[Value]] = {}
        instance = InstanceScope(self.scopes, meaning, assigned)
        instance.level = 1 + max((value.scope.level for value in _values(given)), default=0)
        made = self._constructed(instance, instance.line, given, 0)
        spoken = self._spoken(instance, made)
        found = spoken or made or self._by_attribute(instance, given)
        return [words.moved("class") for words in found if words.has_literal][:MAX_WORDINGS]

    def _constructed(
        self, instance: InstanceScope, line: tuple[Meaning, ...], given: Arguments, start: int
    ) -> list[Words]:
        """Run the constructors from `line[start]` on; return what `str()` of the bare exception would say."""
        for index in range(start, min(len(line), _MAX_ANCESTORS)):
            place = self.scopes.names.package.names(line[index].path).functions.get(
                f"{line[index].name}.__init__"
            )
            if place is None:
                place = self.scopes.names.package.names(line[index].path).functions.get(
                    f"{line[index].name}.__new__"
                )
            parsed = self.scopes.function(line[index].path, place) if place is not None else None
            if parsed is None:
                continue
            return self._run(instance, line, index, parsed, given)
        instance.assigned.setdefault("args", [_tuple_of(given, instance)])
        self._dataclass_fields(instance, given)
        return message_words(given)

    def _run(
        self,
        instance: InstanceScope,
        line: tuple[Meaning, ...],
        index: int,
        parsed: ParsedFunction,
        given: Arguments,
    ) -> list[Words]:
        surroundings = _Merged(instance, line[index])
        bound = bind(parsed.node, given, surroundings, skip_first=True)
        made: list[Words] = []
        passed = False
        for statement, position in statements_of(parsed.node.body):
            scope = BoundScope(parsed.node, position, surroundings, parsed.source, bound, parsed.bindings)
            self._assign(instance, statement, scope)
            call = _base_call(statement)
            if call is not None:
                following, arguments = self._following(line, index, call, scope)
                if following <= _MAX_ANCESTORS:
                    passed = True
                    made.extend(self._constructed(instance, line, arguments, following))
        if not passed:
            instance.assigned.setdefault("args", [_tuple_of(given, instance)])
            made = self._of_args(instance) or message_words(given)
        return made[:MAX_WORDINGS]

    @staticmethod
    def _assign(instance: InstanceScope, statement: ast.stmt, scope: Scope) -> None:
        """Take `self.x = value`; what a conditional branch assigns stands beside what was there."""
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    if target.value.id == "self" and target.attr == "__dict__":
                        held = wordless_mapping(statement.value, scope)
                        instance.assigned.update((name, [value]) for name, value in held.items())
                    elif target.value.id == "self":
                        values = instance.assigned.setdefault(target.attr, [])
                        if len(scope.position) == 1:  # type: ignore[attr-defined]
                            values.clear()
                        values.append(Value(statement.value, scope))
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target = statement.target
            if (
                isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and target.value.id == "self"
            ):
                instance.assigned[target.attr] = [Value(statement.value, scope)]

    def _following(
        self, line: tuple[Meaning, ...], index: int, call: ast.Call, scope: Scope
    ) -> tuple[int, Arguments]:
        """Return which class of the line a base call constructs, and with what."""
        given = arguments_of(call, scope)
        assert isinstance(call.func, ast.Attribute)
        base = dotted_text(call.func.value)
        if base is None:  # super()
            if call.func.attr == "__new__":
                given = Arguments(given.positional[1:], given.keywords, is_open=given.is_open)
            return index + 1, given
        given = Arguments(given.positional[1:], given.keywords, is_open=given.is_open)
        meaning = self.scopes.classes.resolve(line[index].path, base)
        if meaning in line[index + 1 :]:  # a class that constructs itself or one below it would never end
            return line.index(meaning, index + 1), given
        return len(line), given

    def _of_args(self, instance: InstanceScope) -> list[Words]:
        values = instance.assigned.get("args", [])
        made: list[Words] = []
        for value in values:
            node = value.expression
            if isinstance(node, GivenTuple):
                made.extend(message_words(Arguments(node.values, {}, is_open=False)))
            elif isinstance(node, ast.Tuple) and len(node.elts) >= 1:
                made.extend(wordings(node.elts[0], value.scope))
        return made

    def _spoken(self, instance: InstanceScope, constructed: list[Words]) -> list[Words]:
        """Return what the class's `__str__` says."""
        found = instance.method("__str__")
        parsed = self.scopes.function(found[0].path, found[1]) if found is not None else None
        if found is None or parsed is None:
            return []
        surroundings = _Merged(instance, found[0])
        made: list[Words] = []
        for expression, position in returns_of(parsed.node):
            scope = BoundScope(parsed.node, position, surroundings, parsed.source, {}, parsed.bindings)
            if _is_base_str(expression):
                made.extend(constructed)
            else:
                made.extend(wordings(expression, scope))
        return made[:MAX_WORDINGS]

    def _by_attribute(self, instance: InstanceScope, given: Arguments) -> list[Words]:
        """Return the words of a class attribute named like a message, for an exception raised without arguments."""
        if given.positional or given.is_open:
            return []
        for name in _MESSAGE_ATTRIBUTES:
            found = instance.class_attribute(name)
            if found is not None:
                made = [words for value in found.values for words in words_of_value(value, 0)]
                if made:
                    return made
        return []

    def _dataclass_fields(self, instance: InstanceScope, given: Arguments) -> None:
        """Assign the fields of a dataclass from its constructor's arguments."""
        for one in instance.line:
            fact = self.scopes.classes.fact(one)
            if fact is None or not any(
                "dataclass" in mark or mark.endswith("define") for mark in fact.decorators
            ):
                continue
            for name, value in zip(fact.fields, given.positional, strict=False):
                instance.assigned.setdefault(name, [value])
            for name in fact.fields:
                if name in given.keywords:
                    instance.assigned.setdefault(name, [given.keywords[name]])


class _Merged(InstanceScope):
    """A method's surroundings: names of the file that defines it, attributes of the instance it runs on."""

    def __init__(self, instance: InstanceScope, home: Meaning) -> None:
        super().__init__(instance.scopes, instance.owner, instance.assigned)
        self.parent = instance.scopes.module(home.path)
        self.path = home.path
        self.level = instance.level


def _values(given: Arguments) -> Iterator[Value]:
    yield from given.positional
    yield from given.keywords.values()


def _tuple_of(given: Arguments, scope: Scope) -> Value:
    return Value(GivenTuple(given.positional), scope)


def wordless_mapping(node: ast.expr, scope: Scope) -> dict[str, Value]:
    """Return what a `**kwargs` parameter holds that `node` names."""
    found = scope.lookup(node.id) if isinstance(node, ast.Name) else None
    for value in found.values if found is not None else ():
        if isinstance(value.expression, GivenMapping):
            return value.expression.entries
    return {}


def _base_call(statement: ast.stmt) -> ast.Call | None:
    """Return the call of a base class's constructor that a statement makes."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ast.Expr, ast.Return, ast.Assign)) or not isinstance(value, ast.Call):
        return None
    function = value.func
    if not isinstance(function, ast.Attribute) or function.attr not in {"__init__", "__new__"}:
        return None
    root = function.value
    if isinstance(root, ast.Call):
        return value if isinstance(root.func, ast.Name) and root.func.id == "super" else None
    return value if dotted_text(root) is not None else None


def _is_base_str(node: ast.expr) -> bool:
    """Whether an expression is `super().__str__()` or `Exception.__str__(self)`."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "__str__":
        return True
    return (
        isinstance(node.func, ast.Name)
        and node.func.id == "str"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Call)
        and _is_base_str(node.args[0])
    )
