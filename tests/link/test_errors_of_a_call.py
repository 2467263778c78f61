"""Which errors a call can raise: only what the source shows to be reached."""

import hashlib

import pytest

from errdex.model.source import Coordinate, SourceFile, SourceTree
from errdex.pipeline.analyze import analyze
from errdex.pipeline.errors_of import errors_of

FILES = {
    "pkg/again.py": """
import typing

@typing.overload
def again(times: int) -> int: ...
@typing.overload
def again(times: str) -> str: ...
def again(times):
    if not times:
        raise ValueError("times must not be empty")
    return times
""",
    "pkg/__init__.py": "from pkg.session import Session\nfrom pkg.api import fetch, swallow, each, picky\nfrom pkg.again import again\n",
    "pkg/errors.py": "class Refused(ValueError):\n    pass\n\nclass Closed(RuntimeError):\n    pass\n",
    "pkg/base.py": """
from pkg.errors import Closed

class Base:
    def close(self):
        raise Closed("closed twice over")

    def send(self, what):
        raise NotImplementedError

    def check(self, size):
        if size < 0:
            raise ValueError(f"size must not be negative: {size}")
""",
    "pkg/session.py": """
from pkg.base import Base
from pkg.errors import Refused

class Adapter(Base):
    def send(self, what):
        raise Refused("adapter says no")

class Session(Base):
    def __init__(self, name):
        self.adapter = Adapter()
        if not name:
            raise Refused("name must not be empty")

    @property
    def state(self):
        raise RuntimeError("no state was kept")

    def check(self, size):
        super().check(size)

    def get(self, what: str):
        self.check(1)
        return self.adapter.send(what)

    def look(self, other: "Adapter"):
        self.state
        other.close()

    def dispatch(self, callback, thing):
        callback()
        thing.close()
        self.missing()
        return Base.send(self, thing)
""",
    "pkg/api.py": """
import contextlib
from pkg.session import Session
from pkg.errors import Refused, Closed

def fetch(what):
    with_session = Session("x")
    return with_session.get(what)

def swallow(session: Session):
    try:
        session.get("a")
    except Refused:
        pass
    with contextlib.suppress(Closed):
        session.close()
    try:
        session.get("b")
    except ValueError:
        raise

def each(items):
    def one(item):
        if item is None:
            raise TypeError("an item is missing here")
        yield item
    for item in items:
        list(one(item))
    return (lambda: hidden())

def hidden():
    raise KeyError("never reached by a call")

def need(size, flag=None):
    if flag is None:
        raise ValueError("flag must be given here")
    if not isinstance(size, int):
        raise TypeError("size must be a whole number")
    for part in size:
        raise LookupError("there was a part in it")

def picky():
    need(3, flag=True)
    need({}, flag=1)
""",
}


@pytest.fixture(scope="module")
def analysis(tmp_path_factory):
    """The little package, analysed."""
    root = tmp_path_factory.mktemp("tree")
    files = []
    for path, text in sorted(FILES.items()):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        blob = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        files.append(SourceFile(path=path, size_bytes=len(text), blob=blob))
    tree = SourceTree(
        coordinate=Coordinate(kind="local", name=str(root)),
        root=root,
        repo="local/pkg",
        package="pkg",
        version=None,
        revision="0" * 40,
        permalink=None,
        files=tuple(files),
    )
    return analyze(tree)


def found(analysis, name):
    result = errors_of(analysis, name)
    assert result is not None
    return {
        (error.site.statement.partition('"')[2].partition('"')[0], error.certain) for error in result.errors
    }


def test_constructors_methods_and_super_are_followed(analysis):
    """A local of one class, `self`, `super()` and an attribute set once lead on for certain."""
    assert found(analysis, "pkg.fetch") == {("adapter says no", True)}
    assert found(analysis, "pkg.Session") == {("name must not be empty", True)}
    result = errors_of(analysis, "pkg.Session.get")
    assert [step.call for step in result.errors[0].chain] == ["self.adapter.send(what)"]


def test_what_the_arguments_rule_out_is_not_listed(analysis):
    """A number against a bound, a default, a type and an empty loop are decided by what the call gives."""
    assert found(analysis, "pkg.base.Base.check") == {("size must not be negative: {size}", True)}
    assert found(analysis, "pkg.Session.get") == {("adapter says no", True)}
    assert found(analysis, "pkg.picky") == {
        ("size must be a whole number", True),
        ("there was a part in it", True),
    }


def test_an_annotation_is_a_promise_not_a_certainty(analysis):
    """A parameter's annotation leads on, marked as less than certain; a property runs when it is read."""
    assert found(analysis, "pkg.Session.look") == {("no state was kept", True), ("closed twice over", False)}


def test_what_a_handler_catches_is_not_listed(analysis):
    """Caught or suppressed classes, bases included, do not get out; a handler that raises again lets them."""
    result = errors_of(analysis, "pkg.swallow")
    assert [(error.site.error_class, error.chain[0].line) for error in result.errors] == [
        ("pkg.errors.Refused", 18)
    ]


def test_nested_generators_run_when_looped_over_and_lambdas_do_not(analysis):
    """A nested generator is reached where its result is consumed; a lambda's body is not run by making it."""
    assert found(analysis, "pkg.each") == {("an item is missing here", True)}


def test_what_cannot_be_known_is_said(analysis):
    """Callbacks, values of unknown class and abstract methods are listed as uncertain, never guessed by name."""
    result = errors_of(analysis, "pkg.Session.dispatch")
    assert [(call.text, call.candidates) for call in result.uncertain] == [
        ("callback()", ()),
        ("Base.send(self, thing)", ("Adapter.send",)),
    ]
    assert result.errors == ()


def test_a_name_that_is_no_callable_has_no_answer(analysis):
    """A constant, a module or an unknown name gives None."""
    assert errors_of(analysis, "pkg.nothing") is None
    assert errors_of(analysis, "pkg.errors") is None


def test_a_function_outranks_the_submodule_whose_name_it_has(analysis):
    """`pkg.again` is the function that the package binds over its module; of its overloads the last one runs."""
    assert found(analysis, "pkg.again") == {("times must not be empty", True)}
