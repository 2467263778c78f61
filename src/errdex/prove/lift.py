"""A private function's witness carried to its public caller, where the caller hands the arguments on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from errdex.model.site import EntryPoint, ThrowSite
from errdex.prove.observation import Description
from errdex.prove.program import RECEIVER, Recipe, Value, arguments_for
from errdex.prove.search import State
from errdex.prove.values import Pools

_MAX_ENTRIES = 3


class Lifted(msgspec.Struct, frozen=True):
    """A way to reach the site through a public callable."""

    recipe: Recipe
    state: State
    slots: dict[str, list[str]]
    """Slots of the private function by the public one's slot that feeds them."""


def lifted(
    site: ThrowSite,
    recipe: Recipe,
    state: State,
    pools: Pools,
    describe: Callable[[str], Description],
    tree: ast.Module,
) -> Iterator[Lifted]:
    """Yield calls of the site's public callers in the same file that pass the witness's arguments on."""
    for entry in site.entry_points[:_MAX_ENTRIES]:
        if len(entry.chain) != 1 or entry.path != site.path:
            continue
        found = _through(entry, recipe, state, pools, describe, tree)
        if found is not None:
            yield msgspec.structs.replace(found, state=_with_arrays(found, pools))
            yield found


def _through(
    entry: EntryPoint,
    recipe: Recipe,
    state: State,
    pools: Pools,
    describe: Callable[[str], Description],
    tree: ast.Module,
) -> Lifted | None:
    step = entry.chain[0]
    public = step.caller
    description = describe(public)
    seen = description.target
    if seen is None or not seen.parameters or any(part.startswith("_") for part in public.split(".")):
        return None
    if (seen.owner is not None) != (recipe.owner is not None) or recipe.binding not in {"function", "method"}:
        return None
    module = recipe.module if seen.owner is not None or recipe.prelude else seen.public or recipe.module
    upper = msgspec.structs.replace(
        recipe,
        module=module,
        qualname=public,
        parameters=seen.parameters,
        owner=seen.owner,
        is_generator=seen.generator,
        is_async=False,
        is_public=True,
    )
    passed = _passed(tree, step.line, recipe)
    names = {each.name for each in upper.slots}
    fed: dict[str, list[str]] = {}
    lifted_state: State = {slot: value for slot, value in state.items() if slot.startswith(RECEIVER)}
    for inner, outer in passed.items():
        if outer in names:
            fed.setdefault(outer, []).append(inner)
            if inner in state:
                lifted_state[outer] = state[inner]
    if not fed:
        return None
    for each in upper.slots:
        required = (
            not each.has_default and not each.kind.startswith("VAR") and not each.name.startswith(RECEIVER)
        )
        if required and each.name not in lifted_state:
            lifted_state[each.name] = next(iter(pools.for_parameter(each, None)), Value("None"))
    return Lifted(upper, arguments_for(upper, lifted_state), fed)


def _with_arrays(found: Lifted, pools: Pools) -> State:
    """Return the state with an array for every parameter that the public function says is one."""
    state = dict(found.state)
    for each in found.recipe.slots:
        likely = next(iter(pools.for_parameter(each, None)), None)
        current = state.get(each.name)
        if current is None or likely is None or not likely.code.startswith("Tensor("):
            continue
        if not current.code.startswith("Tensor("):
            state[each.name] = likely
    return state


def _passed(tree: ast.Module, line: int, recipe: Recipe) -> dict[str, str]:
    """Return for each parameter of the private function the caller's name that the call at `line` passes for it."""
    name = recipe.qualname.rpartition(".")[2]
    calls = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.Call)
        and each.lineno <= line <= (each.end_lineno or 0)
        and _called(each) == name
    ]
    if not calls:
        return {}
    node = calls[-1]
    positional = [
        each.name
        for each in recipe.slots
        if not each.name.startswith(RECEIVER) and each.kind.startswith("POS")
    ]
    found = {
        name: argument.id
        for name, argument in zip(positional, node.args, strict=False)
        if isinstance(argument, ast.Name)
    }
    for keyword in node.keywords:
        if keyword.arg and isinstance(keyword.value, ast.Name):
            found[keyword.arg] = keyword.value.id
    return found


def _called(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
