"""The work on one site: every way to call its function, the plainest first, until one raises the error."""

from __future__ import annotations

import ast
import platform
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec

from errdex.model.functions import function_hash
from errdex.model.record import Proof, Run
from errdex.model.site import ThrowSite
from errdex.prove.anatomy import Anatomy
from errdex.prove.confirm import PROGRAM
from errdex.prove.environment import Environment
from errdex.prove.fixing import ending, find_fix
from errdex.prove.lift import lifted
from errdex.prove.mined import Mine
from errdex.prove.observation import Description, NameSeen, ValueSeen
from errdex.prove.outcome import Outcome
from errdex.prove.pooling import STAND_IN, site_pools, with_all
from errdex.prove.program import BY_HAND, RECEIVER, Recipe, Value, call_text, chain_of, make_recipe
from errdex.prove.replay import Replay
from errdex.prove.search import Budget, Search, State, Tried
from errdex.prove.shrink import shrink
from errdex.prove.solve import Solver
from errdex.prove.starts import Receivers, shown_states
from errdex.prove.suite import Suite
from errdex.prove.target import Target
from errdex.prove.values import Pools
from errdex.prove.verdict import Verdict, judge
from errdex.prove.worker import Worker
from errdex.prove.written import Arrays

_REASON = 90
"""Characters of a condition in the reason why there is no proof."""
_RUNS_BY_HAND, _CPU_BY_HAND_S = 48, 0.5
"""What a receiver made by hand may cost: what it proves is worth less."""


class Tools(msgspec.Struct, frozen=True, kw_only=True):
    """What the work on a site takes from its prover."""

    worker: Worker
    environment: Environment
    mine: Mine | None
    suite: Suite | None
    seconds: float
    """Wall-clock seconds for one site."""
    clock: Callable[[], datetime]


class Work:
    """The work on one site."""

    def __init__(
        self, tools: Tools, site: ThrowSite, source: str, target: Target, anatomy: Anatomy, *, sliced: bool
    ) -> None:
        self.tools, self.site, self.source, self.sliced = tools, site, source, sliced
        self.target, self.anatomy = target, anatomy
        self.worker = tools.worker
        name = site.callable.module
        self.module = f"slice:{site.path}:{name}" if sliced else name
        self.library = _array_library(source) if sliced else None
        self._known: dict[NameSeen, ValueSeen | None] = {}
        self._needs_loop = False
        self._has_replayed = sliced or tools.suite is None
        self.pools: Pools

    def run(self) -> Outcome:
        """Try every way to call the function, the plainest first."""
        chain = chain_of(self.anatomy.module, self.site.line)
        description = self._describe(chain.outer or None)
        if description.import_error is not None:
            return Outcome(proof=None, reason=f"import: {description.import_error}")
        recipe = make_recipe(self.site, description, chain)
        if recipe is None:
            nothing = Outcome(proof=None, reason="no way to call it: nested deeper or not found")
            return self._replayed() or nothing
        if self.sliced:
            loaded = call_text("load", [f'"{self.site.path}"', f'"{self.site.callable.module}"'])
            prelude = ("from standins import load", loaded)
            recipe = msgspec.structs.replace(recipe, module=self.site.callable.module, prelude=prelude)
        has_numpy = self.tools.environment.has_numpy and not self.sliced
        self.pools = Pools(self._look_up, self._check, has_numpy=has_numpy, library=self.library)
        outcome = Outcome(proof=None, reason="nothing to try")
        for each in self._ways(recipe):
            outcome = self._try(each, description)
            if outcome.proof is not None:
                return outcome
        for stand_in in (False, True):
            again = self._try(recipe, description, by_hand=True, stand_in=stand_in)
            if again.proof is not None:
                return again
        return outcome

    def _describe(self, target: str | None) -> Description:
        """Return what the callable and the names of its conditions are."""
        wanted = set(_names(self.anatomy))
        imported = {name: key for name, key in self.anatomy.imported().items() if name in wanted}
        found = self.worker.describe(
            module=self.module, target=target, names=sorted({*wanted, *imported.values()})
        )
        known = {name: found.names[key] for name, key in imported.items() if key in found.names}
        return msgspec.structs.replace(found, names=known | found.names)

    def _ways(self, recipe: Recipe) -> Iterator[Recipe]:
        hidden = [name for name in self.anatomy.guarded_imports() if name != self.module.partition(".")[0]]
        if hidden and not self.sliced:
            lines = "\n".join(
                f'sys.modules["{name}"] = None  # as if {name} were not installed' for name in hidden
            )
            yield msgspec.structs.replace(recipe, prelude=(f"import sys\n\n{lines}",))
        yield recipe
        if recipe.then is not None:
            yield msgspec.structs.replace(recipe, then=None)

    def _try(
        self, recipe: Recipe, description: Description, *, by_hand: bool = False, stand_in: bool = False
    ) -> Outcome:
        by_slot, base = site_pools(self.site, recipe, self.anatomy, self.pools, description.names)
        receivers = Receivers(recipe, self.anatomy, self.pools, description.names, self._check)
        if by_hand:
            settled = receivers.settle_by_hand(by_slot, base, stand_in=stand_in)
            if settled is None:
                return Outcome(proof=None, reason="no instance can be made")
            recipe, base = settled
        else:
            base = receivers.settle(by_slot, base)
        if self._needs_loop and not recipe.is_async:
            recipe = msgspec.structs.replace(recipe, in_loop=True)
        home = self.tools.environment.folder / self.site.path
        shown, base = shown_states(None if self.sliced else self.tools.mine, recipe, home, by_slot, base)
        budget = Budget(started=time.monotonic(), wall_s=self.tools.seconds)
        if by_hand:
            budget.runs, budget.cpu_s = _RUNS_BY_HAND, _CPU_BY_HAND_S
        search = Search(self.worker, self.module, recipe, self.target, self.anatomy, by_slot, budget)
        likely = {slot: values[:8] for slot, values in by_slot.items()}
        by_hand = by_hand or RECEIVER in base
        arrays = Arrays(has_numpy=self.pools.has_numpy, library=self.library)
        solver = Solver(
            self.anatomy,
            recipe,
            description.names,
            self.pools,
            arrays,
            by_hand=by_hand,
            complete=not stand_in,
        )
        states = solver.states(likely)
        if stand_in:
            states = [{slot: with_all(value) for slot, value in state.items()} for state in states]
            base = base | {slot: STAND_IN for slot in base if self.anatomy.read_attributes(slot)}
        search.take_solved(states)
        solved = [base | state for state in states]
        found = search.run([base, *solved[:3], *shown, *solved[3:]])
        if (found is None or _grade(recipe, found.state) != "A") and (shown_by_test := self._replayed()):
            return shown_by_test
        found = found or search.climb()
        if found is None and recipe.owner is not None and RECEIVER in by_slot and not by_hand:
            found = self._by_hand(search, receivers, description, base, likely)
        if found is None:
            return Outcome(proof=None, reason=self._reason(search), runs=len(search.tried))
        state = shrink(search, found.state)
        verdict = judge(self.worker, recipe.program(state), self.module, self.target)
        if not verdict.proved:
            return Outcome(proof=None, reason=verdict.reason, runs=len(search.tried))
        solved = solver.states(likely, take_guard=False, near=state)
        near = [state | {k: v for k, v in each.items() if k in state or k in base} for each in solved]
        if not recipe.is_public and (better := self._lift(search, state, near)):
            search, state, near, verdict = better
            base = state
        called = search.recipe
        if called.prelude and not self.sliced:  # the same call where the module is installed
            search.recipe = msgspec.structs.replace(search.recipe, prelude=())
            near = [state, *near]
        fix = find_fix(search, state, base, near)
        assert verdict.run is not None
        witness = called.run(state, _shown(verdict.run.errors), "raised")
        proof = self._proof("C" if self.sliced else _grade(called, state), witness, fix.run)
        return Outcome(proof=proof, reason="", runs=len(search.tried), fix=fix.reason)

    def _replayed(self) -> Outcome | None:
        """Return the outcome of the library's own tests that raise the error; None where none does. Asked once."""
        if self._has_replayed:
            return None
        self._has_replayed = True
        assert self.tools.suite is not None
        replay = Replay(self.tools.suite, self.worker, self.module, self.target, self.anatomy)
        found = replay.witness(self.site)
        if found is None:
            return None
        verdict = judge(self.worker, found.program, self.module, self.target)
        if not verdict.proved:
            return None
        assert verdict.run is not None
        fix, reason = None, "no change passes the guard"
        if passing := replay.passing(found):
            program, seen = passing
            reason, output = ending(seen)
            fix = Run(code=program, output=output, outcome=reason)
        witness = Run(code=found.program, output=_shown(verdict.run.errors), outcome="raised")
        proof = self._proof(_grade_of_test(found.program), witness, fix)
        return Outcome(proof=proof, reason="", runs=replay.runs, fix=reason)

    def _lift(
        self, search: Search, state: State, near: list[State]
    ) -> tuple[Search, State, list[State], Verdict] | None:
        """Return the same error through a public caller of the same file, where it takes the witness's arguments."""

        def describe(name: str) -> Description:
            return self.worker.describe(module=self.module, target=name, names=[])

        for each in lifted(self.site, search.recipe, state, self.pools, describe, self.anatomy.module):
            program = each.recipe.program(each.state)
            verdict = judge(self.worker, program, self.module, self.target)
            if not verdict.proved:
                continue
            pools = {
                outer: search.pools[inner[0]]
                for outer, inner in each.slots.items()
                if inner[0] in search.pools
            }
            upper = Search(
                self.worker, self.module, each.recipe, self.target, self.anatomy, pools, search.budget
            )
            upper.tried = search.tried
            carried = [
                each.state
                | {outer: other[inner[0]] for outer, inner in each.slots.items() if inner[0] in other}
                for other in near
            ]
            return upper, each.state, carried, verdict
        return None

    def _by_hand(
        self,
        search: Search,
        receivers: Receivers,
        description: Description,
        base: State,
        likely: dict[str, list[Value]],
    ) -> Tried | None:
        """Try again with attributes set on the instance after it was made."""
        added = receivers.attributes(search.pools)
        arrays = Arrays(has_numpy=self.pools.has_numpy, library=self.library)
        solver = Solver(self.anatomy, search.recipe, description.names, self.pools, arrays, by_hand=True)
        search.take_solved(solver.states(likely))
        states = [base | state for state in search.solved]
        if not added and not states:
            return None
        search.budget.runs += 60
        search.budget.cpu_s += 0.5
        return search.run(
            [*states, *(base | {slot: value} for slot in added for value in search.pools[slot][:20])]
        )

    def _check(self, values: list[Value]) -> list[bool]:
        """Evaluate values in the sandbox and say which can be made."""
        programs = ["\n".join([*value.imports, *value.setup, value.code]) for value in values]
        results = self.worker.attempt(programs, module=self.module) if programs else ()
        if any(seen.error is not None and "no running event loop" in seen.error.text for seen in results):
            self._needs_loop = True
            programs = [_in_loop(each) for each in programs]
            results = self.worker.attempt(programs, module=self.module)
        return [seen.lost is None and seen.error is None for seen in results]

    def _look_up(self, name: NameSeen) -> ValueSeen | None:
        if name not in self._known:
            key = f"{name.module}:{name.qualname}"
            answer = self.worker.describe(module=self.module, target=None, names=[key])
            self._known[name] = answer.names.get(key)
        return self._known[name]

    def _reason(self, search: Search) -> str:
        if not search.tried:
            return "nothing to try"
        best = max(search.tried, key=lambda tried: tried.progress)
        if best.seen.lost is not None:
            return best.seen.lost
        missing = next(
            (
                each.seen.error
                for each in search.tried
                if each.seen.error and "No module named" in each.seen.error.text
            ),
            None,
        )
        if missing is not None:
            return f"import in the function: {missing.text[:80]}"
        if best.progress < 0:
            error = best.seen.error
            return "never called: " + (
                f"{error.name.rpartition('.')[2]}: {error.text[:80]}" if error else "?"
            )
        step = self.anatomy.last_step(best.seen)
        if step is None or step.expression is None:
            return "stopped before any condition that leads to it"
        condition = textwrap.shorten(ast.unparse(step.expression), _REASON, placeholder=" …")
        return f"stopped at `{condition}`"

    def _proof(self, grade: str, witness: Run, fix: Run | None) -> Proof:
        return Proof(
            grade=grade,
            witness=witness,
            fix=fix,
            ran_at=self.tools.clock().isoformat(timespec="seconds").replace("+00:00", "Z"),
            interpreter=f"{platform.python_implementation()} {platform.python_version()}, {sys.platform}",
            environment="" if self.sliced else " ".join(self.tools.environment.installed),
            function_hash=function_hash(self.source, self.site.line),
            sliced=self.sliced,
        )


def _grade(recipe: Recipe, state: State) -> str:
    if not all(value.is_real for value in state.values()):
        return "C"
    by_hand = any(slot.startswith(BY_HAND) for slot in state) or any(
        value.by_hand for value in state.values()
    )
    return "A" if recipe.is_public and not by_hand else "B"


def _grade_of_test(program: str) -> str:
    """Return the grade of a program made from a test: B where it uses what the library keeps for itself."""
    return "B" if re.search(r"(?:\.|import |, )_(?!_)\w", program) else "A"


def _shown(errors: str) -> str:
    """Return a report as a page shows it: the program under the name that a reader would give it."""
    return errors.rstrip().replace(PROGRAM, "program.py")


def _array_library(source: str) -> str:
    """Return the name that a file has for the library of its arrays."""
    for pattern, name in (
        (r"import mlx\.core as (\w+)", ""),
        (r"import jax\.numpy as (\w+)", ""),
        (r"import (torch)\b", ""),
    ):
        if found := re.search(pattern, source):
            return found.group(1) or name
    return "torch"


def _in_loop(program: str) -> str:
    body = textwrap.indent(program, "    ")
    return f"import asyncio\n\nasync def main():\n{body}\n\nasyncio.run(main())\n"


def _names(anatomy: Anatomy) -> Iterator[str]:
    """Yield the dotted names that the conditions on the way mention, and those of the patterns that texts must match."""
    yield from (ast.unparse(pattern) for pattern, _ in anatomy.matched())
    for step in (*anatomy.steps, *anatomy.before, *anatomy.later):
        if step.expression is None:
            continue
        for node in ast.walk(step.expression):
            if isinstance(node, ast.Name | ast.Attribute):
                text = ast.unparse(node)
                if all(part.isidentifier() for part in text.split(".")):
                    yield text
