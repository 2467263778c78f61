"""Conditions as small trees: what a guard tests, negation pushed down to the single tests.

`not (a and b)` becomes `not a or not b`; what remains are `Test`s: a relation between a
subject and what it is held against, each as source text. A test of a form that is not
listed in `Relation` is `true` or `false` of its whole expression, so nothing is lost.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Relation = Literal[
    "true", "false", "is-none", "not-none", "is", "is-not", "eq", "ne", "lt", "ge", "gt", "le", "in", "not-in",
    "instance", "not-instance", "subclass", "not-subclass", "has", "lacks", "callable", "not-callable",
    "starts", "not-starts", "ends", "not-ends", "matches", "not-matches", "within", "outside",
    "multiple", "not-multiple", "exists", "missing", "file", "not-file", "directory", "not-directory",
    "raises", "returns", "some", "every", "none-of", "repeats", "not-repeats", "each",
]  # fmt: skip
"""What a test claims. `some`, `every` and `none-of` hold a tree about one element (`inner`); `raises`: evaluating
the subject raises one of the objects; `each`: the loop variable runs over the subject; `repeats`: duplicates."""

OPPOSITE: dict[Relation, Relation] = {}
for _one, _other in (
    ("true", "false"), ("is-none", "not-none"), ("is", "is-not"), ("eq", "ne"), ("lt", "ge"), ("gt", "le"),
    ("in", "not-in"), ("instance", "not-instance"), ("subclass", "not-subclass"), ("has", "lacks"),
    ("callable", "not-callable"), ("starts", "not-starts"), ("ends", "not-ends"), ("matches", "not-matches"),
    ("within", "outside"), ("multiple", "not-multiple"), ("exists", "missing"), ("file", "not-file"),
    ("directory", "not-directory"), ("raises", "returns"), ("some", "none-of"),
    ("repeats", "not-repeats"),
):  # fmt: skip
    OPPOSITE[_one] = _other  # type: ignore[index, assignment]
    OPPOSITE[_other] = _one  # type: ignore[index, assignment]
_NEGATIVE = frozenset(("false", "ne", "is-not", "lacks", "outside", "missing"))
_NEGATIVE |= frozenset(relation for relation in OPPOSITE if relation.startswith("not-"))
"""Relations whose opposite is said more plainly than their denial."""
_MIRROR: dict[Relation, Relation] = {
    "lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne", "is": "is", "is-not": "is-not",
}  # fmt: skip

MAX_DEPTH = 40
"""Deeper conditions are generated code; they stay one quoted test."""


@dataclass(frozen=True, slots=True)
class Test:
    """One claim: `subject` stands in `relation` to `objects`."""

    relation: Relation
    subject: str
    """Source text of what is tested."""
    objects: tuple[str, ...] = ()
    """Source texts of what it is held against: types, choices, bounds (`lo`, `<=`, `<=`, `hi` for a range)."""
    inner: Tree | None = None
    """For a test over elements: what is claimed of one of them, named by `objects[0]`."""

    __test__ = False  # pytest collects classes of this name

    @property
    def opposite(self) -> Test:
        """The claim that holds exactly when this one does not."""
        if self.relation == "every" and self.inner is not None:
            return Test("some", self.subject, self.objects, negate(self.inner))
        if self.relation == "some" and self.inner is not None and not _is_positive(self.inner):
            return Test("every", self.subject, self.objects, negate(self.inner))
        relation = OPPOSITE.get(self.relation)
        if relation is None:  # `each`: an empty loop claims nothing about its elements
            return self
        return Test(relation, self.subject, self.objects, self.inner)


@dataclass(frozen=True, slots=True)
class Group:
    """Claims of which all, or any, hold."""

    kind: Literal["all", "any"]
    parts: tuple[Tree, ...]


Tree = Test | Group


def _is_positive(tree: Tree) -> bool:
    """Whether `tree` is one test that is said more plainly than its opposite."""
    return isinstance(tree, Test) and tree.relation not in _NEGATIVE


def negate(tree: Tree) -> Tree:
    """Return the tree that holds exactly when `tree` does not."""
    if isinstance(tree, Test):
        return tree.opposite
    return Group("any" if tree.kind == "all" else "all", tuple(negate(part) for part in tree.parts))


def tests(tree: Tree | None) -> Iterator[Test]:
    """Yield every single test of `tree`, elements' tests included, in source order."""
    if isinstance(tree, Test):
        yield tree
        if tree.inner is not None:
            yield from tests(tree.inner)
    elif tree is not None:
        for part in tree.parts:
            yield from tests(part)


def join(kind: Literal["all", "any"], parts: Iterable[Tree]) -> Tree:
    """Return one tree of `parts`, groups of the same kind merged and repeats dropped."""
    flat: list[Tree] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Group) and part.kind == kind else (part,):
            if piece not in flat:
                flat.append(piece)
    return flat[0] if len(flat) == 1 else Group(kind, tuple(flat))


def simplified(tree: Tree) -> Tree:
    """Return `tree` with claims of one subject told together and alternatives that are decided left out.

    `x is not an A and x is not a B` becomes one test with two objects; in `(a or b) and b` the
    alternative says nothing beyond `b`.
    """
    if isinstance(tree, Test):
        return tree
    parts = [simplified(part) for part in tree.parts]
    alone = [part for part in parts if isinstance(part, Test)]
    kept = [part for part in parts if isinstance(part, Test) or not any(one in part.parts for one in alone)]
    wanted: dict[str, Relation] = {"all": "not-instance", "any": "instance"}
    merged: list[Tree] = []
    for part in kept:
        place = next(
            (i for i, other in enumerate(merged) if _tells_more(other, part, wanted[tree.kind], tree.kind)),
            None,
        )
        if place is None:
            merged.append(part)
        else:
            merged[place] = _together(merged[place], part, tree.kind)
    return join(tree.kind, merged)


def _tells_more(one: Tree, other: Tree, relation: Relation, kind: str) -> bool:
    """Whether two tests are of one subject and of a form that takes several objects."""
    if not isinstance(one, Test) or not isinstance(other, Test) or one.subject != other.subject:
        return False
    if "exact" in (*one.objects, *other.objects):
        return False
    if one.relation == other.relation == relation:
        return True
    listed: tuple[Relation, Relation] = ("ne", "not-in") if kind == "all" else ("eq", "in")
    return all(
        test.relation in listed
        and test.objects[:1] != ("*",)
        and all(item[:1] in "'\"0123456789-" for item in test.objects)
        for test in (one, other)
    )


def _together(one: Tree, other: Tree, kind: str) -> Tree:
    assert isinstance(one, Test)
    assert isinstance(other, Test)
    objects = (*one.objects, *(item for item in other.objects if item not in one.objects))
    if one.relation in {"instance", "not-instance"}:
        return Test(one.relation, one.subject, objects)
    return Test("not-in" if kind == "all" else "in", one.subject, objects)


@lru_cache(maxsize=20_000)
def read_expression(text: str, *, negated: bool = False) -> Tree:
    """Return the tree of the expression `text`; one that does not parse is a `true` (`false`) test of its text."""
    node = parse(text)
    if node is None:
        return Test("false" if negated else "true", " ".join(text.split()))
    return _read(node, negated=negated, depth=0)


@lru_cache(maxsize=20_000)
def parse(text: str) -> ast.expr | None:
    """Return the expression that `text` is, or None where it is none (or too deep for the parser)."""
    try:
        if _WARNED_OF.search(text) is None:
            return ast.parse(f"({text}\n)", mode="eval").body
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a stranger's literal is not our warning
            return ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_WARNED_OF = re.compile(r"\\|\d[a-zA-Z]")
"""What the parser may warn of: escapes, and a number that runs into a word. Silencing costs as much as parsing."""


def source(node: ast.AST) -> str:
    """Return `node` as one line of source."""
    if isinstance(node, ast.Name):
        return node.id
    return ast.unparse(node)


def _read(node: ast.expr, *, negated: bool, depth: int) -> Tree:
    if depth > MAX_DEPTH:
        return Test("false" if negated else "true", source(node))
    match node:
        case ast.NamedExpr(value=value):
            return _read(value, negated=negated, depth=depth + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _read(operand, negated=not negated, depth=depth + 1)
        case ast.BoolOp(op=op, values=values):
            kind: Literal["all", "any"] = "all" if isinstance(op, ast.And) != negated else "any"
            return join(kind, (_read(value, negated=negated, depth=depth + 1) for value in values))
    test = _test(node, depth)
    return negate(test) if negated else test


def _test(node: ast.expr, depth: int) -> Tree:
    if isinstance(node, ast.Compare):
        return _comparison(node, depth)
    if isinstance(node, ast.Call):
        found = _call(node, depth)
        if found is not None:
            return found
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mod)
        and not isinstance(node.left, ast.Constant)
    ):
        return Test("not-multiple", source(node.left), (source(node.right),))
    return Test("true", source(node))


_OPERATORS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "is", ast.IsNot: "is-not", ast.In: "in", ast.NotIn: "not-in",
}  # fmt: skip
_SIGNS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def _comparison(node: ast.Compare, depth: int) -> Tree:
    if len(node.ops) == 1:
        return _compare(_bare(node.left), node.ops[0], _bare(node.comparators[0]), depth)
    if len(node.ops) == 2:
        ranged = _range(node)
        if ranged is not None:
            return ranged
    sides = [_bare(side) for side in (node.left, *node.comparators)]
    return join(
        "all",
        (
            _compare(left, op, right, depth)
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False)
        ),
    )


def _range(node: ast.Compare) -> Tree | None:
    """Read `lo <= x <= hi` (or its mirror) as one test."""
    first, second = (_SIGNS.get(type(op)) for op in node.ops)
    if first is None or second is None or first[0] != second[0]:
        return None
    low, high = source(node.left), source(node.comparators[1])
    if first[0] == ">":
        low, high, first, second = high, low, second.replace(">", "<"), first.replace(">", "<")
    return Test("within", source(_bare(node.comparators[0])), (low, first, second, high))


def _bare(node: ast.expr) -> ast.expr:
    """Return what a walrus holds; any other expression as it is."""
    return node.value if isinstance(node, ast.NamedExpr) else node


def _is_fixed(node: ast.expr) -> bool:
    """Whether `node` reads like the fixed side of a comparison: a literal or an ALL_CAPS name."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return all(map(_is_fixed, elements))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
    return False


def _compare(left: ast.expr, op: ast.cmpop, right: ast.expr, depth: int) -> Tree:
    relation = _OPERATORS[type(op)]
    if relation in {"in", "not-in"}:
        return Test(relation, source(left), _choices(right))
    if _is_fixed(left) and not _is_fixed(right):
        left, right, relation = right, left, _MIRROR[relation]
    if isinstance(right, ast.Constant):
        special = _against_constant(left, relation, right.value, depth)
        if special is not None:
            return special
    if relation in {"eq", "ne"} and _same_but_set(left, right):
        return Test("repeats" if relation == "ne" else "not-repeats", _counted(left, right))
    if relation in {"eq", "ne"} and _is_type_of(left) and _is_type_of(right):
        return Test(relation, source(left), (source(right),))
    if relation in {"is", "is-not", "eq", "ne"} and _is_type_of(left):
        return Test(
            "instance" if relation in {"is", "eq"} else "not-instance",
            _inside(left),
            (source(right), "exact"),
        )
    return Test(relation, source(left), (source(right),))


def _choices(node: ast.expr) -> tuple[str, ...]:
    """Return the members of a literal container, or the one name that stands for it, marked by `*`."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set) and node.elts and len(node.elts) <= 30:
        return tuple(source(element) for element in node.elts)
    return ("*", source(node))


def _against_constant(left: ast.expr, relation: Relation, value: object, depth: int) -> Tree | None:
    same = relation in {"is", "eq"}
    if value is None and relation in {"is", "is-not", "eq", "ne"}:
        found = _regex(left)
        if found is not None:
            return found.opposite if same else found
        return Test("is-none" if same else "not-none", source(left))
    if isinstance(value, bool) and relation in {"is", "is-not", "eq", "ne"}:
        return _read(left, negated=value != same, depth=depth + 1)
    if (
        value == 0
        and relation in {"eq", "ne"}
        and isinstance(left, ast.BinOp)
        and isinstance(left.op, ast.Mod)
    ):
        return Test("multiple" if same else "not-multiple", source(left.left), (source(left.right),))
    return None


def _same_but_set(left: ast.expr, right: ast.expr) -> bool:
    """Whether the two sides are `len(x)` and `len(set(x))`, in either order."""
    match left, right:
        case (
            ast.Call(func=ast.Name(id="len"), args=[ast.Call(func=ast.Name(id="set"), args=[inner])]),
            ast.Call(func=ast.Name(id="len"), args=[plain]),
        ) | (
            ast.Call(func=ast.Name(id="len"), args=[plain]),
            ast.Call(func=ast.Name(id="len"), args=[ast.Call(func=ast.Name(id="set"), args=[inner])]),
        ):
            return source(inner) == source(plain)
    return False


def _counted(left: ast.expr, right: ast.expr) -> str:
    return min(_inside(left), _inside(right), key=len)


def _is_type_of(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case ast.Attribute(attr="__class__"):
            return True
    return False


def _inside(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return source(node.value)
    return source(node.args[0]) if isinstance(node, ast.Call) and node.args else source(node)


_PATTERN_NAME = re.compile(
    r"(?i)(^|[._])(re|rx|regexp?|pattern|pat)s?$|re\.compile\(|(^|[._])[A-Z0-9_]*(RE|RX|REGEX|PATTERN)$"
)
_REGEX_METHODS = frozenset({"match", "fullmatch", "search"})


def _regex(node: ast.expr) -> Test | None:
    """Read `re.match(PATTERN, x)` and `PATTERN.match(x)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re" | "regex"), attr=name), args=[pattern, subject, *_]
        ) if name in _REGEX_METHODS:
            return Test("matches", source(subject), (source(pattern), name))
        case ast.Call(func=ast.Attribute(value=pattern, attr=name), args=[subject]) if name in _REGEX_METHODS:
            if _PATTERN_NAME.search(source(pattern)):
                return Test("matches", source(subject), (source(pattern), name))
    return None


def _call(node: ast.Call, depth: int) -> Tree | None:
    if node.keywords:
        return None
    match node.func:
        case ast.Name(id=name):
            return _builtin(name, node.args, depth)
        case ast.Attribute(value=value, attr=name):
            return _regex(node) or _method(value, name, node.args, depth)
    return None


def _builtin(name: str, args: list[ast.expr], depth: int) -> Tree | None:
    match name, args:
        case "isinstance", [subject, types]:
            return Test("instance", source(_bare(subject)), _types(types))
        case "issubclass", [subject, types]:
            return Test("subclass", source(_bare(subject)), _types(types))
        case "hasattr", [subject, attribute]:
            value = attribute.value if isinstance(attribute, ast.Constant) else None
            return Test(
                "has", source(subject), (str(value) if isinstance(value, str) else "*" + source(attribute),)
            )
        case "callable", [subject]:
            return Test("callable", source(subject))
        case "bool", [subject]:
            return _read(subject, negated=False, depth=depth + 1)
        case (("any" | "all"), [ast.GeneratorExp() | ast.ListComp() as elements]):
            return _elements(name, elements, depth)
    return None


def _types(node: ast.expr) -> tuple[str, ...]:
    match node:
        case ast.Tuple(elts=elements) if elements:
            return tuple(piece for element in elements for piece in _types(element))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return (*_types(left), *_types(right))
    return (source(node),)


def _elements(name: str, node: ast.GeneratorExp | ast.ListComp, depth: int) -> Tree | None:
    if len(node.generators) != 1 or node.generators[0].is_async:
        return None
    loop = node.generators[0]
    inner = _read(node.elt, negated=False, depth=depth + 1)
    if loop.ifs:
        wanted = [_read(test, negated=False, depth=depth + 1) for test in loop.ifs]
        inner = join("all", (*wanted, inner)) if name == "any" else join("any", (*map(negate, wanted), inner))
    return Test("some" if name == "any" else "every", source(loop.iter), (source(loop.target),), inner)


_PATH_TESTS: dict[str, Relation] = {
    "exists": "exists", "lexists": "exists", "isfile": "file", "is_file": "file", "isdir": "directory", "is_dir": "directory",
}  # fmt: skip


def _method(value: ast.expr, name: str, args: list[ast.expr], depth: int) -> Tree | None:
    owner = source(value) if isinstance(value, ast.Name | ast.Attribute) else ""
    if name in _PATH_TESTS and len(args) == 1 and owner in {"os.path", "path", "osp", "posixpath"}:
        return Test(_PATH_TESTS[name], source(args[0]))
    if name in {"is_file", "is_dir", "exists"} and not args:
        return Test(_PATH_TESTS[name], source(value))
    if name in {"startswith", "endswith"} and len(args) == 1:
        return Test("starts" if name == "startswith" else "ends", source(value), _types(args[0]))
    if name in {"any", "all"}:
        return _array_elements(value, name, args, owner, depth)
    return None


def _array_elements(value: ast.expr, name: str, args: list[ast.expr], owner: str, depth: int) -> Tree | None:
    """Read `np.any(x < 0)` and `(x < 0).any()`: a comparison that arrays make element by element."""
    if owner in {"np", "numpy", "torch", "jnp", "xp", "cp"}:
        if len(args) != 1:
            return None
        value = args[0]
    elif args:
        return None
    if not isinstance(value, ast.Compare) or len(value.ops) != 1:
        return None
    inner = _read(value, negated=False, depth=depth + 1)
    if not isinstance(inner, Test) or inner.relation not in {"lt", "le", "gt", "ge", "eq", "ne"}:
        return None
    element = Test(inner.relation, "element", inner.objects)
    return Test("some" if name == "any" else "every", inner.subject, ("element",), element)


def rename(tree: Tree, change: Callable[[str], str]) -> Tree:
    """Return `tree` with every subject and object passed through `change`."""
    if isinstance(tree, Group):
        return Group(tree.kind, tuple(rename(part, change) for part in tree.parts))
    inner = rename(tree.inner, change) if tree.inner is not None else None
    return Test(tree.relation, change(tree.subject), tuple(map(change, tree.objects)), inner)
