"""What a name may hold, asked by the resolver of messages and answered by whoever knows the surroundings."""

from __future__ import annotations

import ast
from typing import Protocol

from errdex.syntax.words import Origin


class Value:
    """One thing that a name may hold: an expression, in the scope where it was written."""

    __slots__ = ("before", "expression", "scope")

    def __init__(self, expression: ast.expr, scope: Scope, before: list[Value] | None = None) -> None:
        self.expression = expression
        self.scope = scope
        self.before = before
        """For `name += expression`: what the name may have held before."""


class Found:
    """Everything that a name may hold, and where that was found."""

    __slots__ = ("is_certain", "origin", "values")

    def __init__(self, values: list[Value], origin: Origin, *, is_certain: bool = True) -> None:
        self.values = values
        self.origin: Origin = origin
        self.is_certain = is_certain
        """False for a parameter's default: a caller may give anything else."""


class Scope(Protocol):
    """The surroundings of an expression."""

    @property
    def level(self) -> int:
        """How many calls were followed to get here from the site."""

    def text(self, node: ast.expr) -> str:
        """Return the expression as source, in the words of the function that holds the site."""

    def lookup(self, name: str) -> Found | None:
        """Return what a name may hold; None when nothing is known of it."""

    def attribute(self, node: ast.Attribute) -> Found | None:
        """Return what an attribute may hold; None when nothing is known of it."""

    def call(self, node: ast.Call, caller: Scope) -> Found | None:
        """Return what a call, written in the scope `caller`, may return; None when nothing is known of it."""
