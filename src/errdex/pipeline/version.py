"""The versions that cached facts and written records are kept under: hashes of the code that makes them."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

import errdex

_READING = ("model", "syntax", "extract", "link")
_TELLING = ("explain", "pipeline")
_JUDGING = ("model", "syntax", "prove", "assist")


@cache
def extractor_version() -> str:
    """Return 16 hex digits that differ whenever reading or linking, or the parser behind it, may differ.

    Computed from the sources, so that no hand has to count: fifty small files, 3 ms, once a process.
    """
    return _hash_of(_READING)


@cache
def analyzer_version() -> str:
    """Return 16 hex digits that differ whenever the record of an unchanged file may differ."""
    return _hash_of((*_READING, *_TELLING))


@cache
def gate_version() -> str:
    """Return 16 hex digits that differ whenever the gate may judge a model's words differently."""
    return _hash_of(_JUDGING)


def _hash_of(stages: tuple[str, ...]) -> str:
    digest = hashlib.sha256(f"{sys.version_info.major}.{sys.version_info.minor}".encode())
    root = Path(errdex.__file__).parent
    for stage in stages:
        for path in sorted((root / stage).rglob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
