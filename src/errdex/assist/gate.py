"""The gate: what a model offers is kept only if every check lets it pass and something bears it out."""

from __future__ import annotations

from errdex.assist.interface import Case, checks
from errdex.assist.modes import NEED_GROUND, claims_something
from errdex.assist.prose import read
from errdex.model.assistance import Failure, Judgement, Suggestion

UNFOUNDED = "unfounded"
"""The objection of the gate itself: no check found a claim that is so, and nothing else lets the suggestion stand."""


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
    if not failed and not grounds and (reason := _unfounded(suggestion, case)):
        failed.append(Failure(check=UNFOUNDED, reason=reason))
    return Judgement(
        suggestion=suggestion,
        kept=not failed,
        passed=tuple(passed),
        failed=tuple(failed),
        grounds=tuple(grounds),
    )


def _unfounded(suggestion: Suggestion, case: Case) -> str:
    """Return why a suggestion that nothing bears out is not kept; empty where a proof carries it."""
    if suggestion.code or case.evidence.proof is None:
        return "nothing bears it out"
    if suggestion.place in NEED_GROUND:
        return "what it says of the error is not borne out"
    if claims_something(read(suggestion.text), suggestion.place):
        return "it claims something that no check can tell"
    return ""
