"""Distributions installed on this machine: which one has a name, which one owns a file.

Knows `.dist-info` (with or without RECORD), `.egg-info` and editable installs. Reads files only.
The folders are read here and not by `importlib.metadata`, whose import alone costs `errdex explain`
as much as the whole look-up (e-mail parser, zip files).
"""

from __future__ import annotations

import ast
import csv
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

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


class Info(msgspec.Struct, frozen=True):
    """A `.dist-info` or `.egg-info` folder (or file) of one distribution."""

    path: Path

    @property
    def name(self) -> str:
        """The distribution's normalised name, as the folder has it."""
        return normal_name(re.sub(r"\.(dist|egg)-info$", "", self.path.name).partition("-")[0])

    def text(self, name: str) -> str | None:
        """Return the text of a file in it, None when it is not there."""
        try:
            return (self.path / name).read_text("utf-8", "replace")
        except OSError:
            return None

    def facts(self) -> PackageFacts:
        """Return what its METADATA says, or its PKG-INFO, or the egg-info file itself."""
        texts = (self.text(name) for name in ("METADATA", "PKG-INFO", ""))
        stated = parse_metadata(next((text for text in texts if text), ""))
        return stated if stated.name else msgspec.structs.replace(stated, name=self.name)


def infos(folders: Iterable[str | Path]) -> Iterator[Info]:
    """Yield what is installed in each folder, in order; folders that cannot be read are passed over."""
    for folder in dict.fromkeys(str(folder) for folder in folders):
        try:
            inside = sorted(os.listdir(folder or "."))  # noqa: PTH208  # names only, of some hundred entries
        except OSError:
            continue
        for name in inside:
            if name.endswith((".dist-info", ".egg-info")):
                yield Info(Path(folder) / name)


def normal_name(name: str) -> str:
    """Return a distribution's name in its one normal form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def by_name(name: str, path: Iterable[str] | None = None) -> Installed | None:
    """Return the distribution of that name, or the one that provides the import `name`; the first on the path."""
    installed = list(infos(sys.path if path is None else path))
    wanted = normal_name(name)
    for info in installed:
        if info.name == wanted:
            return read(info)
    owner = _provider(name.partition(".")[0], installed)
    return read(owner) if owner is not None else None


def names(path: Iterable[str] | None = None) -> list[str]:
    """Return the normalised names of everything installed, sorted."""
    return sorted({info.name for info in infos(sys.path if path is None else path)})


def owner_of(site: Path, relative: str) -> Installed | None:
    """Return the distribution in the folder `site` that installed the file `relative`, None if none says so."""
    top = relative.partition("/")[0].removesuffix(".py")
    likeliest_first = sorted(infos([site]), key=lambda info: info.name != normal_name(top))
    for info in likeliest_first:
        record = info.text("RECORD")
        if record is not None and _lists(record, relative):
            return read(info)
    for info in likeliest_first:
        if not info.text("RECORD") and top in _declared_tops(info):
            return read(info)
    return None


def editable_owner(path: Path) -> Installed | None:
    """Return the editable install of this interpreter whose import root holds the file `path`."""
    for info in infos(sys.path):
        if _is_editable(info):
            found = read(info)
            if any(path.is_relative_to(found.root / top) for top in found.tops):
                return found
    return None


def read(info: Info) -> Installed:
    """Return what is known of a distribution."""
    facts = info.facts()
    root = info.path.parent.resolve()
    record = info.text("RECORD")
    if record and _is_editable(info):
        editable = _editable_root(root, record)
        if editable is not None:
            root, record = editable, None
    return Installed(
        name=normal_name(facts.name),
        version=facts.version or None,
        description=facts.description,
        root=root,
        tops=() if record else _existing_tops(root, _declared_tops(info)),
        record=record or None,
    )


def recorded_paths(record: str) -> Iterator[str]:
    """Yield the paths a RECORD lists, without those outside site-packages and compiled files."""
    for row in csv.reader(record.splitlines()):
        if row and not row[0].startswith(("/", "..")) and "__pycache__/" not in row[0] and ":" not in row[0]:
            yield row[0].replace("\\", "/")


def _lists(record: str, relative: str) -> bool:
    return record.startswith(f"{relative},") or f"\n{relative}," in record


def _declared_tops(info: Info) -> list[str]:
    stated = info.text("top_level.txt")
    if stated:
        return stated.split()
    name = info.facts().name
    return [name, name.replace("-", "_"), name.replace("-", "_").lower(), name.replace("-", "/")]


def _existing_tops(root: Path, candidates: Iterable[str]) -> tuple[str, ...]:
    found: list[str] = []
    for top in dict.fromkeys(candidates):
        if top and (root / top).is_dir():
            found.append(top)
        elif top and (root / f"{top}.py").is_file():
            found.append(f"{top}.py")
    return tuple(found)


def _provider(top: str, installed: Iterable[Info]) -> Info | None:
    """Return the distribution that installs the top-level module, as top_level.txt or RECORD says."""
    listed = re.compile(rf"^{_loosely(top)}(?:/__init__)?\.pyi?,", re.MULTILINE | re.IGNORECASE)
    for info in installed:
        stated = (info.text("top_level.txt") or "").split()
        if any(normal_name(word) == normal_name(top) for word in stated):
            return info
        if listed.search(info.text("RECORD") or ""):
            return info
    return None


def _loosely(top: str) -> str:
    return "[-_.]".join(re.escape(part) for part in re.split(r"[-_.]+", top))


def _is_editable(info: Info) -> bool:
    try:
        origin = json.loads(info.text("direct_url.json") or "{}")
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
