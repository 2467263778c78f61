"""A sentence names the arguments that decide over the error, not others of the same call.

Against: `Pass width when the number of steps is known` where `length` is what the guard reads; `leave script_name out`
where the trouble is `subdomain`.
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.assist.known import Known
from errdex.assist.prose import Prose, read
from errdex.model.assistance import Suggestion


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a parameter that no condition on the way, no part of the message depends on."""
    prose = read(suggestion.text)
    for name in _simple_names(prose):
        if name in case.known.circle or _is_something_else(name, case.known):
            continue
        if name in case.known.parameters | case.known.parameters_in_file or case.known.is_attribute(name):
            return Finding(objection=f"{name} has no part in this error")
    return None


def _simple_names(prose: Prose) -> list[str]:
    """Return parameters as sentences write them: `name`, `name=value`, and bare words with an underscore."""
    found = []
    for span in prose.spans:
        argument = re.match(r"(\w+)\s*(?:=(?!=).*)?$", span, re.DOTALL)
        if argument:
            found.append(argument.group(1))
    return found + [name for name in prose.names if "." not in name]


def _is_something_else(name: str, known: Known) -> bool:
    """Whether a name that is a parameter somewhere is also something to be named for its own sake."""
    if name in known.parameters:
        return False
    found = known.find(name)
    return found is not None and found.kind in {"class", "function", "module"}
