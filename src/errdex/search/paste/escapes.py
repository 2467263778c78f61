"""Escapes that a text gathered on its way: colour codes, HTML entities, JSON and `repr` strings."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import msgspec

_COLOUR = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>]")
_COLOUR_WITHOUT_ESCAPE = re.compile(r"\^?\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m")
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127, 0xFEFF, 0x200B), None)
_ENTITIES = ("&quot;", "&lt;", "&gt;", "&#39;", "&#x27;", "&#34;")
_ESCAPED_BREAK = re.compile(r"\\r\\n|\\n|\\r")
_ESCAPED_SIGN = re.compile(r"\\([\"'/\\])|\\u([0-9a-fA-F]{4})|(\\t)")

_STACK_KEYS = (
    "stack_trace",
    "stacktrace",
    "stackTrace",
    "traceback",
    "exc_info",
    "exc_text",
    "stack",
    "exception",
)
_MESSAGE_KEYS = (
    "errorMessage",
    "error_message",
    "message",
    "msg",
    "detail",
    "error",
    "log",
    "text",
    "event",
    "body",
)
_CLASS_KEYS = ("errorType", "exc_type", "exception_type", "error_type", "exceptionType", "error.kind")
_DEEPEST = 6
_MOST_ROWS = 400


def without_colours(text: str) -> str:
    """Return `text` without terminal escapes and control characters, with plain line ends."""
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    if "[0m" in text or "[39m" in text or "[m" in text:
        text = _COLOUR_WITHOUT_ESCAPE.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isprintable() else text.translate(_CONTROL)


def without_entities(text: str) -> str:
    """Return `text` with HTML entities read, if it was escaped as a whole: then its frames were, too."""
    if "&" not in text or not any(entity in text for entity in _ENTITIES):
        return text
    if 'File "' in text and "in &lt;" not in text:
        return text  # a frame's quotes are plain: an entity is the message's own
    text = html.unescape(text)
    if "&lt;" in text or "&quot;" in text:  # escaped twice, by a page in a page
        text = html.unescape(text)
    return text


def without_json(text: str) -> str:
    """Return the text that a JSON log line, or several, or an escaped string, carries; else `text`."""
    stripped = text.strip()
    if stripped[:1] in {"{", "[", '"'}:
        said = _said_by_rows(stripped)
        if said is not None:
            return said
    if "\\n" in text and _looks_escaped(text):
        return unescaped(text)
    return text


def _said_by_rows(text: str) -> str | None:
    value = _decoded(text)
    if value is not None:
        return _said(value)
    rows = text.split("\n")[:_MOST_ROWS]
    said: list[str] = []
    for row in rows:
        value = _decoded(row.strip())
        if isinstance(value, dict):
            said.append(_said(value) or "")
        elif row.strip():
            return None
    return "\n".join(filter(None, said)) or None


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return None


def _said(value: Any) -> str | None:
    """Return the words of a decoded log entry: its trace if it has one, else class and message."""
    if isinstance(value, str):
        return unescaped(value) if "\n" not in value and _looks_escaped(value) else value
    fields = dict(_fields(value, 0))
    for key in _STACK_KEYS:
        trace = fields.get(key)
        if trace and ("\n" in trace or "\\n" in trace or "File " in trace):
            return _with_head(fields, trace)
    for key in _MESSAGE_KEYS:
        message = fields.get(key)
        if message:
            return _with_head(fields, "", message)
    longest = max(fields.values(), key=len, default="")
    return longest or None


def _with_head(fields: dict[str, str], trace: str, message: str | None = None) -> str:
    if message is None:
        message = next((fields[key] for key in _MESSAGE_KEYS if fields.get(key)), "")
    kind = next((fields[key] for key in _CLASS_KEYS if fields.get(key)), "")
    head = f"{kind}: {message}" if kind and not message.startswith(kind) else message
    if not trace:
        return head
    return trace if message and message.strip() in trace else f"{trace}\n{head}" if kind else trace


def _fields(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield (key, text) of every text in a decoded value, inner ones first so that outer ones win."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str):
                continue
            if isinstance(inner, list) and inner and all(isinstance(row, str) for row in inner):
                yield str(key), "\n".join(inner)
            else:
                yield from _fields(inner, depth + 1)
        for key, inner in value.items():
            if isinstance(inner, str):
                yield str(key), inner
    elif isinstance(value, list):
        for inner in value[:_MOST_ROWS]:
            yield from _fields(inner, depth + 1)


_ESCAPED_TRACE = ("\\n  File ", "\\nTraceback (most", "\\n\\tat ", "\\n    at ")


def _looks_escaped(text: str) -> bool:
    """Return whether line breaks stand in `text` as two characters each: a trace in few lines."""
    breaks = text.count("\\n")
    return breaks > 1 + text.count("\n") or any(mark in text for mark in _ESCAPED_TRACE)


def unescaped(text: str) -> str:
    """Return `text` with the escapes of a JSON or `repr` string read."""
    text = _ESCAPED_BREAK.sub("\n", text)
    return _ESCAPED_SIGN.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    return "\t" if found[3] else chr(int(found[2], 16))
