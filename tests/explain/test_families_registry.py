"""A family is one module and one case folder, and its text has all its headings."""

import re
from pathlib import Path

import pytest

import errdex.explain.families as folder
from errdex.explain.interface import HEADINGS, families

HERE = Path(__file__).parent
MODULES = {
    path.stem.replace("_", "-")
    for path in Path(folder.__file__).parent.glob("*.py")
    if path.stem != "__init__"
}
CASES = {path.parent.name for path in HERE.glob("*/fails.py")} & {
    path.parent.name for path in HERE.glob("*/fixed.py")
}


def test_every_family_has_a_module_and_a_case_folder_of_its_name():
    """The registry, the modules and the case folders list the same slugs."""
    assert set(families()) == MODULES == CASES


def test_there_are_at_least_sixty_families():
    """The catalog speaks of sixty kinds of failure or more."""
    assert len(families()) >= 60


@pytest.mark.parametrize("slug", sorted(MODULES))
def test_a_page_has_all_its_headings_in_order(slug):
    """Title, then Means to Source, each with text; the source is an address."""
    page = families()[slug].page
    assert page.title.endswith(".")
    assert tuple(page.sections) == HEADINGS
    assert all(text for texts in page.sections.values() for text in texts)
    assert page.sections["Source"][0].startswith("https://")
    assert len(page.sections["Causes"]) >= 1


@pytest.mark.parametrize("slug", sorted(MODULES))
def test_families_named_by_a_family_exist(slug):
    """`yields_to` and the slugs quoted under "Not this" are families, and of the breadth that makes the order needed."""
    known = families()
    family = known[slug]
    assert family.yields_to <= set(known)
    assert all(known[other].breadth == family.breadth for other in family.yields_to)
    for other in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", " ".join(family.page.sections["Not this"])):
        assert other in known, other


def test_no_two_families_yield_to_each_other():
    """The order between two families is one-way."""
    known = families()
    assert not [(a, b) for a in known for b in known[a].yields_to if a in known[b].yields_to]


@pytest.mark.parametrize("slug", sorted(MODULES))
def test_a_family_always_has_something_to_say(slug):
    """At least one situation and one way to prevent it need no name of the site, or the family's own names suffice."""
    family = families()[slug]
    assert family.situations
    assert family.prevention
    assert all(text.endswith(".") for text in (*family.situations, *family.prevention, *family.solutions))
