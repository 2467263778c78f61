"""The witness made plain: fewest arguments, then the shortest ones that still raise the error."""

from __future__ import annotations

import msgspec

from errdex.prove.program import Value
from errdex.prove.search import Search, State, Tried
from errdex.prove.solve import kind_of
from errdex.prove.verdict import watch_of

_SIMPLER = ("None", "1", "0", '"a"', "[]", "{}", "()")


def shrink(search: Search, state: State) -> State:
    """Return the plainest state found that still hits the target."""
    state = _without(search, state)
    state = _with_less_setup(search, state)
    for slot in list(state):
        candidates = [
            state | {slot: value}
            for value in _simpler(search, slot, state[slot])
            if value.cost < state[slot].cost
        ]
        if candidates and (better := _first_hit(search, candidates[:6])):
            state = better
    return state


def _without(search: Search, state: State) -> State:
    """Leave out every argument that is not needed."""
    optional = {each.name for each in search.recipe.slots if each.has_default or each.kind.startswith("VAR")}
    droppable = [slot for slot in state if slot in optional or slot.startswith("self.=")]
    if not droppable:
        return state
    bare = {slot: value for slot, value in state.items() if slot not in droppable}
    if better := _first_hit(search, [bare]):
        return better
    for slot in droppable:
        candidate = {name: value for name, value in state.items() if name != slot}
        if better := _first_hit(search, [candidate]):
            state = better
    return state


def _with_less_setup(search: Search, state: State) -> State:
    """Drop statements of the set-up that are not needed, the last first."""
    lines = list(dict.fromkeys(line for value in state.values() for line in value.setup))
    for line in reversed(lines):
        less = {
            slot: msgspec.structs.replace(value, setup=tuple(each for each in value.setup if each != line))
            for slot, value in state.items()
        }
        if better := _first_hit(search, [less]):
            state = better
    return state


def _simpler(search: Search, slot: str, now: Value) -> list[Value]:
    """Return plainer values of the same kind: a page that passes an array where a name is expected helps nobody."""
    kind = kind_of(now.code)
    pool = [value for value in search.pools.get(slot, [])[:12] if value.is_real >= now.is_real]
    own = [Value(code) for code in _SIMPLER]
    if not now.is_real:
        return [value for value in pool if value.is_real and value.code != "object()"][:3]
    anything = now.code == "object()"  # shows nothing but its address
    same = [value for value in [*pool, *own] if anything or kind_of(value.code) == kind]
    return sorted(same, key=lambda value: value.cost)


def _first_hit(search: Search, states: list[State]) -> State | None:
    programs = [search.recipe.program(state) for state in states]
    results = search.worker.attempt(programs, module=search.module, watch=watch_of(search.target))
    for state, seen in zip(states, results, strict=True):
        search.tried.append(Tried(state, seen, 0))
        search.budget.cpu_s -= seen.cpu
        if seen.is_witness and search.target.is_hit_by(seen.error):
            return state
    return None
