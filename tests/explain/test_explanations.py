"""What is said about a site, end to end: a source file in, sentences and code out."""

import ast
import textwrap

import pytest

from errdex.explain import Context, explain_site
from errdex.pipeline import analyze
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate


@pytest.fixture
def explain(tmp_path):
    """Explain the last throw site of a module of the package `pkg`."""

    def run(source, *, package="pkg"):
        folder = tmp_path / "project" / "pkg"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text('"""A package."""\n')
        (folder / "mod.py").write_text(textwrap.dedent(source).lstrip("\n"))
        tree = open_tree(parse_coordinate(str(tmp_path / "project")))
        lines = LineReader(tree.root)
        site = analyze(tree).sites[-1]
        context = Context(package=package, version="1.0", repo="pypi/pkg", source_lines=lines)
        return explain_site(site, site.templates[0] if site.templates else None, context)

    return run


def texts(sentences):
    return [sentence.text for sentence in sentences]


def test_a_refused_choice_is_explained_in_the_callers_terms(explain):
    """Purpose, condition, meaning of the parameter, solution, and the change that mends it."""
    found = explain('''
        def resize(image, mode="fit"):
            """Scale an image and return the copy.

            Args:
                image: The image to scale.
                mode: How to fill the frame.
            """
            if mode not in ("fit", "fill"):
                raise ValueError(f"unknown mode {mode!r}, expected one of fit, fill")
            return image
    ''')
    assert texts(found.documentation) == [
        "`resize` scales an image and returns the copy.",
        "It raises `ValueError` when `mode` is neither `'fit'` nor `'fill'`.",
        "`mode` is documented as “How to fill the frame”.",
    ]
    assert texts(found.solutions)[0] == "Pass `'fit'` or `'fill'` as `mode`."
    assert (found.family, found.error_type, found.handling_strategy) == (
        "unknown-choice",
        "validation",
        "validation",
    )
    assert "def before(image):\n    return resize(image, mode='fit-typo')" in found.example_fix.code
    assert "def after(image):\n    return resize(image, mode='fit')" in found.example_fix.code
    assert 'if mode not in ("fit", "fill"):' in found.validation_code.code
    assert found.try_catch_pattern is None


def test_a_condition_that_the_check_stands_in_is_told_with_it(explain):
    """A check in an `else` is told with the opposite of the `if`, an earlier guard is counted."""
    found = explain("""
        def send(data, key=None, sealed=False):
            if not data:
                raise ValueError("no data")
            if key is not None:
                data = data + key
            else:
                if sealed:
                    raise ValueError("sealing needs a key")
            return data
    """)
    assert "when `key` is not given and `sealed` is `True`" in found.documentation[-1].text
    assert texts(found.trigger_scenarios)[-1].startswith("One check comes before it and must have passed")
    assert "if key is None and sealed:" in found.validation_code.code


def test_a_translated_exception_names_what_raised(explain):
    """`int(text)` raises ValueError: the expression of the `try` is quoted, and its cause is what to mend."""
    found = explain("""
        def port(text):
            try:
                return int(text)
            except ValueError as error:
                raise RuntimeError(f"cannot read the port {text!r}") from error
    """)
    assert "when `int(text)` raises `ValueError`" in found.documentation[0].text
    assert found.error_type == "exception"
    assert "except RuntimeError" in found.try_catch_pattern.code


def test_the_first_value_of_a_counter_is_not_taken_for_its_value(explain):
    """A local that changes in a loop keeps its name in the condition."""
    found = explain("""
        def solve(steps):
            tried = 0
            while True:
                tried += 1
                if tried > steps:
                    raise ArithmeticError("gave up")
    """)
    assert "`tried` is greater than `steps`" in found.documentation[0].text


def test_an_element_of_a_loop_is_told_as_one(explain):
    """A check within a loop speaks of some element of what is looped over."""
    found = explain("""
        def total(prices):
            for price in prices:
                if price < 0:
                    raise ValueError("negative price")
            return sum(prices)
    """)
    assert "when `price` is negative, for some `price` of `prices`" in found.documentation[0].text


def test_advice_in_the_message_is_quoted_as_the_librarys(explain):
    """What the message tells the reader to do is not presented as ours."""
    found = explain("""
        def open_store(path):
            if path is None:
                raise ValueError("There is no default store. Please pass a path.")
    """)
    assert texts(found.solutions)[0] == "The message itself advises: `Please pass a path.`"


def test_a_method_is_called_on_an_instance_that_the_block_defines(explain):
    """Code for a method takes the object as a parameter; every name of the block is defined in it."""
    found = explain('''
        class Client:
            """Talks to a server."""

            def fetch(self, url, *, retries):
                """Fetch a page."""
                try:
                    return self.get(url)
                except OSError as error:
                    raise ConnectionError("no answer") from error
    ''')
    code = found.try_catch_pattern.code
    assert "from pkg.mod import Client" in code
    assert "def retry_fetch(client: Client, url, retries):" in code
    assert "return client.fetch(url, retries=retries)" in code
    ast.parse(code)


def test_a_private_callable_is_reached_through_a_public_one(explain):
    """The trigger names the public call and the way; code calls what a reader may call."""
    found = explain('''
        def load(path):
            """Load a document."""
            return _check(path)


        def _check(path):
            if not isinstance(path, str):
                raise TypeError("path must be a string")
            return path
    ''')
    assert (
        "Calling `pkg.mod.load(path)`, which leads here by `_check(path)`" in found.trigger_scenarios[0].text
    )
    assert "def check_load(path):" in found.validation_code.code
    assert found.family == "argument-type"


def test_a_check_before_the_call_never_reads_from_a_stream(explain):
    """A guard that changes something by being evaluated gives no validation."""
    found = explain("""
        def load(stream):
            if stream.read(4) != b"MAGI":
                raise ValueError("not a store")
    """)
    assert found.validation_code is None


def test_a_tensor_is_cast_as_its_library_does(explain):
    """The method comes from the annotation: NumPy arrays have `astype`, torch tensors `to`."""
    found = explain("""
        import numpy as np


        def mix(left: np.ndarray, right: np.ndarray):
            if left.dtype != right.dtype:
                raise TypeError("dtypes differ")
    """)
    assert found.family == "tensor-dtype-mismatch"
    assert "left = left.astype(right.dtype)" in found.example_fix.code
    assert ".to(" not in found.example_fix.code


def test_an_unannotated_tensor_is_not_cast_by_guess(explain):
    """Where the library is not known, no method is invented."""
    found = explain("""
        def mix(left, right):
            if left.dtype != right.dtype:
                raise TypeError("dtypes differ")
    """)
    assert found.example_fix is None


def test_an_unconditional_error_is_said_to_be_one(explain):
    """A method that does nothing but raise raises every time; one that returns before does not."""
    always = explain('''
        class Shape:
            def area(self):
                """Return the area."""
                raise NotImplementedError
    ''')
    assert "raises `NotImplementedError` every time" in always.documentation[1].text
    assert always.family == "abstract-method"
    assert always.level == "inferred"


def test_a_warning_is_console_and_cannot_be_caught(explain):
    """A warning has the severity `warning`, the type `console`, and no code to handle it."""
    found = explain("""
        import warnings


        def old(x):
            warnings.warn("old() is deprecated, use new()", DeprecationWarning, stacklevel=2)
    """)
    assert (found.error_type, found.severity, found.handling_strategy) == ("console", "warning", None)
    assert found.family == "removed-feature"
    assert found.try_catch_pattern is None


def test_every_sentence_says_where_it_comes_from(explain):
    """Sentences of the source and the docstring name their line; those of a family its slug."""
    found = explain('''
        def half(x: int):
            """Halve a number.

            Args:
                x: An even number.
            """
            # Odd numbers have no half here.
            if x % 2:
                raise ValueError("odd")
    ''')
    every = [
        *found.documentation,
        *found.trigger_scenarios,
        *found.common_situations,
        *found.solutions,
        *found.prevention_tips,
    ]
    for sentence in every:
        where = sentence.provenance
        assert where.kind in {"source", "docs", "family", "inferred"}
        assert where.line is not None or where.detail is not None or where.kind == "inferred"
    assert any(
        "Odd numbers have no half here" in sentence.text and sentence.provenance.line == 7
        for sentence in found.documentation
    )
    assert any(
        sentence.text == "`x` is an even number." and sentence.provenance.line == 5
        for sentence in found.documentation
    )
