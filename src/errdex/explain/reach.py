"""What a caller can do about a value that no argument of the call holds, and how a private callable is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errdex.explain.english import code, listed, sentence
from errdex.explain.facts import Facts
from errdex.explain.origins import Origin, attribute_origins, local_origin, module_origin
from errdex.explain.subjects import source_of
from errdex.model.explanation import Sentence
from errdex.syntax.logic import Test

MAX_SETTERS = 3
"""Methods named in one sentence."""
_STATE = re.compile(r"(?:self|cls)\.(\w+)")
_CREATING = frozenset(("__init__", "__new__", "__post_init__"))


def call_of(facts: Facts) -> str:
    """Return "Call `f`" in words that fit who calls it: a private callable is reached through a public one."""
    callable_ = facts.site.callable
    if callable_.is_public or callable_.kind == "module":
        return f"Call {facts.names.callable}"
    entry = next((entry for entry in facts.site.entry_points if entry.chain), None)
    if entry is None:
        return f"Within {code(facts.context.package)}, {facts.names.callable} must be called"
    return f"Call {code(entry.name)}, which leads to {facts.names.callable},"


def out_of_reach(facts: Facts, test: Test) -> Sentence | None:
    """Say what decides a test that reads no argument: who sets the object's state, which import, which earlier line."""
    state = _STATE.fullmatch(test.subject)
    if state is not None:
        return _state(facts, test, state[1])
    root = re.match(r"[A-Za-z_]\w*", test.subject)
    if root is None:
        return None
    local = local_origin(facts, root[0])
    if local is not None:
        return _local(facts, root[0], local)
    if test.subject == root[0]:
        return _flag(facts, root[0])
    return None


def decided_elsewhere(facts: Facts, test: Test) -> Sentence | None:
    """Say which line decides a test that reads no argument; the advice of `out_of_reach` says how."""
    root = re.match(r"[A-Za-z_]\w*", test.subject)
    origin = local_origin(facts, root[0]) if root is not None and root[0] not in {"self", "cls"} else None
    if root is None or origin is None or origin.kind == "caught":
        return None
    return _told(
        facts,
        origin,
        f"it depends on {code(root[0])}, which line {origin.line} sets, not on an argument as it is passed",
    )


def _state(facts: Facts, test: Test, attribute: str) -> Sentence | None:
    """Name the methods whose call brings the object into the state that is asked for, or into the refused one."""
    origins = attribute_origins(facts, attribute)
    name = code(attribute)
    owner = code(facts.site.callable.name.rpartition(".")[0].rpartition(".")[2] or "object")
    absent = test.relation in {"is-none", "false", "lacks"}
    present = test.relation in {"not-none", "true"}
    if not origins or not (absent or present):
        return None
    setting = [
        origin
        for origin in origins
        if _is_nothing(origin.value) == present and origin.function not in _CREATING
    ]
    if absent:
        methods = _public(setting, facts)
        if methods:
            verb = "sets" if len(methods) == 1 else "set"
            return _told(
                facts,
                setting[0],
                f"call {listed(methods, 'or')} first: it {verb} {name}".replace("it set ", "they set "),
            )
    else:
        doing = _public(
            [
                origin
                for origin in origins
                if not _is_nothing(origin.value) and origin.function not in _CREATING
            ],
            facts,
        )
        if doing:
            verb = "sets" if len(doing) == 1 else "set"
            ends = _public(setting, facts)
            way = f"; {listed(ends, 'or')} takes it back" if ends else f", or create a new {owner}"
            return _told(
                facts, origins[0], f"{listed(doing, 'or')} {verb} {name}: make this call before it{way}"
            )
    given = next(
        (
            origin
            for origin in origins
            if origin.function in _CREATING and origin.value == attribute.lstrip("_")
        ),
        None,
    )
    if given is not None and len(origins) == 1:
        wanted = {"true": f"{given.value}=False", "not-none": f"{given.value}=None"}.get(
            test.relation, given.value
        )
        kept = "" if given.value == attribute else f": it is kept as {name}"
        return _told(facts, given, f"create the {owner} with {code(wanted)}{kept}")
    return None


def _public(origins: Sequence[Origin], facts: Facts) -> list[str]:
    """Return the public methods among those that hold `origins`, the callable itself left out."""
    own = facts.site.callable.name.rpartition(".")[2]
    names = dict.fromkeys(
        origin.function for origin in origins if origin.function and not origin.function.startswith("_")
    )
    return [code(name) for name in names if name != own][:MAX_SETTERS]


def _is_nothing(value: str) -> bool:
    return value in {"None", "False", "0", "''", '""', "[]", "{}", "()", "b''", 'b""', "set()"}


def _local(facts: Facts, name: str, origin: Origin) -> Sentence | None:
    if origin.kind == "caught":
        text = f"{code(name)} is the {code(origin.value)} that was caught; remove its cause, which the traceback shows above this error"
        return _told(facts, origin, text)
    if not origin.value:
        return None
    how = {
        "assigned": f"comes from {code(origin.value)}",
        "looped": f"is each item of {code(origin.value)} in turn",
        "entered": f"is what {code('with ' + origin.value)} gives",
    }.get(origin.kind)
    return (
        _told(facts, origin, f"{code(name)} {how} (line {origin.line}): change what goes in there")
        if how
        else None
    )


def _flag(facts: Facts, name: str) -> Sentence | None:
    origin = module_origin(facts, name)
    if origin is None:
        return None
    if origin.kind == "imported":
        return _told(
            facts,
            origin,
            f"{code(name)} tells whether {code('import ' + origin.value)} worked: install what provides it",
        )
    return _told(
        facts,
        origin,
        f"{code(name)} is decided where the module is imported: {code(f'{name} = {origin.value}')}",
    )


def _told(facts: Facts, origin: Origin, text: str) -> Sentence:
    return Sentence(text=sentence(text), provenance=source_of(facts, origin.line))
