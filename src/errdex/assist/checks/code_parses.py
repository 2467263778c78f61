"""A block of code parses.

Against: `requests.get(url`, a block that a limit of tokens cut off in the middle of a call.
"""

from errdex.assist.interface import Case, Finding, check
from errdex.model.assistance import Suggestion
from errdex.syntax import code_block


@check()
def look(suggestion: Suggestion, _: Case) -> Finding | None:
    """Object to code that is no Python."""
    for problem in code_block.parsing(suggestion.code):
        return Finding(objection=f"the code {problem}")
    return None
