"""`level:tested` in what is asked: the JSON route and the search page answer with errors of that level only."""

import pytest
from sample_catalog import MESSAGE

WORDS = "unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16"


@pytest.mark.parametrize(("level", "is_found"), [("tested", True), ("proved", False)])
def test_the_search_route_keeps_to_a_level(client, level, is_found):
    """A match of another level is no match; the filter itself is no part of the words."""
    answer = client.get("/api/search", params={"q": f"level:{level} {WORDS}"}).json()
    assert (MESSAGE in [match["message"] for match in answer["matches"]]) is is_found


def test_levels_add_up(client):
    """Several filters let any of their levels through."""
    query = f"level:tested {WORDS} level:proved-slice"
    answer = client.get("/api/search", params={"q": query}).json()
    assert answer["matches"][0]["message"] == MESSAGE


def test_the_search_page_says_why_nothing_is_left(client):
    """The page tells which level was asked for, and what those of any level would have been."""
    found = client.get("/search/", params={"q": f"level:tested {WORDS}"}).text
    assert "Nothing fits" not in found
    left_out = client.get("/search/", params={"q": f"level:proved {WORDS}"}).text
    assert "Nothing fits" in left_out
    assert "No error of the level proved fits" in left_out


def test_a_filter_without_words_finds_nothing(client):
    """A level alone is no question."""
    assert client.get("/api/search", params={"q": "level:proved"}).json()["matches"] == []
    assert client.get("/search/", params={"q": "level:proved"}).status_code == 200
