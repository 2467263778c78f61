"""Tests of the library replayed for one site: the case that raises it, made short, and a change that passes."""

from __future__ import annotations

import ast
import copy
import itertools
import re
from collections.abc import Iterator, Sequence

import msgspec

from errdex.model.site import ThrowSite
from errdex.prove.anatomy import Anatomy
from errdex.prove.cases import Case
from errdex.prove.expected import last_name
from errdex.prove.observation import Observation
from errdex.prove.suite import Suite
from errdex.prove.target import Target
from errdex.prove.values import ODD
from errdex.prove.verdict import watch_of
from errdex.prove.worker import Worker

_BATCH = 8
_MAX_PROGRAMS = 36
_ROUNDS = 8
_SMALLER = 24
_FIXES = 60
_MAX_CONSTANTS = 8
_SHORT = 30
"""Characters of a value that may stand in the place of a variable."""
_MOST_LINES_CHANGED = 4
"""Lines that a fix may add or drop: a changed line is two."""
_PATCHES = re.compile(r"\b(?:monkeypatch|patch|mocker|Mock|MagicMock|AsyncMock|setattr)\b")
"""A test that changes the library proves nothing about it."""


class Replayed(msgspec.Struct, frozen=True):
    """A program and what it is made of."""

    case: Case
    statements: tuple[ast.stmt, ...]
    program: str


class Replay:
    """Runs cases of one suite for one site."""

    def __init__(self, suite: Suite, worker: Worker, module: str, target: Target, anatomy: Anatomy) -> None:
        self.suite, self.worker, self.module = suite, worker, module
        self.target, self.anatomy = target, anatomy
        self.runs = 0
        self._passing: dict[str, Observation] = {}
        """Programs that reached the guard and passed it."""

    def witness(self, site: ThrowSite) -> Replayed | None:
        """Return the shortest program found that raises the site's error; None where no test does."""
        fresh = itertools.islice(self._programs(site), _MAX_PROGRAMS)
        while batch := list(itertools.islice(fresh, _BATCH)):
            hits = self._hits(batch)
            if hits:
                return self._shortened(min(hits, key=lambda each: len(each.program)))
        return None

    def _programs(self, site: ThrowSite) -> Iterator[Replayed]:
        known: set[str] = set()
        for case in self.suite.cases(site):
            program = case.program()
            if program is None or program in known or _PATCHES.search(program):
                continue
            known.add(program)
            yield Replayed(case, case.statements, program)

    def _hits(self, batch: Sequence[Replayed]) -> list[Replayed]:
        results = self._run([each.program for each in batch])
        return [
            each
            for each, seen in zip(batch, results, strict=True)
            if seen.is_witness and self.target.is_hit_by(seen.error)
        ]

    def _run(self, programs: list[str]) -> tuple[Observation, ...]:
        self.runs += len(programs)
        results = self.worker.attempt(programs, module=self.module, watch=watch_of(self.target))
        for program, seen in zip(programs, results, strict=True):
            if seen.is_credible and self.anatomy.passes_guard(seen):
                self._passing[program] = seen
        return results

    def _shortened(self, found: Replayed) -> Replayed:
        """Return the shortest program that still raises the error, by leaving out and unfolding statements."""
        for _ in range(_ROUNDS):
            smaller: dict[str, Replayed] = {}
            for statements in _smaller(found.statements):
                program = found.case.program(statements)
                if program is not None and len(program) < len(found.program):
                    smaller.setdefault(program, Replayed(found.case, tuple(statements), program))
            candidates = sorted(smaller.values(), key=lambda each: len(each.program))[:_SMALLER]
            better = next(
                (
                    hits[0]
                    for start in range(0, len(candidates), _BATCH)
                    if (hits := self._hits(candidates[start : start + _BATCH]))
                ),
                None,
            )
            if better is None:
                return found
            found = better
        return found

    def passing(self, witness: Replayed) -> tuple[str, Observation] | None:
        """Return the program closest to the witness that reaches the guard and passes it, and what it showed."""
        programs: dict[str, None] = {}
        for statements in itertools.islice(_changed(witness), _FIXES):
            program = witness.case.program(statements)
            if program is not None:
                programs[program] = None
        fresh = [each for each in programs if each not in self._passing]
        for start in range(0, len(fresh), _BATCH):
            self._run(fresh[start : start + _BATCH])
            if any(each in programs and seen.error is None for each, seen in self._passing.items()):
                break
        near = {
            each: seen
            for each, seen in self._passing.items()
            if _distance(each, witness.program) <= _MOST_LINES_CHANGED
        }
        if not near:
            return None
        return min(
            near.items(),
            key=lambda each: (each[1].error is not None, _distance(each[0], witness.program), len(each[0])),
        )


def _distance(program: str, witness: str) -> int:
    """Return how many lines of a program are not the witness's, and the other way round."""
    return len(set(program.splitlines()) ^ set(witness.splitlines()))


def _smaller(statements: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Yield shorter versions of a program: only its end, one statement less, a compound one unfolded, a value put in."""
    last = len(statements) - 1
    for count in (1, 2, 3):
        if count <= last:
            yield list(statements[-count:])
    for index, each in enumerate(statements):
        rest = [*statements[:index], *statements[index + 1 :]]
        if index != last:
            yield rest
            yield from _put_in(statements, index)
        for body in _unfolded(each):
            yield [*statements[:index], *body, *statements[index + 1 :]]
        for inner in _inner_smaller(each):
            yield [*statements[:index], inner, *statements[index + 1 :]]


def _unfolded(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the block of a compound statement as plain statements; a loop's target gets one of the first values."""
    if isinstance(node, ast.With | ast.If | ast.Try):
        yield node.body
    elif isinstance(node, ast.For):
        for value in _first_values(node.iter):
            yield [
                ast.fix_missing_locations(ast.Assign(targets=[node.target], value=value, lineno=0)),
                *node.body,
            ]


def _first_values(iterated: ast.expr) -> list[ast.expr]:
    """Return what a loop gives first, where that is written out."""
    if isinstance(iterated, ast.List | ast.Tuple):
        return iterated.elts[:6]
    if isinstance(iterated, ast.Call) and last_name(iterated.func) == "range":
        return [ast.Constant(0), ast.Constant(1)]
    return []


def _inner_smaller(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a compound statement with one statement less in it."""
    body: list[ast.stmt] = getattr(node, "body", [])
    if isinstance(node, ast.ClassDef) or len(body) < 2:
        return
    for index in range(len(body)):
        made = copy.copy(node)
        made.body = [*body[:index], *body[index + 1 :]]  # type: ignore[attr-defined]
        yield made


def _put_in(statements: Sequence[ast.stmt], index: int) -> Iterator[list[ast.stmt]]:
    """Yield the program with a variable that is read once replaced by what it was assigned."""
    node = statements[index]
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return
    if len(ast.unparse(node.value)) > _SHORT or isinstance(node.value, ast.Lambda):
        return  # reads better with its name
    name = node.targets[0].id
    rest = list(statements[index + 1 :])
    uses = [
        each for later in rest for each in ast.walk(later) if isinstance(each, ast.Name) and each.id == name
    ]
    if len(uses) == 1:
        putting = _PutIn(name, node.value)
        yield [*statements[:index], *(putting.visit(copy.deepcopy(each)) for each in rest)]


class _PutIn(ast.NodeTransformer):
    """Replaces a name by an expression."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the expression for the name."""
        return copy.deepcopy(self._value) if node.id == self._name else node


def _changed(witness: Replayed) -> Iterator[list[ast.stmt]]:
    """Yield programs with one argument or one constant changed, those of the last statement first."""
    statements = witness.statements
    others: list[ast.expr] = list(witness.case.constants[:_MAX_CONSTANTS])
    others += [ast.parse(code, mode="eval").body for code in ODD[:24]]
    for index in range(len(statements) - 1, -1, -1):
        node = statements[index]
        for made in _with_less(node):
            yield [*statements[:index], made, *statements[index + 1 :]]
    for other in others:
        for index in range(len(statements) - 1, -1, -1):
            for made in _with_other(statements[index], other):
                yield [*statements[:index], made, *statements[index + 1 :]]


def _with_less(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement with one keyword argument, or one element, less."""
    for position, each in enumerate(ast.walk(node)):
        for name in ("keywords", "elts"):
            for index in range(len(getattr(each, name, ()))):
                made = copy.deepcopy(node)
                twin = next(itertools.islice(ast.walk(made), position, None))
                del getattr(twin, name)[index]
                yield made


def _with_other(node: ast.stmt, other: ast.expr) -> Iterator[ast.stmt]:
    """Yield a statement with one argument of a call, or one constant, replaced."""
    for position, each in enumerate(ast.walk(node)):
        if isinstance(each, ast.Call):
            for index in range(len(each.args)):
                made = copy.deepcopy(node)
                twin = next(itertools.islice(ast.walk(made), position, None))
                assert isinstance(twin, ast.Call)
                twin.args[index] = other
                yield made
        elif isinstance(each, ast.keyword):
            made = copy.deepcopy(node)
            twin = next(itertools.islice(ast.walk(made), position, None))
            assert isinstance(twin, ast.keyword)
            twin.value = other
            yield made
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
            made = copy.deepcopy(node)
            twin = next(itertools.islice(ast.walk(made), position, None))
            assert isinstance(twin, ast.Assign)
            twin.value = other
            yield made
