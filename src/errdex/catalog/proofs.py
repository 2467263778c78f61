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
from errdex.model.record import Evidence, Proof, Record, wire_text

proof_table = schema.proof
_read_proof = msgspec.json.Decoder(Proof).decode
_read_evidence = msgspec.msgpack.Decoder(Evidence).decode
_encode_evidence = msgspec.msgpack.Encoder().encode
_read_record = msgspec.json.Decoder(Record).decode
_encode_record = msgspec.json.Encoder().encode
_FIELDS = {field.encode_name: field.name for field in msgspec.structs.fields(Record)}


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
    evidences: BlobCodec,
    records: BlobCodec,
    source: Callable[[int, str], str | None],
    *,
    only: str | None = None,
) -> None:
    """Bring a repository's records, their evidence and level in line with its proofs.

    Args:
        connection: In a transaction.
        repo: Whose records.
        evidences: Packs evidence.
        records: Packs records.
        source: The text of a file at a revision (its key); None if it is not kept.
        only: The id of the one record whose proofs changed; None: all may have.
    """
    proofs: dict[str, list[Proof]] = {}
    for record_id, proof in kept(connection, repo, only):
        proofs.setdefault(record_id, []).append(proof)
    table = schema.record
    query = sa.select(table.c.pk, table.c.id, table.c.revision, table.c.body, table.c.evidence)
    query = query.where(table.c.repo == repo)
    if only is not None:
        query = query.where(table.c.id == only)
    else:
        proved = table.c.level.in_(("proved", "proved-slice"))
        query = query.where(sa.or_(table.c.id.in_(list(proofs)), proved))
    for row in connection.execute(query).all():
        evidence = _read_evidence(evidences.unpack(row.evidence))
        shown = _with_proof(evidence, proofs.get(row.id, []), partial(source, row.revision))
        if shown == evidence:
            continue
        record = _with_code(_read_record(records.unpack(row.body)), shown)
        values = {
            "body": records.pack(_encode_record(record)),
            "evidence": evidences.pack(_encode_evidence(shown)),
            "level": shown.level,
        }
        connection.execute(sa.update(table).where(table.c.pk == row.pk).values(**values))


def _with_code(record: Record, evidence: Evidence) -> Record:
    """Return a record with the code blocks that its evidence holds, but those that its proof refutes."""
    checked = evidence.proof.checked if evidence.proof is not None else {}
    blocks = {
        _FIELDS[key]: None if checked.get(key) else wire_text(block.code)
        for key, block in evidence.code.items()
    }
    return msgspec.structs.replace(record, **blocks)


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
