"""Templates as shapes: parsing, fitting a message, and taking the values back out."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errdex.model.site import Hole, MessageTemplate
from errdex.search.bind import bind
from errdex.search.shape import HOLE, fit, parse_template

words = (
    st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=20)
    .map(str.strip)
    .filter(bool)
)
values = st.text(st.characters(codec="utf-8", exclude_characters=HOLE), max_size=30)


@st.composite
def templates(draw):
    """A template with at least one literal, its holes named h0, h1, …"""
    literals = draw(st.lists(words, min_size=1, max_size=4))
    parts = [literals[0]]
    for number, literal in enumerate(literals[1:]):
        parts += [Hole(expression=f"h{number}", written=f"{{h{number}}}"), literal]
    return MessageTemplate(parts=tuple(parts), written="", form="fstring", origin="inline")


@settings(deadline=None)
@given(templates(), st.data())
def test_a_template_fits_every_message_it_renders(template, data):
    """Whatever text fills its holes, a template recognises the result as a whole."""
    message = "".join(part if isinstance(part, str) else data.draw(values) for part in template.parts)
    shape = parse_template(template.text).shape
    assert fit(shape.split(HOLE), message.strip()).kind == "whole"


@settings(deadline=None)
@given(templates())
def test_a_template_comes_back_from_its_text(template):
    """The text form (holes in braces, literal braces doubled) loses neither literals nor holes."""
    parsed = parse_template(template.text)
    assert parsed.holes == tuple(hole.expression for hole in template.holes)
    assert "".join(parsed.literals) == "".join(part for part in template.parts if isinstance(part, str))


@settings(deadline=None)
@given(templates(), st.data())
def test_values_come_back_under_their_expressions(template, data):
    """Values that hold none of the template's own words are bound to the expressions that made them."""
    filled = {hole.expression: data.draw(st.text("xyz", min_size=1)) for hole in template.holes}
    literals = [part for part in template.parts if isinstance(part, str)]
    assume(not any(set(literal) & set("xyz") for literal in literals))
    message = "".join(part if isinstance(part, str) else filled[part.expression] for part in template.parts)
    assert {one.expression: one.value for one in bind(template.text, message)} == filled


@pytest.mark.parametrize(
    ("template", "literals", "holes"),
    [
        ("plain", ("plain",), ()),
        ("{a}{b}", ("", "", ""), ("a", "b")),
        ("{{not}} {a!r}", ("{not} ", ""), ("a!r",)),
        ("{', '.join(f'{x}' for x in y)} end", ("", " end"), ("', '.join(f'{x}' for x in y)",)),
        ("{d['}']} end", ("", " end"), ("d['}']",)),
        ("an open { brace", ("an open { brace",), ()),
        ("a closed } brace", ("a closed } brace",), ()),
    ],
)
def test_braces_inside_expressions_and_loose_braces_are_told_apart(template, literals, holes):
    """Nested braces and quoted ones belong to the expression; a brace without its other half is a character."""
    assert parse_template(template) == (literals, holes)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("cannot open 'a.txt': it is locked by root", "whole"),
        ("EngineError: cannot open 'a.txt': it is locked by root (pid 1)", "inside"),
        ("cannot open 'a.txt': it is lo", "cut"),
        ("cannot open 'a.txt': it is...", "cut"),
        ("cannot close 'a.txt'", "none"),
    ],
)
def test_a_message_may_be_whole_within_another_or_cut(message, kind):
    """Text around the words, and an end that is missing, are told from words that differ."""
    shape = parse_template("cannot open {path!r}: it is locked by {owner}").shape
    assert fit(shape.split(HOLE), message).kind == kind


def test_a_cut_message_gives_the_values_it_still_has():
    """Bindings stop where the message does."""
    bound = bind("cannot open {path!r}: it is locked by {owner}", "cannot open 'a.txt': it is lo")
    assert bound == ()
    bound = bind("cannot open {path!r}: locked by {owner} since {when}", "cannot open 'a.txt': locked by ro")
    assert [(one.expression, one.value) for one in bound] == [("path!r", "'a.txt'")]
