"""What string methods and layout functions do to words: strip, case, replace, dedent."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from errdex.model.site import Hole
from errdex.syntax.words import Words


def stripped(words: Words, strip: Callable[..., str], characters: object) -> Words:
    """Return `words` with both ends stripped by a method of `str`, of the characters given if they are known."""
    parts = list(words.parts)
    arguments = (characters,) if isinstance(characters, str) else ()
    if parts and isinstance(parts[0], str) and strip is not str.rstrip:
        parts[0] = parts[0].lstrip(*arguments)
    if parts and isinstance(parts[-1], str) and strip is not str.lstrip:
        parts[-1] = parts[-1].rstrip(*arguments)
    return Words(parts, strip(words.written, *arguments), words.form, words.origin)


def cased(words: Words, change: Callable[[str], str]) -> Words:
    """Return `words` in another case; left alone where a hole would change too."""
    if not words.is_plain:
        return words
    return Words([change(words.plain_text)], change(words.written), words.form, words.origin)


def replaced(words: Words, node: ast.Call) -> list[Words]:
    """Return `words` after `.replace(old, new)` of two literals; left alone where they are none."""
    old, new = node.args[0], node.args[1]
    if not (isinstance(old, ast.Constant) and isinstance(old.value, str)):
        return [words]
    if not (isinstance(new, ast.Constant) and isinstance(new.value, str)):
        return [words]
    parts = [part.replace(old.value, new.value) if isinstance(part, str) else part for part in words.parts]
    return [Words(parts, words.written.replace(old.value, new.value), words.form, words.origin)]


def reflowed(words: Words, change: Callable[[str], str]) -> Words:
    """Return `words` with their literals changed as one text, each hole standing for itself as one character."""
    mark = "\ufdd0"
    text = "".join(part if isinstance(part, str) else mark for part in words.parts)
    holes: Iterator[Hole] = (part for part in words.parts if isinstance(part, Hole))
    parts: list[str | Hole] = []
    for index, piece in enumerate(change(text).split(mark)):
        if index and (hole := next(holes, None)) is not None:
            parts.append(hole)
        parts.append(piece)
    return Words(parts, change(words.written), words.form, words.origin)
