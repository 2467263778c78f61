"""What `errdex assist` prints: what would be sent, what came of a run, what the checks refused. Text, or one JSON object."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Protocol, Self

import msgspec

from errdex.assist.bill import Usage
from errdex.assist.prompt import INSTRUCTIONS, input_tokens
from errdex.assist.reply import reply_schema
from errdex.assist.run import Question, Report
from errdex.catalog import StoredRecord
from errdex.catalog.ask import Terms
from errdex.catalog.assistance import Assists, Bill
from errdex.cli.options import write_line
from errdex.pipeline.assist import question_of

_SHOWN_FAILURES = 10


class Written(Protocol):
    """What can be printed."""

    def lines(self) -> Iterator[str]:
        """Yield it as text."""


def write(what: Written, *, as_json: bool) -> None:
    """Print to standard output."""
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(what) + b"\n")
        return
    for line in what.lines():
        write_line(line)


class Request(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One request that would be sent: the instructions stand before its text."""

    repo: str
    id: str
    text: str
    input_tokens: int
    """Estimated."""


class DryRun(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What would be sent, and what it may cost."""

    schema: int = 1
    model: str
    server: str | None
    instructions: str
    form: dict[str, Any]
    """The JSON schema that the answer is held to."""
    requests: list[Request]
    input_tokens: int
    output_tokens_at_most: int
    usd_at_most: Decimal | None
    """None where the model's price is not known."""

    @classmethod
    def of(cls, questions: Sequence[Question], terms: Terms) -> Self:
        """Return what a run over `questions` would send."""
        requests = [
            Request(
                repo=each.repo,
                id=each.id,
                text=each.prompt.text,
                input_tokens=input_tokens(each.prompt),
            )
            for each in questions
        ]
        usage = Usage(sum(each.input_tokens for each in requests), len(requests) * terms.server.output_tokens)
        return cls(
            model=terms.server.model,
            server=terms.server.base_url,
            instructions=INSTRUCTIONS,
            form=reply_schema(),
            requests=requests,
            input_tokens=usage.input_tokens,
            output_tokens_at_most=usage.output_tokens,
            usd_at_most=terms.price.of(usage) if terms.price else None,
        )

    def lines(self) -> Iterator[str]:
        """Yield what is sent with every request, then each request, then the bill."""
        yield f"Every request to {self.model}{f' at {self.server}' if self.server else ''} begins with:"
        yield ""
        yield self.instructions
        yield ""
        yield f"Its answer is held to: {msgspec.json.encode(self.form).decode()}"
        for each in self.requests:
            yield ""
            yield f"--- {each.id} of {each.repo}, about {each.input_tokens:,} tokens"
            yield each.text
        cost = "price not known" if self.usd_at_most is None else f"at most ${self.usd_at_most:.4f}"
        yield f"{len(self.requests)} requests, about {self.input_tokens:,} tokens sent, at most {self.output_tokens_at_most:,} received: {cost}. Nothing was sent."


class Summary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What came of a run."""

    schema: int = 1
    records: int
    asked: int
    answered: int
    unanswered: int
    """Records asked about that still have no answer."""
    suggestions: int
    """In this model's answers to these records' present facts."""
    kept: int
    refused: dict[str, int]
    """By check."""
    failed: list[dict[str, str]]
    stopped: str
    """Why the run ended early; empty where it did not."""
    refusal: str
    """Why the server refuses everything, where it does."""
    bill: Bill

    @classmethod
    def of(
        cls,
        assists: Assists,
        records: Sequence[StoredRecord],
        questions: Sequence[Question],
        report: Report,
        bill: Bill,
        *,
        model: str,
    ) -> Self:
        """Return the summary of a run of a model over `questions` about `records`."""
        audit = Audit.of(assists, records, model=model)
        return cls(
            records=len(records),
            asked=len(questions),
            answered=report.answered,
            unanswered=len(questions) - report.answered,
            suggestions=audit.suggestions,
            kept=audit.kept,
            refused={each.check: each.refused for each in audit.checks if each.refused},
            failed=[{"id": record_id, "reason": reason} for record_id, reason in report.failed],
            stopped=report.stopped,
            refusal=report.refused,
            bill=bill,
        )

    def lines(self) -> Iterator[str]:
        """Yield what was asked, what was kept, what failed, what it cost."""
        known = self.records - self.asked
        yield f"{self.records} records: {self.answered} answered now, {known} before" + (
            f", {self.unanswered} without an answer" if self.unanswered else ""
        )
        yield f"{self.suggestions} suggestions: {self.kept} kept, {self.suggestions - self.kept} refused" + (
            f" ({', '.join(f'{count} by {check}' for check, count in self.refused.items())})"
            if self.refused
            else ""
        )
        for each in self.failed[:_SHOWN_FAILURES]:
            yield f"  {each['id']} has no answer: {each['reason']}"
        if len(self.failed) > _SHOWN_FAILURES:
            yield f"  and {len(self.failed) - _SHOWN_FAILURES} more"
        if self.stopped:
            yield f"Stopped: {self.stopped}. What was answered is kept; the same command goes on from here."
        yield _bill_words(self.bill)


def _bill_words(bill: Bill) -> str:
    cost = "price not known" if bill.usd is None else f"${bill.usd:.4f}"
    words = f"{bill.requests} requests, {bill.input_tokens:,} tokens sent, {bill.output_tokens:,} received: {cost}."
    if bill.unsaid:
        words += f" Of {bill.unsaid} the server did not say: at most {bill.unsaid_most_tokens:,} tokens more."
    return words


class CheckRow(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One check, and how much it refused."""

    check: str
    looked: int
    """Suggestions that it had a word on: let pass or refused."""
    refused: int

    @property
    def share(self) -> float:
        """Refused of looked at."""
        return self.refused / self.looked if self.looked else 0.0


class Audit(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the gate made of what models answered."""

    schema: int = 1
    answers: int
    unjudged: int
    suggestions: int
    kept: int
    by_model: dict[str, list[int]]
    """Suggestions and how many of them were kept."""
    by_place: dict[str, list[int]]
    """As above, by the key of the record that they were offered for."""
    checks: list[CheckRow]
    bill: Bill
    """Of every request that this catalog knows of."""

    @classmethod
    def of(
        cls, assists: Assists, records: Iterable[StoredRecord] | None, *, model: str | None = None
    ) -> Self:
        """Count over the answers to the present facts of `records`, over all answers where that is None."""
        rows = list(assists.answers(model=model))
        if records is not None:
            asked = [question_of(each.record, each.evidence) for each in records]
            wanted = {(each.repo, each.id, each.facts) for each in asked}
            rows = [row for row in rows if (row.repo, row.id, row.facts) in wanted]
        looked: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        by_model: dict[str, list[int]] = {}
        by_place: dict[str, list[int]] = {}
        for row in rows:
            for each in row.judgements:
                failed = [failure.check for failure in each.failed]
                looked.update((*each.passed, *failed))
                refused.update(failed)
                for counts in (
                    by_model.setdefault(row.model, [0, 0]),
                    by_place.setdefault(each.suggestion.place, [0, 0]),
                ):
                    counts[0] += 1
                    counts[1] += each.kept
        return cls(
            answers=len(rows),
            unjudged=sum(row.gate is None for row in rows),
            suggestions=sum(counts[0] for counts in by_model.values()),
            kept=sum(counts[1] for counts in by_model.values()),
            by_model=by_model,
            by_place=by_place,
            checks=[
                CheckRow(check=check, looked=looked[check], refused=refused[check])
                for check in sorted(looked, key=lambda check: (-refused[check], check))
            ],
            bill=assists.bill(),
        )

    def lines(self) -> Iterator[str]:
        """Yield the totals, then a line for each model, place and check."""
        yield f"{self.answers} answers, {self.suggestions} suggestions, {self.kept} kept" + (
            f"; {self.unjudged} answers wait to be checked" if self.unjudged else ""
        )
        for title, counts in (("by model", self.by_model), ("by place", self.by_place)):
            if counts:
                yield ""
                yield f"{title:32} {'offered':>8} {'kept':>6}"
            for name, (offered, kept) in sorted(counts.items()):
                yield f"  {name:30} {offered:>8} {kept:>6}"
        if self.checks:
            yield ""
            yield f"{'by check':32} {'looked':>8} {'refused':>8} {'share':>6}"
        for row in self.checks:
            yield f"  {row.check:30} {row.looked:>8} {row.refused:>8} {row.share:>6.0%}"
        yield ""
        yield _bill_words(self.bill)
