"""The gate: what a model offers is kept only if every check lets it pass and something bears it out."""

from __future__ import annotations

from errdex.assist.interface import Case, checks
from errdex.model.assistance import Failure, Judgement, Suggestion

UNFOUNDED = "unfounded"
"""The objection of the gate itself: no check found a claim, and no proof carries the record."""


def judge(suggestion: Suggestion, case: Case) -> Judgement:
    """Return whether `suggestion` is kept, and on what grounds.

    Code is run only where nothing else objects.
    """
    passed: list[str] = []
    failed: list[Failure] = []
    grounds: list[str] = []
    for slug, each in checks().items():
        if each.runs_code and failed:
            break
        finding = each.look(suggestion, case)
        if finding is not None and finding.objection:
            failed.append(Failure(check=slug, reason=finding.objection))
            continue
        passed.append(slug)
        if finding is not None:
            grounds.append(finding.ground)
    if not failed and not grounds and (suggestion.code or case.evidence.proof is None):
        failed.append(Failure(check=UNFOUNDED, reason="it claims nothing that can be checked"))
    return Judgement(
        suggestion=suggestion,
        kept=not failed,
        passed=tuple(passed),
        failed=tuple(failed),
        grounds=tuple(grounds),
    )
