"""The run: questions to answers, several at once, paced, tried again, within budget; everything on the bill.

What is kept is the ledger's: a question is written down before it is sent, its answer with its bill in one step
when it comes. A run that is killed at any moment has lost at most the answers that were under way, and the
ledger says which.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import count
from typing import Protocol

import msgspec

from errdex.assist.bill import Budget, Usage
from errdex.assist.faults import MalformedReplyError, RequestError
from errdex.assist.pace import Backoff, Clock, Pace
from errdex.assist.prompt import Prompt, input_tokens
from errdex.assist.reply import read_reply
from errdex.assist.server import Answer
from errdex.model.assistance import Suggestion

_FAILURES_IN_A_ROW = 5
"""So many questions that failed for good, with no answer between them, end the run: the next would fail too."""
_MALFORMED_RETRIES = 1
"""A model that answers in no known form is asked once more, not as often as a server that is busy."""

Ask = Callable[[Prompt], Awaitable[Answer]]


class Question(msgspec.Struct, frozen=True):
    """What is asked of one record."""

    repo: str
    id: str
    """The record's."""
    facts: str
    """`facts_key` of what is told."""
    prompt: Prompt


class Ledger(Protocol):
    """Where questions, answers and costs are written down."""

    def asked(self, question: Question, most: Usage) -> int:
        """Write down that a request leaves, and what it may cost; return the number of the entry."""

    def answered(
        self, entry: int, question: Question, suggestions: tuple[Suggestion, ...], usage: Usage | None
    ) -> None:
        """Write down an answer and its bill, whole or not at all."""

    def failed(self, entry: int, reason: str, usage: Usage | None) -> None:
        """Write down that no answer came, and what that cost as far as the server says."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """How a run goes about it."""

    output_tokens: int
    """What an answer may have, at most."""
    concurrency: int = 4
    per_minute: float | None = None
    backoff: Backoff = Backoff()
    clock: Clock = Clock()


class Report(msgspec.Struct, kw_only=True):
    """What became of a run."""

    answered: int = 0
    failed: list[tuple[str, str]] = []
    """Record and reason of every question that no answer came to."""
    requests: int = 0
    unsaid: int = 0
    """Requests whose tokens the server did not say; the budget counts what they may have cost at most."""
    stopped: str = ""
    """Why the run ended before its questions did; empty where it did not."""
    refused: str = ""
    """Why the server refuses everything, where that is what ended it."""


class Run:
    """One run over questions."""

    def __init__(
        self,
        ask: Ask,
        ledger: Ledger,
        budget: Budget,
        policy: Policy,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Take what a run needs.

        Args:
            ask: Sends one request; raises `RequestError`.
            ledger: Where everything is written down.
            budget: What may be spent.
            policy: How often, how many, how fast.
            progress: Called with how many questions are done.
        """
        self._ask, self._ledger, self._budget, self._policy = ask, ledger, budget, policy
        self._progress = progress
        self._pace = Pace(policy.clock, policy.per_minute)
        self._settled = asyncio.Event()
        self._over = asyncio.Event()
        self._failed_in_a_row = 0
        self.report = Report()

    async def over(self, questions: Iterable[Question]) -> Report:
        """Ask all of them; stop cleanly where the budget ends or the server refuses."""
        waiting = iter(questions)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._policy.concurrency):
                    group.create_task(self._work(waiting))
        except ExceptionGroup as errors:  # what stops one worker stops them all: the first says why
            raise errors.exceptions[0] from None
        return self.report

    async def _work(self, waiting: Iterator[Question]) -> None:
        for question in waiting:
            if self.report.stopped:
                return
            await self._until_answered(question)
            if self._progress is not None:
                self._progress(self.report.answered + len(self.report.failed))

    async def _until_answered(self, question: Question) -> None:
        """Ask until an answer is there, the question is given up, or the run is over."""
        malformed = 0
        for attempt in count(1):
            try:
                await self._once(question)
            except RequestError as fault:
                malformed += isinstance(fault, MalformedReplyError)
                is_last = attempt > self._policy.backoff.retries or malformed > _MALFORMED_RETRIES
                if fault.scope != "again" or is_last:
                    self._give_up(question, fault)
                    return
                wait = self._policy.backoff.seconds(attempt, fault.retry_after_s)
                if wait > self._policy.backoff.patience_s:
                    self._stop(f"the server asks to be left alone for {wait:g} s")
                    return
                if fault.retry_after_s is not None:
                    self._pace.hold(wait)
                else:
                    await self._pause(wait)
            else:
                return

    async def _once(self, question: Question) -> None:
        """Send one request and write down what came of it; nothing where the run is over before it leaves."""
        most = Usage(input_tokens(question.prompt), self._policy.output_tokens)
        if not await self._reserved(most):
            return
        spent: Usage | None = Usage()
        try:
            while not self.report.stopped and (wait := self._pace.wait_s) > 0:
                await self._pause(wait)
            if self.report.stopped:
                return
            self._pace.leave()
            entry = self._ledger.asked(question, most)
            self.report.requests += 1
            spent = None
            try:
                answer = await self._ask(question.prompt)
                spent = answer.usage
                suggestions = _suggestions(answer)
            except RequestError as fault:
                spent = fault.usage
                self._ledger.failed(entry, fault.reason, spent)
                raise
            self._ledger.answered(entry, question, suggestions, spent)
        finally:
            self.report.unsaid += spent is None
            self._budget.settle(most, most if spent is None else spent)
            self._settled.set()
        self.report.answered += 1
        self._failed_in_a_row = 0

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than the run lasts."""
        waits = [
            asyncio.ensure_future(self._policy.clock.sleep(seconds)),
            asyncio.ensure_future(self._over.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()

    async def _reserved(self, most: Usage) -> bool:
        """Set aside what a request may cost; wait for those under way where only they stand in the way."""
        while not self.report.stopped:
            if self._budget.reserve(most):
                return True
            if not self._budget.is_reserved:
                limit = self._budget.exceeded_by(self._budget.spent + most)
                self._stop(f"the next request may pass {limit}")
                return False
            self._settled.clear()
            await self._settled.wait()
        return False

    def _give_up(self, question: Question, fault: RequestError) -> None:
        self.report.failed.append((question.id, fault.reason))
        self._failed_in_a_row += 1
        if fault.scope == "run":
            self.report.refused = fault.reason
            self._stop(fault.reason)
        elif self._failed_in_a_row >= _FAILURES_IN_A_ROW:
            self._stop(f"{self._failed_in_a_row} records in a row failed, the last because {fault.reason}")

    def _stop(self, reason: str) -> None:
        self.report.stopped = self.report.stopped or reason
        self._over.set()


def _suggestions(answer: Answer) -> tuple[Suggestion, ...]:
    """Return what an answer suggests.

    Raises:
        MalformedReplyError: it is cut, or not of the form that was asked for.
    """
    try:
        return read_reply(answer.text)
    except msgspec.DecodeError as error:
        reason = "the answer was cut at its limit of tokens" if answer.is_cut else f"not of the form: {error}"
        raise MalformedReplyError(reason, answer.usage) from error
