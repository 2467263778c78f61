"""One site to its proof, or to the reason why there is none."""

from __future__ import annotations

import ast
import platform
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec

from errdex.model.assistance import Trial
from errdex.model.functions import function_hash
from errdex.model.record import Proof, Run
from errdex.model.site import MessageTemplate, ThrowSite
from errdex.prove.anatomy import Anatomy
from errdex.prove.check import check_code
from errdex.prove.confirm import PROGRAM
from errdex.prove.environment import Environment, with_optional
from errdex.prove.fixing import find_fix
from errdex.prove.lift import lifted
from errdex.prove.mined import Mine
from errdex.prove.observation import Description, NameSeen, ValueSeen
from errdex.prove.pooling import site_pools
from errdex.prove.program import BY_HAND, RECEIVER, Recipe, Value, chain_of, make_recipe
from errdex.prove.sandbox import SITE, Sandbox
from errdex.prove.search import Budget, Search, State, Tried
from errdex.prove.shrink import shrink
from errdex.prove.solve import Arrays, Solver
from errdex.prove.starts import Receivers, shown_states
from errdex.prove.target import Target, make_target
from errdex.prove.values import Pools
from errdex.prove.verdict import Verdict, judge
from errdex.prove.worker import Worker

PROVABLE = frozenset({"raise", "exit", "helper", "http"})


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one site."""

    proof: Proof | None
    reason: str
    """Why there is no proof; empty where there is one."""
    runs: int = 0
    cpu_s: float = 0.0
    """CPU seconds of this process, the sandbox's not counted."""
    fix: str = ""
    """`returned`, `raised-later`, or why there is no fix."""


class Prover:
    """Proves sites of one environment; use as a context manager."""

    def __init__(
        self,
        sandbox: Sandbox,
        environment: Environment,
        *,
        root: str | None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds_per_site: float = 20.0,
        slices: Path | None = None,
        tests: Path | None = None,
        package: str | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            sandbox: Where foreign code runs.
            environment: The installed package; empty where only slices are wanted.
            root: The package that holds most sites, imported first.
            clock: Tells the time that a proof carries.
            seconds_per_site: Wall-clock seconds for one site.
            package: The distribution's name; what it needs only at times is installed when a site does need it.
            tests: Folder with the library's own tests, whose calls are tried; never imported.
            slices: Folder of source files, for sites whose module cannot be imported; None tries no slice.
        """
        self._siblings: Sequence[ThrowSite] = ()
        self.package = package
        self.environment, self.clock, self.seconds, self.slices = environment, clock, seconds_per_site, slices
        self.worker = Worker(sandbox, environment.folder, root=root)
        self.slice_worker = Worker(sandbox, slices, root=None, importable=False) if slices else None
        self.mine = Mine(environment.folder, root, tests) if root else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Kill everything that runs for this prover."""
        self.worker.end()
        if self.slice_worker is not None:
            self.slice_worker.end()

    def prove(
        self, site: ThrowSite, template: MessageTemplate | None = None, siblings: Sequence[ThrowSite] = ()
    ) -> Outcome:
        """Look for a witness and a fix of `site` (of one of its wordings, if given).

        `siblings` are the other sites of its function: a fix had better pass their guards too.
        """
        self._siblings = siblings
        started = time.process_time()
        if site.kind not in PROVABLE:
            return Outcome(proof=None, reason=f"{site.kind}: nothing is raised")
        outcome = self._prove_in(self.environment.folder, site, template, sliced=False)
        while outcome.proof is None and self._add_missing(outcome.reason):
            outcome = self._prove_in(self.environment.folder, site, template, sliced=False)
        if (
            outcome.proof is None
            and self.slices is not None
            and outcome.reason.startswith(("import", "not in"))
        ):
            sliced = self._prove_in(self.slices, site, template, sliced=True)
            reason = sliced.reason if sliced.proof is None else ""
            outcome = msgspec.structs.replace(sliced, reason=reason)
        return msgspec.structs.replace(outcome, cpu_s=time.process_time() - started)

    def _add_missing(self, reason: str) -> bool:
        """Install the module whose absence a reason names; False where that is not possible or was done already."""
        missing = re.search(r"No module named '([\w.]+)'", reason)
        if missing is None or self.package is None:
            return False
        found = with_optional(self.environment, self.package, missing.group(1))
        if (
            found is None
            or found.folder == self.environment.folder
            or set(found.installed) == set(self.environment.installed)
        ):
            return False
        self.environment = found
        self.worker.end()
        self.worker.site = found.folder
        return True

    def still_holds(self, site: ThrowSite, proof: Proof, template: MessageTemplate | None = None) -> bool:
        """Whether the witness of a kept proof still raises the site's error."""
        folder = self.slices if proof.sliced else self.environment.folder
        worker = self.slice_worker if proof.sliced else self.worker
        if folder is None or worker is None or not (folder / site.path).is_file():
            return False
        source = (folder / site.path).read_text(encoding="utf-8", errors="replace")
        try:
            target = make_target(site, source, f"{SITE}/{site.path}", template)
        except (SyntaxError, ValueError):
            return False
        name = site.callable.module
        module = f"slice:{site.path}:{name}" if proof.sliced else name
        return judge(worker, proof.witness.code, module, target).proved

    def trial(self, site: ThrowSite, program: str, template: MessageTemplate | None = None) -> Trial:
        """Run a stranger's program, watched for `site`, where the package is installed; never as a slice."""
        path = self.environment.folder / site.path
        if not path.is_file():
            return Trial(lost="not in the installed package")
        source = path.read_text(encoding="utf-8", errors="replace")
        try:
            target = make_target(site, source, f"{SITE}/{site.path}", template)
            anatomy = Anatomy(site, source)
        except (SyntaxError, ValueError):
            return Trial(lost="not Python that this interpreter reads")
        verdict = judge(self.worker, program, site.callable.module, target)
        seen = verdict.seen
        if not seen.is_witness:
            return Trial(lost=seen.lost or f"not to be believed: {', '.join(seen.flags)}")
        error = seen.error
        if error is not None and error.timeout:
            return Trial(lost="out of time")
        return Trial(
            hits=verdict.proved,
            passes=anatomy.passes_guard(seen),
            error_class=error.name if error else "",
            error_text=error.text if error else "",
            bases=error.mro if error else (),
        )

    def check_code(self, site: ThrowSite, proof: Proof, code: Mapping[str, str]) -> dict[str, str]:
        """Return what is wrong with code blocks of a record, by key, held against its proof's runs."""
        worker = self.slice_worker if proof.sliced else self.worker
        assert worker is not None
        name = site.callable.module
        return check_code(worker, f"slice:{site.path}:{name}" if proof.sliced else name, proof, code)

    def _prove_in(
        self, folder: Path, site: ThrowSite, template: MessageTemplate | None, *, sliced: bool
    ) -> Outcome:
        path = folder / site.path
        if not path.is_file():
            return Outcome(proof=None, reason="not in the installed package")
        source = path.read_text(encoding="utf-8", errors="replace")
        try:
            target = make_target(site, source, f"{SITE}/{site.path}", template)
            anatomy = Anatomy(site, source, self._siblings)
        except (SyntaxError, ValueError):
            return Outcome(proof=None, reason="not Python that this interpreter reads")
        return _Attempt(self, site, source, target, anatomy, sliced=sliced).run()


class _Attempt:
    """The work on one site."""

    def __init__(
        self, prover: Prover, site: ThrowSite, source: str, target: Target, anatomy: Anatomy, *, sliced: bool
    ) -> None:
        self.prover, self.site, self.source, self.sliced = prover, site, source, sliced
        self.target, self.anatomy = target, anatomy
        worker = prover.slice_worker if sliced else prover.worker
        assert worker is not None
        self.worker = worker
        name = site.callable.module
        self.module = f"slice:{site.path}:{name}" if sliced else name
        self.library = _array_library(source) if sliced else None
        self._known: dict[NameSeen, ValueSeen | None] = {}
        self._needs_loop = False
        self.pools: Pools

    def run(self) -> Outcome:
        """Try every way to call the function, the plainest first."""
        chain = chain_of(self.anatomy.module, self.site.line)
        description = self.worker.describe(
            module=self.module, target=chain.outer or None, names=sorted(_names(self.anatomy))
        )
        if description.import_error is not None:
            return Outcome(proof=None, reason=f"import: {description.import_error}")
        recipe = make_recipe(self.site, description, chain)
        if recipe is None:
            return Outcome(proof=None, reason="no way to call it: nested deeper or not found")
        if self.sliced:
            line = f'load("{self.site.path}", "{self.site.callable.module}")'
            recipe = msgspec.structs.replace(
                recipe, module=self.site.callable.module, prelude=(f"from standins import load\n\n{line}",)
            )
        has_numpy = self.prover.environment.has_numpy and not self.sliced
        self.pools = Pools(self._look_up, self._check, has_numpy=has_numpy, library=self.library)
        outcome = Outcome(proof=None, reason="nothing to try")
        for each in self._ways(recipe):
            outcome = self._try(each, description)
            if outcome.proof is not None:
                return outcome
        if recipe.owner is not None and recipe.binding in {"method", "property", "setter"}:
            again = self._try(recipe, description, by_hand=True)
            if again.proof is not None:
                return again
        return outcome

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

    def _try(self, recipe: Recipe, description: Description, *, by_hand: bool = False) -> Outcome:
        by_slot, base = site_pools(self.site, recipe, self.anatomy, self.pools, description.names)
        receivers = Receivers(recipe, self.anatomy, self.pools, description.names, self._check)
        if by_hand:
            settled = receivers.settle_by_hand(by_slot, base)
            if settled is None:
                return Outcome(proof=None, reason="no instance can be made")
            recipe, base = settled
        else:
            base = receivers.settle(by_slot, base)
        if self._needs_loop and not recipe.is_async:
            recipe = msgspec.structs.replace(recipe, in_loop=True)
        home = self.prover.environment.folder / self.site.path
        shown, base = shown_states(None if self.sliced else self.prover.mine, recipe, home, by_slot, base)
        budget = Budget(started=time.monotonic(), wall_s=self.prover.seconds)
        search = Search(self.worker, self.module, recipe, self.target, self.anatomy, by_slot, budget)
        likely = {slot: values[:8] for slot, values in by_slot.items()}
        by_hand = by_hand or RECEIVER in base
        arrays = Arrays(has_numpy=self.pools.has_numpy, library=self.library)
        solver = Solver(self.anatomy, recipe, description.names, self.pools, arrays, by_hand=by_hand)
        solved = [base | state for state in solver.states(likely)]
        found = search.witness([base, *solved[:3], *shown, *solved[3:]])
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
        proof = self._proof(called, state, verdict, fix.run)
        return Outcome(proof=proof, reason="", runs=len(search.tried), fix=fix.reason)

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
        states = [base | state for state in solver.states(likely)]
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
        return f"stopped at `{ast.unparse(step.expression)[:70] if step and step.expression else '?'}`"

    def _proof(self, recipe: Recipe, state: State, verdict: Verdict, fix: Run | None) -> Proof:
        assert verdict.run is not None
        return Proof(
            grade="C" if self.sliced else _grade(recipe, state),
            witness=recipe.run(state, _shown(verdict.run.errors), "raised"),
            fix=fix,
            ran_at=self.prover.clock().isoformat(timespec="seconds").replace("+00:00", "Z"),
            interpreter=f"{platform.python_implementation()} {platform.python_version()}, {sys.platform}",
            environment="" if self.sliced else " ".join(self.prover.environment.installed),
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
    """Yield the dotted names that the conditions on the way mention."""
    for step in (*anatomy.steps, *anatomy.before, *anatomy.later):
        if step.expression is None:
            continue
        for node in ast.walk(step.expression):
            if isinstance(node, ast.Name | ast.Attribute):
                text = ast.unparse(node)
                if all(part.isidentifier() for part in text.split(".")):
                    yield text
