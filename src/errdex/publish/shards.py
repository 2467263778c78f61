"""Search without a server: small files, one per group of words, that the page's script asks for as needed.

An error is filed under the rarest words of its message and under its class, if that is rare enough
to tell anything. A word's file is the FNV-1a hash of the word, modulo the number of files; the
script (`assets/errdex.js`) computes the same. A lookup reads at most a dozen files of about 16 kB.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from errdex.model.explanation import Level
from errdex.model.record import Record
from errdex.publish.wire import encode

WORDS_PER_ERROR = 4
MOST_ERRORS_PER_WORD = 120
"""A word of more errors than that tells nothing; messages made of such words alone are filed under them up to here."""
SHARD_BYTES = 16_000
MAX_SHARDS = 8_192
MAX_PIECES_CHARACTERS = 300

_WORD = re.compile(r"\w{3,40}")

Row = tuple[int, str, str, list[str], Level]
"""Number of the repository, slug, class, literal pieces of the message, how far the record is borne out."""


def search_files(records: Iterable[Record], levels: Mapping[str, Level]) -> Iterator[tuple[str, bytes]]:
    """Yield address and content of every file of the static search; `levels` by the record's id."""
    repos: dict[str, int] = {}
    rows: list[Row] = []
    for record in records:
        number = repos.setdefault(record.repo, len(repos))
        name = (record.error_class or "").rpartition(".")[2]
        rows.append((number, record.slug, name, pieces_of(record.message_pattern), levels[record.id]))
    filed = _file(rows)
    size = sum(len(encode(rows[at])) + 1 for members in filed.values() for at in members)
    count = min(MAX_SHARDS, max(1, -(-size // SHARD_BYTES)))
    shards: dict[int, dict[str, list[Row]]] = defaultdict(dict)
    for word in sorted(filed):
        shards[shard_of(word, count)][word] = [rows[at] for at in filed[word]]
    yield "/data/search/meta.json", encode({"shards": count, "repos": list(repos)})
    for number in range(count):
        yield f"/data/search/{number}.json", encode(shards.get(number, {}))


def pieces_of(pattern: str) -> list[str]:
    """Return the literal pieces of a message, out of its pattern; long messages are cut."""
    pieces = [re.sub(r"\\(.)", r"\1", piece, flags=re.DOTALL) for piece in pattern.split("(.+?)")]
    kept: list[str] = []
    room = MAX_PIECES_CHARACTERS
    for piece in pieces:
        if piece.strip() and room > 0:
            kept.append(piece[:room])
            room -= len(piece)
    return kept


def words_of(text: str) -> set[str]:
    """Return the words of a text that an error can be filed under."""
    return {word[:40] for word in _WORD.findall(text.lower())}


def shard_of(word: str, count: int) -> int:
    """Return the number of the file that lists a word's errors: FNV-1a, 32 bits, over UTF-8."""
    value = 0x811C9DC5
    for byte in word.encode("utf-8", "replace"):
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value % count


def _file(rows: list[Row]) -> dict[str, list[int]]:
    """Return, for each word, the rows filed under it."""
    named = [words_of(" ".join(pieces)) for _, _, _, pieces, _ in rows]
    common: Counter[str] = Counter(word for words in named for word in words)
    common.update({row[2].lower() for row in rows if row[2]})
    classes = Counter(row[2].lower() for row in rows if row[2])
    filed: dict[str, list[int]] = defaultdict(list)
    for at, (row, words) in enumerate(zip(rows, named, strict=True)):
        rarest = sorted(words, key=lambda word: (common[word], word))[:WORDS_PER_ERROR]
        if row[2] and classes[row[2].lower()] <= MOST_ERRORS_PER_WORD:
            rarest.append(row[2].lower())
        for word in dict.fromkeys(rarest):
            if len(filed[word]) < MOST_ERRORS_PER_WORD:
                filed[word].append(at)
    return filed
