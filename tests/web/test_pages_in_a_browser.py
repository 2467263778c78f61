"""Pages in headless Chromium: they load clean, read without scripts, fit a phone, and serve the keyboard."""

import re

import pytest
from sample_catalog import ARTIFACT, HOSTILE, NEW_SHA, named

pytestmark = pytest.mark.browser

ERROR = "/sgl-project/sglang/unified-kv-dtype-mismatch-kv-unified-kv-dtype/"
HOSTILE_PAGE = f"/sgl-project/sglang/{named(HOSTILE, line=690).record.slug}/"
PAGES = {
    "home": "/",
    "repo": "/sgl-project/sglang/",
    "error": ERROR,
    "hostile": HOSTILE_PAGE,
    "families": "/info/",
    "family": "/info/argument-type/",
    "search": "/search/?q=thing+number+7+is+not+a+thing",
    "source": f"/source/{ARTIFACT}/{NEW_SHA}/shelf/books.py",
    "about": "/about/",
    "version": "/sgl-project/sglang/version/0.5.23/",
}


@pytest.fixture
def opened(browser, server):
    """Open a page in a context of its own; returns the page and what its console said."""
    contexts = []

    def open_page(path, **context):
        made = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        contexts.append(made)
        page = made.new_page()
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append("dialog"), dialog.dismiss()))
        page.goto(server + path)
        return page, said

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_without_complaint(opened, name, scheme):
    """No console message, no script error, no dialog, and one heading of the first level."""
    page, said = opened(PAGES[name], color_scheme=scheme)
    assert page.locator("h1").count() == 1
    assert page.locator("h1").inner_text().strip()
    assert said == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(opened, name):
    """At 360 pixels nothing makes the page wider than the screen."""
    page, _ = opened(PAGES[name], viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("name", PAGES)
def test_a_page_reads_without_scripts(opened, name):
    """With scripts off the text is the same, and the form still asks."""
    plain, _ = opened(PAGES[name], java_script_enabled=False)
    scripted, _ = opened(PAGES[name])
    text = plain.locator("main").inner_text()
    assert len(text) > 60
    assert re.sub(r"\s+", "", text) == re.sub(
        r"\s+|Copy(?=\n)",
        "",
        re.sub(r"^Copy$", "", scripted.locator("main").inner_text(), flags=re.MULTILINE),
    )


def test_a_traceback_is_explained_without_scripts(opened):
    """Pasting into the first page and pressing the button is enough."""
    page, _ = opened("/", java_script_enabled=False)
    page.fill("#ask", "ValueError: thing number 7 is not a thing")
    page.click("text=Explain")
    assert page.locator("ol.errors a.message").first.inner_text().endswith("thing number 7 is not a thing")


def test_search_as_you_type_by_keyboard_alone(opened):
    """Slash, a few words, arrow down, Enter: the error's page."""
    page, said = opened("/")
    page.locator("body").press("/")
    page.keyboard.type("thing number 7 is not a thing")
    page.wait_for_selector("#hits li:first-child:has-text('number 7 is')")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#find", "aria-activedescendant") == "hit-0"
    page.keyboard.press("Enter")
    page.wait_for_url("**/thing-number-7-is-not-a-thing-707/")
    assert said == []


def test_the_search_list_closes_on_escape(opened):
    """Escape puts the list away and leaves the words."""
    page, _ = opened("/")
    page.fill("#find", "thing number 7 is not a thing")
    page.wait_for_selector("#hits [role=option]")
    page.press("#find", "Escape")
    assert page.locator("#hits").is_hidden()
    assert page.input_value("#find").startswith("thing")


def test_focus_is_seen_on_every_stop(opened):
    """Tab reaches links, fields and code boxes in turn, each with a visible outline."""
    page, _ = opened(ERROR)
    seen = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        tag, width = page.evaluate(
            "[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineWidth]"
        )
        seen.add(tag)
        assert float(width.removesuffix("px")) >= 2
    assert {"A", "INPUT"} <= seen


def test_dark_mode_follows_the_reader(opened):
    """Dark paper, light ink, when the reader's setting says dark."""
    page, _ = opened(ERROR, color_scheme="dark")
    red = int(re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[0])
    assert red < 60


def test_a_code_block_copies_without_its_line_numbers(opened, server):
    """The copy button of the source gives the source."""
    page, _ = opened(ERROR, permissions=["clipboard-read", "clipboard-write"])
    block = page.locator(".code:has(pre.source)")
    block.hover()
    block.locator(".copy").click()
    page.wait_for_selector(".copy:has-text('Copied')")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("            )\n        if kv_scales.dtype != torch.float32:\n")


def test_a_link_to_a_range_of_lines_marks_them(opened):
    """`#L3-L5` of a source page marks three lines."""
    page, _ = opened(f"/source/{ARTIFACT}/{NEW_SHA}/shelf/books.py#L3-L5")
    assert page.locator(".line.marked").count() == 3


def test_a_link_from_a_record_to_its_lines_works_without_scripts(opened, client):
    """The range that a record's source link names is an anchor of the page."""
    record = client.get(f"/data/repos/{ARTIFACT}.json").json()[1]
    fragment = record["githubUrl"].partition("#")[2]
    page, _ = opened(f"/source/{ARTIFACT}/{NEW_SHA}/shelf/books.py", java_script_enabled=False)
    assert page.locator(f"[id='{fragment}']").count() == 1


def test_a_raising_line_leads_to_its_error(opened):
    """The source page links each raising line to what it means."""
    page, _ = opened(PAGES["source"])
    page.locator("a.go").first.click()
    page.wait_for_url(f"**/{ARTIFACT}/**")
    assert "the shelf is full" in page.locator("h1").inner_text()


def test_print_shows_the_text_alone(opened):
    """On paper there is no navigation and no button."""
    page, _ = opened(ERROR)
    page.emulate_media(media="print")
    assert page.locator("header.top").is_hidden()
    assert page.locator(".copy").first.is_hidden()
    assert page.locator("h1").is_visible()
