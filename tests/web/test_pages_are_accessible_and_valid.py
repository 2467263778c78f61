"""Foreign judges of our pages: axe-core for accessibility, html-validate for HTML."""

import json
import subprocess

import pytest
from sample_catalog import ARTIFACT, HOSTILE, NEW_SHA, named

pytestmark = [pytest.mark.browser, pytest.mark.network, pytest.mark.slow]

PATHS = (
    "/", "/about/", "/info/", "/info/argument-type/", "/sgl-project/sglang/", "/sgl-project/sglang/page/2/", "/sgl-project/sglang/family/argument-type/",
    "/sgl-project/sglang/unified-kv-dtype-mismatch-kv-unified-kv-dtype/", f"/sgl-project/sglang/{named(HOSTILE, line=690).record.slug}/",
    f"/{ARTIFACT}/no-book-here/", f"/source/{ARTIFACT}/{NEW_SHA}/shelf/books.py", "/search/", "/search/?q=thing+number+7+is+not+a+thing", "/a/b/c/",
    f"/{ARTIFACT}/version/1.1/", f"/{ARTIFACT}/version/1.0/", f"/{ARTIFACT}/the-book-is-torn/", f"/{ARTIFACT}/",
)  # fmt: skip
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {
        "aria-label-misuse": ["error", {"allowAnyNamable": True}],  # a code box is a group with a name
        "long-title": "off",  # a title is the error's own words
        "no-inline-style": "error",
    },
}


def test_axe_finds_nothing(npm_tools, browser, server):
    """No violation on any kind of page, contrast included, in light and in dark."""
    script = (npm_tools / "axe-core/axe.min.js").read_text(encoding="utf-8")
    found = []
    for scheme in ("light", "dark"):
        # Only the test's own script needs the policy out of the way; pages are judged with theirs elsewhere.
        context = browser.new_context(color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        for path in PATHS:
            page.goto(server + path)
            page.evaluate(script)
            result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            found += [
                (scheme, path, one["id"], one["nodes"][0]["html"][:120]) for one in result["violations"]
            ]
        context.close()
    assert found == []


def test_html_is_valid(npm_tools, client, tmp_path):
    """Every kind of page passes the validator."""
    (tmp_path / ".htmlvalidate.json").write_text(json.dumps({"root": True, **RULES}), encoding="utf-8")
    for number, path in enumerate(PATHS):
        page = client.get(path, headers={"Accept": "text/html"}).text
        (tmp_path / f"{number}.html").write_text(page, encoding="utf-8")
    done = subprocess.run(
        [
            "node",
            str(npm_tools / "html-validate/bin/html-validate.mjs"),
            *(f"{number}.html" for number in range(len(PATHS))),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == ""
    assert done.returncode == 0
