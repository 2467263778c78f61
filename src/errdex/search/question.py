"""A question in a user's own words, and a record's texts as they are searched.

Identifiers are read as words (`PackageLoader` as `Package Loader`, and joined too, as people write
`dataframe`). Words that every question has (`why does it`) say nothing of what is asked and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from errdex.search.names import root_of

if TYPE_CHECKING:
    from errdex.catalog import Summary
    from errdex.model.record import Record

MOST_CHARACTERS = 1_000
"""More of a question is not read: what is longer is a paste, which `explain` answers."""
MOST_WORDS = 40

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINED = re.compile(r"[^\W_]*[a-z0-9][A-Z][^\W_]*")
_WORD = re.compile(r"[^\W_]+")
_MARKS = str.maketrans("", "", "`“”")
STOP_WORDS = frozenset(
    _WORD.findall(
        "a about after am an and any are as at be because been but by can cannot could did do does doing don for from"
        " get gets getting give gives got had has have how i if in into is it its just me my no not of on one or our"
        " out so some than that the their them then there these they this those to up us was we were what when where"
        " which while who why will with without would you your t s re ve ll m d"
    )
)


class Texts(msgspec.Struct, frozen=True):
    """What of one record is searched: one field a column of the index."""

    message: str
    documentation: str
    family: str
    tags: str
    callable: str
    library: str


def texts_of(record: Record, summary: Summary, family: str) -> Texts:
    """Return the searched texts of a record; `family` is its family's title."""
    return Texts(
        searchable(record.error_message),
        searchable(record.documentation),
        family,
        " ".join(record.tags),
        searchable(f"{summary.function} {record.error_class or ''}"),
        record.repo,
    )


def spaced(text: str) -> str:
    """Return `text` with identifiers as words, marks of code and quotation left out."""
    return _HUMP.sub(" ", text.translate(_MARKS)).replace("_", " ")


def searchable(text: str) -> str:
    """Return `text` with identifiers as words, then those that were written joined as they were."""
    return " ".join((spaced(text), *dict.fromkeys(_JOINED.findall(text))))


def words_of_question(question: str) -> list[str]:
    """Return the words of a question that may tell something, each once; all of them where none may."""
    words = list(dict.fromkeys(_all_words(question)))[:MOST_WORDS]
    return [word for word in words if word not in STOP_WORDS] or words


def names_of_library(repo: str, paths: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """Return how a question may name a library, as words: its repository's name, the modules it brings.

    A number at a name's end may be left out (`jinja` for `jinja2`).
    """
    names = {repo.rpartition("/")[2], *map(root_of, paths)}
    spelled = {tuple(_all_words(name)) for name in names | {name.rstrip("0123456789") for name in names}}
    return frozenset(name for name in spelled if name)


def is_named(names: frozenset[tuple[str, ...]], question: str) -> bool:
    """Whether a question holds one of `names`, its words in a row."""
    words = _all_words(question)
    return any(
        tuple(words[at : at + len(name)]) == name
        for name in names
        for at in range(len(words) - len(name) + 1)
    )


def _all_words(text: str) -> list[str]:
    return _WORD.findall(spaced(text[:MOST_CHARACTERS]).lower())
