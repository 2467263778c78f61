"""From candidates to ranked places: probabilities, one per place, the best version of each."""

from __future__ import annotations

from math import exp

from errdex.search.candidates import BlockQuery, Candidate
from errdex.search.evidence import FURTHER_VERSION
from errdex.search.lineage import version_key

MOST_PLACES = 8
MOST_VERSIONS = 4
"""More versions than this add nothing."""
LEAST_SCORE = -3.0
"""Candidates with less are not weighed against the others: together they could not matter."""


class Place:
    """One place (package, file, function and wording), with the version that fits best."""

    __slots__ = ("best", "members", "probability", "score")

    def __init__(self, best: Candidate) -> None:
        self.best = best
        self.members = [best]
        """The same place in all its versions and lines, as far as they are candidates."""
        self.probability = 0.0
        self.score = 0.0


def rank_block(query: BlockQuery) -> tuple[list[Place], float]:
    """Return the places of one block, likeliest first, and the probability that it is none of them."""
    places: dict[tuple[object, ...], Place] = {}
    for candidate in query.candidates():
        if candidate.score < LEAST_SCORE:
            continue
        key = _place_key(candidate)
        place = places.get(key)
        if place is None:
            places[key] = Place(candidate)
            continue
        place.members.append(candidate)
        if candidate.score > place.best.score or (
            candidate.score == place.best.score and _age(candidate) > _age(place.best)
        ):
            place.best = candidate
    for place in places.values():
        place.score = place.best.score + FURTHER_VERSION * min(_further_versions(place), MOST_VERSIONS)
    ranked = sorted(places.values(), key=lambda place: place.score, reverse=True)
    if len(ranked) > 1 and ranked[0].score == ranked[1].score:
        ranked.sort(key=lambda place: (place.score, _age(place.best)), reverse=True)
    weights = [exp(min(place.score, 40.0)) for place in ranked]
    total = 1.0 + sum(weights)
    for place, weight in zip(ranked, weights, strict=True):
        place.probability = weight / total
    return ranked[:MOST_PLACES], 1.0 / total


def _age(candidate: Candidate) -> tuple[int, ...]:
    """Return what sorts a package's versions: of places that tie, the newest version's is the likeliest."""
    segment = candidate.segment
    return version_key(segment.optional_text(segment.file_version[segment.file[candidate.entry]]))


def _further_versions(place: Place) -> int:
    """Return how many other versions have this place, and fit about as well."""
    if len(place.members) == 1:
        return 0
    least = place.best.score - 1.0
    files = {member.segment.file[member.entry] for member in place.members if member.score >= least}
    return len(files) - 1


def _place_key(candidate: Candidate) -> tuple[object, ...]:
    """Return what makes two sites one place: package, path, function and wording, whatever the version.

    Within a segment equal strings have equal numbers; places in two segments are kept apart, unless they tie.
    """
    segment, entry = candidate.segment, candidate.entry
    file = segment.file[entry]
    return (
        candidate.number,
        segment.file_package[file],
        segment.file_path[file],
        segment.function[entry],
        segment.template[entry],
    )
