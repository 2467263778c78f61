"""Records to questions for a model, and a model's answers through the gate: the package and the sandbox they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from errdex.assist.facts import facts_key, facts_of, said_of
from errdex.assist.gate import judge
from errdex.assist.interface import Case, Package
from errdex.assist.prompt import CHARACTERS, INSTRUCTIONS, prompt_of
from errdex.assist.run import Question
from errdex.model.assistance import Judgement, Suggestion, Trial
from errdex.model.record import Evidence, Record
from errdex.model.source import SourceTree
from errdex.pipeline.lines import LineReader
from errdex.pipeline.prove import Wanted, plan, trials, wanted_of
from errdex.prove.sandbox import SandboxMissingError

_SECONDS = 20.0
"""Wall-clock seconds for one program."""
_PUBLIC = ("pypi:", "npm:")
"""Coordinates of what anybody can fetch. A folder, a repository, what is installed here: may be private."""


def is_private(coordinate: str) -> bool:
    """Whether what a coordinate names may be code that nobody else has."""
    return not coordinate.startswith(_PUBLIC)


def question_of(record: Record, evidence: Evidence, characters: int = CHARACTERS) -> Question:
    """Return what is asked of one record, its facts in at most about `characters`."""
    facts = facts_of(record, evidence)
    prompt = prompt_of((*facts, said_of(evidence)), characters)
    return Question(record.repo, record.id, facts_key(facts), prompt)


class Judge:
    """The gate, for the records of one package; nothing is installed or run before a program asks for it."""

    def __init__(self, tree: SourceTree, evidence: Iterable[Evidence], cache: Path) -> None:
        """Take what was analysed.

        Args:
            tree: The package's files at the revision of the records.
            evidence: Of every record of that revision: what the package's names are known from.
            cache: The folder that environments are kept in.
        """
        self._tree, self._cache = tree, cache
        self._sites = [site for each in evidence for site in each.sites]
        self._package = Package(tree.package, tree.version, self._sites, _source(tree))
        self._trials: Callable[[Wanted, str], Trial] | None = None
        self._running = ExitStack()
        self.note = ""
        """Why programs could not be run; empty where they could, or where none was offered."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def judge(
        self, record: Record, evidence: Evidence, suggestions: Sequence[Suggestion]
    ) -> tuple[Judgement, ...]:
        """Return what the gate makes of each suggestion for a record."""
        wanted = wanted_of(record.id, evidence, self._sites)
        case = Case(
            record=record,
            evidence=evidence,
            package=self._package,
            run=lambda program: self._run(wanted, program),
            prompt=(INSTRUCTIONS, *(each.title for each in (*facts_of(record, evidence), said_of(evidence)))),
        )
        return tuple(judge(each, case) for each in suggestions)

    def _run(self, wanted: Wanted, program: str) -> Trial:
        """Run a program; the first one installs the package and opens the sandbox."""
        if self._trials is None and not self.note:
            try:
                place = plan(self._tree, [wanted], self._cache, seconds=_SECONDS)
            except SandboxMissingError as error:
                self.note = error.problem
            else:
                self.note = place.note
                self._trials = self._running.enter_context(trials(place))
        return self._trials(wanted, program) if self._trials is not None else Trial(lost=self.note)


def _source(tree: SourceTree) -> Callable[[str], str | None]:
    """Return what gives the text of a file of the tree; None for any other path."""
    present = {file.path for file in tree.files}
    lines = LineReader(tree.root)
    return lambda path: "\n".join(lines(path)) if path in present else None
