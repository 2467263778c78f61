"""Feed, sitemaps, robots and llms.txt of a published site are what their readers expect."""

import re
import urllib.robotparser
import xml.etree.ElementTree as ET
from datetime import datetime
from email.utils import parsedate_to_datetime

import pytest
from sample_catalog import ARTIFACT

from errdex.publish.links import Site
from errdex.publish.output import file_of
from errdex.publish.site import publish

SITE = Site(base_url="https://errors.test/docs", mode="static")
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(scope="module")
def published(catalog, tmp_path_factory):
    """The sample catalog, published once."""
    target = tmp_path_factory.mktemp("documents") / "site"
    publish(catalog, target, SITE)
    return target


def file_at(published, url):
    """The file that a static host answers a full address with."""
    assert url.startswith(SITE.base_url + "/")
    file = published / file_of(url.removeprefix(SITE.base_url))
    return file / "index.html" if file.is_dir() else file


def urls_of(published):
    """Every page that the sitemaps list, and the sitemaps themselves."""
    index = ET.parse(published / "sitemap-index.xml").getroot()
    assert index.tag == f"{SITEMAPS}sitemapindex"
    sitemaps = [one.text for one in index.iter(f"{SITEMAPS}loc")]
    urls = [loc.text for one in sitemaps for loc in ET.parse(file_at(published, one)).iter(f"{SITEMAPS}loc")]
    return sitemaps, urls


def test_the_sitemaps_list_every_page_worth_finding_and_no_other(published):
    """One file for each library and one for all else; what says `noindex` is not in them; each page is listed once."""
    sitemaps, urls = urls_of(published)
    names = {one.removeprefix(f"{SITE.base_url}/sitemaps/") for one in sitemaps}
    assert names == {"pages.xml", "sgl-project/sglang/1.xml", f"{ARTIFACT}/1.xml"}
    assert len(urls) == len(set(urls))
    listed = {file_at(published, url) for url in urls}
    findable = {
        path
        for path in published.rglob("*.html")
        if 'content="noindex"' not in path.read_text(encoding="utf-8")
    }
    further = {
        path for path in findable if re.search(r"/(family/.*|version/.*/page/\d+)/index\.html$", str(path))
    }
    assert listed == findable - further


def test_a_sitemaps_pages_name_themselves(published):
    """A listed page's canonical address is the one that it is listed under."""
    for url in urls_of(published)[1]:
        page = file_at(published, url).read_text(encoding="utf-8")
        assert f'<link rel="canonical" href="{url}">' in page


def test_the_feed_is_rss_2(published):
    """Channel and items have what RSS 2.0 asks for; dates are RFC 822, links lead to pages, ids are unique."""
    root = ET.parse(published / "rss.xml").getroot()
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    (channel,) = root
    for name in ("title", "link", "description", "lastBuildDate"):
        assert channel.findtext(name)
    own = channel.find("{http://www.w3.org/2005/Atom}link")
    assert (own.get("rel"), own.get("href")) == ("self", f"{SITE.base_url}/rss.xml")
    items = channel.findall("item")
    assert {item.findtext("title").partition(":")[0] for item in items} == {"sgl-project/sglang", ARTIFACT}
    for item in items:
        assert file_at(published, item.findtext("link")).is_file()
        assert isinstance(parsedate_to_datetime(item.findtext("pubDate")), datetime)
        assert item.findtext("description") is not None
    assert len({item.findtext("guid") for item in items}) == len(items)


def test_robots_may_read_pages_and_leave_answers_alone(published):
    """Pages are open; JSON of single errors, searches and copies of sources are not to be crawled."""
    robots = urllib.robotparser.RobotFileParser()
    robots.parse((published / "robots.txt").read_text(encoding="utf-8").splitlines())
    assert robots.site_maps() == [f"{SITE.base_url}/sitemap-index.xml"]
    for url in urls_of(published)[1]:
        assert robots.can_fetch("any", url)
    for path in ("/api/errors/0000000000000000", "/search/", f"/source/{ARTIFACT}/{'a' * 40}/x.py"):
        assert not robots.can_fetch("any", SITE.base_url + path)


def test_llms_txt_is_a_list_of_links_that_resolve(published):
    """A title, a summary, sections of links; each leads to a file, but for the one that takes an id."""
    text = (published / "llms.txt").read_text(encoding="utf-8")
    title, _, summary = text.split("\n")[:3]
    assert title.startswith("# ")
    assert summary.startswith("> ")
    links = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", text, re.MULTILINE)
    assert len(links) >= 4
    for link in links:
        assert file_at(published, link).is_file() or link.endswith("/api/errors/ID")
    assert f"{SITE.base_url}/{ARTIFACT}/" in links
