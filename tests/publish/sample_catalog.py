"""A catalog on disk made of the sample records: a library with a public host and an artifact, in two revisions each."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from samples import MESSAGE, SHA, SOURCE, proved, sample, sample_evidence, sample_site

from errdex.catalog import Catalog, StoredRecord
from errdex.catalog.write import prepare
from errdex.model.record import Related, record_id, record_slug
from errdex.model.site import MessageTemplate
from errdex.model.source import Coordinate, SourceFile, SourceTree

HOSTILE = (
    "</script><img src=x onerror=alert(1)> \u202egnp.exe\u202c {{7*7}} ' \" & <b> \u2028 " + "W" * 10_000
)
"""Everything a message can hold that hurts a page."""
ARTIFACT = "pypi/shelf"
OLD_SHA, NEW_SHA = "a" * 40, "b" * 40
FILLERS = 230
"""Enough errors for three pages of a repository."""


def named(
    message: str,
    *,
    line: int = 684,
    repo: str = "sgl-project/sglang",
    guard: str | None = None,
    **changes: object,
) -> StoredRecord:
    """The sample record with another message, and all that follows from it."""
    path = str(changes.get("file_path", "sglang/things.py"))
    base = sample(
        **{
            "id": record_id(repo, message, path),
            "slug": record_slug(message) + f"-{line}",
            "repo": repo,
            "error_message": message,
            "message_pattern": message[:400],
            "line_number": line,
            "file_path": path,
            "source_code_start": max(1, line - 18),
            "source_code_end": max(1, line - 18) + 36,
            "github_url": f"https://github.com/{repo}/blob/{SHA}/{path}#L{line - 18}-L{line + 18}",
            **changes,
        }
    )
    template = MessageTemplate(parts=(message,), written=message, form="literal", origin="inline")
    site = sample_site(path=path, line=line, end_line=line, templates=(template,), path_conditions=())
    if guard is not None:
        site = msgspec.structs.replace(site, guard=msgspec.structs.replace(site.guard, text=guard))
    evidence = sample_evidence(
        base.record, sites=(site,), related=(), template=message.replace("{", "{{").replace("}", "}}")
    )
    return StoredRecord(record=base.record, evidence=evidence)


def library() -> list[StoredRecord]:
    """The records of the library with a public host."""
    fillers = [
        named(
            f"thing number {number} is not a thing",
            line=700 + number,
            background_tag="argument-type" if number % 3 else None,
        )
        for number in range(FILLERS)
    ]
    first = fillers[0].record
    related = Related(id=first.id, slug=first.slug, message=first.error_message, why="same function")
    main = proved()
    main = StoredRecord(
        record=main.record, evidence=msgspec.structs.replace(main.evidence, related=(related,))
    )
    return [main, named(HOSTILE, line=690), *fillers]


def artifact(sha: str) -> list[StoredRecord]:
    """The records of the artifact: reworded and removed between its two revisions."""
    messages = {
        OLD_SHA: [
            ("the shelf is full", 20, "len(books) > size"),
            ("no book here", 30, "not book"),
            ("the book is torn", 40, "torn"),
        ],
        NEW_SHA: [
            ("the shelf is full: {len(books)} books", 21, "len(books) > size"),
            ("no book here", 31, "not book"),
        ],
    }
    return [
        named(
            message,
            line=line,
            guard=guard,
            repo=ARTIFACT,
            analyzed_sha=sha,
            file_path="shelf/books.py",
            slug=record_slug(message),
            github_url=f"/source/{ARTIFACT}/{sha}/shelf/books.py#L{max(1, line - 18)}-L{line + 18}",
        )
        for message, line, guard in messages[sha]
    ]


def add(
    catalog: Catalog,
    folder: Path,
    records: list[StoredRecord],
    *,
    package: str,
    version: str,
    moment: datetime,
) -> None:
    """Write `records` as one revision of their repository."""
    first = records[0].record
    root = folder / first.repo.replace("/", "-") / version
    paths = sorted({one.record.file_path for one in records})
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(SOURCE * 30, encoding="utf-8")
    tree = SourceTree(
        coordinate=Coordinate(kind="pypi", name=package, version=version),
        root=root,
        repo=first.repo,
        package=package,
        version=version,
        revision=first.analyzed_sha,
        permalink=None,
        description=f"What {package} is <about> & more.",
        files=tuple(
            SourceFile(path=path, size_bytes=1, blob=f"{number:040x}") for number, path in enumerate(paths, 1)
        ),
    )
    prepared = prepare(
        tree,
        ((one.record, one.evidence) for one in records),
        skipped=(),
        analyzer="test",
        analyzed_at=moment,
        dictionaries=catalog.dictionaries(),
    )
    catalog.add(prepared)


def sample_catalog(folder: Path) -> Catalog:
    """A catalog of both libraries in two revisions each: one that grew, one that reworded and removed errors."""
    catalog = Catalog.open(folder / "catalog.db", create=True)
    add(
        catalog,
        folder,
        [sample(analyzed_sha="d" * 40)],
        package="sglang",
        version="0.5.22",
        moment=datetime(2026, 11, 1, tzinfo=UTC),
    )
    add(
        catalog,
        folder,
        library(),
        package="sglang",
        version="0.5.23",
        moment=datetime(2026, 11, 30, tzinfo=UTC),
    )
    for sha, version, day in ((OLD_SHA, "1.0", 28), (NEW_SHA, "1.1", 29)):
        add(
            catalog,
            folder,
            artifact(sha),
            package="shelf",
            version=version,
            moment=datetime(2026, 11, day, tzinfo=UTC),
        )
    return catalog


__all__ = ["ARTIFACT", "HOSTILE", "MESSAGE", "NEW_SHA", "OLD_SHA", "named", "sample_catalog"]
