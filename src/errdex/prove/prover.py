"""Sites of one environment to their proofs, or to the reasons why there are none."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec

from errdex.model.assistance import Trial
from errdex.model.record import Proof
from errdex.model.site import MessageTemplate, ThrowSite
from errdex.prove.anatomy import Anatomy
from errdex.prove.check import check_code
from errdex.prove.environment import Environment, with_optional
from errdex.prove.mined import Mine
from errdex.prove.outcome import Outcome
from errdex.prove.sandbox import SITE, Sandbox
from errdex.prove.suite import Suite
from errdex.prove.target import make_target
from errdex.prove.verdict import judge
from errdex.prove.work import Tools, Work
from errdex.prove.worker import Worker

PROVABLE = frozenset({"raise", "exit", "helper", "http"})


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
        self._looked_for: set[str] = set()
        """Missing modules that an installation was tried for."""
        self.package = package
        self.environment, self.clock, self.seconds, self.slices = environment, clock, seconds_per_site, slices
        self.worker = Worker(sandbox, environment.folder, root=root)
        self.slice_worker = Worker(sandbox, slices, root=None, importable=False) if slices else None
        self.mine = Mine(environment.folder, root, tests) if root else None
        self.suite = Suite(self.mine.test_files(), environment.folder, tests) if self.mine else None

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
        if missing is None or self.package is None or missing.group(1) in self._looked_for:
            return False
        self._looked_for.add(missing.group(1))
        found = with_optional(self.environment, self.package, missing.group(1))
        if (
            found is None
            or found.folder == self.environment.folder
            or set(found.installed) == set(self.environment.installed)
        ):
            return False
        self.environment = found
        self.worker.move(found.folder)
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
        """Return what is wrong with code blocks of a record, by key, held against its proof's runs; empty: nothing."""
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
        worker = self.slice_worker if sliced else self.worker
        assert worker is not None
        tools = Tools(
            worker=worker,
            environment=self.environment,
            mine=self.mine,
            suite=self.suite,
            seconds=self.seconds,
            clock=self.clock,
        )
        return Work(tools, site, source, target, anatomy, sliced=sliced).run()
