"""Links from a record to lines of source: the public host's permalink, or our own source page."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import msgspec

from errdex.model.explanation import Provenance
from errdex.model.record import Record
from errdex.publish.links import Site, line_of

HasSource = Callable[[str], bool]
"""Whether the catalog holds the text of a path at the record's revision, so that our own page of it exists."""


class Places(msgspec.Struct, frozen=True):
    """Where the lines of one record's revision can be read."""

    record: Record
    site: Site
    has_source: HasSource
    page: str = ""
    """Address of the error's page, where another page shows its sentences."""

    @property
    def is_public(self) -> bool:
        """Whether the revision stands on a public host, rather than only on our own source pages."""
        return self.record.github_url.startswith(("https://", "http://"))

    def line(self, path: str, start: int, end: int | None = None) -> str | None:
        """Return the permalink of lines of any file of the revision; None where there is no page of it."""
        last = end if end is not None and end > start else start
        if not self.is_public:
            record = self.record
            # The first line alone: our pages have an anchor for each line, not for every range of them.
            return (
                self.site.source(record.repo, record.analyzed_sha, path, start)
                if self.has_source(path)
                else None
            )
        base = self.record.github_url.partition("#")[0]
        for written in (self.record.file_path, quote(self.record.file_path)):
            if base.endswith(written):
                return line_of(base.removesuffix(written) + quote(path), start, last)
        return line_of(base, start, last) if path == self.record.file_path else None

    def provenance(self, provenance: Provenance) -> str | None:
        """Return where a sentence's source can be read; None where there is nothing to open."""
        kind, detail = provenance.kind, provenance.detail
        if kind == "model":  # its name is no address, whatever it looks like
            return None
        if detail is not None and detail.startswith(("https://", "http://")):
            return detail
        if kind == "family" and detail is not None:
            return self.site.family(detail)
        if kind == "run":
            return f"{self.page}#proof"
        if provenance.line is None:
            return None
        path = provenance.path or self.record.file_path
        if path == self.record.file_path and self._is_shown(provenance.line):
            return f"{self.page}#L{provenance.line}"
        return self.line(path, provenance.line, provenance.end_line)

    def _is_shown(self, line: int) -> bool:
        return self.record.source_code_start <= line <= self.record.source_code_end
