"""Which of an index's files to read: the choice, without asking anyone.

An artifact is read and never installed, so any platform's and any interpreter's wheel will do.
The choice must not depend on the machine: the same index gives the same file everywhere.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

import msgspec
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

LARGE_BYTES = 128 * 1024 * 1024
"""Wheels above this carry GPU code; another platform's wheel of the release has the same sources at a tenth."""

_PLATFORMS = ("manylinux", "linux", "musllinux", "macosx", "win")


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One file that an index offers."""

    filename: str
    version: Version
    url: str
    """Without fragment; may hold credentials, never shown."""
    shown_url: str
    hashes: dict[str, str]
    """Hex digests that the index promises, by algorithm."""
    is_yanked: bool = False

    @property
    def is_wheel(self) -> bool:
        """Whether it is a wheel; else it is a source archive."""
        return self.filename.endswith(".whl")

    @property
    def is_pure(self) -> bool:
        """Whether it is a wheel for any platform."""
        return self.filename.endswith("-any.whl")


def choose_version(
    offered: Iterable[Candidate], wanted: str | None, *, pre: bool, allowed: SpecifierSet
) -> Version | None:
    """Return the version to read, or None when none fits.

    `wanted` as PEP 440 matches `==`: a local version (`2.1+cpu`) stands in for its public one.
    Without it, the newest that is `allowed`, not yanked and not a pre-release; then less and less strict.
    """
    everything = list(offered)
    if wanted is not None:
        exact = Version(wanted)
        versions = {candidate.version for candidate in everything}
        same = [version for version in versions if version == exact]
        same_public = [version for version in versions if Version(version.public) == exact]
        return max(same or same_public, default=None)
    fit = [candidate for candidate in everything if allowed.contains(candidate.version, prereleases=True)]
    kept = [candidate for candidate in fit if not candidate.is_yanked]
    stable = [candidate for candidate in kept if pre or not candidate.version.is_prerelease]
    for pool in (stable, kept, fit):
        if pool:
            return max(candidate.version for candidate in pool)
    return None


def in_order(offered: Iterable[Candidate]) -> list[Candidate]:
    """Return one release's files, the one to read first: pure wheels, other wheels, source archives."""
    return sorted(offered, key=_preference)


def _preference(candidate: Candidate) -> tuple[object, ...]:
    if not candidate.is_wheel:
        return (2, 0, 0, 0, _archive_rank(candidate.filename), candidate.filename)
    python, _, platform = candidate.filename.removesuffix(".whl").rsplit("-", 3)[1:]
    interpreters = [int(digits) for digits in re.findall(r"(?:cp|py)(\d+)", python)]
    rank = next((rank for rank, name in enumerate(_PLATFORMS) if platform.startswith(name)), len(_PLATFORMS))
    other_machine = "x86_64" not in platform and "amd64" not in platform
    newest = max(interpreters, default=0)
    return (0 if candidate.is_pure else 1, rank, other_machine, -newest, 0, candidate.filename)


def _archive_rank(filename: str) -> int:
    suffixes = (".tar.gz", ".tgz", ".zip", ".tar.bz2", ".tar.xz")
    return next((rank for rank, suffix in enumerate(suffixes) if filename.endswith(suffix)), len(suffixes))


def alternatives(ordered: Sequence[Candidate]) -> list[Candidate]:
    """Return the wheels worth weighing against a large first one: the newest interpreter's of each platform."""
    best: dict[tuple[str, str], Candidate] = {}
    for candidate in ordered:
        if candidate.is_wheel:
            platform = candidate.filename.removesuffix(".whl").rsplit("-", 1)[1]
            family = re.sub(r"[\d_]+.*", "", platform)
            best.setdefault((family, platform.rpartition("_")[2]), candidate)
    return list(best.values())


def near_versions(wanted: str, offered: Iterable[Version]) -> tuple[str, ...]:
    """Return up to six versions that the user may have meant: of the same series, alike in writing, the newest."""
    exact = Version(wanted)
    versions = sorted(set(offered), reverse=True)
    texts = [str(version) for version in versions]
    below = next((str(version) for version in versions if version < exact), None)
    above = next((str(version) for version in reversed(versions) if version > exact), None)
    found = [text for text in (below, above) if text]
    found += difflib.get_close_matches(wanted, texts, n=3, cutoff=0.6)
    found += texts[:1]
    return tuple(dict.fromkeys(found))[:6]


def constraint_for(name: str, lines: Iterable[str]) -> SpecifierSet:
    """Return what pip's constraint files allow of `name`; lines that are no plain requirement are left aside."""
    allowed = SpecifierSet()
    for line in lines:
        try:
            requirement = Requirement(line.partition(" #")[0].strip())
        except InvalidRequirement:
            continue
        applies = requirement.marker is None or requirement.marker.evaluate()
        if canonicalize_name(requirement.name) == name and requirement.url is None and applies:
            allowed &= requirement.specifier
    return allowed
