"""Pools of arguments: plain values, what a type or a docstring asks for, and what no one expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from errdex.prove.observation import NameSeen, ParameterSeen, TypeSeen, ValueSeen
from errdex.prove.program import Value, arguments_text, call_text

NUMPY = ("import numpy as np",)
Describe = Callable[[NameSeen], ValueSeen | None]
"""Looks a class up in the sandbox."""
Check = Callable[[list[Value]], list[bool]]
"""Evaluates values in the sandbox; says which do not raise."""
_MAX_DEPTH = 2
_MAX_INSTANCES = 6

PLAIN: dict[str, tuple[str, ...]] = {
    "int": ("1", "0", "2", "-1", "3", "10", "1000000"),
    "float": ("1.0", "0.5", "0.0", "-1.0", "2.0", "1000000.0", 'float("nan")', 'float("inf")'),
    "complex": ("1j",),
    "bool": ("True", "False"),
    "str": ('"a"', '""', '"abc"', '"a b"', '"1"', '"a.b"', '"a/b"', '"a=1"', '"A"', '"a:b"', '"\\x00"', '"é"', '"http://example.com"'),
    "bytes": ('b"a"', 'b""', 'b"\\xff"', 'b"0123456789abcdef"', 'b"0123456789abcdef0123456789abcdef"'),
    "bytearray": ('bytearray(b"a")',),
    "list": ("[1, 2]", "[]", "[1]", '["a"]', '["a", "a"]', "[1, 2, 3]", "[3, 1]", "[None]", "[[1, 2], [3, 4]]", "[(1, 2)]", "[{}]", '[("a", 1)]', "[0]"),
    "tuple": ("(1, 2)", "()", "(1,)", '("a",)', "(1, 2, 3)", '("a", "b")'),
    "dict": ('{"a": 1}', "{}", '{"a": "b"}', "{1: 2}", '{"a": {}}', '{"a": []}', '{"a": None}'),
    "set": ("{1, 2}", "set()", '{"a"}'),
    "frozenset": ("frozenset({1})",),
    "none": ("None",),
    "object": ("object()",),
    "callable": ("lambda *args, **kwargs: None", "lambda x: x", "len", "print"),
    "type": ("int", "str", "object", "dict", "Exception"),
    "range": ("range(3)",),
    "slice": ("slice(None)", "slice(0, 2)", "slice(None, None, 2)"),
    "iterator": ("iter([1, 2])", "iter([])"),
    "exception": ('ValueError("a")',),
}  # fmt: skip
_ALIASES = {
    "integer": "int", "number": "float", "real": "float", "double": "float", "numeric": "float", "string": "str",
    "text": "str", "boolean": "bool", "sequence": "list", "iterable": "list", "collection": "list", "array-like": "list",
    "mutablesequence": "list", "mapping": "dict", "mutablemapping": "dict", "dictionary": "dict", "ordereddict": "dict",
    "abstractset": "set", "function": "callable", "generator": "iterator", "buffer": "bytes", "any": "int",
    "supportsindex": "int", "supportsint": "int", "supportsfloat": "float", "hashable": "str", "sized": "list",
    "container": "list", "bytes-like": "bytes", "nonetype": "none", "positive": "int", "non-negative": "int",
    "scalar": "float", "lists": "list", "tuples": "tuple", "strings": "str", "ints": "int", "floats": "float",
    "defaultdict": "dict", "anystr": "str", "uint": "int",
}  # fmt: skip
_PATH_WORDS = ("path", "file", "filename", "fname", "filepath", "directory", "dir", "folder")
ARRAYS = (
    "np.zeros((2, 3))", "np.zeros(3)", "np.zeros((2, 2))", "np.array([])", "np.arange(6)", "np.zeros((2, 3, 4))",
    'np.array(["a", "b"])', "np.array([1, 2, 3])", "np.eye(3)", "np.array(1.0)", "np.array([np.nan, 1.0])",
    "np.zeros((2, 3), dtype=np.int64)", "np.zeros((0, 3))", "np.ones((3, 3))", "np.array([True, False])",
    "np.array([1j, 2])", "np.array([None, 1], dtype=object)",
)  # fmt: skip
OTHER_TENSORS = ("tensor", "ndarray", "array")
_MANY = (
    "()", '("a",)', "(1,)", "(None,)", "(object(),)", "(1, 2)", "([1, 2], [1])", '("a", "b")', "([],)", "(1000000,)",
    "([1], [1], [1, 2])", "([1, 2], [1], [1], [1])", "(1, 2, 3)", "(lambda *args, **kwargs: None,)", "({},)", "(-1,)", "(0,)",
)  # fmt: skip
"""Arguments for `*args`."""
ODD = (
    "None", "-1", "0", '"errdex"', "object()", "1", "[]", "True", "1.5", '""', "{}", "()", "[1, 2, 3]", '{"errdex": 1}',
    'b"errdex"', "2", "lambda *args, **kwargs: None", '["errdex"]', "int", 'float("nan")', "1000000", "set()", "100",
    "(1, 2)", "False", '"errdex.txt"', "-2", "0.0", "-0.5", '"1"', "[None]", "3", "(1, 2, 3)", "[[1], [2, 3]]", '"a,b"',
    "range(3)", "iter([])", 'float("inf")', '[("a", 1)]', "[-1]", "[1.5]", '"a=b=c"', '"\\n"', "{1: 2}", "5", "[{}]",
)  # fmt: skip
"""Tried for any parameter when nothing better is known; ordered by how often each made a guard fire in trials."""


def plain(kind: str) -> Iterator[Value]:
    """Yield plain values of one of Python's own types."""
    for code in PLAIN.get(kind, ()):
        yield Value(code)


class Pools:
    """Values for parameters, from what the sandbox, the annotations and the docstrings say."""

    def __init__(
        self, describe: Describe, check: Check, *, has_numpy: bool, library: str | None = None
    ) -> None:
        self.library = library
        """In a slice: the name of the library whose arrays are stood in for."""
        self._describe, self._check = describe, check
        self._made: dict[NameSeen, list[Value]] = {}
        self.has_numpy = has_numpy

    def for_parameter(self, parameter: ParameterSeen, doc_type: str | None, depth: int = 0) -> list[Value]:
        """Return values that the parameter is likely to accept, likeliest first; may be empty."""
        found: list[Value] = []
        if parameter.kind == "VAR_POSITIONAL":
            return [Value(code) for code in _MANY]
        if parameter.kind == "VAR_KEYWORD":
            return [Value("{}"), Value('{"errdex": 1}')]
        if parameter.has_default and parameter.default not in (None, "None"):
            found.append(Value(parameter.default or ""))
        found += self.of_type(parameter.type, depth)
        if doc_type:
            found += self.of_words(doc_type)
        found += self.of_name(parameter.name.rpartition(".")[2])
        if parameter.has_default and parameter.default == "None":
            found.append(Value("None"))
        if parameter.has_default and parameter.default not in (None, "None") and not found[1:]:
            found += self.like(parameter.default or "")
        return _unique(found)

    def like(self, literal: str) -> list[Value]:
        """Return values of the type of a literal."""
        if literal in ("True", "False"):
            return list(plain("bool"))
        if re.fullmatch(r"-?\d+", literal):
            return list(plain("int"))
        if re.fullmatch(r"-?[\d.e+-]+", literal):
            return list(plain("float"))
        kinds = {"'": "str", '"': "str", "[": "list", "(": "tuple", "{": "dict", "b": "bytes"}
        return list(plain(kinds.get(literal[:1], "")))

    def of_type(self, seen: TypeSeen, depth: int = 0) -> list[Value]:
        """Return values of an annotation."""
        if seen.t == "none":
            return [Value("None")]
        if seen.t == "union":
            return _interleaved([self.of_type(each, depth) for each in seen.of])
        if seen.t == "literal":
            return [Value(code) for code in seen.values]
        if seen.t == "generic":
            return self._of_generic(seen, depth)
        if seen.t == "text":
            return self.of_words(seen.text)
        if seen.t == "class":
            return self._of_class(seen, depth)
        return []

    def _of_generic(self, seen: TypeSeen, depth: int) -> list[Value]:
        kind = _ALIASES.get(seen.name.lower(), seen.name.lower())
        if kind in ("type", "callable") or not seen.of:
            return list(plain(kind))
        inner = self.of_type(seen.of[-1 if kind == "dict" else 0], depth + 1)[:4]
        shapes = {"list": "[{0}]", "tuple": "({0},)", "set": "{{{0}}}", "frozenset": "frozenset({{{0}}})", "iterator": "iter([{0}])", "dict": '{{"a": {0}}}'}  # fmt: skip
        shape = shapes.get(kind)
        if shape is None:
            return list(plain(kind))
        if kind == "tuple" and len(seen.of) > 1:
            parts = [self.of_type(each, depth + 1)[:1] for each in seen.of]
            if all(parts):
                heads = [each[0] for each in parts]
                code = f"({', '.join(each.code for each in heads)})"
                return [Value(code, _imports(heads), _setup(heads)), *plain("tuple")]
        made = [msgspec.structs.replace(each, code=shape.format(each.code)) for each in inner]
        return [*made, *plain(kind)]

    def _of_class(self, seen: TypeSeen, depth: int) -> list[Value]:
        if seen.module == "builtins":
            return list(plain(_ALIASES.get(seen.qualname.lower(), seen.qualname)))
        if seen.enum:
            head = seen.qualname.partition(".")[0]
            return [
                Value(f"{seen.qualname}.{name}", (f"from {seen.module} import {head}",)) for name in seen.enum
            ]
        if seen.module == "numpy" and seen.qualname == "ndarray":
            return self.arrays()
        known = _KNOWN.get(f"{seen.module}.{seen.qualname}") or _KNOWN.get(seen.qualname)
        if known is not None:
            return list(known)
        return self.instances(NameSeen(module=seen.module, qualname=seen.qualname), depth)

    def of_known(self, module: str, qualname: str) -> list[Value]:
        """Return instances of a class of Python's own that is easy to make; empty for others."""
        return list(_KNOWN.get(f"{module}.{qualname}") or ()) or (
            list(plain(qualname)) if module == "builtins" else []
        )

    def instances(self, name: NameSeen, depth: int = 0) -> list[Value]:
        """Return instances of a class: by its own constructor or a subclass's where one was seen to work.

        Else one made without its constructor, else a stand-in that `isinstance` takes for one.
        """
        if depth > _MAX_DEPTH:
            return []
        if name not in self._made:
            self._made[name] = []  # a class that needs itself is not made this way
            self._made[name] = self._instances(name, depth)
        return self._made[name]

    def _instances(self, name: NameSeen, depth: int) -> list[Value]:
        seen = self._describe(name)
        if seen is None or seen.k != "class":
            return []
        if known := self.of_known(seen.module, seen.qualname):
            return known
        head = seen.qualname.partition(".")[0]
        imports = (f"from {seen.module} import {head}",)
        if seen.enum:
            return [Value(f"{seen.qualname}.{each}", imports) for each in seen.enum]
        candidates = [] if seen.abstract else self.constructed(seen, depth)
        for other in seen.subclasses[:4]:
            below = self._describe(other)
            if below is not None and below.k == "class" and not below.abstract:
                candidates += self.constructed(below, depth)[:4]
        candidates = _unique(candidates)[:24]
        works = self.working(candidates)
        if works:
            return works[:_MAX_INSTANCES]
        bare = Value(f"{seen.qualname}.__new__({seen.qualname})", imports, by_hand=True)
        mock = Value(
            f"Mock(spec={seen.qualname})", (*imports, "from unittest.mock import Mock"), is_real=False
        )
        return self.working([bare, mock])

    def working(self, values: list[Value]) -> list[Value]:
        """Return those values that can be made."""
        return [value for value, good in zip(values, self._check(values), strict=True) if good]

    def constructed(
        self, seen: ValueSeen, depth: int = 0, given: dict[str, Value] | None = None
    ) -> list[Value]:
        """Return calls of a class's constructor with the fewest arguments beside `given`, likely ones first."""
        fixed = given or {}
        required = [
            each for each in seen.parameters if not each.has_default and not each.kind.startswith("VAR")
        ]
        choices: dict[str, list[Value]] = {}
        for each in required:
            values = self.for_parameter(each, None, depth + 1)
            choices[each.name] = _unique(
                [*values[:6], *(Value(code) for code in ('"a"', "1", "None", "[]", "{}"))]
            )
        head = seen.qualname.partition(".")[0]
        made = []
        for turn in range(8 if required else 1):
            given = fixed | {
                name: values[turn % len(values) if turn < 6 else (turn + index) % len(values)]
                for index, (name, values) in enumerate(choices.items())
                if name not in fixed
            }
            code = (
                call_text(seen.qualname, arguments_text(seen.parameters, given))
                .replace("\n    ", "")
                .replace(",\n)", ")")
                .replace("\n", "")
            )
            imports = (f"from {seen.module} import {head}", *_imports(list(given.values())))
            real = all(each.is_real for each in given.values())
            hand = any(each.by_hand for each in given.values())
            made.append(Value(code, imports, _setup(list(given.values())), real, hand))
        return _unique(made)

    def of_words(self, words: str) -> list[Value]:
        """Return values for a docstring's or an unresolved annotation's words: `array-like of shape (n, 2)`."""
        lowered = words.lower()
        found: list[Value] = []
        for quoted in re.findall(r"""\{([^{}]*)\}""", words)[:1]:
            found += [
                Value(each.strip())
                for each in quoted.split(",")
                if re.fullmatch(r"\s*('[^']*'|\"[^\"]*\"|-?\d+|None|True|False)\s*", each)
            ]
        for word in re.findall(r"[a-z][a-z_.-]*[a-z]", lowered):
            word = word.rpartition(".")[2]  # noqa: PLW2901 - only the last part counts
            kind = _ALIASES.get(word, word)
            if (
                word
                in ("array-like", "array_like", "arraylike", "ndarray", "array", "matrix", "arrays", "tensor")
                or "ndarray" in word
            ):
                found += self.arrays(words)
            elif kind in PLAIN:
                found += plain(kind)
            elif word in _PATH_WORDS:
                found += _KNOWN["Path"][:1]
        return _unique(found)[:24]

    def of_name(self, name: str) -> list[Value]:
        """Return values that a parameter's name alone suggests."""
        lowered = name.lower().strip("_")
        if re.search(
            r"(^fp|^fd|file_?obj|stream|_io|handle|^buf|^reader|^writer|^infile|^outfile)$", lowered
        ):
            return [*_KNOWN["BinaryIO"], *_KNOWN["TextIO"]]
        for pattern, kind in _NAMED:
            if re.search(pattern, lowered):
                return self.arrays() if kind == "array" else list(plain(kind))
        return []

    def arrays(self, words: str = "") -> list[Value]:
        """Return arrays, those of a shape that `words` state first; lists where numpy is not installed."""
        if self.library is not None:
            imports = ("from standins import Tensor", f"from standins import {self.library}")
            shapes = ("(2, 4, 8)", "(2,)", "(2, 4)", "(2, 4, 8, 8)")
            return [
                Value(f"Tensor({shape}, {self.library}.bfloat16)", imports, is_real=False) for shape in shapes
            ]
        if not self.has_numpy:
            return list(plain("list"))
        found = [Value(code, NUMPY) for code in ARRAYS]
        stated = re.findall(r"\(([^()]*)\)", words.partition("shape")[2])
        counts = {len([each for each in shape.split(",") if each.strip()]) for shape in stated}
        if counts:
            found.sort(key=lambda value: _dimensions(value.code) not in counts)
        return found


_KNOWN: dict[str, tuple[Value, ...]] = {
    "Path": (Value('Path("errdex.txt")', ("from pathlib import Path",)), Value('"errdex.txt"')),
    "PathLike": (Value('Path("errdex.txt")', ("from pathlib import Path",)), Value('"errdex.txt"')),
    "datetime.datetime": (Value("datetime(2026, 1, 1)", ("from datetime import datetime",)), Value("datetime(2026, 1, 1, tzinfo=timezone.utc)", ("from datetime import datetime", "from datetime import timezone"))),
    "datetime.date": (Value("date(2026, 1, 1)", ("from datetime import date",)),),
    "datetime.timedelta": (Value("timedelta(seconds=1)", ("from datetime import timedelta",)), Value("timedelta(seconds=-1)", ("from datetime import timedelta",))),
    "decimal.Decimal": (Value('Decimal("1.5")', ("from decimal import Decimal",)), Value('Decimal("NaN")', ("from decimal import Decimal",))),
    "uuid.UUID": (Value("UUID(int=1)", ("from uuid import UUID",)),),
    "io.BytesIO": (Value('BytesIO(b"a")', ("from io import BytesIO",)), Value("BytesIO()", ("from io import BytesIO",))),
    "BinaryIO": (Value('BytesIO(b"a")', ("from io import BytesIO",)), Value("BytesIO()", ("from io import BytesIO",))),
    "IO": (Value('StringIO("a")', ("from io import StringIO",)), Value('BytesIO(b"a")', ("from io import BytesIO",))),
    "TextIO": (Value('StringIO("a")', ("from io import StringIO",)), Value("StringIO()", ("from io import StringIO",))),
    "re.Pattern": (Value('re.compile("a")', ("import re",)),),
    "numpy.dtype": (Value("np.dtype(float)", NUMPY), Value('np.dtype("int64")', NUMPY)),
    "Sequence": tuple(Value(code) for code in PLAIN["list"]),
    "Iterable": tuple(Value(code) for code in PLAIN["list"]),
    "Mapping": tuple(Value(code) for code in PLAIN["dict"]),
    "Callable": tuple(Value(code) for code in PLAIN["callable"]),
}  # fmt: skip
_NAMED = (
    (r"^(n|k|i|j|m|num.*|n_.*|count|size|length|max.*|min.*|axis|dim|ndim|order|index|idx|depth|level|degree|width|height|limit|offset|start|stop|step|port|timeout|seed|maxiter|.*_size|.*_count)$", "int"),
    (r"(alpha|beta|gamma|eps|tol|rate|ratio|factor|weight|scale|threshold|prob|sigma|mu)$", "float"),
    (r"^(x|y|a|b|arr|array|data|xs|values|matrix|mat|vector|x1|x2|u|v|w|z|image|img|samples)$", "array"),
    (r"(name|key|mode|method|path|url|text|string|label|kind|format|fmt|encoding|prefix|suffix|filename|title|pattern|message|msg|s|col|column|line|host|field|attr|attribute)$", "str"),
    (r"(func|fn|function|callback|callable|hook|f|g|predicate|handler)$", "callable"),
    (r"(list|items|names|keys|args|seq|sequence|columns|fields|nodes|edges|lst|iterable|rows|parts)$", "list"),
    (r"(dict|map|mapping|kwargs|options|params|config|attrs|headers|kwds|opts|settings|metadata)$", "dict"),
    (r"^(is|has|use|allow|enable|verbose|copy|inplace|strict)", "bool"),
    (r"(bytes|buffer|buf|raw|payload)$", "bytes"),
    (r"(exc|exception|err|error)$", "exception"),
    (r"(cls|klass|type|typ|class|class_)$", "type"),
)  # fmt: skip


def _dimensions(code: str) -> int:
    match = re.search(r"zeros\(\(([^()]*)\)", code)
    if match:
        return len([each for each in match.group(1).split(",") if each.strip()])
    return 2 if "eye" in code else 1


def _unique(values: list[Value]) -> list[Value]:
    found: dict[str, Value] = {}
    for value in values:
        found.setdefault(value.code, value)
    return list(found.values())


def _interleaved(lists: list[list[Value]]) -> list[Value]:
    """Return one value of each list in turn: the first member of a union is not worth all the others."""
    longest = max(map(len, lists), default=0)
    return [values[turn] for turn in range(longest) for values in lists if turn < len(values)]


def _imports(values: list[Value]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for value in values for line in value.imports))


def _setup(values: list[Value]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for value in values for line in value.setup))
