"""What a family's errors have in common, read out of the family's own file: its docstring is the page."""

from __future__ import annotations

import importlib
import inspect
import re
from functools import cache

import msgspec

_HEADING = re.compile(r"^(Means|Not this|Causes|Fix|Prevent|Proof|Source):\s", re.MULTILINE)


class FamilyPage(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a family. All empty for one whose file this errdex does not have (an imported dataset's)."""

    title: str
    means: str = ""
    not_this: str = ""
    causes: tuple[str, ...] = ()
    fix: str = ""
    prevent: str = ""
    proof: str = ""
    source: str = ""
    """URL of the documentation behind it."""


@cache
def family_page(slug: str) -> FamilyPage:
    """Return the text of the family named `slug`."""
    title = slug.replace("-", " ")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug):
        return FamilyPage(title=title)
    try:
        # The name is a family's file by rule (style.md section 2); the pattern above keeps it one plain name.
        module = importlib.import_module(f"errdex.explain.families.{slug.replace('-', '_')}")
    except ModuleNotFoundError:
        return FamilyPage(title=title)
    return _read(title, inspect.getdoc(module) or "")


def _read(title: str, text: str) -> FamilyPage:
    """Read a docstring with the headings Means, Not this, Causes, Fix, Prevent, Proof, Source."""
    first, *rest = _HEADING.split(text)
    parts = {name: " ".join(body.split()) for name, body in zip(rest[::2], rest[1::2], strict=True)}
    return FamilyPage(
        title=" ".join(first.split()).rstrip(".") or title,
        means=parts.get("Means", ""),
        not_this=parts.get("Not this", ""),
        causes=tuple(
            item.strip()
            for item in re.split(r"(?:^|\s)- (?=[A-Z`])", parts.get("Causes", ""))
            if item.strip()
        ),
        fix=parts.get("Fix", ""),
        prevent=parts.get("Prevent", ""),
        proof=parts.get("Proof", ""),
        source=parts.get("Source", ""),
    )
