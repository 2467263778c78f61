"""What pages show of a library's versions: the chart of all of them, and what one changed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from errdex.publish.lineage import Step
from errdex.publish.links import Site

MAX_COLUMNS = 40
"""Versions in one chart, the newest."""
MAX_LISTED = 12
"""Versions named below it."""
_COLUMN_WIDTH = 10
_HEIGHT = 60


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One version of the chart, in its units; y grows downwards."""

    x: int
    y: int
    height: int
    new_height: int
    """Of the part, at the top, that is new in this version."""


class VersionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One version in words."""

    label: str
    href: str
    count: int
    words: str
    """`12 new, 3 reworded or moved, 5 gone`; empty for the oldest."""


class VersionChart(msgspec.Struct, frozen=True, kw_only=True):
    """Errors across versions, oldest on the left."""

    name: str
    """What the picture says, for whoever does not see it."""
    first: str
    last: str
    """The versions at its two ends."""
    width: int
    height: int
    columns: tuple[Column, ...]
    rows: tuple[VersionRow, ...]
    """Newest first."""
    earlier: int
    """Versions that `rows` leaves out."""


def version_chart(steps: Sequence[Step], repo: str, site: Site) -> VersionChart | None:
    """Return the chart of a library's versions, newest first in `steps`; None where there is but one."""
    if len(steps) < 2:
        return None
    shown = list(reversed(steps[:MAX_COLUMNS]))
    most = max(1, *(step.revision.record_count for step in shown))
    first, last = shown[0], shown[-1]
    return VersionChart(
        name=f"Errors in each version, from {first.revision.record_count:,} in {first.label} "
        f"to {last.revision.record_count:,} in {last.label}",
        first=first.label,
        last=last.label,
        width=len(shown) * _COLUMN_WIDTH,
        height=_HEIGHT,
        columns=tuple(_column(step, at, most) for at, step in enumerate(shown)),
        rows=tuple(_row(step, repo, site) for step in steps[:MAX_LISTED]),
        earlier=max(0, len(steps) - MAX_LISTED),
    )


def change_words(step: Step) -> str:
    """Return what a version changed, in counts; empty where nothing is known or nothing changed."""
    counts = (
        (len(step.added), "new"),
        (len(step.changed), "reworded or moved"),
        (len(step.removed), "gone"),
    )
    return ", ".join(f"{count:,} {words}" for count, words in counts if count)


def _column(step: Step, at: int, most: int) -> Column:
    height = max(1, round(_HEIGHT * step.revision.record_count / most))
    new = 0 if step.before is None else round(_HEIGHT * len(step.added) / most)
    return Column(x=at * _COLUMN_WIDTH, y=_HEIGHT - height, height=height, new_height=min(new, height))


def _row(step: Step, repo: str, site: Site) -> VersionRow:
    words = change_words(step)
    return VersionRow(
        label=step.label,
        href=site.version(repo, step.label),
        count=step.revision.record_count,
        words=words if step.before is None or words else "nothing changed",
    )
