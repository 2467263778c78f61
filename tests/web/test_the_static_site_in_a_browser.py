"""The published folder on a plain static host, in Chromium: search works without a server of ours."""

import functools
import http.server
import threading

import pytest
from sample_catalog import ARTIFACT

from errdex.publish.links import Site
from errdex.publish.site import publish

pytestmark = pytest.mark.browser


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host that keeps its log to itself."""

    def log_message(self, *_args):
        """Say nothing."""


@pytest.fixture(scope="module")
def host(catalog, tmp_path_factory):
    """The published sample catalog, below a folder of a static host."""
    top = tmp_path_factory.mktemp("host")
    publish(catalog, top / "docs", Site(base_url="http://errors.test/docs", mode="static"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(top)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/docs"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser):
    """A page whose console must stay silent, and which counts the bytes of search files."""
    context = browser.new_context()
    made = context.new_page()
    made.said = []
    made.on("console", lambda message: made.said.append(message.text))
    made.on("pageerror", lambda error: made.said.append(str(error)))
    yield made
    context.close()


def test_search_as_you_type(page, host):
    """A runtime message typed into the field finds its page; nothing but this site's files is asked for."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{host}/")
    page.locator("body").press("/")
    page.keyboard.type("thing number 7 is not a thing")
    page.wait_for_selector("#hits li:first-child:has-text('number 7 is')")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/thing-number-7-*/")
    assert page.said == []
    assert all(url.startswith(host) for url in asked)


def test_a_pasted_traceback_is_answered_here(page, host):
    """The form answers in the page: the right error first, and the address keeps no word of the paste."""
    page.goto(f"{host}/search/")
    page.fill(
        "#ask",
        'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n'
        "RuntimeError: unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16\n",
    )
    page.click("button:has-text('Explain')")
    page.wait_for_selector("#answer ol.errors a")
    assert (
        page.locator("#answer ol.errors a")
        .first.inner_text()
        .startswith("RuntimeError: unified_kv dtype mismatch")
    )
    assert page.url == f"{host}/search/"
    page.locator("#answer ol.errors a").first.click()
    page.wait_for_url("**/unified-kv-dtype-mismatch-*/")
    assert page.said == []


def test_the_first_pages_form_leads_to_the_answer(page, host):
    """Asked on the first page, the search page answers."""
    page.goto(f"{host}/")
    page.fill("#ask", "no book here")
    page.click("button:has-text('Explain')")
    page.wait_for_selector("#answer ol.errors a")
    assert f"/{ARTIFACT}/no-book-here/" in page.locator("#answer ol.errors a").first.get_attribute("href")


def test_a_level_in_the_question_keeps_to_it(page, host, catalog):
    """`level:…` finds the errors of that level alone, as on a server."""
    row = next(each for each in catalog.summaries(ARTIFACT) if each.slug == "no-book-here")
    for level in ("derived", "tested", "proved"):
        page.goto(f"{host}/search/?q=no+book+here+level%3A{level}")
        page.wait_for_selector("#answer .verdict")
        links = page.locator("#answer ol.errors a")
        found = [links.nth(at).get_attribute("href") for at in range(links.count())]
        assert any(each.endswith("/no-book-here/") for each in found) == (level == row.level)


def test_nothing_is_found_where_nothing_fits(page, host):
    """Words of no error are answered so."""
    page.goto(f"{host}/search/?q=qwertz+uiop+asdf")
    page.wait_for_selector("#answer .verdict")
    assert "No error" in page.inner_text("#answer")


def test_a_source_page_opens_at_its_line(page, host):
    """A link to a line of our own source page survives the static host's redirect to the folder."""
    page.goto(f"{host}/{ARTIFACT}/no-book-here/")
    page.locator("article p.small a").first.click()
    page.wait_for_url("**/shelf/books.py/#L31")
    assert page.locator("#L31.throw").count() == 1
