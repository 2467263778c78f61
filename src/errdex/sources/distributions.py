"""Distributions installed on this machine: which one has a name, which one owns a file.

Knows `.dist-info` (with or without RECORD), `.egg-info` and editable installs. Reads files only.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution
from pathlib import Path

import msgspec
from packaging.utils import canonicalize_name

from errdex.sources.metadata import PackageFacts, parse_metadata

SITE_FOLDERS = ("site-packages", "dist-packages")


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """One installed distribution."""

    name: str
    """Normalised."""
    version: str | None
    description: str
    root: Path
    """What its paths are relative to: the site-packages folder, or an editable project's import root."""
    tops: tuple[str, ...] = ()
    """Top-level modules and packages as paths below `root`; set where no RECORD lists the files."""
    record: str | None = None
    """Text of its RECORD; None where there is none, or it lists an editable install's stubs only."""


def by_name(name: str, path: list[str] | None = None) -> Installed | None:
    """Return the distribution of that name, or the one that provides the import `name`; the first on the path."""
    where = sys.path if path is None else path
    for distribution in Distribution.discover(name=name, path=where):
        return read(distribution)
    owner = _provider(name, where)
    return read(owner) if owner is not None else None


def names(path: list[str] | None = None) -> list[str]:
    """Return the normalised names of everything installed, sorted."""
    found = Distribution.discover(path=sys.path if path is None else path)
    return sorted(
        {canonicalize_name(text) for distribution in found if (text := _name_by_folder(distribution))}
    )


def owner_of(site: Path, relative: str) -> Installed | None:
    """Return the distribution in the folder `site` that installed the file `relative`, None if none says so."""
    top = relative.partition("/")[0].removesuffix(".py")
    likely: list[Distribution] = []
    others: list[Distribution] = []
    for distribution in Distribution.discover(path=[str(site)]):
        alike = canonicalize_name(_name_by_folder(distribution)) == canonicalize_name(top)
        (likely if alike else others).append(distribution)
    for distribution in (*likely, *others):
        record = distribution.read_text("RECORD")
        if record is not None and _lists(record, relative):
            return read(distribution)
    for distribution in (*likely, *others):
        name = _name_by_folder(distribution)
        if distribution.read_text("RECORD") is None and top in _declared_tops(distribution, name):
            return read(distribution)
    return None


def editable_owner(path: Path) -> Installed | None:
    """Return the editable install of this interpreter whose import root holds the file `path`."""
    for distribution in Distribution.discover(path=sys.path):
        if _is_editable(distribution):
            found = read(distribution)
            if path.is_relative_to(found.root) and (
                not found.tops or any(path.is_relative_to(found.root / top) for top in found.tops)
            ):
                return found
    return None


def read(distribution: Distribution) -> Installed:
    """Return what is known of a distribution."""
    facts = _facts(distribution)
    name: str = canonicalize_name(facts.name or "unknown")
    root = Path(str(distribution.locate_file(""))).resolve()
    record = distribution.read_text("RECORD")
    tops: tuple[str, ...] = ()
    if _is_editable(distribution):
        editable = _editable_root(root, record or "")
        if editable is not None:
            root, record = editable, None
    if record is None:
        tops = _existing_tops(root, _declared_tops(distribution, facts.name))
    return Installed(
        name=name,
        version=facts.version or None,
        description=facts.description,
        root=root,
        tops=tops,
        record=record,
    )


def recorded_paths(record: str) -> Iterator[str]:
    """Yield the paths a RECORD lists, without those outside site-packages and compiled files."""
    for row in csv.reader(record.splitlines()):
        if row and not row[0].startswith(("/", "..")) and "__pycache__/" not in row[0] and ":" not in row[0]:
            yield row[0].replace("\\", "/")


def _lists(record: str, relative: str) -> bool:
    return record.startswith(f"{relative},") or f"\n{relative}," in record


def _facts(distribution: Distribution) -> PackageFacts:
    """Read its METADATA, or PKG-INFO (an egg-info folder), or the egg-info file itself."""
    texts = (distribution.read_text(name) for name in ("METADATA", "PKG-INFO", ""))
    return parse_metadata(next((text for text in texts if text), ""))


def _name_by_folder(distribution: Distribution) -> str:
    """Return the name as its folder has it, no file read; importlib.metadata keeps the folder on `_path`."""
    place = getattr(distribution, "_path", None)
    if place is None:
        return _facts(distribution).name
    return str(place.name).partition("-")[0].removesuffix(".egg-info").removesuffix(".dist-info")


def _declared_tops(distribution: Distribution, name: str) -> list[str]:
    stated = distribution.read_text("top_level.txt")
    if stated:
        return stated.split()
    return [name, name.replace("-", "_"), name.replace("-", "_").lower(), name.replace("-", "/")]


def _existing_tops(root: Path, candidates: Iterable[str]) -> tuple[str, ...]:
    found: list[str] = []
    for top in dict.fromkeys(candidates):
        if top and (root / top).is_dir():
            found.append(top)
        elif top and (root / f"{top}.py").is_file():
            found.append(f"{top}.py")
    return tuple(found)


def _provider(import_name: str, where: list[str]) -> Distribution | None:
    """Return the distribution that installs the top-level module, as RECORD or top_level.txt says."""
    top = import_name.partition(".")[0]
    for distribution in Distribution.discover(path=where):
        stated = (distribution.read_text("top_level.txt") or "").split()
        if any(_same_module(word, top) for word in stated):
            return distribution
        record = distribution.read_text("RECORD") or ""
        match = re.search(rf"^({_loosely(top)})(?:/__init__)?\.pyi?,", record, re.MULTILINE | re.IGNORECASE)
        if match:
            return distribution
    return None


def _same_module(one: str, other: str) -> bool:
    return canonicalize_name(one) == canonicalize_name(other)


def _loosely(top: str) -> str:
    return "[-_.]".join(re.escape(part) for part in re.split(r"[-_.]+", top))


def _is_editable(distribution: Distribution) -> bool:
    try:
        origin = json.loads(distribution.read_text("direct_url.json") or "{}")
        return bool(origin.get("dir_info", {}).get("editable"))
    except (ValueError, AttributeError):
        return False


def _editable_root(site: Path, record: str) -> Path | None:
    """Return the folder an editable install imports from: its `.pth` names it, or setuptools' finder does."""
    for path in recorded_paths(record):
        if path.endswith(".pth"):
            for line in _lines(site / path):
                folder = Path(line)
                if not line.startswith(("import ", "#")) and folder.is_absolute() and folder.is_dir():
                    return folder.resolve()
        elif re.fullmatch(r"__editable__.*_finder\.py", path):
            mapped = _finder_mapping(site / path)
            if mapped:
                return Path(next(iter(mapped.values()))).resolve().parent
    return None


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError):
        return []


def _finder_mapping(path: Path) -> dict[str, str]:
    """Return setuptools' MAPPING (import name -> folder), read as a literal and never run."""
    try:
        module = ast.parse(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, SyntaxError):
        return {}
    for statement in module.body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "MAPPING" for target in targets):
            try:
                found = ast.literal_eval(statement.value)  # type: ignore[attr-defined]
            except ValueError:
                return {}
            return found if isinstance(found, dict) else {}
    return {}
