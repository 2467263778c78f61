"""A record's code blocks held against its proof: what must reject the witness, and what must accept the fix."""

from __future__ import annotations

from collections.abc import Mapping

from errdex.model.record import Proof
from errdex.prove.observation import Observation
from errdex.prove.worker import Worker
from errdex.syntax.block_programs import BlockProgram, block_programs


def check_code(worker: Worker, module: str, proof: Proof, code: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with `code`, by its key; a key is absent where its block does its work or cannot be tried.

    `validationCode`: its function must raise for the witness and not for the fix.
    `typeGuard`: its function must be false for the witness and true for the fix.
    `tryCatchPattern`: its `except` clause must catch what the witness raises.
    `exampleFix`: must not raise what the witness raises.
    """
    programs = list(block_programs(proof, code))
    if "exampleFix" in code:
        programs.append(BlockProgram("exampleFix", "raises the error that it is to fix", code["exampleFix"]))
    results = worker.attempt([each.program for each in programs], module=module)
    wrong: dict[str, str] = {}
    for each, seen in zip(programs, results, strict=True):
        if not _is_fine(each.key, proof, seen):
            wrong.setdefault(each.key, each.fault)
    return wrong


def _is_fine(key: str, proof: Proof, seen: Observation) -> bool:
    if key == "exampleFix":
        last = proof.witness.output.rstrip().rpartition("\n")[2]
        return seen.error is None or not last.endswith(seen.error.text)
    return seen.lost is None and seen.error is None
