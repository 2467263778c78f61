"""Bindings: the values of a template's holes, read out of a message."""

from __future__ import annotations

from errdex.model.answer import Binding
from errdex.search.shape import find_literals, parse_template, squeeze

LONGEST_VALUE = 400


def bind(template: str, message: str) -> tuple[Binding, ...]:
    """Return what each hole of `template` holds in `message`; empty when the message does not fit.

    Two holes with nothing between them cannot be told apart: the first takes all. A message that was
    wrapped is read with its line breaks as spaces.
    """
    parsed = parse_template(template)
    if not parsed.holes:
        return ()
    literals = [*parsed.literals]
    literals[0], literals[-1] = literals[0].lstrip(), literals[-1].rstrip()
    message = message.strip()
    spans = find_literals(literals, message)
    if spans is None:
        message = " ".join(message.split())
        spans = find_literals([" ".join(literal.split(" ")) for literal in literals], message)
    if spans is None:
        return _bind_until_cut(literals, parsed.holes, message)
    bindings = []
    for number, expression in enumerate(parsed.holes):
        start = spans[number][1]
        last = number + 1 == len(literals) - 1 and not literals[-1]
        end = len(message) if last else spans[number + 1][0]
        bindings.append(Binding(expression=expression, value=_short(message[start:end])))
    return tuple(bindings)


def _bind_until_cut(literals: list[str], holes: tuple[str, ...], message: str) -> tuple[Binding, ...]:
    """Return the bindings of a message that stops early: the holes that are closed by a literal."""
    bindings: list[Binding] = []
    at = message.find(literals[0])
    if at < 0 or squeeze(literals[0]) == "":
        return ()
    at += len(literals[0])
    for expression, literal in zip(holes, literals[1:], strict=True):
        place = message.find(literal, at) if literal else -1
        if place < 0:
            break
        bindings.append(Binding(expression=expression, value=_short(message[at:place])))
        at = place + len(literal)
    return tuple(bindings)


def _short(value: str) -> str:
    return value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
