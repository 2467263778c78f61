"""What a sentence says of a condition agrees with the guard: the right way round, of the right name, with its bound.

Against: "`atomic` is not set" where the guard wants it set; "must be negative" for a guard `kmeans < 0` that raises;
"less than 2.0" where the source says 1.0; "pass a string" where the guard refuses one.
"""

import re

from errdex.assist.claims import Claim, Reader, mode_of
from errdex.assist.conditions import (
    TYPE_TESTS,
    holds_something,
    interval,
    is_order,
    literal,
    names_in,
    outcome,
)
from errdex.assist.interface import Case, Finding, check
from errdex.assist.known import Known
from errdex.assist.prose import read, stem, words_of_name
from errdex.model.assistance import Suggestion
from errdex.syntax.logic import Test


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first claim that the conditions deny; claims that they bear out are grounds."""
    if not suggestion.text:
        return None
    known = case.known
    reader = Reader(read(suggestion.text), suggestion.place, known.conditions)
    claims, grounds = list(reader.claims()), []
    if not list(reader.claims(1)) and _denies_in_vain(suggestion, known):
        return Finding(objection="it denies something, and nothing on the way to the error is a denial")
    for claim in claims:
        agreed = _agrees(claim, known)
        if agreed is False:
            return Finding(objection=f"the condition says otherwise: {_told(claim)}")
        if agreed:
            grounds.append(_told(claim))
    return Finding(ground="; ".join(dict.fromkeys(grounds))) if grounds else None


_DENIAL = re.compile(r"(?i)\b(?:not|never|no|without)\b|n't\b")
_DENYING = frozenset(
    {"false", "ne", "is-none", "is-not", "missing", "lacks", "lt", "le", "raises", "none-of", "outside"}
)


def _denies_in_vain(suggestion: Suggestion, known: Known) -> bool:
    """Whether a sentence opens with what is not so, although every condition says what is."""
    clause = next(iter(read(suggestion.text).clauses), None)
    if clause is None or mode_of(clause, suggestion.place) != "fails" or not _DENIAL.search(clause.text):
        return False
    relations = {test.relation for test in known.conditions}
    return bool(relations) and not any(each in _DENYING or each.startswith("not-") for each in relations)


def _told(claim: Claim) -> str:
    said = "" if claim.holds else "not "
    leads = {"fails": "leads to the error", "avoids": "keeps from it", "open": "is spoken of"}[claim.mode]
    return f"{claim.name or 'it'} {said}{claim.relation or claim.what} {claim.value}".rstrip() + f" {leads}"


def _agrees(claim: Claim, known: Known) -> bool | None:
    """Return whether the conditions bear a claim out; None where they say nothing of the kind."""
    if claim.mode not in {"fails", "avoids"}:
        return None
    tests = [test for test in known.conditions if _is_about(claim, test)]
    held = [each for each in (_holds(claim, test, known) for test in tests) if each is not None]
    if not held:
        return False if claim.what in _NEVER_GUESSED and claim.name in known.parameters else None
    return any(held) if claim.mode == "fails" else not all(held)


def _is_about(claim: Claim, test: Test) -> bool:
    if not claim.name:
        return True
    names = names_in(test)
    return claim.name in names or any(
        claim.name == stem(word) for name in names for word in words_of_name(name)
    )


_NEVER_GUESSED = frozenset({"order", "type"})
"""Claims of a parameter that are refused where no condition is of their kind."""


def _holds(claim: Claim, test: Test, known: Known) -> bool | None:
    """Return whether what is claimed makes the test true, which is a step to the error; None where it says nothing."""
    match claim.what:
        case "there":
            there = holds_something(test)
            return None if there is None else there == claim.holds
        case "order":
            return _ordered(claim, test)
        case "type":
            return _typed(claim, test, known)
        case "same":
            return (test.relation == "eq") == claim.holds if test.relation in {"eq", "ne"} else None
        case "contains":
            return _contained(claim, test)
        case "choice":
            return _chosen(claim, test)
        case "count":
            return _counted(claim, test)
        case "value":
            found = outcome(test, claim.name, literal(claim.value)[1])
            return found if found is None or claim.holds else not found
    return None


def _ordered(claim: Claim, test: Test) -> bool | None:
    if not is_order(test):
        return None
    rising = claim.relation in {"gt", "ge"}
    known, bound = literal(test.objects[0])
    if not known or not isinstance(bound, int | float) or not literal(claim.value)[0]:
        return rising == (test.relation in {"gt", "ge"})
    said = interval(claim.relation, float(claim.value))
    fails = interval(test.relation, float(bound))
    inside = fails[0] <= said[0] and said[1] <= fails[1]
    apart = said[1] < fails[0] or fails[1] < said[0]
    if claim.mode == "fails":
        return inside
    return not (apart and (not claim.is_exact or _touch(said, fails)))


def _touch(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two ranges leave nothing between them, counted in whole numbers or to the smallest step."""
    low, high = sorted((one, other))
    return high[0] - low[1] <= 1e-9 or (high[0] - low[1] == 1 and float(high[0]).is_integer())


def _typed(claim: Claim, test: Test, known: Known) -> bool | None:
    if test.relation not in TYPE_TESTS:
        return None
    listed = any(claim.value in known.types_of(each) for each in test.objects)
    if not listed and not (claim.holds and (claim.name or claim.is_exact)):
        return None  # "not a str" says nothing of a test for other types
    return (listed and claim.holds) == (test.relation in {"instance", "subclass"})


def _contained(claim: Claim, test: Test) -> bool | None:
    known, piece = literal(test.subject)
    if test.relation not in {"in", "not-in"} or not known or not isinstance(piece, str):
        return None
    if claim.value and claim.value != piece:
        return None
    return claim.holds == (test.relation == "in")


def _chosen(claim: Claim, test: Test) -> bool | None:
    if test.relation in {"in", "not-in"} and not literal(test.subject)[0]:
        if claim.name and claim.name not in _code_names(test.subject):
            return None
        return claim.holds == (test.relation == "in")
    if test.relation == "raises" and {"KeyError", "LookupError", "ValueError"} & set(test.objects):
        return not claim.holds
    return None


def _code_names(text: str) -> frozenset[str]:
    return names_in(Test("true", text)) | {
        stem(word) for name in names_in(Test("true", text)) for word in words_of_name(name)
    }


def _counted(claim: Claim, test: Test) -> bool | None:
    if not test.subject.startswith("len(") or not test.objects or not literal(test.objects[0])[0]:
        return None
    if test.relation not in {"eq", "ne"}:
        return None
    same = claim.value == test.objects[0]
    return (same == claim.holds) == (test.relation == "eq") if same or claim.holds else None
