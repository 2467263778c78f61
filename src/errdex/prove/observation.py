"""What comes back from the sandbox: data of an untrusted process, typed and bounded."""

from __future__ import annotations

from typing import Literal

import msgspec

Digest = str
_LOST_S = 0.3


class FrameSeen(msgspec.Struct, frozen=True, array_like=True):
    """One frame of a traceback, outermost first."""

    path: str
    line: int
    function: str
    raises: bool
    """Whether the instruction that left it is that of a `raise` statement."""
    digest: Digest
    """16 hex digits of sha256 over its byte code."""


class ErrorSeen(msgspec.Struct, frozen=True, rename={"name": "class"}):
    """What a program was ended by."""

    name: str
    """`module.qualname` of its class."""
    mro: tuple[str, ...]
    text: str
    frames: tuple[FrameSeen, ...]
    timeout: bool = False
    words: tuple[str, ...] = ()
    """Those of its arguments that are text: `ValueError(value, "words")` shows a tuple."""


class Observation(msgspec.Struct, frozen=True):
    """One attempt, observed."""

    error: ErrorSeen | None = None
    lines: tuple[int, ...] = ()
    """Lines of the watched function as they ran; a negative number is the start of a call of it."""
    entered: int = 0
    locals: dict[str, str] = {}
    """At the last event of the watched function: `type:value` where the value is plain and short."""
    flags: tuple[str, ...] = ()
    """What it tried: `tamper:…`, `network:…`, `process:…`, `write:…`, `machine:…` (looked at what runs here)."""
    cpu: float = 0.0
    lost: str | None = None
    """Why there is no observation: the process was killed, died, or lied."""

    @property
    def last_call(self) -> tuple[int, ...]:
        """The lines of the last call of the watched function."""
        for index in range(len(self.lines) - 1, -1, -1):
            if self.lines[index] < 0:
                return self.lines[index + 1 :]
        return self.lines

    @property
    def cost_s(self) -> float:
        """CPU seconds that it counts as: one that had to be killed cost a new process too."""
        return self.cpu if self.lost is None else max(self.cpu, _LOST_S)

    @property
    def is_witness(self) -> bool:
        """Whether what happened would happen elsewhere too: credible, and no stand-in decided over it."""
        return self.is_credible and "standin:decided" not in self.flags

    @property
    def is_credible(self) -> bool:
        """Whether the attempt kept its hands off the observer and off the outside world."""
        return self.lost is None and not any(
            flag.startswith(("tamper:", "network:", "process:", "machine:")) for flag in self.flags
        )


class Reply(msgspec.Struct, frozen=True):
    """A reply of the worker."""

    results: tuple[Observation, ...] = ()
    import_error: str | None = None
    cpu: float = 0.0
    """CPU seconds that the module's process and its children used since its last reply."""


class TypeSeen(msgspec.Struct, frozen=True):
    """An annotation, as far as it says something."""

    t: Literal["any", "none", "union", "literal", "generic", "class", "text"] = "any"
    of: tuple[TypeSeen, ...] = ()
    values: tuple[str, ...] = ()
    name: str = ""
    module: str = ""
    qualname: str = ""
    enum: tuple[str, ...] = ()
    text: str = ""


class ParameterSeen(msgspec.Struct, frozen=True):
    """A parameter of a callable, inspected."""

    name: str
    kind: Literal["POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"]
    default: str | None = None
    has_default: bool = False
    type: TypeSeen = TypeSeen()


class NameSeen(msgspec.Struct, frozen=True):
    """Where something can be imported from."""

    module: str
    qualname: str


class ValueSeen(msgspec.Struct, frozen=True):
    """What a name stands for."""

    k: Literal["class", "module", "data", "classes", "keys", "pattern", "callable", "object"]
    name: str = ""
    module: str = ""
    qualname: str = ""
    repr: str = ""
    type: str = ""
    mro: tuple[str, ...] = ()
    abstract: bool = False
    exception: bool = False
    enum: tuple[str, ...] = ()
    parameters: tuple[ParameterSeen, ...] = ()
    subclasses: tuple[NameSeen, ...] = ()
    members: tuple[str, ...] = ()
    """Names that the class itself has."""
    attributes: dict[str, str | None] = {}
    of: tuple[str | NameSeen, ...] = ()


class TargetSeen(msgspec.Struct, frozen=True):
    """The callable under proof, inspected."""

    binding: str = ""
    parameters: tuple[ParameterSeen, ...] = ()
    generator: bool = False
    public: str | None = None
    """The shortest public package that shows a function; None for members."""
    owner: ValueSeen | None = None


class Description(msgspec.Struct, frozen=True):
    """The answer to a request to describe."""

    target: TargetSeen | None = None
    names: dict[str, ValueSeen] = {}
    failed: str | None = None
    import_error: str | None = None
