"""The part of a path that charts name."""

from __future__ import annotations


def module_of(path: str) -> str:
    """Return the two outermost folders of a file below its source root: `sglang/srt` of `python/sglang/srt/x/y.py`."""
    below = path.removeprefix("src/").removeprefix("python/")
    parts = below.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else below
