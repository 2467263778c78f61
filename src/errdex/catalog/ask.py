"""Models are asked about records of the catalog, and what they answered is judged: two steps, each resumable.

Asking costs money and needs a server; judging costs nothing but time. An answer is in the catalog before it is
judged, so that a run that is killed between the two is judged by the next one without asking again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import count
from pathlib import Path

import msgspec

from errdex.assist.bill import Budget, Price
from errdex.assist.faults import PrivateCodeError
from errdex.assist.prompt import CHARACTERS, prompt_version
from errdex.assist.run import Policy, Question, Report, Run
from errdex.assist.server import Connection, Server
from errdex.catalog.assistance import AnswerRow, Bill
from errdex.catalog.catalog import Catalog
from errdex.catalog.rows import StoredRecord
from errdex.errors import ProveError, SourceError
from errdex.model.source import SourceTree
from errdex.pipeline.assist import Judge, is_private, question_of
from errdex.pipeline.version import gate_version
from errdex.sources import open_tree, parse_coordinate

Progress = Callable[[int, int], None]
Answered = tuple[StoredRecord, AnswerRow]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """On what terms a model is asked."""

    server: Server
    policy: Policy
    characters: int = CHARACTERS
    """Of facts in one question, at most."""
    price: Price | None = None
    max_tokens: int | None = None
    max_cost: Decimal | None = None
    """US dollars; wants a price."""

    @property
    def prompt_version(self) -> str:
        """Under which version answers are kept."""
        return prompt_version(self.characters)


def open_questions(
    catalog: Catalog, records: Iterable[StoredRecord], terms: Terms, *, again: bool = False
) -> list[Question]:
    """Return what is to be asked: every record, without those whose facts this model has answered to.

    Raises:
        PrivateCodeError: one may be private code, and the catalog does not say that it may be sent.
    """
    may_send = catalog.assists.may_send_private
    known = set() if again else catalog.assists.answered(terms.server.model, terms.prompt_version)
    questions = {}
    for stored in records:
        coordinate = stored.evidence.coordinate
        if is_private(coordinate) and not may_send:
            raise PrivateCodeError(coordinate, catalog.where)
        question = question_of(stored.record, stored.evidence, terms.characters)
        key = (question.repo, question.id, question.facts)
        if key not in known:
            questions[key] = question
    return list(questions.values())


def ask(
    catalog: Catalog, questions: Sequence[Question], terms: Terms, progress: Progress | None = None
) -> tuple[Report, Bill]:
    """Ask; return what became of it and what it cost. Everything is in the catalog when this returns, or dies.

    Raises:
        AssistError: the client is not installed, or will not ask such a model.
    """
    before = catalog.assists.last_entry()
    report = asyncio.run(_asked(catalog, questions, terms, progress))
    return report, catalog.assists.bill(since=before)


async def _asked(
    catalog: Catalog, questions: Sequence[Question], terms: Terms, progress: Progress | None
) -> Report:
    ledger = catalog.assists.ledger(terms.server.model, terms.prompt_version, terms.price)
    budget = Budget(tokens=terms.max_tokens, money=terms.max_cost, price=terms.price)
    told = None if progress is None else lambda done: progress(done, len(questions))
    async with Connection(terms.server) as connection:
        return await Run(connection.ask, ledger, budget, terms.policy, told).over(questions)


def judge_answers(
    catalog: Catalog, records: Iterable[StoredRecord], cache: Path, progress: Progress | None = None
) -> list[str]:
    """Put every answer to the records' present facts through the gate, unless this very gate has judged it.

    Returns:
        What could not be judged, or not be run, and why: such answers wait for the next call.
    """
    gate = gate_version()
    waiting = [found for members in _by_revision(records) if (found := _unjudged(catalog, members, gate))]
    total = sum(len(found) for found in waiting)
    done = count(1)

    def judged() -> None:
        if progress is not None:
            progress(next(done), total)

    notes: list[str] = []
    for found in waiting:
        try:
            notes += _judge_revision(catalog, found, gate, cache, judged)
        except (SourceError, ProveError) as error:  # no network, say: what was paid for is not lost
            coordinate = found[0][0].evidence.coordinate
            notes.append(f"{coordinate}: answers wait unjudged. {error}")
    return notes


def _judge_revision(
    catalog: Catalog, found: Sequence[Answered], gate: str, cache: Path, judged: Callable[[], None]
) -> Iterator[str]:
    """Judge answers about records of one revision; yield what could not be done."""
    first = found[0][0]
    repo, coordinate = first.record.repo, first.evidence.coordinate
    tree = open_tree(parse_coordinate(coordinate, repo=repo))
    same = [pair for pair in found if _is_same(catalog, tree, pair[0])]
    if len(same) < len(found):
        yield f"{coordinate} is other code by now: {len(found) - len(same)} answers wait unjudged"
    evidence = [each.evidence for each in catalog.records(repo, first.record.analyzed_sha)]
    with Judge(tree, evidence, cache) as gatekeeper:
        for stored, answer in same:
            judgements = gatekeeper.judge(stored.record, stored.evidence, answer.suggestions)
            catalog.assists.keep_judgements(answer, judgements, gate)
            judged()
        if gatekeeper.note:
            yield f"{coordinate}: {gatekeeper.note}"


def _is_same(catalog: Catalog, tree: SourceTree, stored: StoredRecord) -> bool:
    """Whether a record's file in the tree is the one that was analysed: a folder may have changed since."""
    record = stored.record
    path = tree.root / record.file_path
    text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else None
    return text is not None and text == catalog.source(record.repo, record.analyzed_sha, record.file_path)


def _by_revision(records: Iterable[StoredRecord]) -> Iterable[list[StoredRecord]]:
    groups: dict[tuple[str, str], list[StoredRecord]] = defaultdict(list)
    for stored in records:
        groups[stored.record.repo, stored.record.analyzed_sha].append(stored)
    return groups.values()


def _unjudged(catalog: Catalog, records: Sequence[StoredRecord], gate: str) -> list[Answered]:
    """Return the answers to these records' present facts that another gate judged, or none, each with its record."""
    facts = {each.record.id: (each, question_of(each.record, each.evidence).facts) for each in records}
    found = []
    for answer in catalog.assists.answers(records[0].record.repo, not_judged_by=gate):
        stored, key = facts.get(answer.id, (None, ""))
        if stored is not None and key == answer.facts:
            found.append((stored, answer))
    return found
