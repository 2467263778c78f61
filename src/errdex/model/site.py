"""Throw sites: what extraction finds and linking completes."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

SiteKind = Literal["raise", "helper", "exit", "warn", "log", "http"]
"""How the error leaves: a raise statement, a helper that raises, `sys.exit`, a warning, a log call, an HTTP abort."""

MIN_LITERAL_CHARACTERS = 6
"""Below this a template is found by its place only (contract.md, `messagePattern`)."""
MAX_PATTERN_CHARACTERS = 500
"""Contract.md, `messagePattern`."""
_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
"""What both RE2 and JavaScript (with its `u` flag) read as syntax; escaping more is an error in the latter."""


class Hole(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A place in a message that is filled at run time."""

    expression: str
    """Source text of what fills it (`q.dtype`), in the words of the function that holds the site."""
    written: str
    """As the message writes it: `{q.dtype!r}`, `%s`, `{0}`; for `+`, `{expression}`."""
    conversion: Literal["", "s", "r", "a"] = ""
    spec: str = ""
    """Format specification (`.2f`, `>{width}`), empty for none."""


class MessageTemplate(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A message with its literals and holes in order."""

    parts: tuple[str | Hole, ...]
    """Never two literals side by side, no empty literal; literals are as the reader sees them (`%%` is `%`)."""
    written: str
    """As the source writes it, pieces joined, holes and doubled signs kept: the contract's `errorMessage`."""
    form: Literal["literal", "fstring", "percent", "format", "concat", "join", "mixed"]
    origin: Literal["inline", "variable", "constant", "class", "table", "helper", "argument"]
    """Where the words stand, seen from the raising statement."""

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The holes, in order."""
        return tuple(part for part in self.parts if isinstance(part, Hole))

    @property
    def text(self) -> str:
        """The template with every hole as `{expression}` and literal braces doubled: one form for all languages."""
        return "".join(
            "{" + part.expression + "}"
            if isinstance(part, Hole)
            else part.replace("{", "{{").replace("}", "}}")
            for part in self.parts
        )

    @property
    def literal_length(self) -> int:
        """Characters of literal text, white space at both ends of each piece left out."""
        return sum(len(part.strip()) for part in self.parts if isinstance(part, str))

    @property
    def is_matchable(self) -> bool:
        """Whether a runtime message can be recognised by this template alone."""
        return self.literal_length >= MIN_LITERAL_CHARACTERS

    @property
    def pattern(self) -> str:
        """The contract's `messagePattern`: literals escaped, holes `(.+?)`, at most 500 characters, cut at a part."""
        if not self.is_matchable:
            return escape_pattern(self.written)[:MAX_PATTERN_CHARACTERS]
        pieces: list[str] = []
        size = 0
        for part in self.parts:
            piece = "(.+?)" if isinstance(part, Hole) else escape_pattern(part)
            if size + len(piece) > MAX_PATTERN_CHARACTERS:
                if isinstance(part, str):
                    pieces.append(_cut_escaped(part, MAX_PATTERN_CHARACTERS - size))
                break
            pieces.append(piece)
            size += len(piece)
        return "".join(pieces)


def escape_pattern(text: str) -> str:
    """Return `text` as a regular expression that matches it, valid for RE2 and for JavaScript."""
    return _SPECIAL.sub(lambda match: "\\" + match.group(), text)


def _cut_escaped(text: str, room: int) -> str:
    """Return the longest start of `text` whose escaped form has at most `room` characters, escaped."""
    escaped = ""
    for character in text:
        piece = escape_pattern(character)
        if len(escaped) + len(piece) > room:
            break
        escaped += piece
    return escaped


class Condition(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One condition that holds when the site is reached."""

    text: str
    """Source of the tested expression, as written: `k_pool.dtype != q.dtype or v_pool.dtype != q.dtype`."""
    line: int
    end_line: int
    kind: Literal["if", "while", "for", "except", "match", "assert", "comprehension", "with", "try-else"]
    """The statement it stands in. For `except`, `text` is the caught class; for `for`, what is iterated."""
    negated: bool = False
    """Whether the site is reached when the expression is false (an `else`, or an earlier guard passed)."""
    inlined: str | None = None
    """`text` with simple locals replaced by what they were assigned, in terms of parameters; None if the same."""
    parameters: tuple[str, ...] = ()
    """Parameters of the enclosing callable that it reads, directly or through simple locals, in signature order."""
    comment: str | None = None
    """The comment that stands directly above the statement, markers removed."""


class Parameter(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One parameter of a callable."""

    name: str
    kind: Literal["positional-only", "positional-or-keyword", "var-positional", "keyword-only", "var-keyword"]
    annotation: str | None = None
    default: str | None = None
    """Source text; None means required (or a `*args`/`**kwargs`)."""
    doc: str | None = None
    """The docstring's words about it."""
    doc_type: str | None = None
    """The type as the docstring states it."""


class DocumentedRaise(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One entry of a docstring's Raises section."""

    error_class: str
    text: str


class CallableFacts(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The function or method that holds a site, or that leads to one."""

    name: str
    """Qualified within its module: `Session.send`, `outer.inner`; `<module>` for module level."""
    module: str
    """Dotted module, as imported: `requests.sessions`."""
    path: str
    line: int
    end_line: int
    kind: Literal["module", "function", "method", "classmethod", "staticmethod", "property", "class"]
    is_async: bool = False
    is_public: bool = True
    """No part of the name starts with `_` (dunders count as public), and it is not nested in a function."""
    parameters: tuple[Parameter, ...] = ()
    """In signature order; `self` and `cls` left out."""
    returns: str | None = None
    decorators: tuple[str, ...] = ()
    summary: str | None = None
    """First sentence of the docstring."""
    raises: tuple[DocumentedRaise, ...] = ()
    import_name: str | None = None
    """Shortest public dotted name that imports it (`requests.Session.send`); None if none is known."""


class CallStep(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One call on the way from an entry point to a site."""

    caller: str
    """Qualified name of the calling function within its module."""
    path: str
    line: int
    call: str
    """Source text of the call, cut at 200 characters."""


class EntryPoint(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A public callable from which a site is reached."""

    name: str
    """Dotted name a user can import: `requests.get`."""
    signature: str
    """`(url, params=None, **kwargs)`."""
    path: str
    line: int
    chain: tuple[CallStep, ...] = ()
    """Outermost call first; empty when the entry point itself holds the site."""


class RaisingTest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One of the library's own tests that raises a site's error."""

    path: str
    line: int
    name: str
    call: str
    """Source text of the body that raises, dedented, cut at 600 characters."""
    match: str | None
    """The pattern the test expects, as written."""
    error_class: str


class Helper(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The helper that raises on behalf of a site that gives the words."""

    name: str
    path: str
    line: int


class ThrowSite(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One statement that raises (returns, logs, exits with) an error a user can meet."""

    kind: SiteKind
    path: str
    line: int
    """First line of the raising statement."""
    end_line: int
    column: int
    statement: str
    """Source text of the raising statement, dedented."""
    callable: CallableFacts
    error_class: str | None
    """Dotted name a user can import (`requests.exceptions.MissingSchema`; builtins bare); None if unknown."""
    class_written: str | None
    """As the source writes it: an alias or a variable is kept."""
    bases: tuple[str, ...] = ()
    """Dotted names of the class's ancestors, nearest first, as far as the package and builtins tell."""
    templates: tuple[MessageTemplate, ...] = ()
    """One per wording; empty when no words can be found: a fact, not a failure."""
    unresolved: str | None = None
    """Why `templates` is empty: `dynamic`, `foreign-class`, `no-message`, `re-raise`, …; None otherwise."""
    argument: str | None = None
    """Source of the exception's arguments where they hold no words (`KeyError(key)` → `key`)."""
    error_code: str | None = None
    """A stable code the library gives the error (`E0012`, `gkpj`), as its user sees it."""
    http_status: int | None = None
    errno: str | None = None
    guard: Condition | None = None
    """The innermost condition that leads here; None when the statement always runs."""
    path_conditions: tuple[Condition, ...] = ()
    """Everything that must hold to get here, in source order, the guard last; earlier guards that leave, negated."""
    parameters: tuple[str, ...] = ()
    """Parameters of `callable` that the guard depends on, in signature order."""
    entry_points: tuple[EntryPoint, ...] = ()
    """Shortest chain first; at most 5."""
    tests: tuple[RaisingTest, ...] = ()
    helper: Helper | None = None
    caught: str | None = None
    """The class of the exception being handled at the site (`except X as e: raise Y from e` → `X`)."""
    is_reraise: bool = False

    @property
    def known_class(self) -> str | None:
        """The class, dotted where it is known, else as written; None for what is no class's name (`raise next(…)`)."""
        if self.error_class is not None or self.class_written is None:
            return self.error_class
        name = self.class_written.rpartition(".")[2]
        return self.class_written if name.lstrip("_")[:1].isupper() else None
