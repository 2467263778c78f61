"""Messages worded by classes, constants, factories and helpers' callers; and how users get there."""

from __future__ import annotations

import pytest
from tests.extract.reading import FIXTURES, analysis_of, by_line, expectations

ROOT = FIXTURES / "link"


@pytest.fixture(scope="module")
def sites():
    return analysis_of(ROOT).sites


@pytest.mark.parametrize("path", ["shop/till.py", "shop/_inner/checks.py"])
def test_words_are_found_wherever_they_stand(sites, path):
    """Each statement has the templates that the comment above it states, whichever file words them."""
    found = by_line(sites, path)
    for line, (error_class, templates) in expectations(ROOT / path).items():
        site = found[line]
        if error_class is not None:
            assert site.class_written == error_class
        assert [template.text for template in site.templates] == templates, (path, line)


def _of(sites, function, text):
    return next(
        site
        for site in sites
        if site.callable.name == function and text in "".join(t.text for t in site.templates)
    )


def test_a_class_is_named_as_a_traceback_prints_it(sites):
    """Classes resolve through imports, aliases and class attributes; ancestors follow, nearest first."""
    site = _of(sites, "Till._take", "was refused: it is")
    assert site.error_class == "shop.errors.Refused"
    assert site.class_written == "self.error_class"
    assert site.bases == ("shop.errors.ShopError", "Exception", "BaseException")
    assert _of(sites, "Till._take", "no number").error_class == "shop.errors.Wrapped"


def test_a_helpers_caller_is_the_site(sites):
    """A helper that raises words given to it leaves the record to its caller and is named in it."""
    site = _of(sites, "Till.count", "no coins")
    assert site.kind == "helper"
    assert site.helper is not None
    assert site.helper.name == "_Machine._fail"
    assert site.error_class == "shop.errors.Wrapped"
    assert site.guard is not None
    assert site.guard.text == "not coins"
    assert site.parameters == ("coins",)


@pytest.mark.parametrize(
    ("function", "text", "names", "calls"),
    [
        ("_check_sign", "negative", ["shop.check_price"], [["_check_sign(price)"]]),
        ("check_price", "above", ["shop.check_price"], [[]]),
        ("Till._take", "card", ["shop.Till.pay"], [["self._take(amount)"]]),
        ("sell", "gone", ["shop.sell_item"], [[]]),
        ("_Machine.open", "drawer", ["shop.Till.open"], [[]]),
    ],
)
def test_the_public_way_in_is_found(sites, function, text, names, calls):
    """Entry points carry the shortest public name, and the calls that lead from them to the site."""
    site = _of(sites, function, text)
    assert [entry.name for entry in site.entry_points] == names
    assert [[step.call for step in entry.chain] for entry in site.entry_points] == calls
