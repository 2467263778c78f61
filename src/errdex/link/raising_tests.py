"""Test files -> the calls that a library's own tests expect to raise.

Reads `pytest.raises` and `pytest.warns` (with `match`, as context manager and
as call), unittest's `assertRaises…` and `assertWarns…`, Django's
`assertRaisesMessage` and numpy's and sympy's helpers of the same shape.
What a test expects is kept only where it is written out: a name is followed
to the one value it has at that place.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator

import msgspec

from errdex.link.expected_text import GAP, Expectation, literal_expectation, regex_expectations
from errdex.link.written_values import Values, parametrized_rows, text_of
from errdex.model.site import RaisingTest

MAX_CALL_CHARACTERS = 600
"""Model's `RaisingTest.call`."""
_TEST_PATH = re.compile(r"(?:^|/)(?:tests?|testing)/.*\.py$|(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests?)\.py$")
_SIGNS = (b"raises", b"assertRaises", b"assertWarns", b"assert_raises", b"warns(")

_CONTEXT_KINDS = {
    "raises": "match",
    "warns": "match",
    "assertRaises": "none",
    "assertWarns": "none",
    "assertRaisesRegex": "regex",
    "assertRaisesRegexp": "regex",
    "assertWarnsRegex": "regex",
    "assertRaisesMessage": "message",
    "assertWarnsMessage": "message",
    "assert_raises": "none",
    "assert_raises_regex": "regex",
    "assert_raises_message": "regex",
}
"""Name of the helper -> where it takes the expected text: keyword `match`, second argument, or nowhere."""


class MinedTest(msgspec.Struct, frozen=True, kw_only=True):
    """One place of a test where an error is expected."""

    test: RaisingTest
    error_classes: tuple[str, ...]
    """Dotted as the test's imports tell (`networkx.NetworkXError`); builtins bare. Any of them may be raised."""
    expectations: tuple[Expectation, ...]
    """What the message must contain, one of them; empty where the test does not say or it is not written out."""
    has_match: bool
    """Whether the test expects a text at all, written out or not."""
    is_warning: bool
    calls: tuple[str, ...]
    """Dotted names that the body calls, imports followed; `.name` for a method of an object."""


def is_test_file(path: str) -> bool:
    """Tell whether a path is one of a library's test files."""
    return bool(_TEST_PATH.search(path))


def mine_tests(path: str, source: bytes) -> tuple[MinedTest, ...]:
    """Return the expected errors of one test file, in source order; empty for one that cannot be parsed."""
    if not any(sign in source for sign in _SIGNS):
        return ()
    try:
        text = source.decode("utf-8")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(_Miner(path, text, tree).mine())


class _Miner:
    """Reads one test file."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self._path = path
        self._lines = text.splitlines(keepends=True)
        self._tree = tree
        self._imports = imported_names(tree)

    def mine(self) -> Iterator[MinedTest]:
        values = Values()
        values.read(self._tree.body)
        yield from self._block(self._tree.body, values, ())

    def _block(self, body: list[ast.stmt], values: Values, names: tuple[str, ...]) -> Iterator[MinedTest]:
        """Walk statements in order, keeping what names are worth at each."""
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = values.copy()
                inner.rows = parametrized_rows(statement, values)
                inner.forget(argument.arg for argument in (*statement.args.args, *statement.args.kwonlyargs))
                yield from self._block(statement.body, inner, (*names, statement.name))
            elif isinstance(statement, ast.ClassDef):
                inner = values.copy()
                inner.read(statement.body)
                yield from self._block(statement.body, inner, (*names, statement.name))
            elif isinstance(statement, ast.With | ast.AsyncWith):
                for item in statement.items:
                    if isinstance(item.context_expr, ast.Call):
                        yield from self._expected(item.context_expr, statement.body, values, names)
                yield from self._block(statement.body, values, names)
            else:
                yield from self._statement(statement, values, names)
            values.read([statement])

    def _statement(self, statement: ast.stmt, values: Values, names: tuple[str, ...]) -> Iterator[MinedTest]:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield from self._expected(statement.value, None, values, names)
            return
        for block in ("body", "orelse", "finalbody"):
            inner = getattr(statement, block, None)
            if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                yield from self._block(inner, values.copy(), names)
        for handler in getattr(statement, "handlers", ()):
            yield from self._block(handler.body, values.copy(), names)

    def _expected(
        self, call: ast.Call, body: list[ast.stmt] | None, values: Values, names: tuple[str, ...]
    ) -> Iterator[MinedTest]:
        """Yield what one call of a helper expects; `body` is None for the form that is given the callable."""
        helper = _last_name(call.func)
        where = _CONTEXT_KINDS.get(helper or "")
        if helper is None or where is None or not call.args or not self._is_helper(call.func, helper):
            return
        skip = 1 if where in ("match", "none") else 2
        calls: list[ast.expr] = []
        if body is None:
            if len(call.args) <= skip:
                return
            text, calls = self._called_text(call, skip)
        else:
            if len(call.args) > skip or (len(body) == 1 and isinstance(body[0], ast.Pass)):
                return
            text = self._source(body)
            calls = [node.func for part in body for node in ast.walk(part) if isinstance(node, ast.Call)]
        expected = _argument(call, where)
        name = ".".join(names) or "<module>"
        for row in values.rows or [{}]:
            bound = values.bound(row)
            classes = self._classes(call.args[0], bound)
            if not classes:
                continue
            expectations, written = _expectations(expected, where, bound)
            yield MinedTest(
                test=RaisingTest(
                    path=self._path,
                    line=call.lineno,
                    name=name,
                    call=_cut(text),
                    match=written,
                    error_class=classes[0],
                ),
                error_classes=classes,
                expectations=expectations,
                has_match=expected is not None,
                is_warning="warn" in helper.lower(),
                calls=tuple(dict.fromkeys(filter(None, (self._dotted_call(one) for one in calls)))),
            )
            if not _depends(row, call.args[0], expected):
                break

    def _is_helper(self, function: ast.expr, helper: str) -> bool:
        """Tell a test helper from a method of the library that is called alike (`raises` needs pytest)."""
        if helper in ("raises", "warns"):
            dotted = self._dotted(function) or ""
            return dotted.rpartition(".")[0].rpartition(".")[2] in ("pytest", "_pytest")
        return True

    def _called_text(self, call: ast.Call, skip: int) -> tuple[str, list[ast.expr]]:
        """Return the call that `raises(X, f, a, b)` or `raises(X, lambda: f(a, b))` makes, and what it calls."""
        function, arguments = call.args[skip], call.args[skip + 1 :]
        if isinstance(function, ast.Lambda):
            inside = [node.func for node in ast.walk(function.body) if isinstance(node, ast.Call)]
            return ast.unparse(function.body), inside
        keywords = [keyword for keyword in call.keywords if keyword.arg not in ("match", "msg")]
        made = ast.Call(func=function, args=arguments, keywords=keywords)
        nested = [node.func for part in arguments for node in ast.walk(part) if isinstance(node, ast.Call)]
        return ast.unparse(made), [function, *nested]

    def _source(self, body: list[ast.stmt]) -> str:
        first, last = body[0], body[-1]
        decorators = getattr(first, "decorator_list", ())
        start = min([first.lineno, *(decorator.lineno for decorator in decorators)])
        lines = self._lines[start - 1 : last.end_lineno]
        if first.lineno == last.end_lineno and first.col_offset and lines[0][: first.col_offset].strip():
            return ast.unparse(first)
        return textwrap.dedent("".join(lines)).strip("\n")

    def _classes(self, node: ast.expr, values: Values) -> tuple[str, ...]:
        if isinstance(node, ast.Name) and (value := values.get(node.id)) is not None:
            node = value
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        dotted = [self._dotted(part) for part in parts]
        return tuple(name for name in dotted if name is not None) if all(dotted) else ()

    def _dotted(self, node: ast.expr) -> str | None:
        """Return a name as the file's imports spell it; None for what is no name."""
        if isinstance(node, ast.Name):
            return self._imports.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            base = self._dotted(node.value)
            return None if base is None else f"{base}.{node.attr}"
        return None

    def _dotted_call(self, node: ast.expr) -> str | None:
        """Return a called name; what is called on anything but an imported name is `.name`."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self._imports:
            return self._dotted(node)
        if isinstance(node, ast.Attribute):
            return f".{node.attr}"
        return node.id if isinstance(node, ast.Name) else None


def imported_names(tree: ast.Module) -> dict[str, str]:
    """Return the local names that a file's imports bind, with what they stand for; relative ones start with dots."""
    names: dict[str, str] = {}
    for node in _statements(tree.body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                names[local] = alias.name if alias.asname else local
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                names[alias.asname or alias.name] = f"{module}.{alias.name}"
    return names


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield every statement of a block and of the blocks in it: expressions hold none, and are most of a tree."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, block, None) or [])
        for handler in getattr(statement, "handlers", ()):
            yield from _statements(handler.body)


def _last_name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _argument(call: ast.Call, where: str) -> ast.expr | None:
    if where == "match":
        return next((keyword.value for keyword in call.keywords if keyword.arg == "match"), None)
    if where in ("regex", "message"):
        named = ("expected_regex", "expected_regexp", "expected_message")
        given = next((keyword.value for keyword in call.keywords if keyword.arg in named), None)
        return given or (call.args[1] if len(call.args) > 1 else None)
    return None


def _expectations(
    node: ast.expr | None, where: str, values: Values
) -> tuple[tuple[Expectation, ...], str | None]:
    """Return what the given expression expects and its text as written; nothing where it is not written out."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return (), None
    texts = text_of(node, values)
    if not texts:
        return (), None
    shown = "|".join(text.text for text in texts).replace(GAP, "…")
    found: list[Expectation] = []
    for text in texts:
        if where == "message" or text.is_escaped:
            found.append(literal_expectation(text.text))
        else:
            found += regex_expectations(text.text.replace(GAP, ".*"))
    return tuple(found), shown


def _depends(row: dict[str, ast.expr], *nodes: ast.expr | None) -> bool:
    """Tell whether what is expected changes with the row of a parametrised test."""
    return any(
        isinstance(part, ast.Name) and part.id in row
        for node in nodes
        if node is not None
        for part in ast.walk(node)
    )


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CALL_CHARACTERS else text[: MAX_CALL_CHARACTERS - 1] + "…"
