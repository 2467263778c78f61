"""Every error that errdex raises on purpose.

```text
ErrdexError                  base; catch this to catch everything we raise on purpose
├── SourceError              code could not be fetched or read
├── ExtractError             code was read but cannot be understood
├── ProveError               the runner itself failed (a disproved record is a result, not an error)
├── AssistError              a model may not or cannot be asked
├── CatalogError             the dataset is missing, damaged, or of another schema
└── QueryError               the question cannot be understood
```

Each has a `slug` (stable, kebab-case), a `problem` (what was wrong, with which
value) and a `hint` (what to do next, may be empty). `str()` is both. Facts are
attributes. Exit codes and HTTP statuses are the business of `cli` and `web`.
"""

from typing import ClassVar


class ErrdexError(Exception):
    """Anything errdex raises on purpose.

    Subclasses pass the facts they were built from to `super().__init__`, so that
    an error survives the way back from a worker process, and set `problem` and `hint`.
    """

    slug: ClassVar[str] = "errdex-error"
    problem: str = ""
    hint: str = ""

    def __str__(self) -> str:
        if not self.problem:
            return super().__str__()
        return f"{self.problem} {self.hint}".rstrip()


class SourceError(ErrdexError):
    """Code could not be fetched or read."""

    slug = "source-unavailable"


class ExtractError(ErrdexError):
    """Code was read but cannot be understood."""

    slug = "code-not-understood"


class ProveError(ErrdexError):
    """The runner of proofs itself failed."""

    slug = "prover-failed"


class AssistError(ErrdexError):
    """A model may not or cannot be asked."""

    slug = "model-not-asked"


class CatalogError(ErrdexError):
    """The catalog is missing, damaged, or of another schema."""

    slug = "catalog-unusable"


class QueryError(ErrdexError):
    """The question cannot be understood."""

    slug = "question-not-understood"


def _shown(value: object) -> str:
    """Return `value` as a message quotes it: its repr, cut at 160 characters."""
    text = repr(str(value))
    return text if len(text) <= 160 else text[:156] + "…'"


class CoordinateError(SourceError):
    """What was asked for is no coordinate that errdex knows."""

    slug = "coordinate-not-understood"

    def __init__(self, text: str, reason: str, hint: str = "") -> None:
        super().__init__(text, reason, hint)
        self.text, self.reason = text, reason
        self.problem = f"{_shown(text)} is not a coordinate: {reason}."
        self.hint = hint


class OriginNotReadError(SourceError):
    """The kind of coordinate is known, but errdex does not read it yet."""

    slug = "origin-not-read"

    def __init__(self, text: str, origin: str) -> None:
        super().__init__(text, origin)
        self.text, self.origin = text, origin
        self.problem = f"{_shown(text)}: packages of {origin} are not read yet."
        self.hint = "Clone its repository and name the folder, or use `git:URL@REV`."


class PackageNotFoundError(SourceError):
    """No index that pip is configured for has the package."""

    slug = "no-such-package"

    def __init__(self, name: str, asked: tuple[str, ...] = ()) -> None:
        super().__init__(name, asked)
        self.name, self.asked = name, asked
        where = f" (asked: {', '.join(asked)})" if asked else ""
        self.problem = f"No package named {_shown(name)} in the configured package index{where}."
        self.hint = (
            "Check the spelling; for a private index, set it in pip's configuration (`pip config list`)."
        )


class VersionNotFoundError(SourceError):
    """The package exists, that version of it does not."""

    slug = "no-such-version"

    def __init__(self, name: str, version: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(name, version, near)
        self.name, self.version, self.near = name, version, near
        self.problem = f"{name} has no version {_shown(version)} to read."
        self.hint = f"Near it: {', '.join(near)}." if near else ""


class IndexUnreachableError(SourceError):
    """The package index did not answer as an index does."""

    slug = "index-unreachable"

    def __init__(self, where: str, reason: str, cached: tuple[str, ...] = ()) -> None:
        super().__init__(where, reason, cached)
        self.where, self.reason, self.cached = where, reason, cached
        self.problem = f"The package index {where} could not be asked: {reason}."
        self.hint = "Check the network and pip's configuration (`pip config list`)."
        if cached:
            self.hint += f" Already here, readable offline: {', '.join(cached)}."


class ArtifactHashError(SourceError):
    """A downloaded artifact is not the one that its index promised."""

    slug = "artifact-hash-mismatch"

    def __init__(self, filename: str, algorithm: str, expected: str, found: str) -> None:
        super().__init__(filename, algorithm, expected, found)
        self.filename, self.algorithm, self.expected, self.found = filename, algorithm, expected, found
        self.problem = f"{filename}: its {algorithm} is {found}, but the index promised {expected}."
        self.hint = "Nothing was unpacked. Try again; if it persists, the index or a proxy alters its files."


class ArchiveDamagedError(SourceError):
    """A file is not an archive, or only part of one."""

    slug = "archive-damaged"

    def __init__(self, filename: str, reason: str) -> None:
        super().__init__(filename, reason)
        self.filename, self.reason = filename, reason
        self.problem = f"{_shown(filename)} cannot be unpacked: {reason}."
        self.hint = "Nothing was kept. Fetch the file again, or name another version."


class ArchiveRefusedError(SourceError):
    """An archive asks for something that no honest archive needs."""

    slug = "archive-refused"

    def __init__(self, filename: str, member: str, reason: str) -> None:
        super().__init__(filename, member, reason)
        self.filename, self.member, self.reason = filename, member, reason
        at = f", member {_shown(member)}" if member else ""
        self.problem = f"{_shown(filename)} is refused{at}: {reason}."
        self.hint = "Nothing was unpacked. Do not install this file either."


class ArtifactTooLargeError(SourceError):
    """An artifact is larger than errdex downloads."""

    slug = "artifact-too-large"

    def __init__(self, filename: str, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(filename, size_bytes, limit_bytes)
        self.filename, self.size_bytes, self.limit_bytes = filename, size_bytes, limit_bytes
        self.problem = f"{filename} has {size_bytes:,} bytes; errdex downloads up to {limit_bytes:,}."
        self.hint = "Analyse it from its repository (`git:URL@REV`) or where it is installed (`env:NAME`)."


class NotInstalledError(SourceError):
    """This interpreter has no such package."""

    slug = "not-installed"

    def __init__(self, name: str, interpreter: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(name, interpreter, near)
        self.name, self.interpreter, self.near = name, interpreter, near
        self.problem = f"{_shown(name)} is not installed in {interpreter}."
        self.hint = f"Did you mean {' or '.join(near)}?" if near else f"Try `pypi:{name}` instead."


class FolderError(SourceError):
    """A local path is missing, is no folder, or cannot be read."""

    slug = "folder-unreadable"

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        super().__init__(path, reason, hint)
        self.path, self.reason = path, reason
        self.problem = f"{_shown(path)} {reason}."
        self.hint = hint


class GitError(SourceError):
    """Git could not fetch or read a repository."""

    slug = "git-failed"

    def __init__(self, url: str, revision: str, reason: str, hint: str = "") -> None:
        super().__init__(url, revision, reason, hint)
        self.url, self.revision, self.reason = url, revision, reason
        at = f" at {_shown(revision)}" if revision else ""
        self.problem = f"git could not read {_shown(url)}{at}: {reason}."
        self.hint = hint


class CacheUnusableError(SourceError):
    """The folder that downloaded code is kept in cannot be written or read."""

    slug = "cache-unusable"

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(folder, reason)
        self.folder, self.reason = folder, reason
        self.problem = f"The cache folder {_shown(folder)} cannot be used: {reason}."
        self.hint = "Nothing half-written was left. Free space or name another folder with ERRDEX_CACHE."
