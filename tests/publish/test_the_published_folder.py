"""`publish` makes a folder that any static host can serve, replaces it in whole, and rewrites only what changed."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import urllib.parse
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sample_catalog import ARTIFACT, HOSTILE, NEW_SHA, add, named, sample_catalog
from test_pages_are_safe_and_small import MAX_PAGE_BYTES, Reader, assert_harmless

from errdex.pipeline.engine import make_executor
from errdex.publish.links import Site
from errdex.publish.output import PublishError, file_of
from errdex.publish.shards import shard_of
from errdex.publish.site import publish

SITE = Site(base_url="https://errors.test/docs", mode="static")


def content_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its relative path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def published(catalog, tmp_path_factory) -> Path:
    """The sample catalog, published once."""
    target = tmp_path_factory.mktemp("site") / "site"
    publish(catalog, target, SITE)
    return target


def test_every_internal_link_resolves(published):
    """Each address and fragment that a page names is a file, and a place in it, of the same folder."""
    pages = {path: Reader(path.read_text(encoding="utf-8")) for path in published.rglob("*.html")}
    ids = {
        path: {attributes["id"] for _, attributes in reader.elements if "id" in attributes}
        for path, reader in pages.items()
    }
    broken = []
    for path, reader in pages.items():
        for _, attributes in reader.elements:
            for name in ("href", "src", "action"):
                target = attributes.get(name)
                if not target or target.startswith(("https://", "mailto:")):
                    continue
                address, _, fragment = target.partition("#")
                file = published / file_of(address.removeprefix("/docs")) if address else path
                if file.is_dir():  # a static host adds the slash
                    file /= "index.html"
                if not file.is_file() or (
                    fragment
                    and fragment not in ids.get(file, {fragment} if file.suffix != ".html" else set())
                ):
                    broken.append((str(path.relative_to(published)), target))
    assert broken == []


def test_every_page_is_small_and_harmless(published):
    """No page of the folder is large, and none holds anything that could act."""
    for path in published.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        if "source" not in path.relative_to(published).parts:
            assert len(page.encode()) < MAX_PAGE_BYTES, path
        assert_harmless(page.replace('src="/docs/', 'src="/'))


def test_the_manifest_covers_every_file_of_the_dataset(published):
    """Sizes and hashes are those of the files on disk, one entry for each repository."""
    manifest = json.loads((published / "data/manifest.json").read_bytes())
    per_repo = [manifest[name] for name in ("repoFiles", "evidenceFiles", "lineageFiles")]
    listed = [*manifest["files"].values(), *(entry for files in per_repo for entry in files.values())]
    for entry in listed:
        data = (published / entry["path"].removeprefix("/")).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert [set(files) for files in per_repo] == [{"sgl-project/sglang", ARTIFACT}] * 3
    assert manifest["files"]["indexGz"]["encoding"] == "gzip"


def test_index_and_records_agree(published):
    """The index lists exactly the records of the repositories' files, and each has its JSON twin."""
    index = json.loads((published / "data/index.json").read_bytes())["errors"]
    records = [
        record
        for path in (published / "data/repos").rglob("*.json")
        for record in json.loads(path.read_bytes())
    ]
    assert {row["id"] for row in index} == {record["id"] for record in records}
    for record in records:
        assert json.loads((published / "api/errors" / record["id"]).read_bytes())["record"] == record


def test_the_same_catalog_gives_the_same_bytes(catalog, published, tmp_path):
    """Two folders published from one catalog are equal to the byte."""
    publish(catalog, tmp_path / "again", SITE)
    assert content_of(tmp_path / "again") == content_of(published)


def test_several_processes_write_the_same_bytes(catalog, published, tmp_path):
    """Two workers leave the folder that one process does, in count and content."""
    with make_executor(2) as executor:
        done = publish(catalog, tmp_path / "side by side", SITE, executor=executor)
    assert content_of(tmp_path / "side by side") == content_of(published)
    assert (done.written, done.kept) == (len(content_of(published)), 0)


def test_nothing_is_rewritten_when_nothing_changed(catalog, tmp_path):
    """A second run over the same folder keeps every file, inode and version."""
    first = publish(catalog, tmp_path / "site", SITE)
    inodes = {path: path.stat().st_ino for path in (tmp_path / "site").rglob("*") if path.is_file()}
    second = publish(catalog, tmp_path / "site", SITE)
    assert (second.written, second.kept) == (0, first.written)
    assert second.dataset_version == first.dataset_version
    assert inodes == {path: path.stat().st_ino for path in (tmp_path / "site").rglob("*") if path.is_file()}


def test_only_what_changed_is_rewritten(tmp_path):
    """A new revision of one library leaves the other's pages alone, and the version grows."""
    with sample_catalog(tmp_path) as catalog:
        before = publish(catalog, tmp_path / "site", SITE)
        other = tmp_path / "site/sgl-project/sglang/index.html"
        inode = other.stat().st_ino
        record = named(
            "a new error",
            repo=ARTIFACT,
            analyzed_sha="c" * 40,
            file_path="shelf/new.py",
            github_url=f"/source/{ARTIFACT}/{'c' * 40}/shelf/new.py#L1-L2",
        )
        add(
            catalog,
            tmp_path,
            [record],
            package="shelf",
            version="1.2",
            moment=datetime(2026, 12, 1, tzinfo=UTC),
        )
        after = publish(catalog, tmp_path / "site", SITE)
    assert after.dataset_version > before.dataset_version
    assert other.stat().st_ino == inode
    assert 0 < after.written < after.kept / 10
    assert (tmp_path / f"site/{ARTIFACT}/{record.record.slug}/index.html").is_file()
    removed = named("no book here", repo=ARTIFACT, file_path="shelf/books.py").record
    tombstone = json.loads((tmp_path / "site/api/errors" / removed.id).read_bytes())
    source = tombstone["record"]["githubUrl"].removeprefix(SITE.base_url).partition("#")[0]
    assert source.startswith(f"/source/{ARTIFACT}/{NEW_SHA}/")
    assert (tmp_path / f"site{source}/index.html").is_file()


def test_the_version_grows_even_if_the_catalog_is_older(catalog, tmp_path):
    """Published over a later dataset, an older catalog still gets a later version."""
    publish(catalog, tmp_path / "site", SITE)
    state = tmp_path / "site/.errdex.json"
    data = json.loads(state.read_bytes()) | {"version": "2030-01-01T00:00:00.000Z", "repos": {}}
    state.write_text(json.dumps(data), encoding="utf-8")
    assert publish(catalog, tmp_path / "site", SITE).dataset_version == "2030-01-01T00:00:00.001Z"


def test_a_folder_that_is_not_ours_is_refused(catalog, tmp_path):
    """A folder with other files in it is left exactly as it was."""
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(PublishError, match="did not publish"):
        publish(catalog, tmp_path, SITE)
    assert content_of(tmp_path) == {"precious.txt": b"mine"}


def test_a_file_in_the_way_is_refused(catalog, tmp_path):
    """A file is not a folder to publish into."""
    (tmp_path / "site").write_text("x")
    with pytest.raises(PublishError, match="it is a file"):
        publish(catalog, tmp_path / "site", SITE)


@pytest.mark.parametrize("path", ["/../etc/passwd", "/a/%2e%2e/b", "/a//b", "/a/%2Fb", "/a/./b", "/a/%00"])
def test_no_address_leads_out_of_the_folder(path):
    """An address with a part that is no plain file name has no file."""
    with pytest.raises(ValueError, match=r"/"):
        file_of(path)


def test_hostile_names_stay_in_their_place(published):
    """The hostile record has a page of its own, under its slug."""
    slug = named(HOSTILE, line=690).record.slug
    assert (published / "sgl-project/sglang" / slug / "index.html").is_file()


def test_a_shard_lists_what_is_filed_under_a_word(published):
    """The file that a word's hash names lists the errors filed under the word; each file is small."""
    folder = published / "data/search"
    meta = json.loads((folder / "meta.json").read_bytes())
    shard = json.loads((folder / f"{shard_of('unified_kv', meta['shards'])}.json").read_bytes())
    repo, slug, name, pieces, level = shard["unified_kv"][0]
    assert (meta["repos"][repo], name, level) == ("sgl-project/sglang", "RuntimeError", "tested")
    assert pieces == ["unified_kv dtype mismatch: kv=", ", q="]
    assert (published / "sgl-project/sglang" / slug).is_dir()


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from errdex.catalog import Catalog
from errdex.publish.links import Site
from errdex.pipeline.engine import make_executor
from errdex.publish.site import publish
if __name__ == "__main__":
    with Catalog.open(sys.argv[1]) as catalog, make_executor(int(sys.argv[4])) as executor:
        site = Site(base_url="https://errors.test/docs", mode="static")
        publish(catalog, Path(sys.argv[2]), site, executor=executor, progress=lambda *_: print("going", flush=True))
"""


@pytest.mark.slow
def test_killed_at_any_moment_the_old_folder_is_whole(tmp_path):
    """Kill -9 at twenty random moments: the folder is the old dataset or the new one, never between; the next run finishes."""
    chance = random.Random(6)
    with sample_catalog(tmp_path) as catalog:
        publish(catalog, tmp_path / "site", SITE)
        old = content_of(tmp_path / "site")
        record = named("a new error", line=9, file_path="sglang/new.py")
        from sample_catalog import library

        add(
            catalog,
            tmp_path,
            [*library(), record],
            package="sglang",
            version="0.5.23",
            moment=datetime(2026, 12, 1, tzinfo=UTC),
        )
        publish(catalog, tmp_path / "expected", SITE)
        where = catalog.where
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    folder = str(Path(__file__).parent)
    command = [sys.executable, str(tmp_path / "script.py"), where, str(tmp_path / "site"), folder]
    outcomes = set()
    new = None
    for number in range(20):
        running = subprocess.Popen(
            [*command, str(number % 2 + 1)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        )
        assert running.stdout is not None
        running.stdout.readline()
        try:
            running.wait(timeout=chance.uniform(0.0, 1.2))
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
            running.wait()
        running.stdout.close()
        found = content_of(tmp_path / "site")
        if found != old:
            new = new or found
            assert found == new
            manifest = json.loads(found["data/manifest.json"])
            assert (
                hashlib.sha256(found["data/index.json"]).hexdigest() == manifest["files"]["index"]["sha256"]
            )
        outcomes.add(found == old)
    subprocess.run([*command, "2"], check=True, stdout=subprocess.DEVNULL)
    assert f"sgl-project/sglang/{record.record.slug}/index.html" in content_of(tmp_path / "site")
    assert [path.name for path in tmp_path.glob(".site.*")] == [".site.lock"]


def test_addresses_are_quoted_and_come_back():
    """What a link quotes, a static host unquotes to the file's name."""
    site = Site(base_url="https://x.test")
    path = "weird name/ünïcode #1?.py"
    address = site.source("a/b", "0" * 40, path)
    assert urllib.parse.urlsplit(address).path == address
    assert str(file_of(address)).endswith(path)
