"""Questions in a user's own words, over HTTP: answered where no message matches, and only there."""

ASKED = "why can I put no more books on my shelf"
MEANT = "the shelf is full"


def test_a_question_in_other_words_is_answered_with_what_is_nearest(client):
    """`/api/search` has the contract's rows, found as `similar`, with scores that only fall."""
    matches = client.get("/api/search", params={"q": ASKED, "limit": 3}).json()["matches"]
    assert MEANT in matches[0]["message"]
    assert set(matches[0]) == {"id", "repo", "code", "message", "score", "matchType", "url"}
    assert {row["matchType"] for row in matches} == {"similar"}
    scores = [row["score"] for row in matches]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    nobody = client.get("/api/search", params={"q": ASKED, "repo": "nobody/nothing"})
    assert nobody.json()["matches"] == []


def test_the_search_page_shows_what_is_nearest_below_an_honest_verdict(client):
    """The verdict stays `no match`; the nearest errors stand below it as links."""
    page = client.get("/search/", params={"q": ASKED}).text
    assert "no match" in page
    assert page.index("no match") < page.index("Nearest to your words") < page.index(MEANT)


def test_a_traceback_that_nothing_fits_gets_no_guesses(client):
    """What names a class or a frame is a lookup: it is known or it is not."""
    for text in (
        "FrobError: the shelf takes no more books",
        'File "app.py", line 3, in f\nFrobError: shelf',
    ):
        assert client.get("/api/search", params={"q": text}).json()["matches"] == []
        assert "Nearest to your words" not in client.get("/search/", params={"q": text}).text
