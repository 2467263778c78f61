"""Errors that the interpreter itself raises, by no `raise` of any library: their wordings.

Source: CPython 2.7 to 3.13 (`Objects/`, `Python/`, `Modules/`), the messages of Go's runtime,
V8 and the JVM. Each pattern is linear: no repetition inside a repetition.
"""

from __future__ import annotations

import re
from functools import cache

_PATTERNS: dict[str, tuple[str, ...]] = {
    "AttributeError": (
        r"'[^']*' object has no attribute '[^']*'",
        r"type object '[^']*' has no attribute '[^']*'",
        r"(?:partially initialized )?module '[^']*' has no attribute '[^']*'(?: \(most likely due to a circular import\))?",
        r"'module' object has no attribute '[^']*'",
        r"'[^']*' object attribute '[^']*' is read-only",
        r"'?[A-Za-z_.]+'? (?:object|instance) has no attribute '[^']*'",
        r"can't set attribute(?: '[^']*')?",
        r"property '[^']*' of '[^']*' object has no (?:setter|deleter|getter)",
        r"__enter__|__exit__|__aenter__|__aexit__",
    ),
    "NameError": (
        r"(?:global )?name '[^']*' is not defined",
        r"free variable '[^']*' referenced before assignment in enclosing scope",
        r"cannot access free variable '[^']*' where it is not associated with a value in enclosing scope",
    ),
    "UnboundLocalError": (
        r"local variable '[^']*' referenced before assignment",
        r"cannot access local variable '[^']*' where it is not associated with a value",
    ),
    "ImportError": (
        r"[Nn]o module named '?[\w.]+'?",
        r"cannot import name '?[\w.]+'?(?: from (?:partially initialized module )?'[^']*')?(?: \([^()]*\))?",
        r"attempted relative import (?:beyond top-level package|with no known parent package)",
        r"Attempted relative import in non-package",
        r"DLL load failed.*",
        r"[^ ]+: cannot open shared object file: .*",
        r"[^ ]+: undefined symbol: .*",
    ),
    "ModuleNotFoundError": (r"[Nn]o module named '[^']*'(?:; '[^']*' is not a package)?",),
    "TypeError": (
        r"[\w.<>]+\(\) got (?:an unexpected keyword argument|multiple values for (?:keyword )?argument|some positional-only arguments passed as keyword arguments:) .*",
        r"[\w.<>]+\(\) missing \d+ required (?:positional|keyword-only) arguments?: .*",
        r"[\w.<>]+\(\) takes (?:no|at least|at most|exactly|from|\d+).*",
        r"[\w.<>]+\(\) argument (?:after|must be).*",
        r"[\w.<>]+ expected (?:at least|at most|exactly)? ?\d+ arguments?, got \d+",
        r"unsupported operand type\(s\) for .*",
        r"bad operand type for .*",
        r"'[^']*' not supported between instances of '[^']*' and '[^']*'",
        r"'[^']*' object (?:is not (?:callable|iterable|subscriptable|an iterator|reversible|a mapping)|does not support (?:item assignment|item deletion|indexing|the (?:asynchronous )?context manager protocol)|cannot be interpreted as an (?:integer|index)).*",
        r"argument of type '[^']*' is not (?:iterable|a container or iterable)",
        r"cannot unpack non-iterable \w+ object",
        r"(?:can only concatenate|can't concat|must be|expected|sequence item \d+: expected) .*(?:str|string|list|tuple|bytes|int|NoneType|instance|object|found|not) .*",
        r"unhashable type: '[^']*'",
        r"object of type '[^']*' has no len\(\)",
        r"__\w+__ (?:returned|should return|must return|method should|must be) .*",
        r"(?:list|tuple|string|str|range object|byte) ?ind(?:ices|ex) must be integers?.*",
        r"(?:int|float|bytes|str|complex)\(\) argument must be .*",
        r"not (?:all arguments converted|enough arguments for format string).*",
        r"object of type '?[\w.]+'? is not JSON serializable",
        r"Object of type \w+ is not JSON serializable",
        r"'[^']*' object can't be awaited|object \w+ can't be used in 'await' expression",
        r"Can't instantiate abstract class .*",
        r"metaclass conflict: .*",
        r"super\(type, obj\): .*",
        r"catching classes that do not inherit from BaseException is not allowed",
        r"exceptions must (?:derive from|be).*",
        r"'[^']*' is an invalid keyword argument for .*",
        r"NoneType object is not .*|'NoneType' object is not .*",
        r"cannot pickle '[^']*' object|can't pickle .* objects",
        r"descriptor '[^']*' .*",
        r"%\w format: .*|format requires a mapping|Value after \*\*? must be .*|'[^']*' object is not a mapping",
        r"[\w.<>]+\(\) (?:keywords must be strings|got multiple values for .*|argument after .*)",
        r"keywords must be strings|isinstance\(\) arg 2 must be .*|issubclass\(\) arg \d must be .*",
        r"cannot use a (?:string|bytes) pattern on a (?:string|bytes)-like object|a bytes-like object is required, not '[^']*'",
        r"slice indices must be integers .*|first argument must be callable.*|an integer is required.*",
        r"'[^']*' (?:type|object) is not (?:subscriptable|callable|iterable|awaitable)|'async for' requires .*",
    ),
    "IndexError": (
        r"(?:list|tuple|string|bytearray|range object|array|deque)? ?(?:assignment |pop )?index out of range",
        r"pop from (?:an )?empty (?:list|deque|bytearray|set)",
        r"index out of range",
    ),
    "KeyError": (
        r"'[^'\n]*'|\"[^\"\n]*\"|-?\d+|\([^()\n]*\)|<[^<>\n]*>|None|True|False|nan|b'[^'\n]*'|u'[^'\n]*'",
    ),
    "ValueError": (
        r"(?:not enough|too many) values to unpack.*",
        r"need more than \d+ values? to unpack",
        r"invalid literal for (?:int\(\) with base \d+|long\(\) with base \d+|float\(\)).*",
        r"could not convert string to (?:float|complex):?.*",
        r"(?:list|tuple)\.(?:remove|index)\(x\): x not in (?:list|tuple)|.{0,80} is not in (?:list|tuple|deque)",
        r"I/O operation on closed file\.?",
        r"substring not found|empty separator|math domain error|embedded null (?:byte|character)",
        r"(?:min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)",
        r"unsupported format character .*",
        r"generator already executing",
    ),
    "ZeroDivisionError": (
        r"(?:integer |float |long |complex )?(?:division|modulo|divmod\(\)|integer division)(?: or modulo)?(?: by zero)?",
    ),
    "RecursionError": (r"maximum recursion depth exceeded.*",),
    "RuntimeError": (
        r"maximum recursion depth exceeded.*",
        r"(?:dictionary|Set|OrderedDict|deque) (?:changed size|keys changed|mutated|changed) during iteration",
        r"generator (?:raised StopIteration|ignored GeneratorExit)",
        r"super\(\): .*",
        r"can't start new thread",
    ),
    "UnicodeDecodeError": (r"'[\w-]+' codec can't decode .*",),
    "UnicodeEncodeError": (r"'[\w-]+' codec can't encode .*",),
    "OverflowError": (
        r"(?:Python int|int|long int|cannot convert float|signed|unsigned|math range error|\(34, ).*",
    ),
    "FileNotFoundError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "PermissionError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "FileExistsError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "IsADirectoryError": (r"\[Errno \d+\] .*",),
    "NotADirectoryError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "ConnectionRefusedError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "ConnectionResetError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "BrokenPipeError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "OSError": (r"\[(?:Errno|WinError) \d+\] .*",),
    "SyntaxError": (r".*",),
    "IndentationError": (r".*",),
    "TabError": (r".*",),
    "MemoryError": (r"|std::bad_alloc",),
    "KeyboardInterrupt": (r"",),
    "SystemExit": (r"-?\d*|None",),
    "StopIteration": (r"",),
    "StopAsyncIteration": (r"",),
    "GeneratorExit": (r"",),
    "RecursionWarning": (r".*",),
    "panic": (
        r"runtime error: .*",
        r"assignment to entry in nil map|send on closed channel|close of (?:closed|nil) channel",
        r"interface conversion: .*",
        r"index out of bounds: .*",
        r"called `(?:Option|Result)::unwrap\w*\(\)` on an? `(?:None|Err)` value.*",
        r"attempt to (?:add|subtract|multiply|divide|negate|shift) .*",
    ),
    "ReferenceError": (r"[\w$.]+ is not defined", r"Cannot access '[^']*' before initialization"),
    "RangeError": (r"Maximum call stack size exceeded", r"Invalid (?:array|string) length"),
    "NullPointerException": (r"|Cannot (?:invoke|read|load|store|throw|enter|assign) .*",),
    "ClassCastException": (r"class .* cannot be cast to class .*",),
    "ArithmeticException": (r"/ by zero",),
    "ArrayIndexOutOfBoundsException": (r"-?\d+|Index -?\d+ out of bounds for length \d+",),
    "StackOverflowError": (r"",),
    "OutOfMemoryError": (r"Java heap space|GC overhead limit exceeded|Metaspace|unable to create .*",),
    "NoMethodError": (r"undefined (?:local variable or )?method [`'].*",),
}

_JS_TYPE_ERROR = (
    r"(?:Cannot (?:read|set) propert(?:y|ies) .*|.{1,120} is not (?:a function|a constructor|iterable|defined)"
    r"|Assignment to constant variable\.|Converting circular structure to JSON.*|[\w$.]+ is (?:null|undefined))"
)

_SUGGESTION = r"(?:\. Did you mean: .{0,200}|\. Did you forget .{0,200})?\.?\s*"


@cache
def _compiled(name: str) -> re.Pattern[str] | None:
    """Return the pattern of a class's interpreter messages: compiled when first asked for, since few ever are."""
    patterns = _PATTERNS.get(name)
    return re.compile(f"(?:{'|'.join(patterns)}){_SUGGESTION}") if patterns is not None else None


_HEAD, _TAIL = 300, 100
"""Characters kept of a long message: a repr in its middle tells nothing, and the patterns stay quick."""


def is_interpreter_error(error_class: str | None, message: str, runtime: str = "python") -> bool:
    """Return whether a message is worded as the interpreter words it for this class, and in no other way."""
    if error_class is None:
        return False
    name = error_class.rpartition(".")[2]
    message = message.strip()
    if len(message) > _HEAD + _TAIL:
        message = message[:_HEAD] + message[-_TAIL:]
    if runtime == "node" and name == "TypeError":
        return re.fullmatch(_JS_TYPE_ERROR, message) is not None
    pattern = _compiled(name)
    return pattern is not None and pattern.fullmatch(message) is not None
