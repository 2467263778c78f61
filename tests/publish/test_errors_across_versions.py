"""From version to version: what is new, reworded, moved or gone, and where old addresses lead."""

import json
import re

import pytest
from starlette.testclient import TestClient
from test_pages_are_safe_and_small import Reader

from errdex.catalog import Catalog
from errdex.catalog.build import build
from errdex.model.record import record_id
from errdex.publish.lineage import Gone, Lineage, Moved
from errdex.publish.links import Site
from errdex.publish.site import publish
from errdex.sources import open_tree, parse_coordinate
from errdex.web import create_app

REPO = "acme/kiosk"
SITE = Site(base_url="https://errors.test", mode="static")

OLDEST = '''
def sell(paper, price):
    """Sell a paper."""
    if price < 0:
        raise ValueError("price is below zero")
    if not paper:
        raise LookupError(f"no such paper: {paper}")
    if price > 100:
        raise ValueError("too dear for anybody")


def close(till):
    """Close a till."""
    if till.open_orders:
        raise RuntimeError("orders are still open")
'''
OLD = OLDEST.replace("price is below zero", "price must not be negative, got {price}").replace(
    '"price must', 'f"price must'
)
NEW = (
    OLD.replace("no such paper: {paper}", "no such paper: {paper!r}")
    .replace('    if price > 100:\n        raise ValueError("too dear for anybody")\n', "")
    .partition("\n\ndef close")[0]
)
TILL = '''
def close_till(till):
    """Close a till."""
    if till.orders:
        raise RuntimeError("orders are still open")
    if till.cash < 0:
        raise RuntimeError("the till is short")
'''
VERSIONS = {
    "1.0": {"kiosk/shop.py": OLDEST},
    "1.1": {"kiosk/shop.py": OLD},
    "2.0": {"kiosk/shop.py": NEW, "kiosk/till.py": TILL},
}


def id_of(message: str, path: str = "kiosk/shop.py") -> str:
    """The id of a record of the kiosk."""
    return record_id(REPO, message, path)


ID = {
    "below": id_of("price is below zero"),
    "negative": id_of("price must not be negative, got {price}"),
    "paper": id_of("no such paper: {paper}"),
    "paper!r": id_of("no such paper: {paper!r}"),
    "dear": id_of("too dear for anybody"),
    "open": id_of("orders are still open"),
    "open, till": id_of("orders are still open", "kiosk/till.py"),
    "short": id_of("the till is short", "kiosk/till.py"),
}


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory):
    """Three versions of a small package, analysed as `errdex analyze` does."""
    folder = tmp_path_factory.mktemp("kiosk")
    with Catalog.open(folder / "catalog.db", create=True) as catalog:
        for version, files in VERSIONS.items():
            for path, text in files.items():
                (folder / version / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / version / path).write_text(text, encoding="utf-8")
            project = f'[project]\nname = "kiosk"\nversion = "{version}"\n'
            (folder / version / "pyproject.toml").write_text(project, encoding="utf-8")
            coordinate = parse_coordinate(str(folder / version), repo=REPO)
            build(catalog, open_tree(coordinate, cache=folder / "cache"))
        yield catalog


@pytest.fixture(scope="module")
def lineage(kiosk):
    """What became of the kiosk's errors."""
    return Lineage(kiosk, REPO)


@pytest.fixture(scope="module")
def site(kiosk, tmp_path_factory):
    """The kiosk, published."""
    folder = tmp_path_factory.mktemp("published") / "site"
    publish(kiosk, folder, SITE)
    return folder


@pytest.fixture(scope="module")
def client(kiosk):
    """A client of the app that serves the kiosk."""
    with TestClient(
        create_app(kiosk, base_url="https://errors.test"),
        base_url="https://errors.test",
        raise_server_exceptions=False,
        follow_redirects=False,
    ) as made:
        yield made


def page_of(site, kiosk, name):
    """The published page of one of `ID`, whichever version had it."""
    return (site / REPO / kiosk.record(ID[name]).record.slug / "index.html").read_text(encoding="utf-8")


def test_each_version_says_what_it_changed(lineage):
    """New, reworded or moved, and gone, held against the version before; of the oldest nothing is known."""
    told = [
        (
            step.label,
            sorted(row.id for row in step.added),
            sorted((old.id, new.id) for old, new in step.changed),
            sorted(row.id for row in step.removed),
        )
        for step in lineage.steps
    ]
    moved = [(ID["paper"], ID["paper!r"]), (ID["open"], ID["open, till"])]
    assert told == [
        ("2.0", [ID["short"]], sorted(moved), [ID["dear"]]),
        ("1.1", [], [(ID["below"], ID["negative"])], []),
        ("1.0", [], [], []),
    ]


@pytest.mark.parametrize(
    ("name", "successor"), [("below", "negative"), ("paper", "paper!r"), ("open", "open, till")]
)
def test_a_reworded_or_moved_error_has_one_successor(lineage, name, successor):
    """Same guard in the same function, or the same words elsewhere: the error lives on."""
    fate = lineage.fate(ID[name])
    assert isinstance(fate, Moved)
    assert fate.successor.id == ID[successor]


def test_an_error_without_a_successor_is_gone(lineage):
    """It says which version had it last, and which lacks it."""
    assert lineage.fate(ID["dear"]) == Gone("kiosk 1.1", "kiosk 2.0", "2.0")
    assert lineage.fate(ID["negative"]) is None
    assert lineage.fate("0" * 16) is None


def test_an_errors_stages_follow_it_under_its_old_words(lineage):
    """Line and words in every version, under whichever id it had then."""
    assert [(one.label, one.line, one.words) for one in lineage.stages(ID["negative"])] == [
        ("2.0", 5, None),
        ("1.1", 5, None),
        ("1.0", 5, "price is below zero"),
    ]
    assert [one.line for one in lineage.stages(ID["dear"])] == [None, 9, 9]


def test_an_error_that_came_back_is_not_gone(kiosk, tmp_path):
    """Left in one version and there again in the newest: its address is its own."""
    with Catalog.open(tmp_path / "again.db", create=True) as catalog:
        for number, text in enumerate((OLDEST, NEW, OLDEST.replace("A paper", "Any paper") + "\n"), 1):
            folder = tmp_path / f"v{number}"
            (folder / "kiosk").mkdir(parents=True)
            (folder / "kiosk/shop.py").write_text(text, encoding="utf-8")
            (folder / "pyproject.toml").write_text(f'[project]\nname = "kiosk"\nversion = "{number}"\n')
            build(catalog, open_tree(parse_coordinate(str(folder), repo=REPO), cache=tmp_path / "cache"))
        lineage = Lineage(catalog, REPO)
        assert lineage.fate(ID["dear"]) is None
        assert lineage.fate(ID["negative"]).successor.id == ID["below"]


@pytest.mark.parametrize(
    ("name", "successor"), [("below", "negative"), ("paper", "paper!r"), ("open", "open, till")]
)
def test_an_old_address_leads_to_the_new_one(client, site, kiosk, name, successor):
    """Served: 308 for page and JSON. On a static host: a page that leads on, and the JSON that a redirect ends at."""
    old, new = kiosk.record(ID[name]).record, kiosk.record(ID[successor]).record
    address = f"/{REPO}/{new.slug}/"
    page = client.get(f"/{REPO}/{old.slug}/")
    assert (page.status_code, page.headers["location"]) == (308, address)
    assert "max-age=60" in page.headers["cache-control"]
    data = client.get(f"/api/errors/{old.id}")
    assert (data.status_code, data.headers["location"]) == (308, f"/api/errors/{new.id}")
    assert client.get(data.headers["location"]).json()["record"]["id"] == new.id
    html = page_of(site, kiosk, name)
    assert f'<link rel="canonical" href="https://errors.test{address}">' in html
    assert f'<meta http-equiv="refresh" content="0; url={address}">' in html
    assert new.error_message in Reader(html).text
    assert (site / "api/errors" / old.id).read_bytes() == (site / "api/errors" / new.id).read_bytes()


def test_a_removed_error_leaves_a_tombstone(client, site, kiosk):
    """Served with 410, published as a page that still explains it; both say when it left."""
    record = kiosk.record(ID["dear"]).record
    served = client.get(f"/{REPO}/{record.slug}/", headers={"Accept": "text/html"})
    assert served.status_code == 410
    for html in (served.text, page_of(site, kiosk, "dear")):
        text = " ".join(Reader(html).text.split())
        assert "No longer raised: it left in kiosk 2.0. This page tells of kiosk 1.1" in text
        assert "What to do" in text
        assert '<meta name="robots" content="noindex">' in html
    data = client.get(f"/api/errors/{record.id}")
    assert data.status_code == 410
    told = json.loads((site / "api/errors" / record.id).read_bytes())
    assert told["record"].pop("githubUrl") == data.json()["record"]["githubUrl"]
    assert {key: value for key, value in data.json().items() if key != "record"} == {
        key: value for key, value in told.items() if key != "record"
    }
    assert (told["status"], told["leftIn"], told["lastSeen"]) == (410, "kiosk 2.0", "kiosk 1.1")


def test_the_dataset_says_what_became_of_old_ids(client, site):
    """`/data/lineage/…` lists every id that the newest version lacks; served and published files are the same."""
    path = f"data/lineage/{REPO}.json"
    rows = {row["id"]: row for row in json.loads((site / path).read_bytes())}
    assert set(rows) == {ID["below"], ID["paper"], ID["open"], ID["dear"]}
    assert rows[ID["below"]]["successor"]["id"] == ID["negative"]
    assert rows[ID["dear"]]["leftIn"] == "kiosk 2.0"
    assert client.get(f"/{path}").content == (site / path).read_bytes()
    manifest = json.loads((site / "data/manifest.json").read_bytes())
    assert manifest["lineageFiles"][REPO]["path"] == f"/{path}"


def test_a_version_has_a_page_of_its_changes(client, site):
    """It names what is new, what it was before, and what is gone; the library's page charts all versions."""
    html = (site / REPO / "version/2.0/index.html").read_text(encoding="utf-8")
    assert html == client.get(f"/{REPO}/version/2.0/").text.replace(
        'data-search="live"', 'data-search="static"'
    )
    headings = re.findall(r"<h2>([^<]*)</h2>", html.partition('<div class="reading">')[2])
    assert headings == ["New", "Reworded or moved", "Gone", "Across versions"]
    assert "was no such paper: {paper}" in " ".join(Reader(html).text.split())
    library = (site / REPO / "index.html").read_text(encoding="utf-8")
    assert 'role="img" aria-label="Errors in each version, from 4 in 1.0 to 4 in 2.0"' in library
    assert f'<a href="/{REPO}/version/1.1/">1.1</a>' in library
    assert client.get(f"/{REPO}/version/9.9/").status_code == 404
