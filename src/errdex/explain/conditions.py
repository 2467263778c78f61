"""Conditions in English: "`k_pool` or `v_pool` has another dtype than `q`".

Every clause is a subject, a verb and the rest, so that clauses which differ in one
of them can be told together. What has no plain wording is quoted as code.
"""

from __future__ import annotations

import re
from typing import Literal

from errdex.explain.clauses import Clause, clause_of
from errdex.explain.english import code, listed
from errdex.explain.expressions import as_code
from errdex.explain.names import Names
from errdex.syntax.logic import Group, Test, Tree, simplified, tests

MAX_TESTS = 6
"""Conditions of more single tests are quoted whole: a sentence of seven claims is read by nobody."""


def in_words(tree: Tree, names: Names) -> str:
    """Return what `tree` claims, as a clause that can follow "when" or "if"."""
    tree = simplified(tree)
    if sum(1 for _ in tests(tree)) > MAX_TESTS:
        return f"{code(as_code(tree))} holds"
    return _Teller(names).tell(tree)


class _Teller:
    def __init__(self, names: Names) -> None:
        self._names = names

    def tell(self, tree: Tree, outer: Literal["all", "any"] | None = None) -> str:
        if isinstance(tree, Test):
            return _told(tree, self._names).text
        parts = _turned_to_share(tree.parts)
        told: list[str] = []
        singles = [part for part in parts if isinstance(part, Test)]
        told += [
            clause.text for clause in self._merged(tree.kind, [_told(test, self._names) for test in singles])
        ]
        groups = [self.tell(part, tree.kind) for part in parts if isinstance(part, Group)]
        told += groups
        word = "or" if tree.kind == "any" else "and"
        if len(told) == 1:
            return told[0]
        if outer == "all" and tree.kind == "any":
            return "either " + listed(told, "or")
        if groups or any(f" {w} " in piece for piece in told for w in ("or", "and")):
            return f", {word} ".join(told)
        return listed(told, word)

    def _merged(self, kind: Literal["all", "any"], clauses: list[Clause]) -> list[Clause]:
        """Tell clauses that share their predicate, or their subject, together."""
        word = "or" if kind == "any" else "and"
        merged: list[Clause] = []
        by_predicate: dict[tuple[str, str, bool], list[str]] = {}
        for clause in clauses:
            by_predicate.setdefault((clause.verb, clause.rest, clause.plural), []).append(clause.subject)
        for (verb, rest, plural), subjects in by_predicate.items():
            if len(subjects) == 1:
                merged.append(Clause(subjects[0], verb, rest, plural))
            elif kind == "any":
                merged.append(Clause(_named_together(subjects, word), verb, rest))
            else:
                if len(subjects) == 2 and verb in {"is not", "has no"}:
                    told = f"neither {subjects[0]} nor {subjects[1]}"
                    merged.append(Clause(told, "is" if verb == "is not" else "has", rest))
                    continue
                lead = "both " if len(subjects) == 2 else "all of "
                merged.append(Clause(lead + _named_together(subjects, "and"), verb, rest, plural=True))
        return _by_subject(merged, word)


def _named_together(subjects: list[str], word: str) -> str:
    """Return the subjects listed, an owner that all share named once."""
    owner, joiner, _ = subjects[0].partition("'s ")
    lead = owner + joiner
    if joiner and all(subject.startswith(lead) for subject in subjects):
        return lead + listed([subject.removeprefix(lead) for subject in subjects], word)
    return listed(subjects, word)


def _by_subject(clauses: list[Clause], word: str) -> list[Clause]:
    """Join `x is …` and `x has …` to `x is … or has …`; two at most, the rest stays."""
    result: list[Clause] = []
    for clause in clauses:
        earlier = next((i for i, other in enumerate(result) if other.subject == clause.subject), None)
        if (
            earlier is None
            or " or " in result[earlier].rest
            or " and " in result[earlier].rest
            or clause.plural
        ):
            result.append(clause)
            continue
        first = result[earlier]
        alike = first.verb == clause.verb == "is" and first.rest.startswith(
            ("a ", "an ")
        ) == clause.rest.startswith(("a ", "an "))
        verb = "" if alike and first.rest != "given" else clause.verb
        result[earlier] = Clause(
            first.subject,
            first.verb,
            " ".join(piece for piece in (first.rest, word, verb, clause.rest) if piece),
        )
    return result


def _turned_to_share(parts: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Turn `q != k or q != v` to `k != q or v != q`: what differs becomes the subject."""
    equal = [part for part in parts if isinstance(part, Test) and part.relation in {"eq", "ne"}]
    if len(equal) < 2 or len({(test.relation, test.subject) for test in equal}) != 1:
        return parts
    if any(not re.match(r"[A-Za-z_]", test.objects[0]) or test.objects[0].isupper() for test in equal):
        return parts
    return tuple(
        Test(part.relation, part.objects[0], (part.subject,))
        if isinstance(part, Test) and part in equal
        else part
        for part in parts
    )


def _told(test: Test, names: Names) -> Clause:
    return _over_elements(test, names) if test.inner is not None else clause_of(test, names)


def _over_elements(test: Test, names: Names) -> Clause:
    assert test.inner is not None
    element = test.objects[0]
    whole = names.subject(test.subject)
    inner = test.inner
    which = {"some": "some element", "every": "every element", "none-of": "no element"}[test.relation]
    if isinstance(inner, Test) and inner.subject == element and inner.inner is None:
        told = clause_of(inner, names)
        return Clause(f"{which} of {whole}", told.verb, told.rest)
    lead = {"some": "for some", "every": "for every", "none-of": "for no"}[test.relation]
    return Clause(f"{lead} {code(element)} of {whole}", "", _Teller(names).tell(inner))
