"""The seam of `assist`: what a check is, what it may read, what it answers.

A check is one module of `checks/`: a docstring that names the falsehood it was written
against, and one function under `@check(...)`. The registry is the folder: adding a check
edits nothing else. A check answers one of three: `None` (the suggestion claims nothing
that it knows of), `Finding` with `ground` (a claim, found to be so), or with `objection`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from errdex.assist.definitions import Definitions
from errdex.assist.known import Known
from errdex.model.assistance import Suggestion, Trial
from errdex.model.record import Evidence, Record
from errdex.model.site import MessageTemplate, ThrowSite
from errdex.syntax.code_block import Names

Runner = Callable[[str], Trial]
"""Runs a program in the sandbox, watched for the record's site; `pipeline` binds it to a prover."""


class Package:
    """What the checks of all records of one package at one revision share."""

    def __init__(
        self, name: str, version: str | None, sites: Iterable[ThrowSite], source: Callable[[str], str | None]
    ) -> None:
        """Take the package's name, all its sites, and what gives a file's text (None for a file that is not there)."""
        self.name, self.version, self.source = name, version, source
        self.sites: Sequence[ThrowSite] = tuple(sites)
        self.names = Names(self.sites, source)
        self.definitions = Definitions(
            ((site.callable.module, site.callable.path) for site in self.sites), source
        )


@dataclass(frozen=True, kw_only=True)
class Case:
    """One record, and all that a check may read."""

    record: Record
    evidence: Evidence
    package: Package
    run: Runner
    """Where nothing can be run, every trial is lost: code, and a sentence whose claim has to be tried, is refused."""
    prompt: tuple[str, ...] = ()
    """The prompt's own instructions and examples, whose words are no answer; the facts it quotes are not among them."""

    @property
    def site(self) -> ThrowSite:
        """The record's own site."""
        return self.evidence.sites[0]

    @cached_property
    def known(self) -> Known:
        """The record's facts, as checks look them up."""
        source = self.package.source(self.site.path) or ""
        return Known(self.record, self.evidence, self.package.definitions, source)

    @cached_property
    def template(self) -> MessageTemplate | None:
        """The record's own wording."""
        return next((each for each in self.site.templates if each.text == self.evidence.template), None)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: a ground or an objection, in words."""

    ground: str = ""
    objection: str = ""


Look = Callable[[Suggestion, Case], Finding | None]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One check."""

    slug: str
    look: Look
    against: str
    """The falsehood that it was written against."""
    runs_code: bool = False
    """Asked last, and only where no other check objects."""


_REGISTERED: dict[str, Check] = {}


def check(*, runs_code: bool = False) -> Callable[[Look], Look]:
    """Register the decorated function under its module's name."""

    def register(look: Look) -> Look:
        module = inspect.getmodule(look)
        assert module is not None
        slug = module.__name__.rpartition(".")[2].replace("_", "-")
        against = inspect.cleandoc(module.__doc__ or "").partition("Against:")[2]
        _REGISTERED[slug] = Check(
            slug=slug, look=look, against=" ".join(against.split()), runs_code=runs_code
        )
        return look

    return register


@cache
def checks() -> Mapping[str, Check]:
    """Return every check by slug: the modules of `checks/`, read once; those that run code come last."""
    package = importlib.import_module("errdex.assist.checks")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_REGISTERED.items(), key=lambda item: (item[1].runs_code, item[0])))
