"""One site to its proof, or to the reason why there is none."""

from __future__ import annotations

import ast
import hashlib
import platform
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from errdex.model.record import Proof, Run
from errdex.model.site import MessageTemplate, ThrowSite
from errdex.prove.anatomy import Anatomy
from errdex.prove.environment import Environment
from errdex.prove.fixing import find_fix
from errdex.prove.mined import Mine
from errdex.prove.observation import Description, NameSeen, ValueSeen
from errdex.prove.pooling import site_pools
from errdex.prove.program import BY_HAND, Recipe, make_recipe
from errdex.prove.sandbox import SITE, Sandbox
from errdex.prove.search import Budget, Search, State
from errdex.prove.shrink import shrink
from errdex.prove.solve import Arrays, Solver
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
    ) -> None:
        self.environment, self.clock, self.seconds = environment, clock, seconds_per_site
        self.worker = Worker(sandbox, environment.folder, root=root)
        self.mine = Mine(environment.folder, root) if root else None

    def __enter__(self) -> Prover:
        return self

    def __exit__(self, *_: object) -> None:
        self.worker.end()

    def prove(self, site: ThrowSite, template: MessageTemplate | None = None) -> Outcome:
        """Look for a witness and a fix of `site` (of one of its wordings, if given)."""
        started = time.process_time()
        if site.kind not in PROVABLE:
            return Outcome(proof=None, reason=f"{site.kind}: nothing is raised")
        path = self.environment.folder / site.path
        if not path.is_file():
            return Outcome(proof=None, reason="not in the installed package")
        source = path.read_text(encoding="utf-8", errors="replace")
        try:
            target = make_target(site, source, f"{SITE}/{site.path}", template)
            anatomy = Anatomy(site, source)
        except (SyntaxError, ValueError):
            return Outcome(proof=None, reason="not Python that this interpreter reads")
        attempt = _Attempt(self, site, source, target, anatomy)
        outcome = attempt.run()
        return msgspec.structs.replace(outcome, cpu_s=time.process_time() - started)


class _Attempt:
    """The work on one site."""

    def __init__(self, prover: Prover, site: ThrowSite, source: str, target: Target, anatomy: Anatomy) -> None:
        self.prover, self.site, self.source = prover, site, source
        self.target, self.anatomy, self.worker = target, anatomy, prover.worker
        self.module = site.callable.module
        self._known: dict[NameSeen, ValueSeen | None] = {}

    def run(self) -> Outcome:
        description = self.worker.describe(
            module=self.module, target=_described_name(self.site), names=sorted(_names(self.anatomy))
        )
        if description.import_error is not None:
            return Outcome(proof=None, reason=f"import: {description.import_error}")
        recipe = make_recipe(self.site, description)
        if recipe is None:
            return Outcome(proof=None, reason="nested function" if description.failed is None else description.failed)
        search, base, solver = self._search(recipe, description)
        starts = self._starts(recipe, search, base)
        base = starts[0]
        likely = {slot: values[:8] for slot, values in search.pools.items()}
        starts += [base | state for state in solver.states(likely)]
        found = search.witness(starts)
        if found is None:
            return Outcome(proof=None, reason=self._reason(search), runs=len(search.tried))
        state = shrink(search, found.state)
        verdict = judge(self.worker, recipe.program(state), self.module, self.target)
        if not verdict.proved:
            return Outcome(proof=None, reason=verdict.reason, runs=len(search.tried))
        solved = solver.states(likely, take_guard=False, near=state)
        fix = find_fix(search, state, base, [state | {k: v for k, v in each.items() if k in state or k in base} for each in solved])
        proof = self._proof(recipe, state, verdict, fix.run)
        return Outcome(proof=proof, reason="", runs=len(search.tried), fix=fix.reason)

    def _search(self, recipe: Recipe, description: Description) -> tuple[Search, State, Solver]:
        pools = Pools(self._look_up, has_numpy=self.prover.environment.has_numpy)
        by_slot, base = site_pools(self.site, recipe, self.anatomy, pools, description.names)
        budget = Budget(started=time.monotonic(), wall_s=self.prover.seconds)
        search = Search(self.worker, self.module, recipe, self.target, self.anatomy, by_slot, budget)
        solver = Solver(self.anatomy, recipe, description.names, pools, Arrays(has_numpy=pools.has_numpy))
        return search, base, solver

    def _starts(self, recipe: Recipe, search: Search, base: State) -> list[State]:
        """Return the first states: what the package shows widens the pools and completes the base."""
        mine = self.prover.mine
        if mine is None:
            return [base]
        home = self.prover.environment.folder / self.site.path
        shown = mine.states(recipe, home)
        for slot in search.pools:
            values = [state[slot] for state in shown if slot in state]
            if slot in base:
                values += mine.assigned(slot.rpartition(".")[2], home)
            search.widen(slot, values)
            if values and slot in base:
                base = base | {slot: values[0]}
        return [base, *shown]

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
        if best.progress < 0:
            error = best.seen.error
            return "never called: " + (f"{error.name.rpartition('.')[2]}: {error.text[:80]}" if error else "?")
        step = self.anatomy.last_step(best.seen)
        return f"stopped at `{ast.unparse(step.expression)[:70] if step and step.expression else '?'}`"

    def _proof(self, recipe: Recipe, state: State, verdict: Verdict, fix: Run | None) -> Proof:
        assert verdict.run is not None
        return Proof(
            grade=_grade(recipe, state),
            witness=Run(code=recipe.program(state), output=verdict.run.errors.rstrip(), outcome="raised"),
            fix=fix,
            ran_at=self.prover.clock().isoformat(timespec="seconds").replace("+00:00", "Z"),
            interpreter=f"{platform.python_implementation()} {platform.python_version()}, {sys.platform}",
            environment=" ".join(self.prover.environment.installed),
            function_hash=function_hash(self.source, self.target),
        )


def function_hash(source: str, target: Target) -> str:
    """Return the sha256 of the enclosing function's source: what a proof is bound to."""
    lines = source.splitlines()[target.first - 1 : target.last]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _grade(recipe: Recipe, state: State) -> str:
    if not all(value.is_real for value in state.values()):
        return "C"
    by_hand = any(slot.startswith(BY_HAND) or slot == "self." for slot in state)
    return "A" if recipe.is_public and not by_hand else "B"


def _described_name(site: ThrowSite) -> str | None:
    return None if site.callable.name == "<module>" else site.callable.name


def _names(anatomy: Anatomy) -> Iterator[str]:
    """Yield the dotted names that the conditions on the way mention."""
    for step in anatomy.steps:
        if step.expression is None:
            continue
        for node in ast.walk(step.expression):
            if isinstance(node, ast.Name | ast.Attribute):
                text = ast.unparse(node)
                if all(part.isidentifier() for part in text.split(".")):
                    yield text
