"""What the tools ask: a catalog of this machine, or a copy of a published dataset."""

from __future__ import annotations

from typing import Protocol

import msgspec

from errdex.catalog import Catalog
from errdex.search import Index
from errdex.search.ask import Asking


class Refreshed(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a wish for the newest data."""

    updated: bool
    dataset_version: str
    errors: int
    stale: bool
    """Whether the newest could not be had, and what is there may be old."""
    detail: str
    """One sentence."""


class Records(Protocol):
    """Where the tools' answers come from."""

    @property
    def catalog(self) -> Catalog:
        """The records as they are now."""

    @property
    def index(self) -> Index:
        """The catalog's index as it is now."""

    @property
    def asking(self) -> Asking:
        """What answers questions in other words than a message's."""

    @property
    def note(self) -> str:
        """A warning that belongs on every answer (the data is stale); empty if there is none."""

    def refresh(self) -> Refreshed:
        """Look for newer data and take it over."""
