"""The seam of `explain`: what a family is, what it is told, what it answers.

A family is one module of `families/`: a docstring under fixed headings (it is the family's
page), its data in `@family(...)`, and one function that says no early. The registry is the
folder: adding a family edits nothing else.

At most one family claims a site. Which one is not left to file order: the claim of the
greater `Strength` wins; between equals, the nearer class, then the family that takes in fewer kinds of failure
(`breadth`); between those, the one that the other names in `yields_to`. Two
equal claims of which neither yields are an error of ours: no family is named, and
`tests/explain/test_families_on_real_sites.py` fails.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

from errdex.model.explanation import HandlingStrategy

if TYPE_CHECKING:
    from errdex.explain.facts import Facts
    from errdex.model.site import ThrowSite

HEADINGS = ("Means", "Not this", "Causes", "Fix", "Prevent", "Proof", "Source")
"""The headings of a family's docstring, in order, after its title line."""


@dataclass(frozen=True, kw_only=True)
class Context:
    """What surrounds a site: the package, its sources, the other sites of the file."""

    package: str
    version: str | None
    repo: str
    source_lines: Callable[[str], Sequence[str]]
    """The lines of a file of the tree, without line ends; empty for a file that is not there."""
    file_sites: Sequence[ThrowSite] = ()
    """All sites of the explained site's file, in source order."""


class Strength(enum.IntEnum):
    """What a claim rests on, weakest first."""

    WORDS = 1
    """Words of the message alone."""
    SHAPE = 2
    """The form of the guard alone."""
    CLASS = 3
    """The class names the field (`ProxyError`), an ancestor or a class that many failures share (`KeyError`) narrows it,
    or a builtin was caught."""
    SHAPE_AND_WORDS = 4
    """The guard's form, and the message says so too."""
    OWN_CLASS = 5
    """A class made for this failure (`ConnectTimeout`, `PermissionError`), or an HTTP status."""


Breadth = Literal["broad", "common", "narrow"]
"""How much a family takes in: a broad one (any refused type) gives way to a narrow one (a wrong time zone)."""
_NARROWNESS: dict[Breadth, int] = {"broad": 0, "common": 1, "narrow": 2}


@dataclass(frozen=True, slots=True)
class Claim:
    """A family's answer: why it claims the site, and this site's names for its sentences."""

    strength: Strength
    slots: Mapping[str, str] = field(default_factory=dict)
    distance: int = 0
    """How many classes lie between the error's class and the ancestor that the claim rests on."""

    @property
    def rank(self) -> tuple[int, int]:
        """What orders claims: the strength, then nearness."""
        return (self.strength, -self.distance)


@dataclass(frozen=True, kw_only=True)
class Family:
    """One kind of failure across libraries."""

    slug: str
    claim: Callable[[Facts], Claim | None]
    page: Page
    situations: tuple[str, ...]
    """When it happens to people. `{slot}` stands for this site's names: a sentence whose slots the claim
    does not fill is left out."""
    prevention: tuple[str, ...]
    unnamed: tuple[str, ...] = ()
    """A situation, then advice, for a site whose claim names nothing."""
    solutions: tuple[str, ...] = ()
    """What helps beyond turning the guard round, likeliest first."""
    strategy: HandlingStrategy | None = None
    tags: tuple[str, ...] = ()
    yields_to: frozenset[str] = frozenset()
    """Families of the same breadth that win where both claim with equal strength."""
    breadth: Breadth = "narrow"
    since: str


@dataclass(frozen=True)
class Page:
    """A family's docstring, taken apart: the text of `/info/{slug}/`."""

    title: str
    sections: Mapping[str, tuple[str, ...]]
    """By heading, in the order of `HEADINGS`; each item one sentence or more."""


def family(
    slug: str,
    *,
    situations: Sequence[str],
    prevention: Sequence[str],
    unnamed: Sequence[str] = (),
    solutions: Sequence[str] = (),
    strategy: HandlingStrategy | None = None,
    tags: Sequence[str] = (),
    breadth: Breadth = "narrow",
    yields_to: Sequence[str] = (),
    since: str = "0.1",
) -> Callable[[Callable[[Facts], Claim | None]], Callable[[Facts], Claim | None]]:
    """Register the decorated matcher, and its module's docstring as page, under `slug`."""

    def register(claim: Callable[[Facts], Claim | None]) -> Callable[[Facts], Claim | None]:
        module = inspect.getmodule(claim)
        _REGISTERED[slug] = Family(
            slug=slug,
            claim=claim,
            page=read_page((module.__doc__ if module else None) or ""),
            situations=tuple(situations),
            prevention=tuple(prevention),
            unnamed=tuple(unnamed),
            solutions=tuple(solutions),
            strategy=strategy,
            tags=tuple(tags),
            breadth=breadth,
            yields_to=frozenset(yields_to),
            since=since,
        )
        return claim

    return register


_REGISTERED: dict[str, Family] = {}


@cache
def families() -> Mapping[str, Family]:
    """Return every family by slug, in the order of their slugs: the modules of `families/`, read once."""
    package = importlib.import_module("errdex.explain.families")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_REGISTERED.items()))


def claims(facts: Facts) -> dict[str, Claim]:
    """Return every family's claim on the site, by slug; most sites have one or two."""
    found: dict[str, Claim] = {}
    if facts.runs_as_program or facts.hands_on:
        return found
    for slug, candidate in families().items():
        claim = candidate.claim(facts)
        if claim is not None:
            found[slug] = claim
    return found


def strongest(found: Mapping[str, Claim]) -> tuple[str, ...]:
    """Return the slugs whose claim nobody beats: one, none, or several equal ones (a mistake in the families)."""
    if len(found) < 2:
        return tuple(found)
    known = families()
    rank = {slug: (claim.rank, _NARROWNESS[known[slug].breadth]) for slug, claim in found.items()}
    top = max(rank.values())
    equal = [slug for slug, value in rank.items() if value == top]
    return tuple(slug for slug in equal if known[slug].yields_to.isdisjoint(equal))


def read_page(text: str) -> Page:
    """Read a family's docstring: a title, then `Heading: text` paragraphs whose items are lines starting `- `."""
    title, _, rest = text.strip().partition("\n")
    sections: dict[str, tuple[str, ...]] = {}
    for part in re.split(r"\n(?=[A-Z][a-z]+(?: [a-z]+)?: ?)", "\n" + rest):
        heading, colon, body = part.strip().partition(":")
        if colon:
            items = re.split(r"(?:^|\n)\s*- ", "\n" + body)
            sections[heading] = tuple(" ".join(item.split()) for item in items if item.strip())
    return Page(title.strip(), sections)
