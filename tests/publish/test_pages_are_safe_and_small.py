"""Pages hold what the contract asks, and nothing of a stranger's text can act in them."""

import html.parser
import json
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_catalog import HOSTILE, named
from samples import (
    FAMILY_ROW,
    MESSAGE,
    REPO_ROW,
    SOURCE,
    proved,
    sample,
    sample_evidence,
    sample_site,
    summary_of,
)

from errdex.catalog import StoredRecord
from errdex.publish.highlight import code_lines
from errdex.publish.links import SOURCE_LINES, Site
from errdex.publish.pages import SHARED_LINES, Renderer, source_pages

MAX_PAGE_BYTES = 60_000
RENDERER = Renderer(Site(base_url="https://errors.test"))


TEXTS = set(
    "documentation error_message message trigger_scenarios common_situations example_fix type_guard text doc "
    "validation_code code output written annotation detail expression statement name signature call".split()
)
LISTS = set(
    "solutions prevention_tips sentences related sites tests entry_points chain callable parameters "
    "path_conditions guard templates parts proof witness fix".split()
)


class Reader(html.parser.HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """Keep an element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        """Keep text."""
        self.text += data


def json_ld_of(page: str) -> dict:
    """The page's JSON-LD, cut out as a browser does: up to the first end tag."""
    return json.loads(page.partition('<script type="application/ld+json">')[2].partition("</script>")[0])


def assert_harmless(page: str) -> None:
    """No element, attribute or address that could act."""
    for tag, attributes in Reader(page).elements:
        assert tag not in {"img", "iframe", "object", "embed", "base", "style"}
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        assert (
            not (attributes.get("href") or "")
            .lower()
            .lstrip()
            .startswith(("javascript:", "data:", "vbscript:"))
        )
        if tag == "script":
            assert attributes.get("type") == "application/ld+json" or (
                attributes.get("src") or ""
            ).startswith("/assets/")


def test_an_error_page_says_everything_in_the_contracts_order():
    """Title, meaning, solutions, proof, source, circumstances and guards follow one another."""
    text = Reader(RENDERER.error(proved())).text
    order = [
        MESSAGE, "proved · witness and fix run", "runs one decode step", "What to do", "Seen to fail, seen to work", "Where it is raised",
        "When it happens", "Guard against it", "Same function", "/api/errors/", "Analysis of", "Report a mistake",
    ]  # fmt: skip
    body = text.partition("Skip to the content")[2]
    places = [body.find(words) for words in order]
    assert -1 not in places
    assert places == sorted(places)


def test_the_title_copies_whole():
    """The heading's text is class and message, exactly."""
    page = RENDERER.error(sample())
    heading = re.search(r"<h1.*?</h1>", page, re.DOTALL)
    assert heading is not None
    assert Reader(heading.group()).text == f"RuntimeError: {MESSAGE}"


def test_a_copied_block_of_source_is_the_source():
    """Line numbers are drawn by the stylesheet: the block's text is the code alone."""
    page = RENDERER.error(sample())
    block = re.search(r'<pre class="source".*?</pre>', page, re.DOTALL)
    assert block is not None
    assert Reader(block.group()).text == SOURCE + "\n"


def test_guard_and_raise_are_marked():
    """The guard's line and the raising statement's lines carry their marks."""
    page = RENDERER.error(sample())
    marks = dict(
        re.findall(r'<span class="line (\w+)" id="L(\d+)"', page)
        and [(number, mark) for mark, number in re.findall(r'<span class="line (\w+)" id="L(\d+)"', page)]
    )
    assert marks == {"683": "guard", "684": "throw", "685": "throw", "686": "throw"}


def test_every_sentence_says_where_it_comes_from():
    """Source lines are links, inferred sentences say so."""
    page = RENDERER.error(sample())
    assert '<sup class="from from-source"><a href="#L683">line 683</a></sup>' in page
    assert '<sup class="from from-inferred">inferred</sup>' in page
    assert '<sup class="from from-family"><a href="/info/tensor-dtype-mismatch/">family</a></sup>' in page


def test_the_head_names_the_twins():
    """Canonical address, JSON twin and JSON-LD of three kinds."""
    page = RENDERER.error(sample())
    record = sample().record
    assert f'<link rel="canonical" href="https://errors.test/{record.repo}/{record.slug}/">' in page
    assert f'<link rel="alternate" type="application/json" href="/api/errors/{record.id}">' in page
    assert [node["@type"] for node in json_ld_of(page)["@graph"]] == [
        "BreadcrumbList",
        "TechArticle",
        "FAQPage",
    ]


@pytest.mark.parametrize("stored", [sample(), proved(), named(HOSTILE)], ids=["plain", "proved", "hostile"])
def test_an_error_page_stays_small(stored):
    """Under 60 kB of HTML, even where the message is one word of ten thousand letters."""
    page = RENDERER.error(stored)
    assert len(page.encode()) < MAX_PAGE_BYTES
    assert_harmless(page)


def test_an_error_of_a_hundred_places_stays_small():
    """Places beyond the twentieth are counted, not listed."""
    sites = tuple(sample_site(line=1000 + number, end_line=1000 + number) for number in range(300))
    stored = sample()
    page = RENDERER.error(
        StoredRecord(record=stored.record, evidence=sample_evidence(stored.record, sites=sites))
    )
    assert "and 280 more" in page
    assert len(page.encode()) < MAX_PAGE_BYTES


def swollen(value, text=lambda text: text, items=1):
    """A struct with every text of it changed and every list of it repeated, places and names apart."""
    if isinstance(value, msgspec.Struct):
        grown = {
            name: swollen(getattr(value, name), text, items)
            for name in value.__struct_fields__
            if name in TEXTS | LISTS
        }
        return msgspec.structs.replace(value, **grown)
    if isinstance(value, dict):
        return {key: swollen(one, text, items) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(swollen(one, text, items) for one in value) * items
    return text(value) if isinstance(value, str) else value


def assert_cut_and_small(stored):
    """The page is within its limit, harmless, and says what it leaves out."""
    page = RENDERER.error(stored)
    assert len(page.encode()) < MAX_PAGE_BYTES
    assert "long parts are cut here" in page
    assert_harmless(page)


@pytest.mark.parametrize("filler", ["W", "<&'\"", "\u202e", "\u202ex", "é", "\U0001f600", "`", "{x}", "\n"])
def test_an_error_of_endless_texts_has_a_small_page(filler):
    """Every message, sentence, condition, program and docstring twenty thousand characters long."""
    stored = proved()
    long = filler * (20_000 // len(filler))
    record, evidence = (swollen(part, lambda _text: long) for part in (stored.record, stored.evidence))
    assert_cut_and_small(StoredRecord(record=record, evidence=evidence))


def test_an_error_of_endless_lists_has_a_small_page():
    """Twelve times the sites, each with twelve times the conditions, callers, tests, and so on down."""
    stored = proved()
    record, evidence = (swollen(part, items=12) for part in (stored.record, stored.evidence))
    assert_cut_and_small(StoredRecord(record=record, evidence=evidence))


def test_a_page_of_a_large_repository_stays_small():
    """A hundred rows to a page, however many errors the repository has."""
    rows = [summary_of(sample())] * 100
    page = RENDERER.repo(REPO_ROW, rows, total=12_345, page=7)
    assert len(page.encode()) < MAX_PAGE_BYTES
    assert "601 to 700 of 12,345" in Reader(page).text


LONG = "".join(f"value_{number} = {number}  # line {number}\n" for number in range(1, 1_801))


def test_a_long_source_file_has_pages_that_link_to_one_another():
    """Five hundred lines each, and those that the next begins with."""
    pages = [RENDERER.source("a/b", "0" * 40, "x.py", LONG, first=first) for first in source_pages(LONG)]
    numbers = [[int(number) for number in re.findall(r'id="L(\d+)"', page)] for page in pages]
    assert [(lines[0], lines[-1]) for lines in numbers] == [(1, 536), (501, 1036), (1001, 1536), (1501, 1800)]
    address = f"/source/a/b/{'0' * 40}/x.py"
    assert f'href="{address}/501"' in pages[0]
    assert f'<link rel="canonical" href="https://errors.test{address}/1001">' in pages[2]
    assert f'href="{address}"' in pages[1]
    assert all(len(page.encode()) < 100_000 for page in pages)


@given(line=st.integers(1, 10_000), reach=st.integers(0, 36))
def test_a_link_to_lines_leads_to_the_page_that_shows_them(line, reach):
    """The address of a window names the page that has its first and its last line."""
    path = RENDERER.site.source("a/b", "0" * 40, "x.py", line, line + reach).partition("#")[0]
    first = int(path.rpartition("/")[2]) if not path.endswith(".py") else 1
    assert first <= line
    assert line + reach < first + SOURCE_LINES + SHARED_LINES


@pytest.mark.parametrize("filler", ["W", "<&'\"", "\u202e", "é", "{}"])
def test_a_hostile_source_page_has_a_limit(filler):
    """Lines of two thousand characters, each raising an error with an endless message."""
    text = f"{filler * (2_000 // len(filler))}\n" * 600
    summary = summary_of(named(HOSTILE))
    raised = [msgspec.structs.replace(summary, line_number=number) for number in range(1, 600)]
    page = RENDERER.source("a/b", "0" * 40, "x.py", text, raised)
    assert len(page.encode()) < 400_000
    assert_harmless(page)


def test_hidden_characters_are_shown_by_their_number():
    """A bidi override neither reorders the page nor vanishes."""
    page = RENDERER.error(named("safe \u202egnp.exe\u202c"))
    assert "\u202e" not in page
    assert "U+202E" in page


def test_a_relative_source_link_leads_to_our_own_page():
    """An artifact's lines link to our source page; a file we do not hold is not linked."""
    path = "shelf/books.py"
    stored = named(
        "x is wrong",
        repo="pypi/shelf",
        file_path=path,
        github_url=f"/source/pypi/shelf/{'0' * 40}/{path}#L1-L9",
    )
    held = RENDERER.error(stored)
    missing = RENDERER.error(stored, has_source=lambda _path: False)
    assert f'href="/source/pypi/shelf/0132848349585cfe6aae51c4941cbae872505f8a/{path}/501#L684"' in held
    assert 'href="/source/' not in missing


def test_a_site_below_a_folder_links_below_it():
    """With a path in its address, every link of the site begins with that path."""
    page = Renderer(Site(base_url="https://host.test/errors")).error(sample())
    links = [value["href"] or "" for _, value in Reader(page).elements if "href" in value]
    assert [link for link in links if link.startswith("/") and not link.startswith("/errors/")] == []


def test_the_same_values_give_the_same_bytes():
    """Two renderers agree to the byte."""
    assert RENDERER.error(proved()) == Renderer(Site(base_url="https://errors.test")).error(proved())


def test_family_and_lists_are_harmless():
    """Hostile rows are text in every list."""
    rows = [summary_of(named(HOSTILE))]
    for page in (
        RENDERER.repo(REPO_ROW, rows, total=1),
        RENDERER.family(FAMILY_ROW, rows),
        RENDERER.source("a/b", "0" * 40, "x/<y>.py", HOSTILE),
        RENDERER.search(HOSTILE, None, {}),
        RENDERER.message(404, "Nothing", HOSTILE),
    ):
        assert_harmless(page)
        assert len(page.encode()) < MAX_PAGE_BYTES


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=300))
def test_no_message_gets_out_of_its_page(message):
    """Whatever the message, the page is harmless UTF-8 and its JSON-LD parses."""
    stored = named(message or "x")
    page = RENDERER.error(stored)
    page.encode("utf-8")
    assert_harmless(page)
    assert json_ld_of(page)["@graph"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.sampled_from(["x.py", "x.go", "x.rs", "x", "x.weird", "x.js"]))
def test_highlighting_keeps_the_code(code, path):
    """The text of the lines is the code, whatever the language and however broken."""
    code = "".join(c for c in code.replace("\r\n", "\n").replace("\r", "\n") if c == "\n" or c.isprintable())
    lines = code_lines(code, path)
    assert "\n".join(Reader(str(line.html)).text for line in lines) == code.removesuffix("\n")


def test_a_window_that_starts_inside_a_docstring_is_not_turned_inside_out():
    """Code after the cut docstring is code, not one long string."""
    code = 'words of a docstring.\n"""\nvalue = 1\nraise ValueError("no")\n'
    lines = code_lines(code, "x.py")
    assert [line.number for line in lines] == [1, 2, 3, 4]
    assert '<i class="s">' in lines[0].html
    assert lines[2].html == 'value = <i class="m">1</i>' or "<i" in lines[2].html
    assert '<i class="k">raise</i>' in lines[3].html
