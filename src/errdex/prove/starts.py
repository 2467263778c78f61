"""The first states of a search: how the receiver is made, what the package shows, what the constraints say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from errdex.prove.anatomy import Anatomy
from errdex.prove.failing import failing_values
from errdex.prove.mined import Mine
from errdex.prove.observation import NameSeen, ValueSeen
from errdex.prove.pooling import STAND_IN, attribute_pool
from errdex.prove.program import BY_HAND, RECEIVER, Recipe, Value
from errdex.prove.search import State
from errdex.prove.values import Check, Pools

_MAX_ATTRIBUTES = 12


class Receivers:
    """How an instance for a method is had, and what it costs in grade."""

    def __init__(
        self, recipe: Recipe, anatomy: Anatomy, pools: Pools, names: dict[str, ValueSeen], check: Check
    ) -> None:
        self.recipe, self.anatomy, self.pools, self.names, self.check = recipe, anatomy, pools, names, check

    def settle(self, by_slot: dict[str, list[Value]], base: State) -> State:
        """Return a base whose receiver can be made; slots for it are added to the pools.

        The constructor with likely arguments; else another call of it that was seen to
        work; else an instance without it, its attributes set by hand.
        """
        owner = self.recipe.owner
        if owner is None or RECEIVER not in by_slot:
            return base
        if self.recipe.is_called_by_constructor:  # to fail is what it is wanted for
            return base
        plain = self._by_slots(base)
        if self.check([plain])[0]:
            return base
        name = NameSeen(module=owner.module, qualname=owner.qualname)
        made = [] if owner.abstract else self.pools.instances(name)
        if not made:
            made = self.pools.instances(name)
        by_slot[RECEIVER] = made
        if not made:
            return base
        kept = {slot: value for slot, value in base.items() if not slot.startswith(RECEIVER)}
        for slot in [each for each in by_slot if each.startswith(RECEIVER) and each != RECEIVER]:
            del by_slot[slot]
        return {RECEIVER: made[0]} | (self.attributes(by_slot) if made[0].by_hand else {}) | kept

    def settle_by_hand(
        self, by_slot: dict[str, list[Value]], base: State, *, stand_in: bool
    ) -> tuple[Recipe, State] | None:
        """Return a base whose receiver never saw its constructor, attributes set by hand; None where there is no such.

        With `stand_in` the method is called as a function of its class, on an object that only looks like an instance;
        what has no receiver stays as it is, where it takes objects that can be stood in for.
        """
        owner = self.recipe.owner
        if owner is None or RECEIVER not in by_slot:
            objects = any(self.anatomy.read_attributes(slot) for slot in base)
            return (self.recipe, base) if stand_in and objects else None
        if stand_in and self.recipe.binding != "method":
            return None
        head = owner.qualname.partition(".")[0]
        imports = (f"from {owner.module} import {head}",)
        bare = Value(f"{owner.qualname}.__new__({owner.qualname})", imports, by_hand=True)
        if not stand_in and not self.check([bare])[0]:
            return None
        by_slot[RECEIVER] = [STAND_IN if stand_in else bare]
        kept = {slot: value for slot, value in base.items() if not slot.startswith(RECEIVER)}
        for slot in [each for each in by_slot if each.startswith(RECEIVER) and each != RECEIVER]:
            del by_slot[slot]
        recipe = msgspec.structs.replace(self.recipe, unbound=stand_in)
        failing = failing_values(self.anatomy, self.pools, self.names)
        attributes = {} if stand_in else self.attributes(by_slot)
        for name, value in failing.items():
            if name.startswith("self."):
                slot = BY_HAND + name.removeprefix("self.")
                by_slot[slot] = [value, *by_slot.get(slot, ()), STAND_IN]
                attributes[slot] = value
        return recipe, {RECEIVER: by_slot[RECEIVER][0]} | attributes | kept

    def attributes(self, by_slot: dict[str, list[Value]]) -> State:
        """Return attributes to set by hand: those that the function reads and the class does not have."""
        assert self.recipe.owner is not None
        state: State = {}
        for name in self.anatomy.attributes():
            if name in self.recipe.owner.members or len(state) >= _MAX_ATTRIBUTES:
                continue
            values = attribute_pool(name, self.anatomy, self.pools, self.names)
            if self.anatomy.is_object(name):
                values.insert(0, STAND_IN)
            by_slot[BY_HAND + name] = values
            state[BY_HAND + name] = values[0]
        return state

    def _by_slots(self, base: State) -> Value:
        imports: set[str] = set()
        name, lines = self.recipe.receiver(base, imports)
        setup = tuple(line for value in base.values() for line in value.setup)
        imports |= {line for value in base.values() for line in value.imports}
        return Value(name, tuple(imports), (*setup, *lines))


def shown_states(
    mine: Mine | None, recipe: Recipe, home: Path, by_slot: dict[str, list[Value]], base: State
) -> tuple[list[State], State]:
    """Return the calls that the package shows, and a base completed with their arguments; pools are widened."""
    if mine is None or recipe.then is not None:
        return [], base
    shown = mine.states(recipe, home)
    untold = {
        each.name
        for each in recipe.slots
        if each.default in (None, "None") and each.type.t in ("any", "text")
    }
    untold -= {slot for slot in untold if slot.startswith(RECEIVER)}
    for slot in by_slot:
        values = [state[slot] for state in shown if slot in state]
        if (slot in base and slot != RECEIVER) or slot in untold:
            values += mine.assigned(slot.rpartition(".")[2], home)
        widen(by_slot, slot, values)
        if values and slot in base and not slot.startswith(RECEIVER):
            base = base | {slot: values[0]}
    return [_whole(state, base) for state in shown], base


def _whole(state: State, base: State) -> State:
    """Complete a shown call with the base's receiver, where it brings none of its own."""
    if RECEIVER in state:
        return state
    return {slot: value for slot, value in base.items() if slot.startswith(RECEIVER)} | state


def widen(by_slot: dict[str, list[Value]], slot: str, values: Sequence[Value]) -> None:
    """Put values in front of a slot's pool."""
    known: dict[str, Value] = {}
    for value in [*values, *by_slot[slot]]:
        known.setdefault(value.code, value)
    by_slot[slot] = list(known.values())
