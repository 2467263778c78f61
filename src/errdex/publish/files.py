"""The files that pages load: one stylesheet, one script, one icon, each named by its content.

A name holds the first 10 hex digits of the content's sha256, so a file may be cached for ever
and a page never meets the stylesheet of another version.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
ASSETS = ("style.css", "errdex.js", "icon.svg")


@cache
def asset_bytes(name: str) -> bytes:
    """Return the content of one of `ASSETS`."""
    return files("errdex.publish").joinpath("assets", name).read_bytes()


@cache
def asset_name(name: str) -> str:
    """Return the published name of one of `ASSETS`: `style.0f3a….css`."""
    stem, _, suffix = name.rpartition(".")
    return f"{stem}.{hashlib.sha256(asset_bytes(name)).hexdigest()[:10]}.{suffix}"


@cache
def published_assets() -> dict[str, tuple[bytes, str]]:
    """Return content and media type of every asset by its published name."""
    return {asset_name(name): (asset_bytes(name), _TYPES[name.rpartition(".")[2]]) for name in ASSETS}
