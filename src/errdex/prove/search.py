"""The search for a witness: constraints and pools give arguments, each run says which of them to change.

A state is an argument for each slot. A run's progress is the number of conditions on
the way to the site that were evaluated; the slots that the last line reached depends
on are blamed, and varied first.
"""

from __future__ import annotations

import itertools
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from errdex.prove.anatomy import Anatomy
from errdex.prove.observation import Observation
from errdex.prove.pooling import with_all
from errdex.prove.program import RECEIVER, THEN, Recipe, Value
from errdex.prove.target import Target
from errdex.prove.verdict import watch_of
from errdex.prove.worker import Worker

State = dict[str, Value]
_BATCH = 12
RUNS = 96
_LEAST_RUNS, _MORE_CPU_S = 48, 1.6
"""A library whose calls are slow gets so many runs for so much more CPU time."""
_PAIRS = 7
"""Values of each of two slots that are tried together."""
_SOLVED = 3
"""Solutions whose values are tried beside other values of other slots."""
_LIKELY = 12
"""Values of a slot, the likeliest, that come before those of all others are tried."""


_LACKING = re.compile(r"'(?:types\.SimpleNamespace|NoneType)' object has no attribute")


class Budget(msgspec.Struct, kw_only=True):
    """What a search may still spend."""

    runs: int = RUNS
    cpu_s: float = 1.2
    wall_s: float = 30.0
    started: float = 0.0

    @property
    def is_spent(self) -> bool:
        """Whether the search has to stop."""
        dear = self.cpu_s <= (0 if self.runs <= RUNS - _LEAST_RUNS else -_MORE_CPU_S)
        return self.runs <= 0 or dear or (time.monotonic() - self.started) > self.wall_s


class Tried(msgspec.Struct, frozen=True):
    """A state and what came of it."""

    state: State
    seen: Observation
    progress: int


class Search:
    """Runs of one recipe, watched for one target."""

    def __init__(
        self,
        worker: Worker,
        module: str | None,
        recipe: Recipe,
        target: Target,
        anatomy: Anatomy,
        pools: dict[str, list[Value]],
        budget: Budget,
    ) -> None:
        self.worker, self.module, self.recipe, self.target, self.anatomy = (
            worker,
            module,
            recipe,
            target,
            anatomy,
        )
        self.pools, self.budget = pools, budget
        self._seen: set[str] = set()
        self.tried: list[Tried] = []
        self.solved: list[State] = []
        """What the constraints ask of the slots that they speak of."""

    def take_solved(self, states: list[State]) -> None:
        """Note solutions; their values come first in the pools."""
        self.solved = states
        for slot in self.pools:
            values = [state[slot] for state in states[:_SOLVED] if slot in state]
            self.pools[slot] = list(dict.fromkeys([*values, *self.pools[slot]]))

    @property
    def site_is_unguarded(self) -> bool:
        """Whether nothing decides over the site: no change of arguments can pass it."""
        return not self.anatomy.guard_lines

    def run(self, states: Iterable[State], *, stop: bool = True) -> Tried | None:
        """Run those of `states` that are new, in batches; return the first that hits the target."""
        fresh = self._fresh(states)
        while batch := list(itertools.islice(fresh, min(_BATCH, max(self.budget.runs, 1)))):
            programs = [program for _, program in batch]
            results = self.worker.attempt(programs, module=self.module, watch=watch_of(self.target))
            self.budget.runs -= len(batch)
            for (state, _), seen in zip(batch, results, strict=True):
                self.budget.cpu_s -= seen.cost_s
                tried = Tried(state, seen, self._progress(seen))
                self.tried.append(tried)
            hits = [
                tried
                for tried in self.tried[-len(batch) :]
                if tried.seen.is_witness and self.target.is_hit_by(tried.seen.error)
            ]
            if stop and hits:
                return min(hits, key=lambda tried: sum(_strangeness(value) for value in tried.state.values()))
            if self.budget.is_spent:
                return None
        return None

    def _fresh(self, states: Iterable[State]) -> Iterator[tuple[State, str]]:
        for state in states:
            program = self.recipe.program(state)
            if program not in self._seen:
                self._seen.add(program)
                yield state, program

    def _progress(self, seen: Observation) -> int:
        if seen.lost is not None or (seen.error is not None and seen.error.timeout):
            return -2
        if seen.entered == 0:
            return -1
        return self.anatomy.reached(seen) + (1 if self.target.is_reached_by(seen) else 0)

    def climb(self) -> Tried | None:
        """Return the first state found that raises the target's error, from what was tried on, the furthest first."""
        starts = len(self.tried)  # of equally good ones, these take turns before any other has one
        turns: Counter[int] = Counter()
        neighbours: dict[int, Iterator[State]] = {}
        done: set[int] = set()
        while not self.budget.is_spent:
            waiting = [index for index in range(len(self.tried)) if index not in done]
            if not waiting:
                return None
            best = max(
                waiting,
                key=lambda index: (self.tried[index].progress, index < starts, -turns[index], -index),
            )
            turns[best] += 1
            if best not in neighbours:
                neighbours[best] = self.variations(self.tried[best])
            some = list(itertools.islice(neighbours[best], _BATCH))  # then a better state may come first
            if not some:
                done.add(best)
            elif found := self.run(some):
                return found
        return None

    def variations(self, tried: Tried) -> Iterator[State]:
        """Yield neighbours of a state: what was solved for blamed slots, one slot changed, two, then any other."""
        error = tried.seen.error
        if error is not None and _LACKING.match(error.text):
            for slot, value in tried.state.items():
                yield from (tried.state | {slot: fuller} for fuller in _fuller(value))
        blamed = self.blame(tried)
        for state in self.solved:
            yield tried.state | {slot: value for slot, value in state.items() if slot in blamed}
        likely = [self._vary(tried.state, slot) for slot in blamed]
        others = [self._vary(tried.state, slot) for slot in self.pools if slot not in blamed]
        yield from _in_turn([itertools.islice(each, _LIKELY) for each in likely])
        for first, second in itertools.combinations(blamed[:4], 2):
            for one, two in itertools.product(self.pools[first][:_PAIRS], self.pools[second][:_PAIRS]):
                yield tried.state | {first: one, second: two}
        yield from _in_turn([itertools.islice(each, _LIKELY // 2) for each in others])
        yield from _in_turn(likely)
        yield from _in_turn(others)

    def _vary(self, state: State, slot: str) -> Iterator[State]:
        if slot in state and self._is_optional(slot):
            yield {name: value for name, value in state.items() if name != slot}
        for value in self.pools[slot]:
            yield state | {slot: value}

    def _is_optional(self, slot: str) -> bool:
        return any(
            each.name == slot and (each.has_default or each.kind.startswith("VAR"))
            for each in self.recipe.slots
        )

    def blame(self, tried: Tried) -> list[str]:
        """Return the slots that decided how far a run came, likeliest first."""
        seen = tried.seen
        names: set[str] = set()
        last = next((line for line in reversed(seen.last_call) if line > 0), None)
        step = self.anatomy.last_step(seen)
        first = self.anatomy.deciders(last) if last is not None else set()
        names |= first
        if last is not None and seen.error is not None:
            names |= self.anatomy.names_at(last)
        if step is not None:
            names |= self.anatomy.names_at(step.line) | self.anatomy.origins(step.expression)
        if seen.entered == 0:
            return [slot for slot in self.pools if slot.startswith(RECEIVER)] or list(self.pools)
        if not names and self.anatomy.steps:
            names = self.anatomy.origins(self.anatomy.steps[0].expression)
        blamed = [slot for slot in self.pools if self.is_named(slot, names)]
        return sorted(blamed, key=lambda slot: not self.is_named(slot, first))

    def is_named(self, slot: str, names: set[str]) -> bool:
        """Whether one of `names` may stem from `slot`."""
        if slot.removeprefix(THEN) in names:
            return True
        if slot == RECEIVER:
            return any(name.startswith("self.") for name in names)
        if not slot.startswith(RECEIVER):
            return False
        attribute = slot.removeprefix(RECEIVER).removeprefix("=").strip("_")
        return any(
            name.startswith("self.") and name.removeprefix("self.").strip("_") == attribute for name in names
        )


def _in_turn(each: Iterable[Iterator[State]]) -> Iterator[State]:
    """Yield the first of each, then the second of each, and so on."""
    for row in itertools.zip_longest(*each):
        yield from (state for state in row if state is not None)


def _strangeness(value: Value) -> int:
    """Return how far a value is from what a person would pass."""
    if value.is_real:
        return 0
    return 4 if "MagicMock(" in value.code else 2 if "SimpleNamespace(" in value.code else 1


def _fuller(value: Value) -> Iterator[Value]:
    """Yield a stand-in with an object in the place of a `None`, and one that has any attribute that is asked of it."""
    if "SimpleNamespace(" not in value.code:
        return
    mock = "from unittest.mock import MagicMock"
    for match in re.finditer(r"=None\b", value.code):
        code = f"{value.code[: match.start()]}=MagicMock(){value.code[match.end() :]}"
        yield Value(code, (*value.imports, mock), value.setup, is_real=False)
    yield with_all(value)
