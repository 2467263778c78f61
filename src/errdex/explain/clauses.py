"""One test in words: subject, verb and rest."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from errdex.explain.english import code, listed, plural_verb, with_article
from errdex.explain.expressions import as_code
from errdex.explain.names import Names, balanced
from errdex.syntax.logic import Test, parse, source


@dataclass(frozen=True, slots=True)
class Clause:
    """One claim in words."""

    subject: str
    verb: str
    rest: str
    plural: bool = False

    @property
    def text(self) -> str:
        """The claim as it stands in a sentence."""
        verb = plural_verb(self.verb) if self.plural else self.verb
        return " ".join(piece for piece in (self.subject, verb, self.rest) if piece)


def clause_of(test: Test, names: Names) -> Clause:
    """Return what a test claims; tests over elements are told by `conditions`."""
    return _TELLERS.get(test.relation, _plain)(test, names)


def _plain(test: Test, _names: Names) -> Clause:
    return Clause(code(as_code(test)), "is", "true")


def _truth(test: Test, names: Names) -> Clause:
    true = test.relation == "true"
    return (
        _nan(test, names)
        or _member_difference(test, names)
        or _falsy_parameter(test, names)
        or Clause(names.subject(test.subject), "is", _truth_word(test.subject, true=true))
    )


def _nan(test: Test, names: Names) -> Clause | None:
    found = re.fullmatch(
        r"(?:np|numpy|math|torch|cmath|pd)\.(isnan|isinf|isfinite|isna|isnull)\((.+?)\)(\.any\(\)|\.all\(\))?",
        test.subject,
    )
    if not found or not balanced(found[2]):
        return None
    what = {"isnan": "NaN", "isinf": "infinite", "isfinite": "finite"}.get(found[1], "missing")
    true = test.relation == "true"
    if found[3] is None:
        return Clause(names.subject(found[2]), "is" if true else "is not", what)
    if found[3] == ".any()" and what != "finite":
        noun = "NaN" if what == "NaN" else f"{what} values"
        return Clause(
            names.subject(found[2]), "contains" if true else "does not", noun if true else f"contain {noun}"
        )
    if found[3] == ".all()" and what == "finite":
        return Clause(names.subject(found[2]), "is" if true else "is not", "finite throughout")
    return None


def _member_difference(test: Test, names: Names) -> Clause | None:
    """`set(a) - set(b)` is true: `a` has members that `b` lacks."""
    found = re.fullmatch(r"set\(([\w.]+)\) - (?:set\(([\w.]+)\)|([A-Z_][A-Z0-9_.]*))", test.subject)
    if not found:
        return None
    other = names.subject(found[2] or found[3])
    if test.relation == "true":
        return Clause(names.subject(found[1]), "has", f"members that {other} lacks")
    return Clause(names.subject(found[1]), "has no", f"members that {other} lacks")


_SIZED = re.compile(
    r"(?i)\b(list|tuple|dict|set|sequence|mapping|iterable|collection|str|bytes|string|frozenset)\b"
)
_BOOLEAN = re.compile(r"(?i)\bbool(ean)?\b")
_CLAIMING = re.compile(
    r"(^|[._])_*(is|has|can|should|allow|allows|enable|enabled|use|uses|was|were|supports?|closed|started|finished|"
    r"frozen|initialized|strict|force|dry_run|inplace|valid|ok|done|exact|fitted|called|check|verify|ignore|keep|return)"
    r"(_|$|\b)"
)


def _falsy_parameter(test: Test, names: Names) -> Clause | None:
    """Say what `not x` means for a parameter whose type is known."""
    parameter = names.parameter(test.subject)
    if parameter is None:
        return None
    true = test.relation == "true"
    stated = parameter.annotation or parameter.doc_type or ""
    subject = code(test.subject)
    if parameter.default in {"True", "False"} or _BOOLEAN.search(stated):
        return Clause(subject, "is", f"`{true}`")
    if parameter.kind == "var-positional":
        return Clause(subject, "is" if not true else "is not", "empty")
    if parameter.kind == "var-keyword":
        verb = "are" if true else "are no"
        return Clause("there", verb, f"extra keyword arguments ({subject})")
    if parameter.default == "None":
        return Clause(subject, "is" if true else "is not", "given" if true else "given, or empty")
    if _SIZED.search(stated):
        return Clause(subject, "is not" if true else "is", "empty")
    return None


def _truth_word(subject: str, *, true: bool) -> str:
    node = parse(subject)
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and not _CLAIMING.search(subject):
        return "set" if true else "empty or not set"
    return "true" if true else "false"


def _none(test: Test, names: Names) -> Clause:
    parameter = names.parameter(test.subject)
    subject = names.subject(test.subject)
    if parameter is not None and parameter.default == "None":
        return (
            Clause(subject, "is not", "given")
            if test.relation == "is-none"
            else Clause(subject, "is", "given")
        )
    return Clause(subject, "is" if test.relation == "is-none" else "is not", "`None`")


_HELD_ALIKE = {"dtype", "shape", "device", "size", "ndim", "type"}


def _equality(test: Test, names: Names) -> Clause:
    same = test.relation in {"eq", "is"}
    return (
        _both_or_neither(test, names, same=same)
        or _attribute_equality(test, names, same=same)
        or _length(test, names)
        or _platform(test, same=same)
        or _other_equality(test, names, same=same)
    )


_GIVEN = re.compile(r"\(?(\w+) is (?:not )?None\)?")


def _both_or_neither(test: Test, names: Names, *, same: bool) -> Clause | None:
    """`(x is None) != (y is None)`: only one of them is given."""
    left, right = _GIVEN.fullmatch(test.subject), _GIVEN.fullmatch(test.objects[0])
    if left is None or right is None:
        return None
    pair = f"{names.subject(left[1])} and {names.subject(right[1])}"
    agree = ("not None" in test.subject) == ("not None" in test.objects[0])
    if same == agree:
        return Clause(f"both or neither of {pair}", "is", "given", plural=True)
    return Clause(f"only one of {pair}", "is", "given")


def _other_equality(test: Test, names: Names, *, same: bool) -> Clause:
    wanted = test.objects[0]
    if test.relation in {"is", "is-not"} or isinstance(parse(wanted), ast.Constant | ast.UnaryOp | ast.Tuple):
        return Clause(names.subject(test.subject), "is" if same else "is not", _value(wanted, names))
    return Clause(names.subject(test.subject), "equals" if same else "differs from", _value(wanted, names))


def _value(text: str, names: Names) -> str:
    """Return the other side of a comparison: a number plain, the rest as code."""
    return text if _NUMBER.fullmatch(text) else names.subject(text)


_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def _platform(test: Test, *, same: bool) -> Clause | None:
    if test.subject in {"sys.platform", "os.name", "platform.system()"}:
        return Clause("the platform", "is" if same else "is not", code(test.objects[0]))
    return None


_ATTRIBUTE = re.compile(r"(?P<owner>[A-Za-z_][\w.\[\]]*)\.(?P<name>dtype|shape|device|size|ndim|__class__)")


def _attribute_equality(test: Test, names: Names, *, same: bool) -> Clause | None:
    left = _ATTRIBUTE.fullmatch(test.subject)
    dims = _dimensions(test.subject)
    if dims and test.objects[0].isdigit():
        return Clause(names.subject(dims), "is" if same else "is not", f"{test.objects[0]}-D")
    if dims and _dimensions(test.objects[0]):
        other = names.subject(_dimensions(test.objects[0]) or "")
        return Clause(names.subject(dims), "has", _alike("number of dimensions", other, same=same))
    if left is None or left["name"] not in _HELD_ALIKE or left["owner"] == "self":
        return None
    subject = names.subject(left["owner"])
    right = _ATTRIBUTE.fullmatch(test.objects[0])
    if right is not None and right["name"] == left["name"]:
        return Clause(subject, "has", _alike(left["name"], names.subject(right["owner"]), same=same))
    wanted = code(test.objects[0])
    return Clause(
        subject,
        "has",
        f"{left['name']} {wanted}" if same else f"{with_article(left['name'])} other than {wanted}",
    )


def _alike(what: str, other: str, *, same: bool) -> str:
    return f"the same {what} as {other}" if same else f"another {what} than {other}"


def _dimensions(text: str) -> str | None:
    """Return `x` for `x.ndim`, `len(x.shape)`, `x.dim()`."""
    found = re.fullmatch(
        r"(?:len\(([\w.]+)\.shape\)|([\w.]+)\.ndim|([\w.]+)\.dim\(\)|np\.ndim\(([\w.]+)\))", text
    )
    return next((group for group in found.groups() if group), None) if found else None


_MORE: dict[str, str] = {"lt": "fewer than", "le": "at most", "gt": "more than", "ge": "at least"}


def _order(test: Test, names: Names) -> Clause:
    bound = test.objects[0]
    dims = _dimensions(test.subject)
    if dims and bound.isdigit():
        return Clause(
            names.subject(dims), "has", f"{_MORE[test.relation]} {bound} dimension{'s' * (bound != '1')}"
        )
    if test.subject in {"sys.version_info", "sys.version_info[:2]"}:
        version = ".".join(re.findall(r"\d+", bound)) or code(bound)
        return Clause(
            "Python", "is", f"older than {version}" if test.relation == "lt" else f"{version} or newer"
        )
    if bound == "0" and test.relation in {"lt", "ge"} and not test.subject.startswith("len("):
        return Clause(names.subject(test.subject), "is" if test.relation == "lt" else "is not", "negative")
    told = _length(test, names)
    if told is not None:
        return told
    words = {"lt": "less than", "le": "at most", "gt": "greater than", "ge": "at least"}[test.relation]
    return Clause(names.subject(test.subject), "is", f"{words} {_value(bound, names)}")


def _length(test: Test, names: Names) -> Clause | None:
    """`len(x)` held against a number or against `len(y)`."""
    node = parse(test.subject)
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            subject = names.subject(source(inner))
        case _:
            return None
    bound = test.objects[0]
    if (test.relation, bound) in {("eq", "0"), ("lt", "1"), ("le", "0")}:
        return Clause(subject, "is", "empty")
    if (test.relation, bound) in {("ne", "0"), ("gt", "0"), ("ge", "1")}:
        return Clause(subject, "is not", "empty")
    other = re.fullmatch(r"len\((.+)\)", bound)
    if other and balanced(other[1]):
        word = {"ne": "another length than", "eq": "the same length as"}.get(test.relation)
        if word:
            return Clause(subject, "has", f"{word} {names.subject(other[1])}")
        longer = {
            "lt": "shorter than",
            "gt": "longer than",
            "le": "at most as long as",
            "ge": "at least as long as",
        }
        return Clause(subject, "is", f"{longer[test.relation]} {names.subject(other[1])}")
    wanted = bound if bound.isdigit() else _value(bound, names)
    items = "element" if wanted == "1" else "elements"
    words = {
        "ne": f"a length other than {wanted}", "eq": f"length {wanted}", "lt": f"fewer than {wanted} {items}",
        "le": f"at most {wanted} {items}", "gt": f"more than {wanted} {items}", "ge": f"at least {wanted} {items}",
    }  # fmt: skip
    return Clause(subject, "has", words.get(test.relation, f"length {wanted}"))


def _membership(test: Test, names: Names) -> Clause:
    inside = test.relation == "in"
    if test.objects[0] == "*":
        container = test.objects[1]
        if names.is_variadic(container):
            word = test.subject.strip("'\"")
            return Clause(code(word), "is" if inside else "is not", "given")
        if test.subject[:1] in "'\"" or test.subject[:2] in {"b'", 'b"'}:
            verb, rest = (
                ("contains", code(test.subject)) if inside else ("does not", f"contain {code(test.subject)}")
            )
            return Clause(names.subject(container), verb, rest)
        return Clause(
            names.subject(test.subject), "is" if inside else "is not", f"in {names.subject(container)}"
        )
    choices = [code(choice) for choice in test.objects]
    if len(choices) == 1:
        return Clause(names.subject(test.subject), "is" if inside else "is not", choices[0])
    if inside:
        return Clause(names.subject(test.subject), "is", listed(choices, "or"))
    told = (
        f"neither {choices[0]} nor {choices[1]}" if len(choices) == 2 else f"none of {listed(choices, 'and')}"
    )
    return Clause(names.subject(test.subject), "is", told)


def _types(test: Test, names: Names) -> Clause:
    yes = test.relation in {"instance", "subclass"}
    exact = "exact" in test.objects[1:]
    kinds = [code(_class_word(kind)) for kind in test.objects if kind != "exact"]
    subject = names.subject(test.subject)
    if test.relation in {"subclass", "not-subclass"}:
        return Clause(subject, "is" if yes else "is not", f"a subclass of {listed(kinds, 'or')}")
    told = [with_article(kind) if _is_class_name(kind) else f"an instance of {kind}" for kind in kinds]
    if exact:
        return Clause(subject, "is" if yes else "is not", f"exactly {listed(told, 'or')}")
    if yes or len(told) == 1:
        return Clause(subject, "is" if yes else "is not", listed(told, "or"))
    if len(told) == 2:
        return Clause(subject, "is", f"neither {told[0]} nor {told[1]}")
    return Clause(subject, "is", f"none of {listed(kinds, 'and')}")


def _class_word(text: str) -> str:
    """Return the class's last name; `type(None)` is `None`."""
    return "None" if text in {"type(None)", "NoneType"} else text


def _is_class_name(span: str) -> bool:
    return re.fullmatch(r"`(?!self\.)[\w.]+`", span) is not None and span != "`None`"


def _attributes(test: Test, names: Names) -> Clause:
    wanted = test.objects[0]
    subject = names.subject(test.subject)
    told = (
        f"attribute {code(wanted)}"
        if not wanted.startswith("*")
        else f"attribute named by {code(wanted[1:])}"
    )
    if test.relation == "has":
        return Clause(subject, "has", with_article(told) if wanted.startswith("*") else f"the {told}")
    return Clause(subject, "has no", told)


def _word_tests(test: Test, names: Names) -> Clause:
    subject = names.subject(test.subject)
    spans = listed(
        [code(item) for item in test.objects if item not in {"match", "fullmatch", "search"}], "or"
    )
    positive, negative = {
        "callable": (("is", "callable"), ("is not", "callable")),
        "starts": (("starts", f"with {spans}"), ("does not", f"start with {spans}")),
        "ends": (("ends", f"with {spans}"), ("does not", f"end with {spans}")),
        "matches": (("matches", spans), ("does not", f"match {spans}")),
        "exists": (("exists", ""), ("does not", "exist")),
        "file": (("is", "a file"), ("is not", "an existing file")),
        "directory": (("is", "a directory"), ("is not", "an existing directory")),
        "multiple": (("is", f"a multiple of {spans}"), ("is not", f"a multiple of {spans}")),
        "repeats": (("has", "duplicates"), ("has no", "duplicates")),
    }[test.relation.removeprefix("not-").replace("missing", "exists")]
    yes = not test.relation.startswith("not-") and test.relation != "missing"
    return Clause(subject, *(positive if yes else negative))


def _ranges(test: Test, names: Names) -> Clause:
    low, first, second, high = test.objects
    strict = first == "<" or second == "<"
    told = f"between {_value(low, names)} and {_value(high, names)}"
    if strict:
        shown = code(f"{low} {first} {test.subject} {second} {high}")
        told = f"{told} ({shown})"
    return Clause(names.subject(test.subject), "is" if test.relation == "within" else "is not", told)


def _events(test: Test, _names: Names) -> Clause:
    kinds = listed([code(kind) for kind in test.objects], "or")
    subject = code(test.subject) if test.subject else "the code before it"
    if test.relation == "raises":
        return Clause(subject, "raises", kinds if test.objects else "an exception")
    return Clause(subject, "raises", f"no {kinds}" if test.objects else "nothing")


def _each(test: Test, names: Names) -> Clause:
    return Clause(f"for an element of {names.subject(test.subject)}", "", "")


_TELLERS: dict[str, Callable[[Test, Names], Clause]] = {
    **dict.fromkeys(("true", "false"), _truth),
    **dict.fromkeys(("is-none", "not-none"), _none),
    **dict.fromkeys(("eq", "ne", "is", "is-not"), _equality),
    **dict.fromkeys(("lt", "le", "gt", "ge"), _order),
    **dict.fromkeys(("in", "not-in"), _membership),
    **dict.fromkeys(("instance", "not-instance", "subclass", "not-subclass"), _types),
    **dict.fromkeys(("has", "lacks"), _attributes),
    **dict.fromkeys(
        ("callable", "not-callable", "starts", "not-starts", "ends", "not-ends", "matches", "not-matches", "exists", "missing",
         "file", "not-file", "directory", "not-directory", "multiple", "not-multiple", "repeats", "not-repeats"),
        _word_tests,
    ),
    **dict.fromkeys(("within", "outside"), _ranges),
    **dict.fromkeys(("raises", "returns"), _events),
    "each": _each,
}  # fmt: skip
