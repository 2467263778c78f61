"""Words that refer to each other in a circle end the search, not the program."""

from tests.extract.reading import analysis_of

SOURCE = """
class Base(Exception):
    def __init__(self, message, kind):
        self.message = message
        super().__init__(f"{self.message} ({kind})")


class Token(Base):
    message: str = "the token is not valid"

    def __init__(self):
        super().__init__(self.message, "token")


def check(token):
    if not token:
        raise Token()
"""


def test_an_attribute_bound_to_itself_is_spelled_once(tmp_path):
    """`self.message = message`, called with `self.message`, gives words or none, and ends."""
    (tmp_path / "circle.py").write_text(SOURCE, encoding="utf-8")
    (site,) = [site for site in analysis_of(tmp_path).sites if site.callable.name == "check"]
    assert site.class_written == "Token"
