"""Laws of the source that is shown: tidying changes no meaning, texts for a pattern match it."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.prove.texts import samples
from errdex.prove.tidy import joined_imports, laid_out, tidied


@given(st.lists(st.one_of(st.text(max_size=12), st.binary(max_size=6), st.integers()), max_size=4))
def test_tidying_changes_no_meaning(values: list[object]) -> None:
    """Whatever literals stand in a program, it is the same program afterwards."""
    program = f"import a\n\na.f(1, *{values!r}, key={values!r})\n"
    assert ast.dump(ast.parse(tidied(program))) == ast.dump(ast.parse(program))


def test_texts_stand_in_double_quotes() -> None:
    """Single quotes give way where nothing in the text stands against it; what is no program is left alone."""
    assert tidied("f('a', b'c', 'say \"x\"', \"it's\")\n") == 'f("a", b"c", \'say "x"\', "it\'s")\n'
    assert tidied("f('a'") == "f('a'"


def test_names_of_one_module_share_an_import() -> None:
    """Plain imports come first; an alias stays with its name."""
    lines = ["from b import y", "import c as d", "from b import x as z", "import a", "from a.b import q"]
    assert joined_imports(lines) == [
        "import a",
        "import c as d",
        "from a.b import q",
        "from b import x as z, y",
    ]


def test_definitions_have_room() -> None:
    """Two empty lines stand around functions and classes, none between statements."""
    source = "x = 1\n\n\ndef f():\n    return x\n\n\nf()\nf()"
    assert laid_out(ast.parse(source).body) == source


@pytest.mark.parametrize(
    "pattern",
    [
        r"^rgb\(([\d\s,]+)\)$",
        r"[a-z]{3,5}-[0-9]{4}",
        r"(?P<first>x|yy|zzz)+?[^abc]",
        r"\{(\w+)(:\w+)?\}",
        r"^(?:https?|ftp)://[^/\s]+(/.*)?$",
        r"\bword\b",
        r"(?i)KEY\s*=\s*(['\"]?)\w*\1",
    ],
)
def test_texts_for_a_pattern_match_it(pattern: str) -> None:
    """Shortest texts, longer ones, other branches, two in a row: the pattern finds itself in each."""
    found = samples(pattern)
    assert found
    assert all(re.search(pattern, text) for text in found)


def test_a_pattern_that_cannot_be_read_gives_no_texts() -> None:
    """Neither a broken pattern nor one of a newer Python stops the search."""
    assert samples("(") == []
    assert samples(r"(?<=a+)b") == []
