"""Which files are not the library: tests, vendored copies, generated code, docs, examples, benchmarks.

Decided by path and, for generated code, by the file's first lines; each file
left out gets its reason (docs/adr says how the rules were weighed).
"""

from __future__ import annotations

import re
from collections.abc import Collection

HEAD_BYTES = 2_000
"""How much of a file the rules for generated code look at."""

_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")
_FOLDERS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"tests"}), "test"),
    (frozenset({"_vendor", "vendor", "_vendored", "vendored", "_vendored_packages", "third_party", "thirdparty",
                "extern", "external", "externals", "_externals", "_extern"}), "vendored copy"),
    (frozenset({"benchmark", "benchmarks"}), "benchmark"),
)  # fmt: skip
_UNLESS_PACKAGE: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"doc", "docs"}), "documentation"),
    (frozenset({"example", "examples"}), "example"),
)
_GENERATED_NAME = re.compile(r"_pb2(?:_grpc)?\.py$|(?:^|/)(?:parsetab|lextab|yacctab)\.py$")
_GENERATED_HEAD = re.compile(
    rb"^\s*(?:#|\"\"\"|'''|//).{0,80}?(?:auto-?\s?generated|generated (?:automatically )?(?:by|from|with|using)|do not (?:edit|modify))",
    re.IGNORECASE | re.MULTILINE,
)
_CONVERTED = re.compile(rb"async|unasync|synchro", re.IGNORECASE)
"""A synchronous twin made from asynchronous code is what its users call: no reason to leave it out."""


def exclusion(path: str, head: bytes, paths: Collection[str] = ()) -> str | None:
    """Return why a file is not read for sites; None if it is.

    Args:
        path: Relative to the tree's root.
        head: The file's first bytes, at least `HEAD_BYTES` where there are as many.
        paths: All paths of the tree: a folder `docs` or `test` may be a package of the library's own.
    """
    if _TEST_FILE.search(path):
        return "test"
    folders = path.split("/")[:-1]
    if folders[:2] == ["build", "lib"]:
        return "build output"
    for depth, folder in enumerate(folders):
        reason = _folder_reason(folder, "/".join(folders[: depth + 1]), depth, paths)
        if reason is not None:
            return reason
    if _GENERATED_NAME.search(path):
        return "generated"
    lines = head[:HEAD_BYTES]
    if _GENERATED_HEAD.search(lines) and not _CONVERTED.search(lines):
        return "generated"
    return None


def _folder_reason(folder: str, where: str, depth: int, paths: Collection[str]) -> str | None:
    for names, reason in _FOLDERS:
        if folder in names:
            return reason
    is_package = f"{where}/__init__.py" in paths
    if folder == "test":
        return None if is_package and depth == 1 and not _holds_tests(where, paths) else "test"
    for names, reason in _UNLESS_PACKAGE:
        if folder in names and not (is_package and depth > 0):
            return reason
    return None


def _holds_tests(folder: str, paths: Collection[str]) -> bool:
    start = f"{folder}/"
    return any(path.startswith(start) and _TEST_FILE.search(path) for path in paths)
