"""Docstring lines -> the convention they follow and the entries of their sections.

An entry is one parameter or one error. Only well-formed entries come out: what
`docstrings` hands to the library must not make it refuse the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Literal

import msgspec

from errdex.link.markup import flow, plain

Style = Literal["numpy", "google", "rest", "epytext", "plain"]

_MAX_HEADER_CHARACTERS = 600
_PARAMETER_TITLES = frozenset(
    {"parameters", "params", "arguments", "args", "other parameters", "other params", "other arguments"}
    | {
        "other args",
        "keyword arguments",
        "keyword args",
        "kwargs",
        "keyword parameters",
        "required arguments",
    }
    | {"optional arguments", "optional parameters", "input", "inputs", "call arguments", "extra parameters"}
)
_RAISE_TITLES = frozenset({"raises", "raise", "exceptions", "except", "throws", "errors raised"})
_OTHER_TITLES = frozenset(
    {"returns", "return", "yields", "yield", "example", "examples", "attributes", "note", "notes", "see also"}
)
NUMPY_UNDERLINE = re.compile(r"^[ \t]*[-=~]{3,}[ \t]*$")
_NUMPY_TITLE = re.compile(r"^[ \t]*([A-Z][A-Za-z]*(?: [A-Za-z]+){0,3}):?[ \t]*$")
_GOOGLE_TITLE = re.compile(r"^([ \t]*)(?:\*\*)?([A-Z][A-Za-z]*(?: [A-Za-z]+){0,2})(?:\*\*)?:(?:\*\*)?[ \t]*$")
_REST_FIELD = re.compile(
    r"^[ \t]*:(param|parameter|arg|argument|key|keyword|kwarg|type|raises?|except|exception|returns?|rtype"
    r"|yields?|ivar|cvar|var|meta)\b([^:`\n]*(?::[^:`\n\s][^:`\n]*)*):(?![\w`])"
)
_EPYTEXT_FIELD = re.compile(
    r"^[ \t]*@(param|keyword|kwarg|type|raises?|except|exception|return|returns|rtype|ivar|cvar|note|see)\b"
    r"([^:\n]*):"
)
_NAMES = re.compile(r"^\\?\*{0,2}`?[A-Za-z_][\w.]*`?(?:\s*[,/]\s*\\?\*{0,2}`?[A-Za-z_]\w*`?|\s*,\s*\.\.\.)*$")
_CLASS_NAME = re.compile(r"^[A-Za-z_][\w.]*(?:(?:\s*[,/|]\s*|\s+or\s+)[A-Za-z_][\w.]*)*$")
_DOUBLED_COLON = re.compile(r"^(\w+): \((.*)\):")
"""`name: (type): words`, as `datasets` writes it."""
_UNTITLED = re.compile(r"^\w+ \(.*\):[ \t]*$")
"""`transformers` leaves out `Args:` where a decorator writes it: the first line is already an entry."""


class Entry(msgspec.Struct, frozen=True):
    """One parameter or error as a docstring lists it, its header not yet read."""

    role: Literal["param", "type", "raises"]
    header: str
    text: str


def style_of(lines: list[str]) -> Style:
    """Decide by the first section that is really one: a title alone is no proof, its layout is."""
    if is_untitled(lines):
        return "google"
    for number, line in enumerate(lines):
        if _REST_FIELD.match(line):
            return "rest"
        if _EPYTEXT_FIELD.match(line):
            return "epytext"
        if numpy_title(lines, number):
            return "numpy"
        title = _GOOGLE_TITLE.match(line)
        if title and title[2].lower() in _PARAMETER_TITLES | _RAISE_TITLES:
            body = next((below for below in lines[number + 1 : number + 4] if below.strip()), "")
            if indent_of(body) > len(title[1]):
                return "google"
    return "plain"


def is_untitled(lines: list[str]) -> bool:
    """Tell whether Google entries start on the first line, with no `Args:` above them."""
    return len(lines) > 1 and bool(_UNTITLED.match(lines[0])) and indent_of(lines[1]) > 0


def numpy_title(lines: list[str], number: int) -> str | None:
    """Return the lower-case title of the numpy section whose heading stands at line `number`."""
    if number + 1 >= len(lines) or not NUMPY_UNDERLINE.match(lines[number + 1]):
        return None
    title = _NUMPY_TITLE.match(lines[number])
    return title[1].lower() if title else None


def _role_of(title: str) -> Literal["param", "raises"] | None:
    if title in _PARAMETER_TITLES:
        return "param"
    return "raises" if title in _RAISE_TITLES else None


def indent_of(line: str) -> int:
    """Return the number of white-space characters `line` starts with."""
    return len(line) - len(line.lstrip())


def _numpy_entries(lines: list[str]) -> Iterator[Entry]:
    """Yield the entries of the wanted sections; a section ends where any other heading stands."""
    titles = [(number, title) for number in range(len(lines)) if (title := numpy_title(lines, number))]
    for index, (number, title) in enumerate(titles):
        role = _role_of(title)
        if role is None:
            continue
        end = titles[index + 1][0] if index + 1 < len(titles) else len(lines)
        for header, body in _blocks(lines[number + 2 : end]):
            name, colon, rest = header.partition(":")
            if role == "raises":
                if _CLASS_NAME.match(plain(name).strip("`")):
                    yield Entry(role, plain(name).strip("`"), flow([rest, *body]))
            elif _NAMES.match(name.strip()):
                yield Entry(role, f"{name.strip()} : {plain(rest)}" if colon else name.strip(), flow(body))


def _google_entries(lines: list[str]) -> Iterator[Entry]:
    """Yield the entries of the wanted sections; a section ends at the indent of its title."""
    if is_untitled(lines):
        yield from _google_section(
            list(takewhile(lambda line: not _GOOGLE_TITLE.match(line), lines)), "param"
        )
    for number, line in enumerate(lines):
        title = _GOOGLE_TITLE.match(line)
        role = _role_of(title[2].lower()) if title else None
        if title is None or role is None:
            continue
        section: list[str] = []
        for below in lines[number + 1 :]:
            if below.strip() and indent_of(below) <= len(title[1]):
                break
            section.append(below)
        yield from _google_section(section, role)


def _google_section(section: list[str], role: Literal["param", "raises"]) -> Iterator[Entry]:
    """Yield the entries of one section; a line at entry level without a header continues the entry above."""
    header: str | None = None
    body: list[str] = []
    for line, below in _blocks(section):
        split = _google_header(line, role, has_body=bool("".join(below).strip()))
        if split is None:
            body += [line, *below]
            continue
        if header is not None:
            yield Entry(role, header, flow(body))
        header, body = split[0], [split[1], *below]
    if header is not None:
        yield Entry(role, header, flow(body))


def _google_header(line: str, role: Literal["param", "raises"], *, has_body: bool) -> tuple[str, str] | None:
    """Split `name (type): words` at the colon outside brackets and code; None when `line` is no such entry."""
    line = _DOUBLED_COLON.sub(r"\1 (\2):", line.removeprefix("- ").removeprefix("* "))
    depth = 0
    in_code = False
    for position, character in enumerate(line[:_MAX_HEADER_CHARACTERS]):
        if character == "`":
            in_code = not in_code
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif (
            character == ":"
            and depth <= 0
            and not in_code
            and not line[position + 1 :].startswith((":", "`"))
        ):
            name = line[:position]
            return (name, line[position + 1 :]) if _is_header(name, role) else None
    bare = plain(line).strip("`")
    return (bare, "") if has_body and role == "raises" and _CLASS_NAME.match(bare) else None


def _is_header(name: str, role: Literal["param", "raises"]) -> bool:
    if role == "raises":
        return bool(_CLASS_NAME.match(plain(name).strip("`").replace("`", "")))
    return bool(_NAMES.match(name.partition("(")[0].strip().strip("*`").strip() or "?"))


def _blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each line of the section's own indent with the deeper lines below it."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return
    level = indent_of(filled[0])
    head: str | None = None
    body: list[str] = []
    for line in lines:
        if line.strip() and indent_of(line) <= level:
            if head is not None:
                yield head, body
            head, body = line.strip(), []
        else:
            body.append(line)
    if head is not None:
        yield head, body


def _field_entries(lines: list[str], field: re.Pattern[str]) -> Iterator[Entry]:
    """Yield the fields of reStructuredText or epytext; a field ends at the next one or at a dedent after a blank."""
    number = 0
    while number < len(lines):
        match = field.match(lines[number])
        number += 1
        if match is None:
            continue
        body = [lines[number - 1][match.end() :]]
        level = indent_of(match[0])
        while number < len(lines) and not field.match(lines[number]):
            line = lines[number]
            if line.strip() and not lines[number - 1].strip() and indent_of(line) <= level:
                break
            body.append(line)
            number += 1
        yield from _field(match[1], match[2].split(), body)


def _field(keyword: str, arguments: list[str], body: list[str]) -> Iterator[Entry]:
    """Turn one field into entries; a type of several words becomes an entry of its own."""
    if keyword.startswith(("raise", "exce")):
        names = plain(" ".join(arguments)).replace("`", "")
        text = flow(body)
        if not names and _CLASS_NAME.match(text.replace("`", "")):
            names, text = text.replace("`", ""), ""
        if _CLASS_NAME.match(names):
            yield Entry("raises", names, text)
    elif arguments and keyword == "type":
        yield Entry("type", arguments[-1], flow(body))
    elif arguments and keyword in {"param", "parameter", "arg", "argument", "key", "keyword", "kwarg"}:
        yield Entry("param", arguments[-1], flow(body))
        if len(arguments) > 1:
            yield Entry("type", arguments[-1], plain(" ".join(arguments[:-1])))


def _rest_entries(lines: list[str]) -> Iterator[Entry]:
    return _field_entries(lines, _REST_FIELD)


def _epytext_entries(lines: list[str]) -> Iterator[Entry]:
    return _field_entries(lines, _EPYTEXT_FIELD)


READERS: dict[Style, Callable[[list[str]], Iterator[Entry]]] = {
    "numpy": _numpy_entries,
    "google": _google_entries,
    "rest": _rest_entries,
    "epytext": _epytext_entries,
}


def starts_section(lines: list[str], number: int) -> bool:
    """Tell whether line `number` is a section's heading or a field: prose ends above it."""
    line = lines[number]
    google = _GOOGLE_TITLE.match(line)
    return bool(
        _REST_FIELD.match(line)
        or _EPYTEXT_FIELD.match(line)
        or ((title := numpy_title(lines, number)) and (number or _role_of(title) or title in _OTHER_TITLES))
        or (google and (_role_of(google[2].lower()) or google[2].lower() in _OTHER_TITLES))
    )
