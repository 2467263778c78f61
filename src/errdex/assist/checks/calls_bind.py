"""Every call binds to the signature of what it calls: nothing required is missing, no keyword is made up.

Against: the seed's example fix, a call with two of six required arguments; `click.progressbar(total=3)`;
`requests.get(timeout=5)` in a sentence.
"""

import ast

from errdex.assist.calls import Program, unbound
from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import read
from errdex.model.assistance import Suggestion
from errdex.syntax import code_block
from errdex.syntax.logic import parse


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first call that does not bind."""
    if suggestion.code:
        if not list(code_block.parsing(suggestion.code)):
            for problem in Program(suggestion.code, case.known.definitions).unbound():
                return Finding(objection=problem)
        return None
    prose = read(suggestion.text)
    for span in prose.spans:
        tree = parse(span.removeprefix("@"))
        for call in ast.walk(tree) if tree is not None else ():
            if not isinstance(call, ast.Call) or not (call.args or call.keywords):
                continue  # `f()` names a function, it does not show a call
            found = case.known.find(
                ast.unparse(call.func), [each for each in prose.spans if each[:1].isupper()]
            )
            if found is not None and (problem := unbound(call, found, case.known.definitions)):
                return Finding(objection=problem)
    return None
