"""What a user types, read as a coordinate; and `str(coordinate)` reads back as the same one."""

from __future__ import annotations

import re
from pathlib import Path

from errdex.errors import CoordinateError, OriginNotReadError
from errdex.model.source import Coordinate

KINDS = ("pypi", "env", "git", "npm")
"""Prefixes of a coordinate; without one it is a folder (or an archive file)."""
GIT_SCHEMES = frozenset({"https", "http", "ssh", "git", "file"})
"""What `git fetch` may speak. `ext::` runs programs and stays out."""

_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)", re.DOTALL)
_REPO = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def parse_coordinate(text: str, *, repo: str | None = None) -> Coordinate:
    """Return the coordinate that `text` names.

    `pypi:NAME[==VERSION]`, `env:NAME[==VERSION]`, `git:URL[@REV]`, or a path, which is
    made absolute. Names and versions are normalised as packaging does it. A path that
    holds `@` needs its revision said: `git:file:///a@b/repo@main`.

    Raises:
        CoordinateError: It is none of these.
        OriginNotReadError: It is `npm:…`, which is known but not read yet.
    """
    text = text.strip()
    if not text:
        raise CoordinateError(text, "it is empty", "Try `pypi:requests`, `env:requests` or a folder.")
    if _CONTROL.search(text):
        raise CoordinateError(text, "it holds control characters")
    if repo is not None and not _REPO.fullmatch(repo):
        raise CoordinateError(repo, "a repository is written owner/name")
    prefix = _PREFIX.fullmatch(text)
    if prefix is None or _is_path(text):
        return _local(text, repo)
    kind, rest = prefix[1].lower(), prefix[2].strip()
    if kind == "npm":
        raise OriginNotReadError(text, "npm")
    if kind == "git":
        return _git(text, rest, repo)
    if kind == "pypi":
        return _distribution("pypi", text, rest, repo)
    if kind == "env":
        return _distribution("env", text, rest, repo)
    raise CoordinateError(text, f"{kind!r} is no kind of source", _near_kind(kind, rest))


def _is_path(text: str) -> bool:
    return text.startswith(("/", "./", "../", ".\\", "..\\")) or _exists(text)


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # longer than any path
        return False


def _near_kind(kind: str, rest: str) -> str:
    if kind in GIT_SCHEMES or rest.startswith("//"):
        return f"Did you mean `git:{kind}:{rest}@REVISION`?"
    import difflib  # noqa: PLC0415  # start-up time, as above

    near = difflib.get_close_matches(kind, KINDS, n=1, cutoff=0.5)
    if near:
        return f"Did you mean `{near[0]}:{rest}`?"
    return f"The kinds are {', '.join(kind + ':' for kind in KINDS[:3])} and a folder's path."


def _local(text: str, repo: str | None) -> Coordinate:
    looks_like_path = "/" in text or "\\" in text or text in {".", ".."} or _exists(text)
    if not looks_like_path:
        raise CoordinateError(
            text,
            "there is no folder of that name here",
            f"For the package index write `pypi:{text}`, for what is installed here `env:{text}`.",
        )
    try:
        return Coordinate(kind="local", name=str(Path(text).absolute()), repo=repo)
    except FileNotFoundError as gone:  # the working directory was removed
        raise CoordinateError(text, "the working directory does not exist any more") from gone


def _distribution(kind: str, text: str, rest: str, repo: str | None) -> Coordinate:
    # Start-up time: 20 ms that `errdex explain`, which reads no coordinate, need not pay.
    from packaging.utils import InvalidName, canonicalize_name  # noqa: PLC0415
    from packaging.version import InvalidVersion, Version  # noqa: PLC0415

    name, equals, version = rest.partition("==")
    name, version = name.strip(), version.strip()
    try:
        canonical = canonicalize_name(name, validate=True)
    except InvalidName as invalid:
        raise CoordinateError(text, f"{name!r} is not a package name", _spell(kind, name)) from invalid
    if not equals:
        return Coordinate(kind="pypi" if kind == "pypi" else "env", name=canonical, repo=repo)
    try:
        normal = str(Version(version))
    except InvalidVersion as invalid:
        hint = f"Write one exact version: `{kind}:{canonical}==1.2.3`, or none for the newest."
        raise CoordinateError(text, f"{version!r} is not a version", hint) from invalid
    return Coordinate(kind="pypi" if kind == "pypi" else "env", name=canonical, version=normal, repo=repo)


def _spell(kind: str, name: str) -> str:
    """Return how to write what the user seems to mean (`requests@2.1`, `requests>=2`, `requests[socks]`)."""
    head = re.match(r"[A-Za-z0-9._-]*[A-Za-z0-9]", name)
    if head is None:
        return f"Write `{kind}:NAME` or `{kind}:NAME==VERSION`."
    version = re.search(r"[@=]\s*([0-9][\w.!+-]*)$", name)
    return f"Did you mean `{kind}:{head[0]}" + (f"=={version[1]}`?" if version else "`?")


def _git(text: str, rest: str, repo: str | None) -> Coordinate:
    url, revision = split_git(rest)
    hint = "Write `git:URL@REVISION`, for example `git:https://host/owner/name@v1.0`."
    if not url or url.startswith("-"):
        raise CoordinateError(text, "it names no repository", hint)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)(://|::)", url)
    if scheme and (scheme[2] == "::" or scheme[1].lower() not in GIT_SCHEMES):
        raise CoordinateError(text, f"git may not speak {scheme[1]!r} here", hint)
    if re.search(r"\s", url):
        raise CoordinateError(text, "a repository's URL holds no white space", hint)
    if revision is not None and not _is_revision(revision):
        raise CoordinateError(text, f"{revision!r} is not a revision", hint)
    return Coordinate(kind="git", name=url, version=revision, repo=repo)


def _is_revision(revision: str) -> bool:
    """Say whether git could know it as a branch, tag or commit (git-check-ref-format, loosely)."""
    return re.fullmatch(r"(?!-)(?!.*\.\.)[^\s~^:?*\[\\@]+(?<!/)(?<!\.lock)", revision) is not None


def split_git(rest: str) -> tuple[str, str | None]:
    """Split `URL@REV`: the `@` counts only behind the host, so `git@host:owner/name` stays whole."""
    authority = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*", rest) or re.match(r"[^/:]+:(?!/?/)", rest)
    start = authority.end() if authority else 0
    at = rest.rfind("@", start)
    if at < 0:
        return rest, None
    return rest[:at], rest[at + 1 :]
