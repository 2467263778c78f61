"""A default is told as the signature has it.

Against: "leave `kmeans` at its default of 256", where 256 is the default of another parameter.
"""

import re

from errdex.assist.conditions import literal
from errdex.assist.interface import Case, Finding, check
from errdex.assist.prose import read
from errdex.model.assistance import Suggestion

_DEFAULT = re.compile(r"(?i)\bdefault(?: value)?(?: of| is|,| to|:)? (?P<value>§\d+|-?\d+(?:\.\d+)?)")


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a default that no parameter named in the sentence has; one that is right is a ground."""
    prose, defaults = read(suggestion.text), case.known.defaults
    for match in _DEFAULT.finditer(prose.plain):
        value = match.group("value")
        value = prose.spans[int(value[1:])] if value.startswith("§") else value
        if not literal(value)[0]:
            continue
        named = [span for span in prose.spans if span in case.known.parameters]
        if not any(literal(defaults.get(name, "")) == literal(value) for name in named):
            return Finding(
                objection=f"{value} is not the default of {' or '.join(named) or 'anything named'}"
            )
        return Finding(ground=f"the default is {value}")
    return None
