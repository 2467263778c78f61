"""Proofs in the catalog: kept by record and function hash, shown in the record's evidence while the code is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import msgspec
import sqlalchemy as sa

from errdex.catalog import schema
from errdex.catalog.blobs import BlobCodec
from errdex.model.explanation import Level
from errdex.model.functions import function_hash
from errdex.model.record import Evidence, Proof

proof_table = schema.proof
_read_proof = msgspec.json.Decoder(Proof).decode
_read_evidence = msgspec.msgpack.Decoder(Evidence).decode
_encode_evidence = msgspec.msgpack.Encoder().encode
Unpack = Callable[[bytes], bytes]


def level_of(proof: Proof) -> Level:
    """Return the level that a record has with this proof."""
    return "proved-slice" if proof.sliced else "proved"


def keep(connection: sa.Connection, repo: str, record_id: str, proof: Proof) -> None:
    """Write one proof; an older one of the same code is replaced."""
    proof_table.create(connection, checkfirst=True)  # a catalog written before there were proofs
    same = sa.and_(
        proof_table.c.repo == repo,
        proof_table.c.id == record_id,
        proof_table.c.function_hash == proof.function_hash,
    )
    connection.execute(sa.delete(proof_table).where(same))
    body = msgspec.json.encode(proof)
    row = {"repo": repo, "id": record_id, "function_hash": proof.function_hash, "body": body}
    connection.execute(sa.insert(proof_table).values(**row))


def forget(connection: sa.Connection, repo: str, record_id: str) -> None:
    """Remove every proof of a record."""
    if sa.inspect(connection).has_table(proof_table.name):
        connection.execute(
            sa.delete(proof_table).where(proof_table.c.repo == repo, proof_table.c.id == record_id)
        )


def kept(connection: sa.Connection, repo: str, record_id: str | None = None) -> Iterator[tuple[str, Proof]]:
    """Yield (record id, proof) of a repository, of one record if named."""
    if not sa.inspect(connection).has_table(proof_table.name):
        return
    query = sa.select(proof_table).where(proof_table.c.repo == repo)
    if record_id is not None:
        query = query.where(proof_table.c.id == record_id)
    for row in connection.execute(query.order_by(proof_table.c.id)).all():
        yield row.id, _read_proof(row.body)


def show(
    connection: sa.Connection,
    repo: str,
    codec: BlobCodec,
    unpack: Unpack,
    source: Callable[[int, str], str | None],
) -> int:
    """Bring evidence and level of a repository's records in line with its proofs; return how many carry one.

    Args:
        connection: In a transaction.
        repo: Whose records.
        codec: Packs evidence.
        unpack: Reads it back.
        source: The text of a file at a revision (its key); None if it is not kept.
    """
    proofs: dict[str, list[Proof]] = {}
    for record_id, proof in kept(connection, repo):
        proofs.setdefault(record_id, []).append(proof)
    table = schema.record
    proved = table.c.level.in_(("proved", "proved-slice"))
    query = sa.select(table.c.pk, table.c.id, table.c.revision, table.c.evidence).where(
        table.c.repo == repo, sa.or_(table.c.id.in_(list(proofs)), proved)
    )
    count = 0
    for row in connection.execute(query).all():
        evidence = _read_evidence(unpack(row.evidence))
        shown = _with_proof(evidence, proofs.get(row.id, []), partial(source, row.revision))
        count += shown.proof is not None
        if shown != evidence:
            values = {"evidence": codec.pack(_encode_evidence(shown)), "level": shown.level}
            connection.execute(sa.update(table).where(table.c.pk == row.pk).values(**values))
    return count


def _with_proof(evidence: Evidence, proofs: list[Proof], source: Callable[[str], str | None]) -> Evidence:
    """Return evidence with the proof of its code; without one where the code is another."""
    if evidence.taken_from is not None:  # another's proof: its code is not here to be compared
        return evidence
    site = evidence.sites[0]
    text = source(site.path) if proofs else None
    try:
        digest = function_hash(text, site.line) if text is not None else None
    except (SyntaxError, ValueError):
        digest = None
    found = next((proof for proof in proofs if proof.function_hash == digest), None)
    if found is not None:
        return msgspec.structs.replace(evidence, proof=found, level=level_of(found))
    if evidence.level not in ("proved", "proved-slice"):
        return evidence
    level: Level = "tested" if any(each.tests for each in evidence.sites) else "derived"
    return msgspec.structs.replace(evidence, proof=None, level=level)
