"""What one Python file says before linking: msgspec-encodable, cached by the file's blob hash.

Nothing here depends on where the file lies: paths, dotted module names and what
other files say are added by `link`. Structs are arrays on the wire, so a change
of fields is a change of the extractor's version (`pipeline.version`).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from errdex.model.site import Condition, MessageTemplate, Parameter, SiteKind

FunctionKind = Literal["module", "function", "method", "classmethod", "staticmethod", "property", "class"]


class ImportFact(msgspec.Struct, frozen=True, array_like=True):
    """One name bound by an import anywhere in the file (an import in a function counts as one of its module)."""

    name: str
    """The local name; `*` for a star import."""
    module: str
    """Dotted module as written, without the leading dots; empty for `from . import x`."""
    level: int
    """Leading dots."""
    attribute: str | None
    """What is taken out of the module (`from m import attribute`); None for `import m`."""


class ConstantFact(msgspec.Struct, frozen=True, array_like=True):
    """A module-level name that may hold words: a string, a table of strings, an alias of another name."""

    name: str
    source: str
    """Source text of the value."""


class ClassFact(msgspec.Struct, frozen=True, array_like=True):
    """One class, as written."""

    name: str
    """Qualified within its module."""
    line: int
    end_line: int
    bases: tuple[str, ...]
    """As written; subscripts and keyword arguments left out."""
    decorators: tuple[str, ...] = ()
    attributes: dict[str, str] = {}
    """Class-level assignments of small values: name to source text; annotated fields without value are absent."""
    fields: tuple[str, ...] = ()
    """Annotated names in order: the constructor's parameters where the class is a dataclass."""


class FunctionFact(msgspec.Struct, frozen=True, array_like=True):
    """One function or method; nested ones too."""

    name: str
    """Qualified within its module, nested functions joined by dots."""
    line: int
    """Of the `def`, decorators left out."""
    end_line: int
    kind: FunctionKind
    is_async: bool
    owner: str | None
    """Qualified name of the class that it is a method of."""
    nested: bool
    """Whether it stands inside a function."""
    body_line: int
    """Where the first statement of its body starts: the header is everything before."""
    decorators: tuple[str, ...] = ()
    details: FunctionDetails | None = None
    """Read for functions that hold a site; others are read on demand."""


class FunctionDetails(msgspec.Struct, frozen=True, array_like=True):
    """A function's signature and docstring."""

    parameters: tuple[Parameter, ...]
    """`self` and `cls` left out."""
    returns: str | None
    docstring: str | None
    first: str | None
    """Name of the parameter that was left out (`self`, `cls`); None where none was."""


class CallFact(msgspec.Struct, frozen=True, array_like=True):
    """A call that may matter for linking: of a private name, of a name imported from a package, or one given words."""

    function: int
    """Index of the enclosing function in `FileFacts.functions`; -1 at module level."""
    callee: str
    """As written: `_check`, `self._check`, `module.check`, `super()._check`."""
    line: int
    end_line: int
    column: int
    text: str
    """Source of the call; cut at 200 characters where no words are given."""
    has_words: bool
    """Whether a message-like argument is given: the call may be one of a helper that raises."""
    conditions: tuple[int, ...] = ()
    """As for a site; read only where the callee's name hints at a helper that raises."""
    caught: str | None = None


class RawSite(msgspec.Struct, frozen=True, array_like=True):
    """One throw site as far as its own file tells."""

    kind: SiteKind
    line: int
    end_line: int
    column: int
    statement: str
    """Source text of the statement, dedented."""
    function: int
    """Index in `FileFacts.functions`; -1 at module level."""
    scope: str
    """Qualified name of the innermost class around a site outside any function; empty otherwise."""
    class_written: str | None
    templates: tuple[MessageTemplate, ...]
    unresolved: str | None
    argument: str | None
    conditions: tuple[int, ...]
    """Indices in `FileFacts.conditions`, in source order."""
    caught: str | None = None
    is_reraise: bool = False
    pending: bool = False
    """Whether a name of the message is known only to other files or to linking."""
    http_status: int | None = None
    errno: str | None = None
    error_code: str | None = None


class FileFacts(msgspec.Struct, frozen=True, array_like=True):
    """Everything linking needs of one file."""

    reader: Literal["ast", "tree-sitter"]
    imports: tuple[ImportFact, ...] = ()
    exported: tuple[str, ...] | None = None
    """`__all__`, as far as it is written out; None where there is none."""
    constants: tuple[ConstantFact, ...] = ()
    classes: tuple[ClassFact, ...] = ()
    functions: tuple[FunctionFact, ...] = ()
    conditions: tuple[Condition, ...] = ()
    sites: tuple[RawSite, ...] = ()
    calls: tuple[CallFact, ...] = ()
    error: str | None = None
    """Why the file could be read only in part or not at all; None if all went well."""
