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
        self.callable = code(_shown_name(callable_.name))
        """The callable's own name."""
        self._told: dict[str, str] = {}

    def parameter(self, text: str) -> Parameter | None:
        """Return the parameter that `text` is, or None."""
        return self._parameters.get(text.lstrip("*"))

    def root_parameter(self, text: str) -> Parameter | None:
        """Return the parameter that `text` starts from (`q` for `q.shape[0]`, `len(q)`), or None."""
        for name in _NAME.findall(text):
            found = self._parameters.get(name)
            if found is not None:
                return found
        return None

    def is_variadic(self, text: str) -> bool:
        """Whether `text` is the callable's `**kwargs`."""
        return text == self._variadic

    def subject(self, text: str) -> str:
        """Return the noun phrase for an expression."""
        known = self._told.get(text)
        if known is None:
            known = self._told[text] = self._tell(text)
        return known

    def _tell(self, text: str) -> str:
        if text.isidentifier():
            return f"the {code(self._owner)}" if text == "self" and self._owner else code(text)
        if self._variadic and self._variadic in text:
            text = _POPPED.sub(lambda found: found[2] if found[1] == self._variadic else found[0], text)
        owned = _OWNED.fullmatch(text)
        if owned and self._owner:
            return (
                f"the {code(self._owner)}'s {code(owned[2])}"
                if owned[1] == "self"
                else code(f"{self._owner}.{owned[2]}")
            )
        called = _CALLED.fullmatch(text)
        if called and balanced(called[2]):
            return f"the {'length' if called[1] == 'len' else 'type'} of {self.subject(called[2])}"
        part = _DIMENSION.fullmatch(text)
        if part and ordinal(int(part[3])):
            return f"the {ordinal(int(part[3]))} dimension of {self.subject(part[1])}"
        whole = _PROPERTY.fullmatch(text)
        if whole and whole[1] != "self":
            word = "number of dimensions" if whole[2] == "ndim" else whole[2]
            return f"the {word} of {self.subject(whole[1])}"
        return code(text)


def _shown_name(name: str) -> str:
    """Return `Session` for `Session.__init__`, `it` for module level."""
    owner, _, last = name.replace(".<locals>", "").rpartition(".")
    return (
        owner
        if owner and last in {"__init__", "__new__", "__call__", "__post_init__"}
        else name.replace(".<locals>", "")
    )


_NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*")
_POPPED = re.compile(r"\b(\w+)\.(?:pop|get)\(['\"](\w+)['\"](?:, [^()]*)?\)")
_OWNED = re.compile(r"(self|cls)\.([A-Za-z_]\w*)")
_CALLED = re.compile(r"(len|type)\((.+)\)")
_DIMENSION = re.compile(r"([A-Za-z_][\w.]*)\.(shape|size)(?:\[|\()(-?\d)(?:\]|\))")
_PROPERTY = re.compile(r"([A-Za-z_][\w.]*)\.(dtype|shape|ndim|device|size)")


def balanced(text: str) -> bool:
    """Whether every bracket that opens in `text` closes in it, in order."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0
