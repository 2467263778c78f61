"""A model's sentence taken apart: code spans, names that stand bare, clauses."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

_SPAN = re.compile(r"``(.+?)``|`([^`]+)`|“([^”]+)”")
_BARE_NAME = re.compile(
    r"(?<![\w.\\/-])(?:[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?"  # dotted
    r"|[A-Za-z]\w*_\w+(?:\(\))?|_\w+"  # with an underscore
    r"|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # with humps
    r"|[A-Za-z_]\w*\(\))(?![\w-])"
)
_ORDINARY = frozenset(
    {"e.g", "i.e", "GitHub", "JavaScript", "TypeScript", "PyPI", "NumPy", "PyTorch", "TensorFlow", "OpenSSL"}
)
"""Bare words that look like names and are none of the package's; `other-packages` knows the libraries among them."""
_CLAUSE = re.compile(
    r"(?:(?<!§\d)[,;:]|(?<=§\d)[,;:](?!\s+(?:or |and )?§\d)|\s[—-])\s+|(?<!only)\s+(?=(?:because|so that|so|when|whenever|if|unless|while|where|although|though|but"
    r"|and then|instead of|rather than|before|after|until)\s)",
)
_IS_ITEM = re.compile(r"(?i)(?:(?:and|or|only|either|neither|both|one|of|§\d+)[\s,]*)+")
"""A part that is but an item of a list: it belongs to the clause that follows."""


class Clause(msgspec.Struct, frozen=True):
    """A part of a sentence with a verb of its own, as far as commas and joining words tell."""

    text: str
    """Code spans replaced by `§0`, `§1`, … of the whole sentence."""
    opener: str
    """The joining word it begins with, lower case; empty for a main clause."""


class Prose(msgspec.Struct, frozen=True):
    """One sentence."""

    text: str
    spans: tuple[str, ...]
    """What stands between backticks (or in typographic quotes), in order."""
    plain: str
    """The sentence with its spans replaced by `§0`, `§1`, …"""
    names: tuple[str, ...]
    """Words outside of spans that look like code: dotted, with an underscore, with humps, with `()`."""

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses, in order."""
        return _clauses(self.plain)


@lru_cache(maxsize=2_000)
def read(text: str) -> Prose:
    """Take a sentence apart."""
    spans: list[str] = []

    def keep(match: re.Match[str]) -> str:
        spans.append(next(group for group in match.groups() if group is not None).strip())
        return f"§{len(spans) - 1}"

    plain = _SPAN.sub(keep, text.replace("§", "¶"))  # whoever writes the sign must not name a span by it
    names = tuple(name.removesuffix("()") for name in _BARE_NAME.findall(plain) if name not in _ORDINARY)
    return Prose(text, tuple(spans), plain, names)


@lru_cache(maxsize=2_000)
def _clauses(plain: str) -> tuple[Clause, ...]:
    found: list[Clause] = []
    held = ""
    for part in _CLAUSE.split(plain):
        text = f"{held}{part.strip(' .,;:')}"
        held = f"{text}, " if _IS_ITEM.fullmatch(text) else ""
        if held:
            continue
        opener = re.match(
            r"(?:and |but )?(because|so that|so|when|whenever|if|unless|while|where|although|though|instead of"
            r"|rather than|before|after|until|which|that|and|or|but)\b",
            text,
            re.IGNORECASE,
        )
        if text:
            found.append(Clause(text, opener.group(1).lower() if opener else ""))
    if held:
        found.append(Clause(held.strip(" ,"), ""))
    return tuple(found)


def with_spans(text: str, prose: Prose) -> str:
    """Return a part of a sentence with its code spans put back."""
    return re.sub(r"§(\d+)", lambda match: prose.spans[int(match.group(1))], text)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without what grammar adds to it: `refuses`, `refused`, `refusing` share one stem."""
    word = word.lower()
    for ending in (
        "ations",
        "ation",
        "ingly",
        "ings",
        "ing",
        "edly",
        "ies",
        "ied",
        "ed",
        "es",
        "s",
        "ly",
        "e",
        "y",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "se" else word


_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of_name(name: str) -> tuple[str, ...]:
    """Return the words that a name is made of: `chunk_size` → chunk, size; `MissingSchema` → missing, schema."""
    return tuple(part.lower() for part in _PART.findall(name))
