"""Sites of a tree to proofs: the environment they run in, and the processes that share the work."""

from __future__ import annotations

import atexit
import multiprocessing
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

import msgspec

from errdex.errors import SourceError
from errdex.model.assistance import Trial
from errdex.model.record import Evidence, Proof
from errdex.model.site import MessageTemplate, ThrowSite
from errdex.model.source import SourceTree
from errdex.prove.environment import Environment, InstallError, install, large_requirement
from errdex.prove.outcome import Outcome
from errdex.prove.prover import PROVABLE, Prover
from errdex.prove.sandbox import Sandbox, find_sandbox
from errdex.sources.pypi import open_source_archive

__all__ = ["PROVABLE", "Plan", "Wanted", "plan", "prove", "recheck", "trials", "wanted_of"]
_TASK_SITES = 6
"""Sites that one task takes: few enough to share the work, enough to import a module once for several."""


class Wanted(msgspec.Struct, frozen=True):
    """One site to prove, under the id of its record."""

    key: str
    site: ThrowSite
    template: MessageTemplate | None
    siblings: tuple[ThrowSite, ...] = ()
    code: dict[str, str] = {}
    """The record's code blocks by key, to be held against the proof."""


class Plan(msgspec.Struct, frozen=True):
    """Where the sites of a tree can run."""

    sandbox: Sandbox
    environment: Environment
    slices: Path
    root: str | None
    seconds: float
    package: str | None = None
    tests: Path | None = None
    """The library's own tests, where the wheel brings none."""
    note: str = ""
    """Why nothing could be installed; empty where it was."""


def wanted_of(key: str, evidence: Evidence, siblings: Sequence[ThrowSite]) -> Wanted:
    """Return what to prove for a record: its own site, in its own wording."""
    site = evidence.sites[0]
    template = next((each for each in site.templates if each.text == evidence.template), None)
    near = tuple(
        each for each in siblings if each.path == site.path and each.callable.name == site.callable.name
    )
    return Wanted(key, site, template, near, {name: block.code for name, block in evidence.code.items()})


def plan(
    tree: SourceTree, wanted: Sequence[Wanted], cache: Path, *, seconds: float, unsafe: bool = False
) -> Plan:
    """Return where to run, after installing the package where its coordinate allows it.

    Raises:
        errdex.prove.sandbox.SandboxMissingError: nothing here can hold foreign code.
    """
    sandbox = find_sandbox(unsafe=unsafe)
    nothing = cache / "prove" / "nothing"
    nothing.mkdir(parents=True, exist_ok=True)
    environment, note = Environment(nothing, ()), "only slices: the coordinate is no package of an index"
    large = large_requirement(tree.root, tree.package)
    if large is not None:
        note = f"only slices: it needs {large}, which is too large to be fetched for proofs"
    elif tree.coordinate.kind in ("pypi", "env") and tree.version:
        try:
            environment, note = install(f"{tree.package}=={tree.version}", cache), ""
        except InstallError as error:
            note = str(error)
    roots = Counter(each.site.callable.module.partition(".")[0] for each in wanted)
    root = roots.most_common(1)[0][0] if roots else None
    return Plan(sandbox, environment, tree.root, root, seconds, tree.package, own_tests(tree), note)


def own_tests(tree: SourceTree) -> Path | None:
    """Return the folder of the release's source archive; None where there is none, or the index cannot be asked."""
    if tree.coordinate.kind != "pypi":
        return None
    try:
        archive = open_source_archive(tree.coordinate)
    except SourceError:
        return None
    return archive.root if archive is not None else None


def prove(place: Plan, wanted: Sequence[Wanted], *, jobs: int = 1) -> Iterator[tuple[str, Outcome]]:
    """Yield each site's outcome as it comes, in `jobs` processes."""
    if jobs == 1:
        with _prover(place) as prover:
            for each in wanted:
                yield each.key, _prove_one(prover, each)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(place,)) as executor:
        tasks = [executor.submit(_prove_some, group) for group in _groups(wanted)]
        for task in as_completed(tasks):
            yield from task.result()


def recheck(place: Plan, kept: Sequence[tuple[Wanted, Proof]]) -> Iterator[tuple[str, bool]]:
    """Yield for each kept proof whether its witness still raises the error."""
    with _prover(place) as prover:
        for each, proof in kept:
            yield each.key, prover.still_holds(each.site, proof, each.template)


@contextmanager
def trials(place: Plan) -> Iterator[Callable[[Wanted, str], Trial]]:
    """Give a function that runs a stranger's program, watched for one site; its sandbox lives as long as the block."""
    with _prover(place) as prover:
        yield lambda wanted, program: prover.trial(wanted.site, program, wanted.template)


def _groups(wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
    by_module: dict[str, list[Wanted]] = defaultdict(list)
    for each in wanted:
        by_module[each.site.callable.module].append(each)
    for group in by_module.values():
        for start in range(0, len(group), _TASK_SITES):
            yield group[start : start + _TASK_SITES]


def _prover(place: Plan) -> Prover:
    return Prover(
        place.sandbox,
        place.environment,
        root=place.root if place.environment.installed else None,
        seconds_per_site=place.seconds,
        slices=place.slices,
        tests=place.tests,
        package=place.package,
    )


_own: list[Prover] = []
"""The prover of a worker process: its sandbox lives as long as the process."""


def _start(place: Plan) -> None:
    prover = _prover(place)
    _own.append(prover)
    atexit.register(prover.end)


def _prove_some(group: list[Wanted]) -> list[tuple[str, Outcome]]:
    return [(each.key, _prove_one(_own[0], each)) for each in group]


def _prove_one(prover: Prover, wanted: Wanted) -> Outcome:
    """Return the outcome of one site; its proof says what came of the record's own code."""
    outcome = prover.prove(wanted.site, wanted.template, wanted.siblings)
    if outcome.proof is None:
        return outcome
    checked = prover.check_code(wanted.site, outcome.proof, wanted.code)
    return msgspec.structs.replace(outcome, proof=msgspec.structs.replace(outcome.proof, checked=checked))
