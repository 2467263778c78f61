"""The fix: the witness changed least, so that the guard is evaluated and not taken."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from errdex.model.record import Run
from errdex.prove.observation import Observation
from errdex.prove.program import Value
from errdex.prove.search import Search, State
from errdex.prove.solve import kind_of
from errdex.prove.verdict import watch_of

_RUNS, _KILLED = 90, 3
"""Runs that the search for a fix may cost, and how many of them may have to be killed."""
_BATCH = 12
_PAIRS, _FIRST, _PARTS = 5, 18, 24


class Fix(msgspec.Struct, frozen=True):
    """The fix found, or why there is none."""

    run: Run | None
    reason: str
    """The run's outcome, or why there is no run."""


def find_fix(search: Search, witness: State, base: State, extra: Sequence[State] = ()) -> Fix:
    """Return the least change that passes the guard; one after which the call returns is preferred."""
    if search.site_is_unguarded:
        return Fix(None, "the statement always runs")
    best: tuple[tuple[int, ...], State, Observation] | None = None
    for runs in _batches(search, witness, base, extra):
        for state, seen in runs:
            if _passes(search, seen):
                key = (
                    int(_ends_badly(seen)),
                    _changes(witness, state),
                    _other_kinds(witness, state),
                    -len(set(seen.lines)),
                    _words_changed(witness, state),
                    len(search.recipe.program(state)),
                )
                if best is None or key < best[0]:
                    best = (key, state, seen)
        if best is not None and best[0][0] == 0:
            break
    if best is None:
        return Fix(None, "no change passes the guard")
    return _confirmed(search, best[1])


def _batches(
    search: Search, witness: State, base: State, extra: Sequence[State]
) -> Iterator[list[tuple[State, Observation]]]:
    """Run candidates, group by group, and yield what came of each batch, until no more may be spent."""
    left, killed = _RUNS, 0
    known: set[str] = set()
    for group in _groups(search, witness, base, extra):
        fresh = []
        for state in group:
            program = search.recipe.program(state)
            if program not in known and not _is_pretended(witness, state):
                known.add(program)
                fresh.append((state, program))
        fresh = fresh[:left]
        for start in range(0, len(fresh), _BATCH):
            batch = fresh[start : start + _BATCH]
            programs = [program for _, program in batch]
            results = search.worker.attempt(programs, module=search.module, watch=watch_of(search.target))
            yield [(state, seen) for (state, _), seen in zip(batch, results, strict=True)]
            left -= len(batch)
            killed += sum(seen.lost is not None for seen in results)
            if left <= 0 or killed >= _KILLED:
                return


def _passes(search: Search, seen: Observation) -> bool:
    if not seen.is_credible or not search.anatomy.passes_guard(seen):
        return False
    return not (seen.error is not None and seen.error.timeout)


def _is_pretended(witness: State, state: State) -> bool:
    """Whether a change puts a stand-in where the witness has the real thing: nobody mends a call so."""
    return any(
        not value.is_real and witness.get(slot, value).is_real
        for slot, value in state.items()
        if witness.get(slot) != value
    ) and all(value.is_real for value in witness.values())


def _ends_badly(seen: Observation) -> bool:
    """Whether an error came after the guard; one after a stand-in was called says nothing."""
    return seen.error is not None and "standin" not in seen.flags


def _groups(search: Search, witness: State, base: State, extra: Sequence[State]) -> Iterator[Iterator[State]]:
    """Yield candidates in groups: parts of arguments changed, solved ones, one slot of the guard, any one, two of them."""
    names = search.anatomy.origins(search.anatomy.guard.expression) if search.anatomy.guard else set()
    if search.anatomy.guard is not None:
        names |= search.anatomy.names_at(search.anatomy.guard.line)
    guilty = [slot for slot in search.pools if search.is_named(slot, names)] or list(search.pools)
    yield itertools.chain(itertools.islice(_borrowed(witness, guilty), _PARTS), extra)
    optional = {each.name for each in search.recipe.slots if each.has_default or each.kind.startswith("VAR")}
    yield (
        {name: value for name, value in witness.items() if name != slot}
        for slot in optional
        if slot in witness
    )
    yield (state for slot in guilty for state in itertools.islice(_changed(search, witness, slot), _FIRST))
    yield iter([base])
    for one, two in itertools.combinations(guilty[:3], 2):
        yield (
            witness | {one: first, two: second}
            for first, second in itertools.product(search.pools[one][:_PAIRS], search.pools[two][:_PAIRS])
        )
    yield (
        state for slot in guilty for state in itertools.islice(_changed(search, witness, slot), _FIRST, None)
    )
    others = [slot for slot in search.pools if slot not in guilty]
    yield (state for slot in others[:4] for state in itertools.islice(_changed(search, witness, slot), 6))
    good = [tried.state for tried in search.tried if search.anatomy.passes_guard(tried.seen)]
    yield iter(sorted(good, key=lambda state: _changes(witness, state))[:12])


def _changed(search: Search, state: State, slot: str) -> Iterator[State]:
    required = any(
        each.name == slot and not each.has_default and not each.kind.startswith("VAR")
        for each in search.recipe.slots
    )
    if slot in state and not required:
        yield {name: value for name, value in state.items() if name != slot}
    for value in search.pools[slot]:
        if state.get(slot) != value:
            yield state | {slot: value}


def _borrowed(witness: State, guilty: Sequence[str]) -> Iterator[State]:
    """Yield states in which arguments take over one part of another that is made by the same call: dtype, shape.

    What the guard compares with one another comes first: one argument changed, then all of them made alike.
    """
    made = {
        slot: node for slot, value in witness.items() if isinstance(node := _expression(value.code), ast.Call)
    }
    own = [slot for slot in made if slot in guilty]
    for slot, other in itertools.permutations(own, 2):
        yield from (witness | {slot: value} for value in _taken(witness, made, slot, other).values())
    for other in own:
        taken = {slot: _taken(witness, made, slot, other) for slot in own if slot != other}
        for part in sorted({part for values in taken.values() for part in values}):
            yield witness | {slot: values[part] for slot, values in taken.items() if part in values}
    for slot, other in itertools.product(own, [slot for slot in made if slot not in own]):
        yield from (witness | {slot: value} for value in _taken(witness, made, slot, other).values())


def _taken(witness: State, made: dict[str, ast.Call], slot: str, other: str) -> dict[int, Value]:
    """Return the argument of `slot` with one part of `other`'s, by the part's position; -1: all that is given by name."""
    mine, theirs = made[slot], made[other]
    if ast.unparse(mine.func) != ast.unparse(theirs.func):
        return {}
    changed = {
        index: ast.Call(mine.func, [*mine.args[:index], new, *mine.args[index + 1 :]], mine.keywords)
        for index, (old, new) in enumerate(zip(mine.args, theirs.args, strict=False))
        if ast.dump(old) != ast.dump(new)
    }
    if [*map(ast.dump, mine.keywords)] != [*map(ast.dump, theirs.keywords)]:
        changed[-1] = ast.Call(mine.func, mine.args, theirs.keywords)
    imports = tuple(dict.fromkeys((*witness[slot].imports, *witness[other].imports)))
    return {
        part: msgspec.structs.replace(witness[slot], code=ast.unparse(call), imports=imports)
        for part, call in changed.items()
    }


def _expression(code: str) -> ast.expr | None:
    try:
        return ast.parse(code, mode="eval").body
    except SyntaxError:
        return None


def _changes(witness: State, state: State) -> int:
    return sum(witness.get(slot) != state.get(slot) for slot in {*witness, *state})


def _words_changed(witness: State, state: State) -> int:
    """Return how many words and signs of the arguments' source differ."""
    before, after = (
        Counter(
            (slot, word) for slot, value in each.items() for word in re.findall(r"\w+|[^\w\s]", value.code)
        )
        for each in (witness, state)
    )
    return ((before - after) + (after - before)).total()


def _other_kinds(witness: State, state: State) -> int:
    """Return how many arguments became something of another kind: a text should be put right by a text."""
    return sum(
        kind_of(value.code) != kind_of(witness[slot].code)
        for slot, value in state.items()
        if slot in witness and value != witness[slot]
    )


def _confirmed(search: Search, state: State) -> Fix:
    """Run the fix once more, alone in a fresh process, and say what it did."""
    program = search.recipe.program(state)
    (seen,) = search.worker.attempt([program], module=search.module, watch=watch_of(search.target))
    if not _passes(search, seen):
        return Fix(None, "the change does not pass the guard every time")
    outcome, output = ending(seen)
    return Fix(search.recipe.run(state, output, outcome), outcome)


def ending(seen: Observation) -> tuple[str, str]:
    """Return what became of a program that passed the guard, and the error that ended it, if any."""
    if "standin" in seen.flags:
        return "needs-backend", ""
    if seen.error is None:
        return "returned", ""
    name = seen.error.name.removeprefix("builtins.")
    return "raised-later", f"{name}: {seen.error.text}" if seen.error.text else name
