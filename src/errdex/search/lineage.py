"""The version fact: in which indexed versions a place is, at which line, and where its wording changed."""

from __future__ import annotations

import re

from errdex.model.answer import IndexEntry
from errdex.search.index import Index
from errdex.search.names import class_name
from errdex.search.places import files_of_path
from errdex.search.versions import fits_version

_NUMBER = re.compile(r"\d+|[a-z]+")
_LONGEST_QUOTE = 100
_FINAL = 1 << 20
"""Sorts a release after its own pre-releases, whose letters count as less."""


def version_key(version: str | None) -> tuple[int, ...]:
    """Return a key that sorts versions of one package: numbers by value, pre-releases before their release."""
    if version is None:
        return ()
    return (*(int(part) if part.isdigit() else -1 for part in _NUMBER.findall(version.lower())[:12]), _FINAL)


def version_fact(entry: IndexEntry, index: Index, stated: str | None) -> str | None:
    """Return one sentence on what the versions of `entry`'s package say of it; None if there is nothing to say."""
    if stated is None and len(index.versions_of(entry.package)) < 2:
        return None
    same, other = _spread(entry, index)
    facts: list[str] = []
    yours = next((version for version in same if stated is not None and fits_version(stated, version)), None)
    if yours is not None:
        facts.append(f"your {entry.package} {yours} raises this at line {same[yours]}")
    elif stated is not None and same:
        near = ", ".join(same)
        facts.append(f"your {entry.package} {stated} is not in the catalog; {near} {_raises(same)} this")
    elif len(same) > 1 or (same and other):
        facts.append(f"{entry.package} {_listed(list(same))} {_raises(same)} this in these words")
    own = version_key(yours or entry.version)
    later = [version for version in other if version_key(version) > own]
    earlier = [version for version in other if version_key(version) < own]
    if later:
        facts.append(f"it was reworded by {later[0]}: “{_quoted(other[later[0]])}”")
    elif earlier and facts:
        facts.append(f"{earlier[-1]} said “{_quoted(other[earlier[-1]])}”")
    text = "; ".join(facts)
    return f"{text[:1].upper()}{text[1:]}." if text else None


def _spread(entry: IndexEntry, index: Index) -> tuple[dict[str, int], dict[str, str]]:
    """Return version to line where the same function raises the same words, and version to words where it has others."""
    same: dict[str, int] = {}
    other: dict[str, str] = {}
    for number, file in files_of_path(index, entry.path):
        segment = index.segments[number]
        version = segment.optional_text(segment.file_version[file])
        if version is None or segment.text(segment.file_package[file]) != entry.package:
            continue
        for row in segment.entries_of_function(file, entry.function):
            template = segment.optional_text(segment.template[row])
            if template == entry.template:
                same.setdefault(version, segment.line[row])
            elif template is not None and _is_reworded(
                entry, template, segment.optional_text(segment.error_class[row])
            ):
                other[version] = template
    for version in same:
        other.pop(version, None)
    return (
        {version: same[version] for version in sorted(same, key=version_key)},
        {version: other[version] for version in sorted(other, key=version_key)},
    )


def _is_reworded(entry: IndexEntry, template: str, error_class: str | None) -> bool:
    """Return whether `template` reads like `entry`'s in other words: the same class, and most words shared."""
    if entry.template is None or class_name(error_class or "") != class_name(entry.error_class or ""):
        return False
    mine, theirs = set(entry.template.lower().split()), set(template.lower().split())
    return len(mine & theirs) * 2 > min(len(mine), len(theirs))


def _raises(same: dict[str, int]) -> str:
    return "raises" if len(same) == 1 else "raise"


def _listed(versions: list[str]) -> str:
    if len(versions) <= 3:
        return " and ".join([", ".join(versions[:-1]), versions[-1]]) if len(versions) > 1 else versions[0]
    return f"{versions[0]} to {versions[-1]}"


def _quoted(template: str) -> str:
    text = " ".join(template.split())
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
