"""Which files are worth reading: sources of any language, and the texts that say what a package is.

Not here: what is left out of an analysis (tests, vendored copies, …); a tree lists those too.
"""

from __future__ import annotations

from typing import Literal

MAX_SOURCE_BYTES = 16 * 1024 * 1024
"""The largest hand-written source seen in 160 packages has 1.1 MB; beyond this it is data."""
MAX_TEXT_BYTES = 512 * 1024

Worth = Literal["source", "text"]

SOURCE_SUFFIXES = frozenset(
    [
        "py",
        "pyi",
        "pyx",
        "pxd",
        "pxi",
        "pyw",
        "js",
        "mjs",
        "cjs",
        "jsx",
        "ts",
        "mts",
        "cts",
        "tsx",
        "vue",
        "svelte",
        "go",
        "rs",
        "java",
        "kt",
        "kts",
        "scala",
        "groovy",
        "cs",
        "fs",
        "vb",
        "rb",
        "php",
        "c",
        "h",
        "cc",
        "cpp",
        "cxx",
        "hh",
        "hpp",
        "hxx",
        "cu",
        "cuh",
        "m",
        "mm",
        "swift",
        "sh",
        "bash",
        "ps1",
        "pl",
        "pm",
        "lua",
        "jl",
        "r",
        "ex",
        "exs",
        "erl",
        "hs",
        "ml",
        "mli",
        "dart",
        "zig",
        "nim",
        "sql",
        "proto",
        "thrift",
        "j2",
        "jinja",
        "jinja2",
    ]
)
TEXT_SUFFIXES = frozenset(["toml", "cfg", "ini", "rst", "md", "txt", "in"])
TEXT_NAMES = frozenset(
    [
        "metadata",
        "pkg-info",
        "readme",
        "license",
        "licence",
        "copying",
        "notice",
        "authors",
        "changelog",
        "changes",
        "makefile",
        "dockerfile",
        "package.json",
        ".gitignore",
    ]
)


def worth(path: str) -> Worth | None:
    """Say what reading `path` is good for, by its name alone; None when it is for nothing."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix in SOURCE_SUFFIXES:
        return "source"
    if name in TEXT_NAMES or (dot and stem and suffix in TEXT_SUFFIXES):
        return "text"
    return None


def max_bytes(kind: Worth) -> int:
    """Return the size up to which a file of this kind is read."""
    return MAX_SOURCE_BYTES if kind == "source" else MAX_TEXT_BYTES
