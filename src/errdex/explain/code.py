"""The code keys: blocks that parse, whose names exist and whose calls bind. What cannot be made true is None."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from errdex.explain.conditions import in_words
from errdex.explain.expressions import as_code
from errdex.explain.facts import Facts, condition_text
from errdex.explain.fixes import Change, change_of
from errdex.explain.imports import free_names, imports_for, merged
from errdex.explain.path import Path
from errdex.explain.signatures import Target, snake, target_of
from errdex.explain.subjects import guard_source
from errdex.model.explanation import CodeBlock, HandlingStrategy, Provenance
from errdex.model.site import Condition
from errdex.syntax.logic import Test, Tree, join, negate, tests


@dataclass(frozen=True, slots=True)
class CodeKeys:
    """The four code keys of a record."""

    example_fix: CodeBlock | None = None
    validation_code: CodeBlock | None = None
    type_guard: CodeBlock | None = None
    try_catch_pattern: CodeBlock | None = None


def code_keys(facts: Facts, path: Path, strategy: HandlingStrategy | None) -> CodeKeys:
    """Return what can be said in code about the site."""
    if facts.site.kind in {"warn", "log", "exit"}:
        return CodeKeys()
    target = target_of(facts)
    check = _check(facts, path, target)
    source = guard_source(facts)
    inferred = Provenance(kind="inferred")
    return CodeKeys(
        example_fix=_block(_example(facts, path, target), inferred),
        validation_code=_block(_validation(facts, check), source),
        type_guard=_block(_type_guard(facts, check), source),
        try_catch_pattern=_block(_handler(facts, target, strategy), inferred),
    )


def _block(text: str | None, provenance: Provenance) -> CodeBlock | None:
    return CodeBlock(code=text, provenance=provenance) if text else None


@dataclass(frozen=True, slots=True)
class _Check:
    """The whole condition as an expression that a caller can evaluate."""

    expression: str
    accepted: str
    """Its opposite."""
    names: tuple[str, ...]
    """Placeholders, in signature order."""
    imports: tuple[str, ...]
    subject: str
    told: str
    """What is refused, in words."""


_MOVABLE = frozenset(("if", "with"))


def _check(facts: Facts, path: Path, target: Target | None) -> _Check | None:
    """Return the path's conditions in terms of the caller's arguments; None where they read anything else."""
    if facts.site.guard is None or not facts.site.parameters:
        return None
    conditions = [condition for condition in path.enclosing if condition.kind != "with"]
    if any(condition.kind not in _MOVABLE for condition in conditions):
        return None
    texts = [_condition_code(condition, facts) for condition in conditions]
    if any(text is None for text in texts):
        return None
    tree = join("all", (facts.tree_of(condition) for condition in conditions))
    if _rewritable(tree):
        plain = len(conditions) == 1 and not conditions[0].negated
        whole = (texts[0] or "") if plain else as_code(tree)
        return _in_terms_of_caller(facts, target, whole, as_code(negate(tree)), tree)
    whole = " and ".join(_grouped(text) if len(texts) > 1 else text for text in texts if text)
    return _in_terms_of_caller(facts, target, whole, f"not ({whole})", tree)


def _in_terms_of_caller(
    facts: Facts, target: Target | None, whole: str, accepted: str, tree: Tree
) -> _Check | None:
    callable_ = facts.site.callable
    names = free_names(whole)
    if names is None or len(whole) > 240:
        return None
    parameters = [p.name for p in callable_.parameters if p.name in names]
    if any(p.kind in {"var-positional", "var-keyword"} for p in callable_.parameters if p.name in names):
        return None
    others = [name for name in names if name not in parameters]
    if (
        target is not None
        and not target.is_own
        and not {p.name for p in target.parameters}.issuperset(parameters)
    ):
        return None  # the caller of the public function does not hold these values
    if "self" in others or "cls" in others:
        if target is None or target.instance is None or not target.is_own or "cls" in others:
            return None
        others.remove("self")
        parameters.insert(0, target.instance[0])
        whole, accepted = (re.sub(r"\bself\b", target.instance[0], text) for text in (whole, accepted))
    imports = imports_for(facts, others)
    if imports is None or not parameters:
        return None
    name = target.name if target else callable_.name.rpartition(".")[2].strip("_")
    return _Check(
        whole, accepted, tuple(parameters), tuple(imports), snake(name), _flat(_refused(tree, facts))
    )


def _condition_code(condition: Condition, facts: Facts) -> str | None:
    text = " ".join(condition_text(condition, facts.context, facts.site).split())
    if free_names(text) is None:
        return None
    if not condition.negated:
        return text
    return (
        re.sub(r"^not\s+(?=[\w.()\[\]]+$)", "", text)
        if re.fullmatch(r"not\s+[\w.]+", text)
        else f"not ({text})"
    )


def _grouped(text: str) -> str:
    return f"({text})" if re.search(r"\b(or|if|lambda)\b", text) else text


_KEEPING = frozenset(
    ("true", "false", "is-none", "not-none", "eq", "ne", "lt", "le", "gt", "ge", "in", "not-in", "instance", "not-instance",
     "subclass", "not-subclass", "has", "lacks", "callable", "not-callable", "starts", "not-starts", "ends", "not-ends",
     "within", "outside", "multiple", "not-multiple", "is", "is-not")
)  # fmt: skip


def _rewritable(tree: Tree) -> bool:
    """Whether the tree's opposite, written anew, means the same: the forms that need no other import."""
    return all(test.relation in _KEEPING for test in tests(tree))


def _validation(facts: Facts, check: _Check | None) -> str | None:
    if check is None:
        return None
    kind = "TypeError" if facts.is_class("TypeError") else "ValueError"
    lines = [
        *_headed(check.imports),
        f"def check_{check.subject}({', '.join(check.names)}):",
        f"    if {check.expression}:",
        f"        raise {kind}({check.told!r})",
    ]
    return "\n".join(lines)


def _refused(tree: Tree, facts: Facts) -> str:
    told = in_words(tree, facts.names)
    return in_words(facts.tree, facts.names) if "…" in told and facts.tree is not None else told


def _flat(text: str) -> str:
    return text.replace("`", "").strip()


_TYPED = frozenset(
    (
        "instance",
        "not-instance",
        "subclass",
        "not-subclass",
        "has",
        "lacks",
        "callable",
        "not-callable",
        "is-none",
        "not-none",
    )
)


def _type_guard(facts: Facts, check: _Check | None) -> str | None:
    """Return a predicate, where the guard asks what something is rather than how much."""
    if check is None or not any(_asks_what(test) for test in tests(facts.tree)):
        return None
    return "\n".join(
        [
            *_headed(check.imports),
            f"def accepted_by_{check.subject}({', '.join(check.names)}) -> bool:",
            f"    return {check.accepted}",
        ]
    )


def _asks_what(test: Test) -> bool:
    return test.relation in _TYPED or bool(re.search(r"\.(dtype|device|ndim|shape)\b", test.subject))


def _headed(imports: Iterable[str]) -> list[str]:
    lines = list(imports)
    return [*lines, "", ""] if lines else []


def _handler(facts: Facts, target: Target | None, strategy: HandlingStrategy | None) -> str | None:
    if target is None or strategy not in {"try-catch", "retry", "fallback"} or facts.site.kind == "http":
        return None
    if facts.is_class("NotImplementedError", "AssertionError", "AbstractMethodError"):
        return None  # says that the program is wrong: nothing to handle
    caught = catchable(facts)
    arguments = target.arguments({}, _own_parameters(facts, target))
    if caught is None or arguments is None:
        return None
    imports, name = caught
    wrapper = _Wrapper(
        target=target,
        imports=merged([target.imports, *imports]),
        parameters=[
            _annotated(item, target) for item in target.placeholders({}, _own_parameters(facts, target))
        ],
        arguments=arguments,
        caught=name,
    )
    return {"retry": _retry, "fallback": _default}.get(strategy, _logged)(wrapper)


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """What the three forms of a handler are written from."""

    target: Target
    imports: list[str]
    parameters: list[str]
    arguments: list[str]
    caught: str

    @property
    def define(self) -> str:
        return "async def" if self.target.is_async else "def"

    def call(self, indent: int) -> str:
        return self.target.call(
            self.arguments, "return await " if self.target.is_async else "return ", indent
        )


def _logged(wrapper: _Wrapper) -> str:
    name = wrapper.target.name
    return "\n".join(
        [
            *_headed(["import logging", *wrapper.imports]),
            f"{wrapper.define} try_{snake(name)}({', '.join(wrapper.parameters)}):",
            "    try:",
            wrapper.call(8),
            f"    except {wrapper.caught} as error:",
            f'        logging.getLogger(__name__).error("{name} failed: %s", error)',
            "        return None",
        ]
    )


def _default(wrapper: _Wrapper) -> str:
    return "\n".join(
        [
            *_headed(wrapper.imports),
            f"{wrapper.define} {snake(wrapper.target.name)}_or({', '.join(['default', *wrapper.parameters])}):",
            "    try:",
            wrapper.call(8),
            f"    except {wrapper.caught}:",
            "        return default",
        ]
    )


def _retry(wrapper: _Wrapper) -> str:
    waits = wrapper.target.is_async
    return "\n".join(
        [
            *_headed(["import asyncio" if waits else "import time", *wrapper.imports]),
            f"{wrapper.define} retry_{snake(wrapper.target.name)}({', '.join(wrapper.parameters)}):",
            "    for attempt in range(3):",
            "        try:",
            wrapper.call(12),
            f"        except {wrapper.caught}:",
            "            if attempt == 2:",
            "                raise",
            f"            {'await asyncio' if waits else 'time'}.sleep(2**attempt)",
        ]
    )


def _annotated(placeholder: str, target: Target) -> str:
    if target.instance and placeholder == target.instance[0]:
        return f"{placeholder}: {target.instance[1]}"
    return placeholder


def _own_parameters(facts: Facts, target: Target) -> tuple[str, ...]:
    return facts.site.parameters if target.is_own else ()


_TOO_BROAD = frozenset(("Exception", "BaseException", "object", "Warning"))


def catchable(facts: Facts) -> tuple[list[str], str] | None:
    """Return the imports and the expression of the nearest public class an except clause can name."""
    site = facts.site
    for dotted in (site.error_class, *site.bases):
        if not dotted or dotted in _TOO_BROAD:
            continue
        parts = dotted.split(".")
        if any(part.startswith("_") or not part.isidentifier() for part in parts):
            continue
        if len(parts) == 1:
            if parts[0] in _BUILTIN_EXCEPTIONS:
                return [], parts[0]
            continue
        owner = parts[-2]
        if owner[:1].isupper() and len(parts) > 2:  # a class inside a class
            return [f"from {'.'.join(parts[:-2])} import {owner}"], f"{owner}.{parts[-1]}"
        return [f"from {'.'.join(parts[:-1])} import {parts[-1]}"], parts[-1]
    return None


_BUILTIN_EXCEPTIONS = frozenset(
    name
    for name, value in vars(__import__("builtins")).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def _example(facts: Facts, path: Path, target: Target | None) -> str | None:
    """Return the call before and after the least change, where the guard alone tells what that is."""
    change = change_of(facts) if target is not None else None
    if target is None or change is None:
        return None
    if not change.steps and (not target.is_own or len(path.enclosing) != 1):
        return None  # that the call before fails depends on more than this guard
    if not target.is_own and not _passed_on(facts, change):
        return None
    before = _call_block("before", target, change.before, (), change)
    after = _call_block("after", target, change.after, change.steps, change)
    if before is None or after is None:
        return None
    return "\n".join([*_headed([target.imports]), "# before", before, "", "", "# after", after])


def _passed_on(facts: Facts, change: Change) -> bool:
    """Whether the entry point hands the parameters that change on under their own names."""
    entry = next((entry for entry in facts.site.entry_points if entry.chain), None)
    if entry is None or len(entry.chain) != 1:
        return False
    return all(re.search(rf"[(,=]\s*{name}\s*[,)]", entry.chain[0].call) for name in change.also)


def _call_block(
    name: str, target: Target, given: dict[str, str], steps: Sequence[str], change: Change
) -> str | None:
    arguments = target.arguments(given, change.also)
    if arguments is None:
        return None
    placeholders = [_annotated(item, target) for item in target.placeholders(given, change.also)]
    define = "async def" if target.is_async else "def"
    prefix = "return await " if target.is_async else "return "
    head = f"{define} {name}({', '.join(placeholders)}):"
    return "\n".join([head, *(f"    {step}" for step in steps), target.call(arguments, prefix, 4)])
