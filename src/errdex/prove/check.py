"""A record's code blocks held against its proof: what must reject the witness, and what must accept the fix."""

from __future__ import annotations

from collections.abc import Mapping

from errdex.model.record import Proof
from errdex.prove.observation import Observation
from errdex.prove.sandbox import SITE
from errdex.prove.worker import Worker
from errdex.syntax.block_programs import FIX_FAULT, BlockProgram, block_programs


def check_code(worker: Worker, module: str, proof: Proof, code: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with the blocks in `code`, by key: empty where one does its work, absent where none can be tried.

    `validationCode`: its function must raise for the witness and not for the fix.
    `typeGuard`: its function must be false for the witness and true for the fix.
    `tryCatchPattern`: its `except` clause must catch what the witness raises.
    `exampleFix`: its function `before`, given the witness's arguments, must raise what the witness raises, and
    `after` must not, nor fail by itself; one without these functions is run as it is and must do neither.
    """
    programs = list(block_programs(proof, code))
    if "exampleFix" in code and not _defines_functions(code["exampleFix"]):
        programs.append(BlockProgram("exampleFix", FIX_FAULT, code["exampleFix"]))
    results = worker.attempt([each.program for each in programs], module=module) if programs else ()
    wrong: dict[str, str] = {}
    for each, seen in zip(programs, results, strict=True):
        fault = "" if _is_fine(each, proof, seen) else each.fault
        wrong[each.key] = wrong.get(each.key) or fault
    return wrong


def _defines_functions(code: str) -> bool:
    return "def before(" in code or "def after(" in code


def _is_fine(program: BlockProgram, proof: Proof, seen: Observation) -> bool:
    if program.fault == FIX_FAULT and seen.error is not None and seen.error.frames:
        last = proof.witness.output.rstrip().rpartition("\n")[2]
        is_its_own = not seen.error.frames[-1].path.startswith(SITE)  # no call of the library was under way
        return not is_its_own and not last.endswith(seen.error.text)
    return seen.lost is None and seen.error is None
