"""What a docstring says is read the same in every convention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.link.docstrings import docstring_facts, docstring_style
from errdex.model.site import DocumentedRaise

NUMPY = """
    Gives a new shape to an array without changing its data. Views are used where they can be.

    Parameters
    ----------
    a, b : array_like
        Array to be reshaped, see `~numpy.ndarray`.
    order : {'C', 'F', 'A'}, optional
        Read the elements of ``a`` using this index order.

        .. versionadded:: 1.6
    *args, **kwargs
        Passed on.

    Returns
    -------
    c : ndarray
        The new array.

    Raises
    ------
    ValueError
        If the sizes differ.
    TypeError, IndexError

    See Also
    --------
    resize : another one
"""

GOOGLE = """Load a pretrained model.

    Args:
        name (:class:`str`, *optional*, defaults to `"gpt: two"`):
            Id of the model: either a name
            or a path.
        config ([`~transformers.PreTrainedConfig`]): The configuration.
        mapping (Dict[str: int]): Words
        that go on at entry level.
        path: (`str`): Doubled colon.

    Returns:
        A model.

    Raises:
        OSError: If the file
            is missing.
        [`~utils.RepositoryNotFoundError`]
            If the repository cannot be found.

    Note: more text
"""

REST = """Sends a GET request.

    :param url: URL for the new :class:`Request` object: ``str`` or bytes,
        never None.
    :param int timeout: (optional) Seconds.
    :type data: dict or None
    :param data: What is sent

    Text of no field.

    :raises requests.exceptions.Timeout: when it takes too long
    :raises ValueError:
    :rtype: requests.Response
"""

EPYTEXT = """Move it.

    @param speed: How I{fast}, in C{m/s}.
    @type speed: float
    @raise ValueError: if negative
"""


def test_numpy_sections_give_parameters_types_and_errors():
    """Names that share a line share its words; a section ends at the next heading."""
    facts = docstring_facts(NUMPY)
    assert docstring_style(NUMPY) == "numpy"
    assert facts.summary == "Gives a new shape to an array without changing its data."
    assert facts.params == {
        "a": ("Array to be reshaped, see `ndarray`.", "array_like"),
        "b": ("Array to be reshaped, see `ndarray`.", "array_like"),
        "order": ("Read the elements of `a` using this index order.", "{'C', 'F', 'A'}"),
        "args": ("Passed on.", None),
        "kwargs": ("Passed on.", None),
    }
    assert facts.raises == (
        DocumentedRaise(error_class="ValueError", text="If the sizes differ."),
        DocumentedRaise(error_class="TypeError", text=""),
        DocumentedRaise(error_class="IndexError", text=""),
    )


def test_google_sections_keep_colons_inside_types_and_code():
    """A colon inside brackets, code or a role does not end the name; a stray line goes on with the entry above."""
    facts = docstring_facts(GOOGLE)
    assert docstring_style(GOOGLE) == "google"
    assert facts.params == {
        "name": ("Id of the model: either a name or a path.", "str"),
        "config": ("The configuration.", "PreTrainedConfig"),
        "mapping": ("Words that go on at entry level.", "Dict[str: int]"),
        "path": ("Doubled colon.", "str"),
    }
    assert facts.raises == (
        DocumentedRaise(error_class="OSError", text="If the file is missing."),
        DocumentedRaise(error_class="RepositoryNotFoundError", text="If the repository cannot be found."),
    )


def test_rest_fields_give_types_from_either_place():
    """`:param int x:` and `:type x:` say the same; text between the fields belongs to none."""
    facts = docstring_facts(REST)
    assert docstring_style(REST) == "rest"
    assert facts.summary == "Sends a GET request."
    assert facts.params == {
        "url": ("URL for the new `Request` object: `str` or bytes, never None.", None),
        "timeout": ("(optional) Seconds.", "int"),
        "data": ("What is sent", "dict or None"),
    }
    assert facts.raises == (
        DocumentedRaise(error_class="requests.exceptions.Timeout", text="when it takes too long"),
        DocumentedRaise(error_class="ValueError", text=""),
    )


def test_epytext_fields_are_read():
    """`@param` and `@raise` with their inline markup come out as plain text."""
    facts = docstring_facts(EPYTEXT)
    assert docstring_style(EPYTEXT) == "epytext"
    assert facts.params == {"speed": ("How `fast`, in `m/s`.", "float")}
    assert facts.raises == (DocumentedRaise(error_class="ValueError", text="if negative"),)


def test_entries_without_a_title_are_parameters():
    """`transformers` writes the entries alone where a decorator adds the title."""
    facts = docstring_facts(
        "x (`int`, *optional*):\n    The count.\n\nExample:\n    no (`int`):\n        not one"
    )
    assert facts.params == {"x": ("The count.", "int")}
    assert facts.summary is None


def test_one_malformed_entry_costs_only_itself():
    """The entries beside a malformed one are still read."""
    facts = docstring_facts("S.\n\n:param: nothing named\n:param x: the x\n:raises not a class: no\n")
    assert facts.params == {"x": ("the x", None)}
    assert facts.raises == ()


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("", None),
        ("Do it, e.g. twice. Then rest.", "Do it, e.g. twice."),
        ("f(x, y) -> int\n\nAdd `x. y` to\nit.", "Add `x. y` to it."),
        ("Args:\n    x: only", None),
        (".. deprecated:: 1.0\n   gone\n\nFetch rows.", "Fetch rows."),
        ("No full stop\n====\n\nMore", "No full stop"),
        ("A ``half open` tick", "A half open tick"),
        (
            "See `the guide <https://example.org>`_ and [docs](https://example.org).",
            "See the guide and docs.",
        ),
        (
            "Keep **kwargs and 2 * x * y but not **bold** or *this*.",
            "Keep **kwargs and 2 * x * y but not bold or this.",
        ),
    ],
)
def test_summary_is_the_first_sentence_in_plain_text(text, summary):
    """The summary is one sentence without markup; None where a section comes first."""
    assert docstring_facts(text).summary == summary


_LINES = st.sampled_from(
    [
        "Args:",
        "  x (int: `a`): b",
        ":param x y z: d",
        ":raises: q",
        "@param : x",
        "@raise",
        "Parameters",
        "----------",
        "x : ",
        "  : int",
        "Raises:",
        "    ValueError",
        "`",
        "``",
        "***",
        "\ue000",
        ":type:",
        "Raises",
        "------",
        "",
    ]
)


@given(st.one_of(st.text(), st.lists(st.one_of(_LINES, st.text(max_size=20)), max_size=15).map("\n".join)))
def test_any_text_is_read_without_an_error(text):
    """Whatever stands in a docstring, the facts are plain single lines with paired backticks."""
    facts = docstring_facts(text)
    texts = [
        facts.summary,
        *(doc for doc, _ in facts.params.values()),
        *(entry.text for entry in facts.raises),
    ]
    for value in texts:
        assert value is None or ("\n" not in value and value.count("`") % 2 == 0 and len(value) <= 500)
    assert all(name.isidentifier() for name in facts.params)
