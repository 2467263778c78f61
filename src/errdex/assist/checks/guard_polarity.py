"""What a sentence says of a condition agrees with the guard: the right way round, of the right name, with its bound.

Against: "`atomic` is not set" where the guard wants it set; "must be negative" for a guard `kmeans < 0` that raises;
"less than 2.0" where the source says 1.0; "both are given" where the guard refuses that only one is.
"""

from collections import defaultdict
from collections.abc import Sequence

from errdex.assist.claims import Claim, Reader
from errdex.assist.conditions import claim_makes, names_in, truth
from errdex.assist.interface import Case, Finding, check
from errdex.assist.known import Known
from errdex.assist.modes import REFUSED, mode_of
from errdex.assist.prose import read
from errdex.assist.wording import DENIAL
from errdex.model.assistance import Suggestion
from errdex.syntax.logic import Test, tests

_DENYING = frozenset(
    {"false", "ne", "is-none", "is-not", "missing", "lacks", "lt", "le", "raises", "none-of", "outside"}
)


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first claims that the conditions deny; claims that they bear out are grounds."""
    if not suggestion.text:
        return None
    known = case.known
    reader = Reader(read(suggestion.text), suggestion.place, known.conditions)
    if not list(reader.claims(1)) and _denies_in_vain(suggestion, known):
        return Finding(objection="it denies something, and nothing on the way to the error is a denial")
    groups: dict[tuple[int, str], list[Claim]] = defaultdict(list)
    for claim in reader.claims():
        groups[claim.group, claim.mode].append(claim)
    grounds: list[str] = []
    for (_, mode), claims in groups.items():
        agreed = _agree(claims, mode, known)
        if agreed is False:
            return Finding(objection=f"the condition says otherwise: {_told(claims)}")
        if agreed:
            grounds.append(_told(claims))
    return Finding(ground="; ".join(dict.fromkeys(grounds))) if grounds else None


def _denies_in_vain(suggestion: Suggestion, known: Known) -> bool:
    """Whether a sentence opens with what is not so, although every condition says what is."""
    clause = next(iter(read(suggestion.text).clauses), None)
    if clause is None or mode_of(clause, suggestion.place) != "fails":
        return False
    if not DENIAL.search(REFUSED.sub(" ", clause.text)):
        return False
    return bool(known.conditions) and not any(
        test.relation in _DENYING
        or test.relation.startswith("not-")
        or (test.relation == "eq" and test.objects[0] == "0")
        for test in known.conditions
    )


def _told(claims: Sequence[Claim]) -> str:
    leads = {"fails": "leads to the error", "avoids": "keeps from it"}.get(claims[0].mode, "is spoken of")
    said = [
        f"{each.name or 'it'} {'' if each.holds else 'not '}{each.relation or each.what} {each.value}".rstrip()
        for each in claims
    ]
    return f"{', '.join(dict.fromkeys(said))} {leads}"


def _agree(claims: Sequence[Claim], mode: str, known: Known) -> bool | None:
    """Return whether the conditions bear claims of one group out; None where they say nothing of the kind.

    What leads to the error must leave every condition possible; what keeps from it must make one false.
    """
    if mode not in {"fails", "avoids"}:
        return None
    made: dict[Test, bool] = {}
    valued = {claim.name for claim in claims if claim.what == "value"}
    for claim in claims:
        if claim.what == "there" and claim.name in valued:
            continue
        for test in known.conditions:
            makes = claim_makes(claim, test, known.types_of)
            if makes is None:
                continue
            if claim.what == "value" and mode == "avoids":  # each value of a list has to keep from it
                made[test] = made.get(test, makes) or makes
            else:
                made[test] = made.get(test, makes) and makes
        if claim.name in known.parameters and _is_made_up(claim, mode, known):
            return False
    if not made:
        return None
    values = [truth(tree, made) for tree in known.trees]
    if mode == "fails":
        return False not in values
    if False in values:
        return True
    touched = [
        value for tree, value in zip(known.trees, values, strict=True) if any(t in made for t in tests(tree))
    ]
    return None if None in touched else False


def _is_made_up(claim: Claim, mode: str, known: Known) -> bool:
    """Whether a limit or a type is claimed of a parameter that no condition tests for one."""
    if claim.what not in {"order", "type"} or (claim.what == "type" and mode == "fails"):
        return False
    return not any(
        claim_makes(claim, test, known.types_of) is not None or test.relation in {"callable", "not-callable"}
        for test in known.conditions
        if claim.name in names_in(test)
    )
