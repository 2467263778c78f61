"""A test is attached to a site only where that site alone can be meant."""

from errdex.link.raising_tests import mine_tests
from errdex.link.tests import MAX_TESTS, attach_tests
from errdex.model.site import CallableFacts, Hole, MessageTemplate, ThrowSite


def site(line, error_class, *parts, function="check", bases=(), kind="raise"):
    template = MessageTemplate(parts=parts, written="w", form="fstring", origin="inline")
    facts = CallableFacts(
        name=function,
        module="pkg.core",
        path="pkg/core.py",
        line=1,
        end_line=99,
        kind="function",
        import_name=f"pkg.{function}",
    )
    return ThrowSite(
        kind=kind,
        path="pkg/core.py",
        line=line,
        end_line=line,
        column=0,
        statement="raise",
        callable=facts,
        error_class=error_class,
        class_written=error_class,
        bases=bases,
        templates=(template,) if parts else (),
    )


def attached(source, *sites):
    text = "import pytest\nimport pkg\nfrom pkg.errors import Refused\n\n" + source
    result = attach_tests(sites, mine_tests("tests/test_a.py", text.encode()))
    return {one.line: [test.line for test in one.tests] for one in result if one.tests}


HOLE = Hole(expression="x", written="{x}")


def test_the_one_site_with_the_words_gets_the_test():
    """Class and words together name one site, holes and all."""
    source = (
        "def test_a():\n    with pytest.raises(ValueError, match='size must be 3, not 4'):\n        pkg.f()\n"
    )
    sites = (
        site(1, "ValueError", "size must be 3, not ", HOLE),
        site(2, "ValueError", "shape must be a tuple"),
        site(3, "TypeError", "size must be 3, not ", HOLE),
    )
    assert attached(source, *sites) == {1: [6]}


def test_sites_that_share_the_words_are_told_apart_by_the_call():
    """Where several sites have the words, only a dotted call of one's function decides; a method's name does not."""
    sites = (
        site(1, "ValueError", "cannot be empty at all", function="first"),
        site(2, "ValueError", "cannot be empty at all", function="second"),
    )
    expecting = "def test_a():\n    with pytest.raises(ValueError, match='cannot be empty'):\n        {}\n"
    assert attached(expecting.format("pkg.second([])"), *sites) == {2: [6]}
    assert attached(expecting.format("thing.second([])"), *sites) == {}
    assert attached(expecting.format("pkg.third([])"), *sites) == {}


def test_without_words_only_the_only_site_of_a_library_class_is_meant():
    """A builtin class may come from anywhere; a class of the library with one site cannot."""
    expecting = "def test_a():\n    with pytest.raises({}):\n        pkg.check(1)\n"
    assert attached(expecting.format("Refused"), site(1, "pkg.errors.Refused", HOLE)) == {1: [6]}
    assert attached(expecting.format("ValueError"), site(1, "ValueError", HOLE)) == {}
    two = (site(1, "pkg.errors.Refused", HOLE), site(2, "pkg.errors.Refused", HOLE))
    assert attached(expecting.format("Refused"), *two) == {}


def test_a_base_class_or_a_namesake_of_another_package_is_told_apart():
    """A test may expect a base class; a class of another package that is called alike is another class."""
    source = (
        "def test_a():\n    with pytest.raises(LookupError, match='no such entry here'):\n        pkg.f()\n"
    )
    assert attached(source, site(1, "KeyError", "no such entry here", bases=("LookupError",))) == {1: [6]}
    source = "def test_a():\n    with pytest.raises(Refused, match='no such entry here'):\n        pkg.f()\n"
    assert attached(source, site(1, "other.errors.Refused", "no such entry here")) == {}


def test_warnings_and_errors_do_not_mix():
    """`pytest.warns` finds warnings only."""
    source = "def test_a():\n    with pytest.warns(UserWarning, match='old name of the option'):\n        pkg.f()\n"
    raised = site(1, "UserWarning", "old name of the option")
    warned = site(2, "UserWarning", "old name of the option", kind="warn")
    assert attached(source, raised, warned) == {2: [6]}


def test_a_site_keeps_the_shortest_calls():
    """Of many tests those that show most in least are kept."""
    source = "".join(
        f"def test_{n}():\n    with pytest.raises(ValueError, match='size must be three'):\n        pkg.f({'1, ' * n})\n"
        for n in range(8, 0, -1)
    )
    (result,) = attach_tests(
        [site(1, "ValueError", "size must be three")],
        mine_tests("t/test_a.py", ("import pytest, pkg\n" + source).encode()),
    )
    assert [test.call.count("1") for test in result.tests] == [1, 2, 3, 4, 5]
    assert len(result.tests) == MAX_TESTS
