"""Docstring markup -> plain text a reader can take in at once.

reStructuredText, Markdown and epytext leave roles, links, emphasis and
directives in the words. What comes out is one line of text whose only markup
is `code` between single backticks. Says nothing about sections: that is
`docstrings`.
"""

from __future__ import annotations

import re

MAX_TEXT_CHARACTERS = 500
"""A parameter's words beyond this are cut at a sentence: they feed one sentence of an explanation."""

_ROLE = re.compile(r":[A-Za-z][\w+.-]*(?::[A-Za-z][\w+.-]*)*:`([^`\n]+)`")
_DOUBLE = re.compile(r"``(.+?)``(?!`)")
_MARKDOWN_CODE_LINK = re.compile(r"\[`([^`\]\n]+)`\](?:\([^()\s]*\))?")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]\n`]+)\]\((?:https?:|\.|/|#)[^()\s]*\)")
_NAMED_LINK = re.compile(r"`([^`<\n]+?)\s*<[^`>\n]+>`__?")
_REFERENCE = re.compile(r"`([^`\n]+)`__?(?!\w)")
_FOOTNOTE = re.compile(r"\s*\[(?:\d+|#\w*|[A-Z]\w*\d+)\]_(?!\w)")
_EPYTEXT = re.compile(r"\b[CLUIBM]\{([^{}\n]+)\}")
_EXPLICIT_TARGET = re.compile(r"^(.*?)\s*<[^<>]+>$")
_SPHINX_PREFIX = re.compile(r"^(?:!|\.(?=[A-Za-z_])|_[a-z]+\.(?=[A-Za-z_]))")
"""`!x` (no link), `.x` (search everywhere), `_orm.x` (SQLAlchemy's module aliases): none is for the reader."""
_STRONG = re.compile(r"(?<![\w*`/\\])\*\*(?=[^\s*])([^*`]+?)(?<=[^\s*])\*\*(?![\w*])")
_EMPHASIS = re.compile(r"(?<![\w*`/\\])\*(?=[^\s*])([^*`]+?)(?<=[^\s*])\*(?![\w*])")
_ESCAPE = re.compile(r"\\([*_`|])")
_CODE_SPAN = re.compile(r"(`[^`]*`)")
_SPACE = re.compile(r"\s+")
_BULLET = re.compile(r"(?:[-*+•]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+(?=\S)")
_DIRECTIVE = re.compile(r"\.\.\s+(?:[\w:-]+::|_[\w -]+:|\[)")
_SENTENCE_END = re.compile(r"[.!?][\"')\]`]*(?=\s|$)")
_ABBREVIATIONS = (
    "e.g.",
    "i.e.",
    "vs.",
    "etc.",
    "cf.",
    "resp.",
    "approx.",
    "incl.",
    "al.",
    "Eq.",
    "no.",
    "w.r.t.",
)


def plain(text: str) -> str:
    """Return `text` on one line, its inline markup undone and code in single backticks."""
    if "`" in text or "_" in text or "[" in text:
        text = _FOOTNOTE.sub("", text)
        text = _ROLE.sub(lambda match: f"`{_SPHINX_PREFIX.sub('', _target_text(match[1]))}`", text)
        text = _DOUBLE.sub(_single_backticks, text)
        text = _MARKDOWN_CODE_LINK.sub(lambda match: f"`{_target_text(match[1])}`", text)
        text = _MARKDOWN_LINK.sub(r"\1", text)
        text = _NAMED_LINK.sub(r"\1", text)
        text = _REFERENCE.sub(r"\1" if "`_" in text else r"`\1`", text)
    if "{" in text:
        text = _EPYTEXT.sub(r"`\1`", text)
    if text.count("`") % 2:
        text = text.replace("`", "")
    pieces = _CODE_SPAN.split(text)
    pieces[::2] = [_undo_emphasis(piece) for piece in pieces[::2]]
    pieces[1::2] = [f"`{_target_text(piece.strip('`').strip())}`" for piece in pieces[1::2]]
    return _SPACE.sub(" ", "".join(pieces).replace("``", "")).strip()


def _single_backticks(match: re.Match[str]) -> str:
    inner = match[1].replace("`", "").strip()
    return f"`{inner}`" if inner else ""


def _target_text(target: str) -> str:
    """Return what a cross reference shows: the explicit text, or the last part of `~a.b.c`."""
    explicit = _EXPLICIT_TARGET.match(target)
    if explicit and explicit[1]:
        return explicit[1].lstrip("~!")
    if target.startswith("~"):
        return target[1:].rpartition(".")[2] or target[1:]
    return target.removeprefix("!")


def _undo_emphasis(piece: str) -> str:
    if "*" in piece:
        piece = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", piece))
    return _ESCAPE.sub(r"\1", piece) if "\\" in piece else piece


def flow(lines: list[str]) -> str:
    """Return the prose of `lines` as one plain line, at most `MAX_TEXT_CHARACTERS` long.

    Directives, doctests and fenced code are left out; items of a list are
    joined with semicolons.
    """
    pieces: list[str] = []
    skipped_indent: int | None = None
    size = 0
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if skipped_indent is not None and (not text or indent > skipped_indent):
            continue
        skipped_indent = None
        if _DIRECTIVE.match(text):
            skipped_indent = indent
            continue
        if text.startswith((">>>", "```", "~~~")):
            break
        if not text or text == "..":
            continue
        bullet = _BULLET.match(text)
        if bullet:
            text = text[bullet.end() :]
            if pieces and not pieces[-1].endswith((":", ".", ";", ",")):
                pieces[-1] += ";"
        pieces.append(text)
        size += len(text) + 1
        if size > 2 * MAX_TEXT_CHARACTERS:
            break
    return cut(plain(" ".join(pieces)).removesuffix("::"), MAX_TEXT_CHARACTERS)


def first_sentence(text: str) -> str:
    """Return `text` up to the end of its first sentence."""
    for match in _SENTENCE_END.finditer(text):
        head = text[: match.end()]
        rest = text[match.end() :].lstrip()
        if head.endswith(_ABBREVIATIONS) or head.count("`") % 2 or (rest and rest[0].islower()):
            continue
        return head
    return text


def cut(text: str, limit: int) -> str:
    """Return `text`, or its sentences that fit into `limit` characters, or its words that do and `…`."""
    if len(text) <= limit:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, limit)]
    head = next((text[:end] for end in reversed(ends) if text[:end].count("`") % 2 == 0), None)
    if head is not None and len(head) >= limit // 4:
        return head
    head = text[: limit - 1].rpartition(" ")[0] or text[: limit - 1]
    if head.count("`") % 2:
        head = head.rpartition("`")[0].rstrip()
    return head + "…"
