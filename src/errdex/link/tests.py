"""The library's own tests, attached to the sites whose errors they expect.

A test is attached only where one site alone can be meant: by the class and the
text it expects, and by what it calls where several sites share the words.
A test that expects no text is attached only to the package's one site of that
class, or to the one in the function it calls, and only for a class that the
interpreter itself does not raise. A wrong attachment is worse than none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from errdex.link.expected_text import (
    Agreement,
    Expectation,
    agreement,
    exact_agreement,
    template_text,
    words_of,
)
from errdex.link.raising_tests import MinedTest, is_test_file
from errdex.model.site import RaisingTest, ThrowSite
from errdex.model.source import SourceTree

MAX_TESTS = 5
"""Tests kept for one site: the shortest calls, which show most."""
MAX_TEST_FILE_BYTES = 2_000_000

_RAISED_BY_PYTHON = frozenset(
    {
        "ArithmeticError",
        "AssertionError",
        "AttributeError",
        "BaseException",
        "Exception",
        "IndexError",
        "ImportError",
    }
    | {"KeyError", "LookupError", "ModuleNotFoundError", "NameError", "OSError", "IOError", "OverflowError"}
    | {
        "RecursionError",
        "RuntimeError",
        "StopIteration",
        "SyntaxError",
        "SystemExit",
        "TypeError",
        "ValueError",
    }
    | {"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "Warning", "ZeroDivisionError"}
    | {"FileNotFoundError", "PermissionError", "FileExistsError", "NotImplementedError", "KeyboardInterrupt"}
)
_STRONG_LETTERS = 12
"""An expected text of a dozen letters that one site alone spells out is no accident."""
_WEAK_LETTERS = 4
"""Enough where the test also calls the function that holds the site."""
_LEAST_SHARE = 0.75
"""Of the expected letters: the rest may stand in holes."""
_UNION = frozenset({"Exception", "BaseException", "Warning"})


def test_paths(tree: SourceTree) -> Iterator[str]:
    """Yield the test files of a tree that are worth reading."""
    for file in tree.files:
        if file.size_bytes <= MAX_TEST_FILE_BYTES and is_test_file(file.path):
            yield file.path


def attach_tests(sites: Sequence[ThrowSite], tests: Iterable[MinedTest]) -> tuple[ThrowSite, ...]:
    """Return the sites, each with the tests that raise it: at most `MAX_TESTS`, the shortest calls first."""
    index = _SiteIndex(sites)
    attached: dict[int, dict[tuple[str, int], RaisingTest]] = defaultdict(dict)
    for test in tests:
        position = index.site_of(test)
        if position is not None:
            attached[position].setdefault((test.test.path, test.test.line), test.test)
    return tuple(
        msgspec.structs.replace(site, tests=_best(attached[position].values()))
        if position in attached
        else site
        for position, site in enumerate(sites)
    )


def _best(tests: Iterable[RaisingTest]) -> tuple[RaisingTest, ...]:
    ranked = sorted(tests, key=lambda test: (len(test.call), test.path, test.line))
    return tuple(ranked[:MAX_TESTS])


class _SiteIndex:
    """Sites by the last name of their classes and by the words of their templates."""

    def __init__(self, sites: Sequence[ThrowSite]) -> None:
        self._sites = sites
        self._by_class: dict[str, set[int]] = defaultdict(set)
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._fitting: dict[tuple[tuple[str, ...], bool], set[int]] = {}
        self._agreements: dict[tuple[Expectation, tuple[str, ...], bool], dict[int, Agreement]] = {}
        self._texts: list[tuple[str, ...]] = []
        self._names: list[frozenset[str]] = []
        self._by_function: dict[str, set[int]] = defaultdict(set)
        for position, site in enumerate(sites):
            for name in _class_names(site):
                self._by_class[name].add(position)
            texts = tuple(template_text(template) for template in site.templates)
            self._texts.append(texts)
            for word in {word for text in texts for word in words_of(text)}:
                self._by_word[word].add(position)
            self._names.append(_names_of(site))
            for name in self._names[position]:
                self._by_function[name].add(position)

    def site_of(self, test: MinedTest) -> int | None:
        """Return the position of the one site that the test raises; None where none or several may be meant."""
        fitting = self._of_class(test)
        if not fitting:
            return None
        if not test.has_match:
            return self._by_call(test, fitting)
        ranked = sorted(
            ((fit, position) for position, fit in self._worded(test, fitting).items()),
            key=lambda one: (one[0].letters, one[0].template_share),
            reverse=True,
        )
        if not ranked:
            return None
        best = ranked[0][0]
        tied = [position for fit, position in ranked if fit.letters == best.letters]
        if len(tied) == 1:
            is_sure = best.letters >= _STRONG_LETTERS or self._is_called(test, tied[0])
            return tied[0] if is_sure else None
        called = [position for position in tied if self._is_called(test, position, exactly=True)]
        return called[0] if len(called) == 1 else None

    def _of_class(self, test: MinedTest) -> set[int]:
        key = (test.error_classes, test.is_warning)
        if key not in self._fitting:
            self._fitting[key] = self._find_of_class(test)
        return self._fitting[key]

    def _find_of_class(self, test: MinedTest) -> set[int]:
        found: set[int] = set()
        for name in test.error_classes:
            last = name.rpartition(".")[2]
            for position in self._by_class.get(last, ()):
                site = self._sites[position]
                if (site.kind == "warn") == test.is_warning and _may_be(name, site):
                    found.add(position)
        return found

    def _worded(self, test: MinedTest, fitting: set[int]) -> dict[int, Agreement]:
        """Return the fitting sites whose words the test spells out, with how well."""
        best: dict[int, Agreement] = {}
        for expectation in test.expectations:
            key = (expectation, test.error_classes, test.is_warning)
            if key not in self._agreements:
                near = self._sharing_words(expectation, fitting)
                exact = dict(self._fits(expectation, near, exact_agreement))
                self._agreements[key] = exact or dict(self._fits(expectation, near, agreement))
            for position, fit in self._agreements[key].items():
                if position not in best or fit.letters > best[position].letters:
                    best[position] = fit
        return best

    def _fits(
        self,
        expectation: Expectation,
        positions: Iterable[int],
        judge: Callable[[Expectation, str], Agreement | None],
    ) -> Iterator[tuple[int, Agreement]]:
        for position in positions:
            fits = [fit for text in self._texts[position] if (fit := judge(expectation, text)) is not None]
            fit = max(fits, key=lambda one: one.letters, default=None)
            if fit is not None and fit.letters >= _WEAK_LETTERS and fit.share >= _LEAST_SHARE:
                yield position, fit

    def _sharing_words(self, expectation: Expectation, fitting: set[int]) -> set[int]:
        """Return the fitting sites that share the expectation's rarest known word; all where it has no word."""
        known = [self._by_word[word] & fitting for word in expectation.words if word in self._by_word]
        if known:
            return min(known, key=len) if len(known) < 3 else set().union(*sorted(known, key=len)[:2])
        return fitting if not expectation.words and len(fitting) <= 50 else set()

    def _by_call(self, test: MinedTest, fitting: set[int]) -> int | None:
        """Return the package's only site of the class, or the only one in the one function that the test calls."""
        last = _last(test.error_classes[0])
        if len(test.error_classes) != 1 or last in _RAISED_BY_PYTHON or not _worth_naming(test.calls):
            return None
        if len(fitting) == 1:
            return next(iter(fitting))
        exact = {position for position in fitting if _last(self._sites[position].error_class) == last}
        called = {position for position in exact if self._is_called(test, position, exactly=True)}
        if len(called) != 1 or len(_worth_naming(test.calls)) != 1:
            return None
        (position,) = called
        others = {
            other
            for name in test.calls
            for other in self._by_function.get(_plain(name), ())
            if other in exact
        }
        return position if others <= {position} else None

    def _is_called(self, test: MinedTest, position: int, *, exactly: bool = False) -> bool:
        """Tell whether the test calls the function that holds the site, or one that leads to it.

        `exactly` leaves out what is called on objects: their class is not known, only the method's name.
        """
        names = self._names[position]
        if exactly:
            return any(name in names for name in test.calls if not name.startswith("."))
        return any(name in names or _plain(name) in names for name in test.calls)


def _class_names(site: ThrowSite) -> set[str]:
    names = {_last(site.error_class or site.class_written), *(_last(base) for base in site.bases)}
    return {name for name in names if name}


def _last(name: str | None) -> str:
    return (name or "").rpartition(".")[2]


def _plain(called: str) -> str:
    """Return what a call is compared by where its owner is not known: the last name."""
    return "." + called.rpartition(".")[2]


def _may_be(expected: str, site: ThrowSite) -> bool:
    """Tell whether a site's class may be the expected one: same last name, and no other package's namesake."""
    last, package = _last(expected), expected.partition(".")[0]
    for name in (site.error_class or site.class_written or "", *site.bases):
        if _last(name) != last:
            continue
        if last in _UNION or "." not in expected or "." not in name or not package:
            return True
        if name.partition(".")[0] == package:
            return True
    return False


def _names_of(site: ThrowSite) -> frozenset[str]:
    """Return the names by which a test can reach the site: dotted, and `.last` for calls on objects."""
    dotted = {site.callable.import_name, f"{site.callable.module}.{site.callable.name}"}
    dotted |= {entry.name for entry in site.entry_points}
    names = {name.removesuffix(".__init__") for name in dotted if name}
    names |= {
        "." + part for part in (name.rpartition(".")[2] for name in names) if part and part != "<module>"
    }
    return frozenset(names)


def _worth_naming(calls: Sequence[str]) -> set[str]:
    """Return the calls that are not of builtins and containers."""
    return {call for call in calls if "." in call}
