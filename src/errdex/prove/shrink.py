"""The witness made plain: fewest arguments, then the shortest ones that still raise the error."""

from __future__ import annotations

from errdex.prove.program import Value
from errdex.prove.search import Search, State, Tried
from errdex.prove.verdict import watch_of

_SIMPLER = ("None", "1", "0", '"a"', "[]", "{}", "()")


def shrink(search: Search, state: State) -> State:
    """Return the plainest state found that still hits the target."""
    state = _without(search, state)
    for slot in list(state):
        candidates = [
            state | {slot: value} for value in _simpler(search, slot) if value.cost < state[slot].cost
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


def _simpler(search: Search, slot: str) -> list[Value]:
    pool = search.pools.get(slot, [])
    own = [Value(code) for code in _SIMPLER]
    likely = sorted(pool[:6], key=lambda value: value.cost)
    return [*likely, *own]


def _first_hit(search: Search, states: list[State]) -> State | None:
    programs = [search.recipe.program(state) for state in states]
    results = search.worker.attempt(programs, module=search.module, watch=watch_of(search.target))
    for state, seen in zip(states, results, strict=True):
        search.tried.append(Tried(state, seen, 0))
        search.budget.cpu_s -= seen.cpu
        if seen.is_credible and search.target.is_hit_by(seen.error):
            return state
    return None
