"""A record whose page would be too large, with its long texts cut and its long lists shortened.

Nearly no record needs it; one may hold a message of a megabyte, or a condition that lists a
thousand names. The JSON always has all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from errdex.catalog import StoredRecord
from errdex.publish.text import shorten, without_hidden

STEPS = ((4_000, 20), (800, 6), (160, 3))
"""Characters of a text, and items of a list, that are kept: tried in turn until the page is small enough."""

_WHOLE = {
    "analyzed_at", "analyzed_sha", "background_tag", "coordinate", "family", "file_path", "github_url", "id", "kind",
    "path", "repo", "slug", "source_code", "taken_from",
}  # fmt: skip
"""Names, addresses and places: cut, they would be others. The window of source has a limit of its own."""
_Kept = TypeVar("_Kept")


def trimmed(stored: StoredRecord, characters: int, items: int) -> StoredRecord:
    """Return `stored` with no text longer than `characters`, hidden ones in it replaced, and no list longer than `items`."""
    return _cut(stored, characters, items)


def _cut(value: _Kept, characters: int, items: int) -> _Kept:
    kept: Any = value
    if isinstance(value, str):
        kept = shorten(without_hidden(value), characters)
    elif isinstance(value, msgspec.Struct):
        fields = {
            name: _cut(getattr(value, name), characters, items)
            for name in value.__struct_fields__
            if name not in _WHOLE
        }
        kept = msgspec.structs.replace(value, **fields)
    elif isinstance(value, Mapping):
        kept = {key: _cut(one, characters, items) for key, one in value.items()}
    elif isinstance(value, (list, tuple)):
        kept = type(value)(_cut(one, characters, items) for one in value[:items])
    result: _Kept = kept
    return result
