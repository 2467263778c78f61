"""From candidates to ranked places: probabilities, one per place, the best version of each."""

from __future__ import annotations

from math import exp

from errdex.search.candidates import BlockQuery, Candidate

MOST_PLACES = 8
LEAST_SCORE = -3.0
"""Candidates with less are not weighed against the others: together they could not matter."""


class Place:
    """One place (package, file, function and wording), with the version that fits best."""

    __slots__ = ("best", "members", "probability")

    def __init__(self, best: Candidate) -> None:
        self.best = best
        self.members = [best]
        """The same place in all its versions and lines, as far as they are candidates."""
        self.probability = 0.0


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
        if candidate.score > place.best.score:
            place.best = candidate
    ranked = sorted(places.values(), key=lambda place: -place.best.score)
    weights = [exp(min(place.best.score, 40.0)) for place in ranked]
    total = 1.0 + sum(weights)
    for place, weight in zip(ranked, weights, strict=True):
        place.probability = weight / total
    return ranked[:MOST_PLACES], 1.0 / total


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
