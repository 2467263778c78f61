"""Words and the short word sequences ("grams") that the index is keyed by.

A word is a run of letters and digits, lower-cased; in scripts that write no
spaces every character is a word, so that their grams are character n-grams.
A gram is known by its CRC-32: collisions cost a look, never an answer, since
every candidate is verified against its template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from zlib import crc32

LONGEST_GRAM = 3

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Thai, Lao, Burmese, Khmer, kana and Han: scripts written without spaces."""
_ANY_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")


def words_of(text: str) -> list[bytes]:
    """Return the words of `text`, in order, UTF-8 encoded."""
    text = text.lower()
    if text.isascii():
        return [word.encode() for word in _ASCII_WORD.findall(text)]
    return [word.encode("utf-8", "replace") for word in _ANY_WORD.findall(text)]


def whole_words_of(literal: str, *, after_hole: bool, before_hole: bool) -> list[bytes]:
    """Return the words of a template's literal, without those a hole's value may grow into.

    In `bad{kind}name` neither `bad` nor `name` is a word of the rendered message.
    """
    words = words_of(literal)
    if words and after_hole and _is_word_character(literal[0]):
        words = words[1:]
    if words and before_hole and _is_word_character(literal[-1]):
        words = words[:-1]
    return words


def _is_word_character(character: str) -> bool:
    return character.isalnum() and not _is_unspaced(character)


def _is_unspaced(character: str) -> bool:
    return (
        character > "\u0dff"
        and _ANY_WORD.fullmatch(character) is not None
        and character.lower() == character.upper()
    )


def grams_of(words: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
    """Yield (hash, position, length in words) of every run of one to three words."""
    count = len(words)
    for position in range(count):
        hashed = crc32(words[position])
        yield hashed, position, 1
        if position + 1 < count:
            hashed = crc32(words[position + 1], crc32(b" ", hashed))
            yield hashed, position, 2
            if position + 2 < count:
                yield crc32(words[position + 2], crc32(b" ", hashed)), position, 3


def gram_hashes(words: Sequence[bytes]) -> list[int]:
    """Return the distinct hashes of `words`' grams, in order of first appearance."""
    return list(dict.fromkeys(hashed for hashed, _, _ in grams_of(words)))
