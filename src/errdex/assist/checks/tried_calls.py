"""A call or an argument that a sentence shows is tried: it raises the error, or does not, as the sentence says.

Against: `requests.get('https://…')` said to raise MissingSchema; the advice to pass `only='name'` where that is what
is refused; `min(age, 0)` for a guard `age < 0`.
"""

import ast
import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.modes import Mode, mode_of
from errdex.assist.prose import read
from errdex.assist.variants import called, with_argument
from errdex.model.assistance import Suggestion, Trial
from errdex.syntax.logic import parse


@check(runs_code=True)
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first call that does otherwise than told."""
    prose = read(suggestion.text)
    grounds = []
    for clause in prose.clauses:
        mode = mode_of(clause, suggestion.place)
        if mode not in {"fails", "avoids"}:
            continue
        for index in re.findall(r"§(\d+)", clause.text):
            span = prose.spans[int(index)]
            program = _program(span, case)
            if program is None:
                continue
            if objection := _objection(case.run(program), _turned(mode, clause.text, index)):
                return Finding(objection=f"`{span}`: {objection}")
            grounds.append(f"`{span}` was tried")
    return Finding(ground="; ".join(grounds)) if grounds else None


def _program(span: str, case: Case) -> str | None:
    """Return the program that shows what a span does: its call alone, or the proof's call with its argument."""
    tree = parse(span)
    if (program := called(tree, case.known)) is not None:
        return program
    argument = re.fullmatch(r"(\w+)\s*=\s*(?!=)(.+)", span, re.DOTALL)
    if argument is not None:
        value = parse(argument.group(2))
        return (
            with_argument(case.evidence.proof, case.known, argument.group(1), value)
            if value is not None
            else None
        )
    if tree is not None and not isinstance(tree, ast.Name | ast.Attribute | ast.Constant):
        return with_argument(case.evidence.proof, case.known, None, tree)
    return None


def _turned(mode: Mode, text: str, index: str) -> Mode:
    """Return the mode of one span: what is to be dropped leads to the error."""
    if mode == "avoids" and re.search(
        rf"(?i)\b(?:drop|remove|replace|avoid|not|without|of)\b[^§]*§{index}\b", text
    ):
        return "fails"
    return mode


def _objection(trial: Trial, mode: Mode) -> str:
    if trial.lost:
        return f"no run can tell: {trial.lost}"
    if mode == "fails":
        return "" if trial.hits else "it does not raise this error"
    return (
        "it raises this error" if trial.hits else "" if trial.passes else "it does not come to the condition"
    )
