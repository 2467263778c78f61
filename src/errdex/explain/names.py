"""How the things a condition reads are called, seen from outside of the callable."""

from __future__ import annotations

import re

from errdex.explain.english import code, ordinal
from errdex.model.site import CallableFacts, Parameter


class Names:
    """How the things a condition reads are called, seen from outside of the callable."""

    def __init__(self, callable_: CallableFacts) -> None:
        self._parameters = {parameter.name: parameter for parameter in callable_.parameters}
        self._variadic = next((p.name for p in callable_.parameters if p.kind == "var-keyword"), None)
        owner = callable_.name.rpartition(".")[0].rpartition(".")[2]
        self._owner = owner if owner and owner != "<locals>" else None
        self._kind = callable_.kind

    def parameter(self, text: str) -> Parameter | None:
        """Return the parameter that `text` is, or None."""
        return self._parameters.get(text.lstrip("*"))

    def root_parameter(self, text: str) -> Parameter | None:
        """Return the parameter that `text` starts from (`q` for `q.shape[0]`, `len(q)`), or None."""
        for name in re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*", text):
            found = self._parameters.get(name)
            if found is not None:
                return found
        return None

    def is_variadic(self, text: str) -> bool:
        """Whether `text` is the callable's `**kwargs`."""
        return text == self._variadic

    def subject(self, text: str) -> str:
        """Return the noun phrase for an expression."""
        owned = re.fullmatch(r"(self|cls)\.([A-Za-z_]\w*)", text)
        if owned and self._owner and owned[1] == "self":
            return f"the {code(self._owner)}'s {code(owned[2])}"
        if owned and self._owner:
            return f"{code(self._owner + '.' + owned[2])}"
        if text == "self" and self._owner:
            return f"the {code(self._owner)}"
        sized = re.fullmatch(r"len\((.+)\)", text)
        if sized and balanced(sized[1]):
            return f"the length of {self.subject(sized[1])}"
        typed = re.fullmatch(r"type\((.+)\)", text)
        if typed and balanced(typed[1]):
            return f"the type of {self.subject(typed[1])}"
        part = re.fullmatch(r"([A-Za-z_][\w.]*)\.(shape|size)(?:\[|\()(-?\d)(?:\]|\))", text)
        if part and ordinal(int(part[3])):
            return f"the {ordinal(int(part[3]))} dimension of {self.subject(part[1])}"
        whole = re.fullmatch(r"([A-Za-z_][\w.]*)\.(dtype|shape|ndim|device|size)", text)
        if whole and whole[1] != "self":
            word = {"ndim": "number of dimensions"}.get(whole[2], whole[2])
            return f"the {word} of {self.subject(whole[1])}"
        return code(text)


def balanced(text: str) -> bool:
    """Whether every bracket that opens in `text` closes in it, in order."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0
