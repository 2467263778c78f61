"""What a block of code imports is there: in the package, in the standard library, or in what the package needs.

Against: `from tqdm import tqdm` offered as a fix for click; `from requests import PreparedSession`.
"""

import ast

from errdex.assist.interface import Case, Finding, check
from errdex.assist.known import Known
from errdex.model.assistance import Suggestion
from errdex.syntax import code_block


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first import that nothing bears out."""
    if not suggestion.code or list(code_block.parsing(suggestion.code)):
        return None
    for node in ast.walk(ast.parse(suggestion.code)):
        match node:
            case ast.Import(names=found):
                dotted = [alias.name for alias in found]
            case ast.ImportFrom(module=str() as module, level=0, names=found):
                dotted = [f"{module}.{alias.name}" for alias in found]
            case ast.ImportFrom():
                return Finding(objection="a program has no package to import from by dots")
            case _:
                continue
        for name in dotted:
            if not _is_there(name, case.known):
                return Finding(objection=f"it imports {name}, which nothing bears out")
    return None


def _is_there(dotted: str, known: Known) -> bool:
    root = dotted.partition(".")[0]
    if root in known.definitions.tops:
        return known.definitions.find(dotted) is not None
    return known.is_of_standard_library(dotted) or known.imports(root)
