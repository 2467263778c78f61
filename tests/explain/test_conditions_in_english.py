"""Conditions of Python, told in English and turned round."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.explain.conditions import in_words
from errdex.explain.expressions import as_code
from errdex.explain.names import Names
from errdex.model.site import CallableFacts, Parameter
from errdex.syntax.logic import negate, read_expression


def parameter(name, **facts):
    return Parameter(name=name, kind=facts.pop("kind", "positional-or-keyword"), **facts)


NAMES = Names(
    CallableFacts(
        name="Session.send",
        module="m",
        path="m.py",
        line=1,
        end_line=9,
        kind="method",
        parameters=(
            parameter("q"),
            parameter("x", default="None"),
            parameter("strict", default="False"),
            parameter("items", annotation="list[str]"),
            parameter("kwargs", kind="var-keyword"),
        ),
    )
)

TOLD = [
    ("k_pool.dtype != q.dtype or v_pool.dtype != q.dtype", "`k_pool` or `v_pool` has another dtype than `q`"),
    ("q.dtype != k.dtype or q.dtype != v.dtype", "`k` or `v` has another dtype than `q`"),
    ("not isinstance(q, (A, int))", "`q` is neither an `A` nor an `int`"),
    ("not isinstance(q, A | B | C)", "`q` is none of `A`, `B` and `C`"),
    ("isinstance(q, str)", "`q` is a `str`"),
    ("type(q) is not int", "`q` is not exactly an `int`"),
    ("q is None", "`q` is `None`"),
    ("x is None", "`x` is not given"),
    ("x is not None and q is None", "`x` is given and `q` is `None`"),
    ("q not in CHOICES", "`q` is not in `CHOICES`"),
    ("q not in ('a', 'b')", "`q` is neither `'a'` nor `'b'`"),
    ("'name' not in kwargs", "`name` is not given"),
    ("'-' in q", "`q` contains `'-'`"),
    ("q < 0", "`q` is negative"),
    ("0 > q", "`q` is negative"),
    ("q > 10", "`q` is greater than 10"),
    ("not 0 <= q <= 1", "`q` is not between 0 and 1"),
    ("0 < q < n", "`q` is between 0 and `n` (`0 < q < n`)"),
    ("len(q) != n", "`q` has a length other than `n`"),
    ("len(q) == 0", "`q` is empty"),
    ("len(q) < 2", "`q` has fewer than 2 elements"),
    ("len(q) != len(x)", "`q` has another length than `x`"),
    ("len(q) != len(set(q))", "`q` has duplicates"),
    ("q.ndim != 3", "`q` is not 3-D"),
    ("len(q.shape) < 2", "`q` has fewer than 2 dimensions"),
    ("q.shape[0] != x.shape[0]", "the first dimension of `q` differs from the first dimension of `x`"),
    ("q.shape != (2, n)", "`q` has a shape other than `(2, n)`"),
    ("q % 8 != 0", "`q` is not a multiple of `8`"),
    ("not hasattr(q, 'read')", "`q` has no attribute `read`"),
    ("not callable(q)", "`q` is not callable"),
    ("not q.startswith(('http', 'ftp'))", "`q` does not start with `'http'` or `'ftp'`"),
    ("re.match('a+', q) is None", "`q` does not match `'a+'`"),
    ("not NAME_RE.fullmatch(q)", "`q` does not match `NAME_RE`"),
    ("(found := re.match('a+', q)) is None", "`q` does not match `'a+'`"),
    ("any(not isinstance(i, int) for i in q)", "some element of `q` is not an `int`"),
    ("not all(isinstance(i, int) for i in q)", "some element of `q` is not an `int`"),
    ("not any(i > 3 for i in q)", "no element of `q` is greater than 3"),
    ("(q < 0).any()", "some element of `q` is negative"),
    ("np.isnan(q).any()", "`q` contains NaN"),
    ("not os.path.exists(q)", "`q` does not exist"),
    ("not q.is_dir()", "`q` is not an existing directory"),
    ("not strict", "`strict` is `False`"),
    ("not items", "`items` is empty"),
    ("not (q is None or x is None)", "`q` is not `None` and `x` is given"),
    ("self.closed", "the `Session`'s `closed` is true"),
    ("self.a is None or self.b is None", "the `Session`'s `a` or `b` is `None`"),
    ("self.a is None and self.b is None", "both the `Session`'s `a` and `b` are `None`"),
    ("sys.version_info < (3, 12)", "Python is older than 3.12"),
    ("q is None or len(q) < 3", "`q` is `None` or has fewer than 3 elements"),
    ("a == b == c", "`a` equals `b` and `b` equals `c`"),
    ("frobnicate(q, 3)", "`frobnicate(q, 3)` is true"),
]


@pytest.mark.parametrize(("text", "words"), TOLD)
def test_a_condition_is_told_in_english(text, words):
    """What a careful engineer would say of the condition."""
    assert in_words(read_expression(text), NAMES) == words


@pytest.mark.parametrize("text", [text for text, _ in TOLD])
def test_a_condition_and_its_opposite_are_told_apart(text):
    """Negating twice tells the same again, negating once tells something else."""
    tree = read_expression(text)
    assert in_words(negate(tree), NAMES) != in_words(tree, NAMES)
    assert in_words(negate(negate(tree)), NAMES) == in_words(tree, NAMES)


@pytest.mark.parametrize("text", [text for text, _ in TOLD])
def test_a_condition_written_anew_parses(text):
    """Both the condition and its opposite can be written as Python."""
    ast.parse(as_code(read_expression(text)), mode="eval")
    ast.parse(as_code(negate(read_expression(text))), mode="eval")


ATOMS = st.sampled_from(
    [
        "a",
        "not b",
        "c < 3",
        "a is None",
        "b in (1, 2)",
        "isinstance(c, int)",
        "0 <= c <= 5",
        "c != 2",
        "a == b",
    ]
)


@st.composite
def conditions(draw, depth=3):
    """A condition over a, b and c."""
    if depth == 0 or draw(st.booleans()):
        return draw(ATOMS)
    parts = draw(st.lists(conditions(depth - 1), min_size=2, max_size=3))
    text = f" {draw(st.sampled_from(['and', 'or']))} ".join(f"({part})" for part in parts)
    return f"not ({text})" if draw(st.booleans()) else text


VALUES = st.sampled_from([None, 0, 1, 2, 7])


@given(text=conditions(), a=VALUES, b=VALUES, c=st.integers(-2, 8))
def test_the_opposite_of_a_condition_holds_exactly_when_it_does_not(text, a, b, c):
    """Pushing negation inwards, merging and rewriting keep the truth of a condition."""
    values = {"a": a, "b": b, "c": c}
    tree = read_expression(text)
    holds = bool(eval(text, {}, values))
    assert bool(eval(as_code(tree), {}, values)) is holds
    assert bool(eval(as_code(negate(tree)), {}, values)) is not holds


@given(st.text(max_size=40))
def test_any_text_is_told_somehow(text):
    """What is no expression, or a strange one, is quoted instead of failing."""
    words = in_words(read_expression(text), NAMES)
    assert isinstance(words, str)
