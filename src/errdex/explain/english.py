"""Small English: code spans, articles, lists, ordinals, verbs."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_SPAN = 90
"""Longest code span inside a sentence; longer code is cut at a visible ellipsis."""


def code(text: str) -> str:
    """Return `text` as a code span on one line."""
    flat = " ".join(text.split())
    if len(flat) > MAX_SPAN:
        flat = flat[: MAX_SPAN - 1] + "…"
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"


def listed(items: Sequence[str], word: str) -> str:
    """Return `a, b {word} c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def article(noun: str) -> str:
    """Return `an` or `a`, as the noun (a code span or a word) sounds."""
    bare = noun.lstrip("`'\" _")
    if re.match(r"(?i)(uni|use|eu|one\b|u[a-z]?\b)", bare):
        return "a"
    if re.match(r"(?i)(hour|honest|[fhlmnrsx]\b)", bare) or bare[:1].lower() in set("aeiou"):
        return "an"
    return "a"


def with_article(noun: str) -> str:
    """Return the noun with its indefinite article."""
    return f"{article(noun)} {noun}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def ordinal(index: int) -> str | None:
    """Return `first` for 0, `last` for -1; None for what has no short word."""
    if index == -1:
        return "last"
    return _ORDINALS[index] if 0 <= index < len(_ORDINALS) else None


def sentence(text: str) -> str:
    """Return `text` with a capital (unless it starts with code) and a full stop."""
    text = text.strip()
    if not text:
        return text
    if text[0].islower():
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…:" else text + "."


def third_person(verb: str) -> str:
    """Return `casts` for `cast`, `applies` for `apply`, `does` for `do`."""
    if verb in {"do", "go"}:
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return verb[:-1] + "ies"
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    return verb + "s"


_PLURAL_VERBS = {
    "is": "are", "is not": "are not", "has": "have", "has no": "have no", "does not": "do not", "lies": "lie",
    "contains": "contain", "starts": "start", "ends": "end", "matches": "match", "exists": "exist", "equals": "equal", "differs from": "differ from",
}  # fmt: skip


def plural_verb(verb: str) -> str:
    """Return the verb phrase for several subjects."""
    if verb in _PLURAL_VERBS:
        return _PLURAL_VERBS[verb]
    head, _, rest = verb.partition(" ")
    if head == "does":
        return f"do {rest}"
    return f"{_PLURAL_VERBS.get(head, head)} {rest}".rstrip()
