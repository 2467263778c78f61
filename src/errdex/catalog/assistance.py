"""What models said, what it cost, and what of it is shown: kept in the catalog, tied to facts, not to a revision.

Three things stand apart. Every request is an entry of the ledger, written before it leaves. Every answer is kept
as it came, under (repository, record, facts, prompt's version, model): it was paid for. What the gate made of
it is kept beside it and can be made anew, for nothing, when the gate changes. A record shows what was judged of
exactly the facts that it has now, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import msgspec
import sqlalchemy as sa

from errdex.assist.bill import Price, Usage
from errdex.assist.facts import facts_key, facts_of
from errdex.assist.run import Question
from errdex.catalog import schema
from errdex.catalog.blobs import BlobCodec
from errdex.model.assistance import Assistance, Judgement, Suggestion
from errdex.model.record import Evidence, Record

answer_table = schema.assist_answer
request_table = schema.assist_request
_read_suggestions = msgspec.json.Decoder(tuple[Suggestion, ...]).decode
_read_judgements = msgspec.json.Decoder(tuple[Judgement, ...]).decode
_read_evidence = msgspec.msgpack.Decoder(Evidence).decode
_read_record = msgspec.json.Decoder(Record).decode
_encode_evidence = msgspec.msgpack.Encoder().encode
_PRIVATE = "assist_private"
"""Of `meta`: there once the user said that private code of this catalog may be sent."""
_ANSWER_KEY = ("repo", "id", "facts", "prompt_version", "model")


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One answer as it came."""

    repo: str
    id: str
    facts: str
    prompt_version: str
    model: str
    at: str
    tokens: Usage
    suggestions: tuple[Suggestion, ...]
    gate: str | None
    """Version of the gate that judged it; None where none has."""
    judgements: tuple[Judgement, ...] = ()


class Bill(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What requests cost."""

    requests: int
    input_tokens: int
    output_tokens: int
    usd: Decimal | None
    """None where the price of any of it is not known."""
    unsaid: int
    """Requests whose tokens the server did not say, or that were under way when a run was killed."""
    unsaid_most_tokens: int
    """What those may have taken, at most."""


class Assists:
    """The models' part of a catalog."""

    def __init__(self, engine: sa.Engine, where: str, advance: Callable[[sa.Connection], None]) -> None:
        """Take the catalog's engine, its place for messages, and what counts its version up."""
        self._engine, self._where, self._advance = engine, where, advance
        self._ready = False

    # --- private code ------------------------------------------------------------

    @property
    def may_send_private(self) -> bool:
        """Whether private code of this catalog may be sent."""
        with self._engine.connect() as connection:
            query = sa.select(schema.meta.c.value).where(schema.meta.c.key == _PRIVATE)
            return connection.scalar(query) is not None

    def allow_private(self, *, allowed: bool) -> None:
        """Keep the user's word on private code."""
        with self._writing() as connection:
            connection.execute(sa.delete(schema.meta).where(schema.meta.c.key == _PRIVATE))
            if allowed:
                connection.execute(sa.insert(schema.meta).values(key=_PRIVATE, value=_now()))

    # --- the ledger --------------------------------------------------------------

    def ledger(self, model: str, prompt_version: str, price: Price | None) -> CatalogLedger:
        """Return the ledger of one run."""
        return CatalogLedger(self._writing, model, prompt_version, price)

    def bill(self, since: int = 0) -> Bill:
        """Return what all requests after entry number `since` cost."""
        if not self._is_there():
            rows: Sequence[sa.Row[Any]] = ()
        else:
            with self._engine.connect() as connection:
                rows = connection.execute(sa.select(request_table).where(request_table.c.pk > since)).all()
        said = [row for row in rows if row.input_tokens is not None]
        unsaid = [row for row in rows if row.input_tokens is None]
        costs = [Decimal(row.usd) for row in said if row.usd is not None]
        return Bill(
            requests=len(rows),
            input_tokens=sum(row.input_tokens for row in said),
            output_tokens=sum(row.output_tokens for row in said),
            usd=sum(costs, Decimal(0)) if len(costs) == len(said) else None,
            unsaid=len(unsaid),
            unsaid_most_tokens=sum(row.most_input + row.most_output for row in unsaid),
        )

    def last_entry(self) -> int:
        """Return the number of the ledger's last entry; 0 where there is none."""
        if not self._is_there():
            return 0
        with self._engine.connect() as connection:
            return connection.scalar(sa.select(sa.func.max(request_table.c.pk))) or 0

    # --- answers -----------------------------------------------------------------

    def answered(self, model: str, prompt_version: str) -> set[tuple[str, str, str]]:
        """Return (repository, record, facts) of everything that a model has answered to, in that version of the prompt."""
        if not self._is_there():
            return set()
        table = answer_table.c
        query = sa.select(table.repo, table.id, table.facts).where(
            table.model == model, table.prompt_version == prompt_version
        )
        with self._engine.connect() as connection:
            return {(row.repo, row.id, row.facts) for row in connection.execute(query)}

    def answers(
        self, repo: str | None = None, *, model: str | None = None, not_judged_by: str | None = None
    ) -> Iterator[AnswerRow]:
        """Yield every answer that is kept: of one repository, of one model, without what one gate has judged."""
        if not self._is_there():
            return
        table = answer_table.c
        query = sa.select(answer_table).order_by(*(table[name] for name in _ANSWER_KEY))
        if repo is not None:
            query = query.where(table.repo == repo)
        if model is not None:
            query = query.where(table.model == model)
        if not_judged_by is not None:
            query = query.where(sa.or_(table.gate.is_(None), table.gate != not_judged_by))
        with self._engine.connect() as connection:
            rows = connection.execute(query).all()
        yield from (_answer(row) for row in rows)

    def keep_judgements(self, answer: AnswerRow, judgements: Sequence[Judgement], gate: str) -> None:
        """Keep what the gate made of an answer; the record shows what it let through from now on."""
        key = sa.and_(*(answer_table.c[name] == getattr(answer, name) for name in _ANSWER_KEY))
        body = msgspec.json.encode(list(judgements))
        with self._writing() as connection:
            connection.execute(sa.update(answer_table).where(key).values(gate=gate, judgements=body))
            show(connection, answer.repo, [answer.id])
            self._advance(connection)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """Give a transaction on tables that are there."""
        try:
            with self._engine.begin() as connection:
                if not self._ready:  # a catalog written before models were asked
                    for table in (answer_table, request_table):
                        table.create(connection, checkfirst=True)
                yield connection
                self._ready = True
        except sa.exc.DBAPIError as error:
            raise schema.CatalogDamagedError(self._where, str(error.orig)) from error

    def _is_there(self) -> bool:
        return sa.inspect(self._engine).has_table(request_table.name)


class CatalogLedger:
    """The ledger of one run, in the catalog: see `errdex.assist.run.Ledger`."""

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[sa.Connection]],
        model: str,
        prompt_version: str,
        price: Price | None,
    ) -> None:
        self._transaction = transaction
        self._model, self._prompt_version, self._price = model, prompt_version, price

    def asked(self, question: Question, most: Usage) -> int:
        """Write down that a request leaves, and what it may cost; return the number of the entry."""
        values = {
            "at": _now(),
            "repo": question.repo,
            "id": question.id,
            "model": self._model,
            "outcome": "under way",
            "most_input": most.input_tokens,
            "most_output": most.output_tokens,
        }
        with self._transaction() as connection:
            entry = connection.scalar(sa.insert(request_table).values(**values).returning(request_table.c.pk))
        assert isinstance(entry, int)
        return entry

    def answered(
        self, entry: int, question: Question, suggestions: tuple[Suggestion, ...], usage: Usage | None
    ) -> None:
        """Write down an answer and its bill, whole or not at all; an older answer to the same is replaced."""
        key = {
            "repo": question.repo,
            "id": question.id,
            "facts": question.facts,
            "prompt_version": self._prompt_version,
            "model": self._model,
        }
        same = sa.and_(*(answer_table.c[name] == value for name, value in key.items()))
        tokens = usage or Usage()
        with self._transaction() as connection:
            self._close(connection, entry, "answered", usage)
            connection.execute(sa.delete(answer_table).where(same))
            connection.execute(
                sa.insert(answer_table).values(
                    **key,
                    at=_now(),
                    input_tokens=tokens.input_tokens,
                    output_tokens=tokens.output_tokens,
                    suggestions=msgspec.json.encode(suggestions),
                )
            )

    def failed(self, entry: int, reason: str, usage: Usage | None) -> None:
        """Write down that no answer came, and what that cost as far as the server says."""
        with self._transaction() as connection:
            self._close(connection, entry, reason, usage)

    def _close(self, connection: sa.Connection, entry: int, outcome: str, usage: Usage | None) -> None:
        values: dict[str, Any] = {"outcome": outcome}
        if usage is not None:
            values |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
            values["usd"] = None if self._price is None else str(self._price.of(usage))
        connection.execute(sa.update(request_table).where(request_table.c.pk == entry).values(**values))


def show(connection: sa.Connection, repo: str, ids: Sequence[str] | None = None) -> None:
    """Bring the evidence of a repository's records (those of `ids`, if given) in line with what was judged of them.

    `connection` is in a transaction.
    """
    judged = _judged(connection, repo, ids)
    if not judged:
        return
    records, evidences = (_codec(connection, kind) for kind in ("record", "evidence"))
    table = schema.record
    for record_id, answers in judged.items():
        query = sa.select(table.c.pk, table.c.body, table.c.evidence).where(
            table.c.repo == repo, table.c.id == record_id
        )
        for row in connection.execute(query).all():
            evidence = _read_evidence(evidences.unpack(row.evidence))
            record = _read_record(records.unpack(row.body))
            shown = msgspec.structs.replace(evidence, assistance=_of_facts(record, evidence, answers))
            if shown != evidence:
                body = evidences.pack(_encode_evidence(shown))
                connection.execute(sa.update(table).where(table.c.pk == row.pk).values(evidence=body))


def _judged(connection: sa.Connection, repo: str, ids: Sequence[str] | None) -> dict[str, list[AnswerRow]]:
    """Return the judged answers of a repository by record, the last one last."""
    if not sa.inspect(connection).has_table(answer_table.name):
        return {}
    query = sa.select(answer_table).where(answer_table.c.repo == repo, answer_table.c.judgements.is_not(None))
    if ids is not None:
        query = query.where(answer_table.c.id.in_(ids))
    judged: dict[str, list[AnswerRow]] = {}
    for row in connection.execute(query.order_by(answer_table.c.at)).all():
        judged.setdefault(row.id, []).append(_answer(row))
    return judged


def _codec(connection: sa.Connection, kind: str) -> BlobCodec:
    table = schema.dictionary
    query = sa.select(table.c.body).where(table.c.kind == kind).order_by(table.c.id)
    return BlobCodec(list(connection.scalars(query)))


def _of_facts(record: Record, evidence: Evidence, answers: Iterable[AnswerRow]) -> tuple[Assistance, ...]:
    """Return what was judged of exactly these facts: of each model its last answer, by the model's name."""
    key = facts_key(facts_of(record, evidence))
    newest = {answer.model: answer for answer in answers if answer.facts == key}
    return tuple(_assistance(newest[model]) for model in sorted(newest))


def _assistance(answer: AnswerRow) -> Assistance:
    """Return what evidence says of an answer: what was kept, whole; of what was refused only which checks did.

    What the gate refused is probably false: it stays in the catalog and is published nowhere.
    """
    refused = Counter(failure.check for each in answer.judgements for failure in each.failed)
    return Assistance(
        model=answer.model,
        prompt_version=answer.prompt_version,
        at=answer.at,
        judgements=tuple(each for each in answer.judgements if each.kept),
        refused=dict(sorted(refused.items())),
        tokens_in=answer.tokens.input_tokens,
        tokens_out=answer.tokens.output_tokens,
    )


def _answer(row: sa.Row[Any]) -> AnswerRow:
    return AnswerRow(
        **{name: getattr(row, name) for name in _ANSWER_KEY},
        at=row.at,
        tokens=Usage(row.input_tokens, row.output_tokens),
        suggestions=_read_suggestions(row.suggestions),
        gate=row.gate,
        judgements=_read_judgements(row.judgements) if row.judgements is not None else (),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
