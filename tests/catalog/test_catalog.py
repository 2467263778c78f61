"""The catalog keeps what it was given, whole, several revisions side by side."""

import shutil
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from errdex.catalog import Catalog, CatalogDamagedError, CatalogMissingError, CatalogSchemaError
from errdex.catalog.build import build
from errdex.sources import open_tree, parse_coordinate

SHELF = Path(__file__).parents[1] / "fixtures" / "packages" / "shelf"


def open_shelf(folder: Path, version: str = "1.4.0", edit: tuple[str, str] | None = None):
    """A tree of the sample package, with its version and one piece of text changed."""
    copy = folder / f"shelf-{version}"
    shutil.copytree(SHELF, copy)
    project = copy / "pyproject.toml"
    project.write_text(project.read_text().replace("1.4.0", version))
    if edit:
        books = copy / "src" / "shelf" / "books.py"
        text = books.read_text()
        assert edit[0] in text
        books.write_text(text.replace(*edit))
    return open_tree(parse_coordinate(str(copy), repo="acme/shelf"), cache=folder / "cache")


def test_what_is_written_reads_back(catalog, tmp_path):
    """Records and evidence come back equal by id and by slug, and the repository's row counts them."""
    report = build(catalog, open_shelf(tmp_path)).report
    stored = list(catalog.records("acme/shelf"))
    assert len(stored) == report.records == catalog.repo("acme/shelf").error_count
    for each in stored:
        assert catalog.record(each.record.id) == each
        assert catalog.record_by_slug("acme/shelf", each.record.slug) == each
        again = msgspec.json.decode(msgspec.json.encode(each.record), type=type(each.record))
        assert again == each.record


def test_a_repeated_message_keeps_every_line(catalog, tmp_path):
    """Two sites with one message in one file are one record with both places."""
    build(catalog, open_shelf(tmp_path))
    stored = [each for each in catalog.records() if each.record.error_message == "a label must be one word"]
    assert len(stored) == 1
    lines = [site.line for site in stored[0].evidence.sites]
    source = (SHELF / "src/shelf/books.py").read_text().splitlines()
    assert [source[line - 1].strip() for line in lines] == ["raise ValueError(LABEL_RULE)"] * 2
    assert stored[0].record.line_number == lines[0]
    assert sum(entry.id == stored[0].record.id for entry in catalog.entries()) == 2


def test_the_same_revision_is_analysed_once(catalog, tmp_path):
    """A second build of the same tree writes nothing; with force it replaces, and ids and slugs stay."""
    tree = open_shelf(tmp_path)
    build(catalog, tree)
    before = {each.record.id: each.record.slug for each in catalog.records()}
    version = catalog.dataset_version
    assert build(catalog, tree).report is None
    assert catalog.dataset_version == version
    assert build(catalog, tree, force=True).report is not None
    assert {each.record.id: each.record.slug for each in catalog.records()} == before
    assert catalog.dataset_version > version


def test_versions_stand_side_by_side(catalog, tmp_path):
    """The newest release answers for the repository; an older one's own records are still found by id."""
    build(catalog, open_shelf(tmp_path, "1.10.0", ("room must be at least 1", "room must be positive")))
    build(catalog, open_shelf(tmp_path))
    assert [row.version for row in catalog.revisions("acme/shelf")] == ["1.10.0", "1.4.0"]
    messages = {each.record.error_message for each in catalog.records("acme/shelf")}
    assert "room must be positive, got {room}" in messages
    assert "room must be at least 1, got {room}" not in messages
    older = [each for each in catalog.entries() if (each.template or "").startswith("room must be at least")]
    assert [entry.version for entry in older] == ["1.4.0"]
    assert catalog.record(older[0].id).evidence.version == "1.4.0"


def test_a_slug_stays_with_its_id(catalog, tmp_path):
    """An error that a later release puts before another of the same slug does not take its slug."""
    build(catalog, open_shelf(tmp_path))
    before = {each.record.id: each.record.slug for each in catalog.records()}
    build(catalog, open_shelf(tmp_path, "1.5.0", ('"""The shelf itself."""', '"""Other words."""')))
    after = {each.record.id: each.record.slug for each in catalog.records()}
    assert after == before


def test_the_source_of_an_analysed_file_is_kept(catalog, tmp_path):
    """Every file that raises can be read back as it was; others are not in the catalog."""
    tree = open_shelf(tmp_path)
    build(catalog, tree)
    path = "src/shelf/books.py"
    assert catalog.source("acme/shelf", tree.revision, path) == (SHELF / path).read_text()
    assert catalog.source("acme/shelf", tree.revision, "pyproject.toml") is None


def test_skipped_files_are_listed_with_their_reason(catalog, tmp_path):
    """Vendored code and tests are not read for errors, and the catalog says so."""
    tree = open_shelf(tmp_path)
    build(catalog, tree)
    reasons = dict(catalog.skipped("acme/shelf", tree.revision))
    assert "src/shelf/_vendor/other.py" in reasons
    assert "tests/test_shelf.py" in reasons


def test_a_missing_catalog_says_how_to_make_one(tmp_path):
    """Reading where no catalog stands names the place and the command that makes one."""
    with pytest.raises(CatalogMissingError, match="errdex analyze"):
        Catalog.open(tmp_path / "none.db")


def test_a_file_that_is_no_catalog_is_refused(tmp_path):
    """A file of other bytes is refused and left as it was."""
    path = tmp_path / "catalog.db"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(CatalogDamagedError):
        Catalog.open(path, create=True)
    assert path.read_bytes() == b"not a database at all" * 100


def test_a_catalog_of_another_schema_is_refused(tmp_path):
    """Tables of another version are refused, not guessed at."""
    path = tmp_path / "catalog.db"
    Catalog.open(path, create=True).close()
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE meta SET value = '999' WHERE key = 'schema'"))
    engine.dispose()
    with pytest.raises(CatalogSchemaError, match="999"):
        Catalog.open(path)
