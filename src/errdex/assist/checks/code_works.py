"""Code that claims to raise the error, or not to raise it, is run and does so at this very statement.

Against: the fix of a seed that raises the same error again; a fix that never comes near the guard; a `raise` of the
same class and words in the program itself; a fix that swallows the error; a type guard turned round.
"""

from errdex.assist.interface import Case, Finding, check
from errdex.model.assistance import Suggestion, Trial
from errdex.syntax.block_programs import block_programs


@check(runs_code=True)
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to code whose claim a run does not bear out, or of which no run can tell."""
    code = suggestion.code
    if not code:
        return None
    if suggestion.place == "triggerScenarios":
        return _found(_not_raised(case.run(code)), "it was run and raises this error")
    if suggestion.place in {"exampleFix", "solutions"}:
        return _found(_not_avoided(case.run(code)), "it was run, and the condition is evaluated and false")
    return _block(suggestion, case)


def _not_raised(trial: Trial) -> str:
    if trial.lost:
        return f"no run can tell: {trial.lost}"
    return "" if trial.hits else "it does not raise this error at its place"


def _not_avoided(trial: Trial) -> str:
    if trial.lost:
        return f"no run can tell: {trial.lost}"
    if trial.hits or not trial.passes:
        return (
            "it raises the error" if trial.hits else "it does not come to the condition that raises the error"
        )
    return f"it ends with {trial.error_class}: {trial.error_text[:80]}" if trial.error_class else ""


def _found(objection: str, ground: str) -> Finding:
    return Finding(objection=objection) if objection else Finding(ground=ground)


def _block(suggestion: Suggestion, case: Case) -> Finding:
    """Hold a guard, a validation or an `except` clause against the runs of the record's proof."""
    proof = case.evidence.proof
    if proof is None or proof.sliced or proof.fix is None:
        return Finding(objection="there is no proof, with a fix, to hold it against")
    programs = list(block_programs(proof, {suggestion.place: suggestion.code}))
    if not programs:
        return Finding(objection="it cannot be called with what the proof's calls are given")
    for each in programs:
        trial = case.run(each.program)
        if trial.lost:
            return Finding(objection=f"no run can tell: {trial.lost}")
        if trial.error_class:
            return Finding(objection=f"it {each.fault}")
    return Finding(ground="it was run with the call that raises and with the one that does not")
