"""What became of a library's errors from one analysed revision to the next.

An error that a revision no longer has may live on in it under another id. Its successor is the one
error new in that revision, of the same class, that has

1. the same words, whatever fills their holes, in the same function, or else anywhere: it moved;
2. the same function, file and guard: it was reworded;
3. the same function and guard in another file: both.

Two that fit equally well are no answer: the error then counts as removed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from errdex.catalog import Catalog, RevisionRow, Summary
from errdex.model.record import Record


class Moved(msgspec.Struct, frozen=True):
    """The error lives on under another id, or did so longer: `successor` is the last one it had."""

    successor: Summary


class Gone(msgspec.Struct, frozen=True):
    """The error is no longer raised."""

    last_seen: str
    """Package and version that had it last."""
    left_in: str
    """Package and version that no longer has it: the first analysed after that."""
    label: str
    """What addresses call that version."""


Fate = Moved | Gone


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One analysed revision beside the one before it."""

    label: str
    """What addresses call the revision: its version, with some of its hash where that is not enough."""
    revision: RevisionRow
    before: RevisionRow | None
    """None for the oldest, of which no change is known."""
    added: tuple[Summary, ...] = ()
    """In no way in the revision before; by file and line."""
    changed: tuple[tuple[Summary, Summary], ...] = ()
    """An error of the revision before, and its successor."""
    removed: tuple[Summary, ...] = ()

    @property
    def changes(self) -> list[tuple[Summary | None, Summary | None]]:
        """What changed: as it was and as it is; new errors first, then reworded and moved ones, then removed ones."""
        return [*((None, row) for row in self.added), *self.changed, *((row, None) for row in self.removed)]


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One revision, and where an error or what it came from stood in it."""

    label: str
    line: int | None
    """None where that revision has neither."""
    words: str | None = None
    """What it said there, if another id had it then."""


class Lineage:
    """The history of one repository, worked out once from its revisions in the catalog."""

    def __init__(self, catalog: Catalog, repo: str) -> None:
        revisions = catalog.revisions(repo)
        rows = (
            {one.sha: catalog.all_summaries(repo, one.sha) for one in revisions} if len(revisions) > 1 else {}
        )
        self.steps = tuple(_steps(catalog, revisions, rows))
        """Newest first."""
        self._lines = {sha: {row.id: row.line_number for row in summaries} for sha, summaries in rows.items()}
        self._left = _departures(self.steps)

    @property
    def release(self) -> str:
        """Package and version of the newest revision; empty where no version is known."""
        newest = self.steps[0].revision if self.steps else None
        return release_of(newest) if newest is not None and newest.version else ""

    def left_from(self, record_id: str) -> str:
        """Return the revision that had a former record last."""
        before = self._left[record_id][0].before
        assert before is not None
        return before.sha

    def fate(self, record_id: str) -> Fate | None:
        """Return what became of a record; None for one that the newest revision has, or none ever had."""
        if record_id not in self._left:
            return None
        step, _, successor = self._left[record_id]
        if successor is None:
            assert step.before is not None
            return Gone(release_of(step.before), release_of(step.revision), step.label)
        later = self.fate(successor.id)
        return later if isinstance(later, Moved) else Moved(successor)

    def step(self, label: str) -> Step | None:
        """Return the revision that addresses call `label`; None if there is none."""
        return next((step for step in self.steps if step.label == label), None)

    def former(self) -> Iterator[tuple[Summary, Fate]]:
        """Yield every record that the newest revision lacks, as its last revision had it, by id."""
        for record_id in sorted(self._left):
            fate = self.fate(record_id)
            assert fate is not None
            yield self._left[record_id][1], fate

    def stages(self, record_id: str) -> list[Stage]:
        """Return every revision, newest first, with the error's line in it; empty where there is but one."""
        if len(self.steps) < 2:
            return []
        stages: list[Stage] = []
        current, words = record_id, None
        for step in self.steps:
            line = self._lines[step.revision.sha].get(current)
            stages.append(Stage(label=step.label, line=line, words=words))
            came_from = next((old for old, new in step.changed if new.id == current), None)
            if came_from is not None:
                current, words = came_from.id, came_from.error_message
        return stages


def release_of(row: RevisionRow) -> str:
    """Return package and version of a revision; its hash where no version is known."""
    return f"{row.package} {row.version or row.sha[:10]}"


def removed_words(record: Record, gone: Gone) -> str:
    """Return in a sentence that an error left."""
    return f"This error left {record.repo} in {gone.left_in}; it was last seen in {gone.last_seen}."


def _departures(steps: Sequence[Step]) -> dict[str, tuple[Step, Summary, Summary | None]]:
    """Return, for each record that the newest revision lacks, the step at which it left and its successor."""
    left: dict[str, tuple[Step, Summary, Summary | None]] = {}
    back: set[str] = set()
    for step in steps:
        for old, new in (*((old, None) for old in step.removed), *step.changed):
            if old.id not in back:
                left.setdefault(old.id, (step, old, new))
        back.update(row.id for row in step.added)
        back.update(new.id for _, new in step.changed)
    return left


def _steps(
    catalog: Catalog, revisions: Sequence[RevisionRow], rows: Mapping[str, Sequence[Summary]]
) -> Iterator[Step]:
    if not revisions:
        return
    labels = labels_of(revisions)
    for newer, older in pairwise(revisions):
        step = _step(catalog, newer, older, rows[newer.sha], rows[older.sha])
        yield msgspec.structs.replace(step, label=labels[newer.sha])
    yield Step(label=labels[revisions[-1].sha], revision=revisions[-1], before=None)


def labels_of(revisions: Sequence[RevisionRow]) -> dict[str, str]:
    """Return what addresses call each revision of a repository, by its hash, in the order given."""
    names = Counter(row.version for row in revisions)
    return {
        row.sha: row.version
        if row.version is not None and names[row.version] == 1
        else "-".join([*filter(None, [row.version]), row.sha[:10]])
        for row in revisions
    }


def _step(
    catalog: Catalog, newer: RevisionRow, older: RevisionRow, new: Sequence[Summary], old: Sequence[Summary]
) -> Step:
    known_old, known_new = {row.id for row in old}, {row.id for row in new}
    added = [row for row in new if row.id not in known_old]
    left = [row for row in old if row.id not in known_new]
    successors = _successors(left, added, _guards(catalog, older), _guards(catalog, newer))
    taken = {row.id for row in successors.values()}
    return Step(
        label=newer.version or newer.sha,
        revision=newer,
        before=older,
        added=tuple(row for row in added if row.id not in taken),
        changed=tuple((row, successors[row.id]) for row in left if row.id in successors),
        removed=tuple(row for row in left if row.id not in successors),
    )


Guards = Callable[[Sequence[Summary]], dict[str, frozenset[str | None]]]
"""The guards of some records' sites, by id; None for a site without one."""


def _guards(catalog: Catalog, revision: RevisionRow) -> Guards:
    def read(rows: Sequence[Summary]) -> dict[str, frozenset[str | None]]:
        stored = catalog.records_of(revision.repo, revision.sha, [row.id for row in rows])
        return {
            one.record.id: frozenset(site.guard.text if site.guard else None for site in one.evidence.sites)
            for one in stored
        }

    return read


def _successors(
    left: Sequence[Summary], added: Sequence[Summary], old_guards: Guards, new_guards: Guards
) -> dict[str, Summary]:
    """Return the successor of each error that left, by its id; those without one are missing."""
    by_words = _grouped(added, lambda row: (row.error_class, _words(row)))
    by_function = _grouped(added, lambda row: (row.error_class, row.function))
    found: dict[str, Summary] = {}
    open_ends = []
    for row in left:
        same_words = by_words.get((row.error_class, _words(row)), [])
        here = [one for one in same_words if one.function == row.function]
        # A bare class name (`NotImplementedError`) is said everywhere: only in its own function does it tell anything.
        moved = here or (same_words if " " in row.error_message else [])
        if len(moved) == 1:
            found[row.id] = moved[0]
        elif not moved and (row.error_class, row.function) in by_function:
            open_ends.append(row)
    candidates = {row.id: by_function[row.error_class, row.function] for row in open_ends}
    old = old_guards(open_ends)
    new = new_guards(list({one.id: one for rows in candidates.values() for one in rows}.values()))
    for row in open_ends:
        alike = [one for one in candidates[row.id] if old[row.id] & new[one.id]]
        here = [one for one in alike if one.file_path == row.file_path]
        elsewhere = [one for one in alike if (old[row.id] & new[one.id]) - {None}]
        if len(chosen := here or elsewhere) == 1:
            found[row.id] = chosen[0]
    return found


def _words(row: Summary) -> str:
    """Return a message without what fills its holes: `too many for {cls}` and `too many for {target}` say the same."""
    return re.sub(r"\{[^{}]*\}", "{}", row.error_message)


def _grouped(
    rows: Iterable[Summary], key: Callable[[Summary], tuple[str | None, str]]
) -> dict[tuple[str | None, str], list[Summary]]:
    grouped = defaultdict(list)
    for row in rows:
        grouped[key(row)].append(row)
    return dict(grouped)
