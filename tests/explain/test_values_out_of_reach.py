"""What no argument decides is told by what sets it: a method, an import, an earlier line."""

import textwrap

from errdex.explain import Context, explain_site
from errdex.pipeline import analyze
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate


def explained(tmp_path, source):
    """The explanation of the last error in a package of one file."""
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text(textwrap.dedent(source), "utf-8")
    tree = open_tree(parse_coordinate(str(tmp_path), repo="owner/pkg"))
    lines = LineReader(tree.root)
    site = analyze(tree).sites[-1]
    context = Context(package="pkg", version=None, repo="owner/pkg", source_lines=lines)
    return explain_site(site, site.templates[0] if site.templates else None, context)


def advice(tmp_path, source):
    return [sentence.text for sentence in explained(tmp_path, source).solutions]


def test_the_method_that_prepares_an_object_is_named(tmp_path):
    """A guard on private state names the public method whose call sets it."""
    found = advice(
        tmp_path,
        """
        class Client:
            def __init__(self):
                self._session = None

            def connect(self, host):
                self._session = host

            def send(self, data):
                if self._session is None:
                    raise RuntimeError("not connected yet")
        """,
    )
    assert "Call `connect` first: it sets `_session`." in found


def test_the_argument_that_an_object_was_made_with_is_named(tmp_path):
    """State that only `__init__` sets, from an argument, is changed where the object is made."""
    found = advice(
        tmp_path,
        """
        class Reader:
            def __init__(self, schema=None):
                self.schema = schema

            def rows(self):
                if self.schema is None:
                    raise ValueError("rows need a schema")
        """,
    )
    assert "Create the `Reader` with `schema`." in found


def test_the_import_behind_a_flag_is_named(tmp_path):
    """A module's flag that tells whether an import worked leads to that import."""
    found = advice(
        tmp_path,
        """
        try:
            import brotli
            HAS_BROTLI = True
        except ImportError:
            HAS_BROTLI = False

        def decompress(data):
            if not HAS_BROTLI:
                raise RuntimeError("brotli is needed here")
        """,
    )
    assert "`HAS_BROTLI` tells whether `import brotli` worked: install what provides it." in found


def test_the_line_that_sets_a_local_is_told(tmp_path):
    """A local set once, from a call, is told with that call and its line."""
    found = advice(
        tmp_path,
        """
        def start(name):
            writer = find(name)
            writer.open()
            if writer.broken(1):
                raise RuntimeError("was not able to find a stream")
        """,
    )
    assert any("`writer` comes from `find(name)` (line 3)" in text for text in found)


def test_a_counter_is_not_told_by_its_first_value(tmp_path):
    """A local that is set again later is not said to be what it was set to first."""
    found = advice(
        tmp_path,
        """
        def search(steps):
            import math

            count = 0
            while steps():
                count += 1
                if count.bit_length() > 8:
                    raise RuntimeError("gave up")
        """,
    )
    assert not any("comes from" in text or "import" in text for text in found)


def test_a_private_callable_is_spoken_of_through_the_public_one(tmp_path):
    """Nobody calls a private function: the advice names what leads to it."""
    found = advice(
        tmp_path,
        """
        def draw(figsize):
            return _parse(figsize)

        def _parse(figsize):
            if figsize[0] % 2 or figsize[1] > 10:
                raise ValueError("figsize does not work")
        """,
    )
    assert any(text.startswith("Call `pkg.draw`, which leads to `_parse`, so that") for text in found)
