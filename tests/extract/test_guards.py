"""Conditions on the way to a site: guards, earlier guards that leave, the parameters they read."""

from __future__ import annotations

import pytest
from tests.extract.reading import analysis_of_text

_CASES = {
    "if-elif-else": (
        """
def f(a, b):
    if a:
        pass
    elif b:
        pass
    else:
        raise ValueError("neither of them")
""",
        [("if", "a", True), ("if", "b", True)],
        ("b",),
    ),
    "early return": (
        """
def f(a, b):
    if a is None:
        return 1
    if b:
        raise ValueError("b is set")
""",
        [("if", "a is None", True), ("if", "b", False)],
        ("b",),
    ),
    "last statement": (
        """
def f(a):
    if isinstance(a, int):
        return 1
    raise TypeError("not an int")
""",
        [("if", "isinstance(a, int)", True)],
        ("a",),
    ),
    "loop": (
        """
def f(rows):
    for row in rows:
        if row is None:
            continue
        if row < 0:
            raise ValueError("negative row")
""",
        [("for", "rows", False), ("if", "row is None", True), ("if", "row < 0", False)],
        ("rows",),
    ),
    "loop else": (
        """
def f(rows, name):
    for row in rows:
        if row == name:
            break
    else:
        raise LookupError("no such row")
""",
        [("for", "rows", True)],
        ("rows",),
    ),
    "except": (
        """
def f(key):
    try:
        return {}[key]
    except KeyError as error:
        raise LookupError("gone") from error
""",
        [("except", "KeyError", False)],
        (),
    ),
    "after try": (
        """
def f(key):
    try:
        return {}[key]
    except KeyError:
        pass
    raise LookupError("gone")
""",
        [("except", "KeyError", False)],
        (),
    ),
    "match": (
        """
def f(command):
    match command:
        case ["go", place]:
            return place
        case _:
            raise ValueError("what?")
""",
        [("match", "match command: case ['go', place]", True)],
        ("command",),
    ),
    "with and while": (
        """
def f(lock, n):
    with lock:
        while n:
            if n > 3:
                raise ValueError("too many")
""",
        [("with", "lock", False), ("while", "n", False), ("if", "n > 3", False)],
        ("n",),
    ),
    "only one branch goes on": (
        """
def f(a):
    if a:
        pass
    else:
        return
    raise ValueError("a was set")
""",
        [("if", "a", False)],
        ("a",),
    ),
}


@pytest.mark.parametrize("name", _CASES)
def test_conditions_lead_to_the_site(tmp_path, name):
    """The path condition is all that must hold, in source order; the guard is its last decisive part."""
    text, conditions, parameters = _CASES[name]
    (site,) = analysis_of_text(tmp_path, text).sites
    found = [(one.kind, one.text, one.negated) for one in site.path_conditions]
    if name == "match":
        assert found[: len(conditions)] == conditions
    else:
        assert found == conditions
    assert site.parameters == parameters


def test_simple_locals_are_inlined(tmp_path):
    """A guard's locals are replaced by what they hold; parameters behind them are found either way."""
    text = """
def f(q, k, *, strict=False):
    same = q.shape[-1]
    other = load(k)
    # the two must agree
    if same != other.size and strict:
        raise ValueError(f"{same} and {other}")
"""
    (site,) = analysis_of_text(tmp_path, text).sites
    assert site.guard is not None
    assert site.guard.inlined == "q.shape[-1] != other.size and strict"
    assert site.guard.parameters == ("q", "k", "strict")
    assert site.guard.comment == "the two must agree"


def test_a_local_that_changed_is_not_inlined(tmp_path):
    """Nothing is said of a local whose value was assigned anew on the way."""
    text = """
def f(x):
    n = len(x)
    x = x[1:]
    if n > 3:
        raise ValueError("long")
"""
    (site,) = analysis_of_text(tmp_path, text).sites
    assert site.guard is not None
    assert site.guard.inlined is None


def test_a_parameter_that_is_set_again_is_told_as_the_caller_gave_it(tmp_path):
    """`name = name or other` is what the guard reads; where the first value was set again too, nothing is said."""
    text = """
def f(name, command):
    name = name or command.name
    if name is None:
        raise ValueError("no name")

def g(name):
    name = name.strip()
    name = name.lower()
    if not name:
        raise ValueError("no name left")
"""
    first, second = analysis_of_text(tmp_path, text).sites
    assert first.guard is not None
    assert second.guard is not None
    assert first.guard.inlined == "(name or command.name) is None"
    assert second.guard.inlined is None


def test_a_caught_class_is_kept(tmp_path):
    """A conversion knows what it converts; a re-raise of what was caught is one, and a bare raise is no site."""
    text = """
def f(x):
    try:
        int(x)
    except (ValueError, TypeError) as error:
        if x:
            raise error
        raise
    except OSError:
        raise RuntimeError("disk") from None
"""
    again, converted = analysis_of_text(tmp_path, text).sites
    assert (again.is_reraise, again.unresolved, again.class_written) == (
        True,
        "re-raise",
        "(ValueError, TypeError)",
    )
    assert converted.caught == "OSError"
