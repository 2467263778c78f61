"""Whether a program proves a site: observed alone in a fresh process, then run plainly, and both must agree."""

from __future__ import annotations

import msgspec

from errdex.prove.confirm import PlainRun, agrees, run_plainly
from errdex.prove.observation import Observation
from errdex.prove.target import Target
from errdex.prove.worker import Watch, Worker


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one program."""

    proved: bool
    reason: str
    """Why not, in a few words; empty where proved."""
    seen: Observation
    run: PlainRun | None = None


def judge(worker: Worker, program: str, module: str | None, target: Target) -> Verdict:
    """Run `program` twice, observed and plainly; proved only if both show the target's error."""
    (seen,) = worker.attempt([program], module=module, watch=watch_of(target))
    reason = _objection(seen, target)
    if reason:
        return Verdict(proved=False, reason=reason, seen=seen)
    assert seen.error is not None
    run = worker.plain.run(program)
    if run is None or not agrees(run, seen.error, target):
        run = run_plainly(worker.sandbox, worker.site, program, worker.limits, importable=worker.importable)
    if run.killed:
        return Verdict(proved=False, reason=f"alone it was killed: {run.killed}", seen=seen, run=run)
    if not agrees(run, seen.error, target):
        return Verdict(proved=False, reason="alone it ends otherwise", seen=seen, run=run)
    return Verdict(proved=True, reason="", seen=seen, run=run)


def watch_of(target: Target) -> Watch:
    """Return what the worker is to watch for `target`."""
    return Watch(path=target.inside, first=target.first, last=target.last, imports=target.imports)


def _objection(seen: Observation, target: Target) -> str:
    if seen.lost is not None:
        return seen.lost
    if not seen.is_credible:
        return f"not to be believed: {', '.join(seen.flags)}"
    if not seen.is_witness:
        return "hangs on what a stand-in answers"
    return "" if target.is_hit_by(seen.error) else "another outcome"
