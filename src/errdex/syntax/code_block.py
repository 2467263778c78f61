"""What must hold of a block of code that a reader may copy: it parses, its names exist, its calls bind."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from errdex.model.site import CallableFacts, Parameter, ThrowSite

_KINDS = {
    "positional-only": inspect.Parameter.POSITIONAL_ONLY,
    "positional-or-keyword": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "var-positional": inspect.Parameter.VAR_POSITIONAL,
    "keyword-only": inspect.Parameter.KEYWORD_ONLY,
    "var-keyword": inspect.Parameter.VAR_KEYWORD,
}
_BUILTINS = frozenset(dir(builtins))


class Names:
    """What can be imported from one repository at one revision, and what its callables take."""

    def __init__(self, sites: Iterable[ThrowSite], source: Callable[[str], str | None]) -> None:
        """Read the callables, classes and entry points that the sites themselves know; `source` gives a file's text."""
        self._source = source
        self._roots: dict[str, str] = {}
        """By module: what stands before its path in the tree (`python/` for `python/sglang/…`)."""
        self._tops: set[str] = set()
        self._defined: dict[str, frozenset[str]] = {}
        self.known: set[str] = set()
        self.signatures: dict[str, inspect.Signature] = {}
        for site in sites:
            self._learn(site)

    def _learn(self, site: ThrowSite) -> None:
        callable_ = site.callable
        self._tops.add(callable_.module.partition(".")[0])
        tail = callable_.module.replace(".", "/")
        if tail in callable_.path:
            self._roots[callable_.module.partition(".")[0]] = callable_.path[: callable_.path.index(tail)]
        if callable_.import_name:
            self._know(callable_.import_name)
            self.signatures.setdefault(callable_.import_name, signature_of(callable_))
        for entry in site.entry_points:
            self._know(entry.name)
            signature = parse_signature(entry.signature)
            if signature is not None:
                self.signatures.setdefault(entry.name, signature)
        for dotted in (site.error_class, *site.bases):
            if dotted:
                self._know(dotted)

    def _know(self, dotted: str) -> None:
        parts = dotted.split(".")
        self.known.update(".".join(parts[:size]) for size in range(1, len(parts) + 1))

    def can_import(self, module: str, name: str, site_text: str) -> bool:
        """Whether `from module import name` holds, as far as the sources tell."""
        top = module.partition(".")[0]
        if f"{module}.{name}" in self.known:
            return True
        if top in self._tops:
            imported = any(module.endswith(written) for written in imported_names(site_text).get(name, ()))
            return imported or name in self._top_level(module) or self._is_module(f"{module}.{name}")
        return top in sys.stdlib_module_names or re.search(rf"\b{re.escape(top)}\b", site_text) is not None

    def _is_module(self, dotted: str) -> bool:
        base = self._roots.get(dotted.partition(".")[0], "") + dotted.replace(".", "/")
        return bool(self._source(f"{base}.py") or self._source(f"{base}/__init__.py"))

    def _top_level(self, module: str) -> frozenset[str]:
        found = self._defined.get(module)
        if found is None:
            base = self._roots.get(module.partition(".")[0], "") + module.replace(".", "/")
            text = self._source(f"{base}.py") or self._source(f"{base}/__init__.py") or ""
            found = self._defined[module] = top_level_names(text)
        return found


@lru_cache(maxsize=64)
def imported_names(text: str) -> Mapping[str, frozenset[str]]:
    """Return, for each name that a file imports from somewhere, the modules as the file writes them."""
    try:
        tree = _parse(text)
    except (SyntaxError, ValueError):
        return {}
    found: dict[str, frozenset[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.name] = found.get(alias.name, frozenset()) | {node.module or ""}
    return found


@lru_cache(maxsize=64)
def top_level_names(text: str) -> frozenset[str]:
    """Return the names that a module binds at its top level, conditional blocks included."""
    try:
        tree = _parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    found: set[str] = set()
    open_blocks: list[ast.stmt] = list(tree.body)
    while open_blocks:
        statement = open_blocks.pop()
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((alias.asname or alias.name).partition(".")[0] for alias in names)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.For() | ast.With():
                found.update(
                    n.id
                    for n in ast.walk(statement)
                    if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                )
        for field in ("body", "orelse", "handlers", "finalbody"):
            inner = getattr(statement, field, ())
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                open_blocks += [s for s in inner if isinstance(s, ast.stmt)]
                open_blocks += [s for h in inner if isinstance(h, ast.ExceptHandler) for s in h.body]
    return frozenset(found)


def signature_of(callable_: CallableFacts) -> inspect.Signature:
    """Return the callable's signature, `self` left out, built from what was read of it."""
    return _signature(callable_.parameters)


def _signature(parameters: Sequence[Parameter]) -> inspect.Signature:
    return inspect.Signature(
        [
            inspect.Parameter(
                p.name, _KINDS[p.kind], default=inspect.Parameter.empty if p.default is None else p.default
            )
            for p in parameters
        ],
        __validate_parameters__=False,
    )


@lru_cache(maxsize=4_000)
def parse_signature(text: str) -> inspect.Signature | None:
    """Read `(url, params=None, **kwargs)`; None where it cannot be read."""
    try:
        function = _parse(f"def _{text.strip()}: ...").body[0]
    except (SyntaxError, ValueError):
        return None
    if not isinstance(function, ast.FunctionDef):
        return None
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    required = len(positional) - len(args.defaults)
    found = [
        _parameter(
            arg.arg,
            "positional-only" if i < len(args.posonlyargs) else "positional-or-keyword",
            has_default=i >= required,
        )
        for i, arg in enumerate(positional)
        if not (i == 0 and arg.arg in {"self", "cls"})
    ]
    if args.vararg:
        found.append(_parameter(args.vararg.arg, "var-positional"))
    found += [
        _parameter(arg.arg, "keyword-only", has_default=default is not None)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    if args.kwarg:
        found.append(_parameter(args.kwarg.arg, "var-keyword"))
    return inspect.Signature(found, __validate_parameters__=False)


def _parameter(name: str, kind: str, *, has_default: bool = False) -> inspect.Parameter:
    return inspect.Parameter(name, _KINDS[kind], default=None if has_default else inspect.Parameter.empty)


def _parse(code: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


def parsing(code: str) -> Iterator[str]:
    """Yield why a block does not parse."""
    try:
        _parse(code)
    except (SyntaxError, ValueError) as error:
        yield f"does not parse: {error}"


def names(code: str, known: Names, site_text: str) -> Iterator[str]:
    """Yield every name of a block that nothing defines, and every import that nothing bears out."""
    tree = _parse(code)
    for statement in ast.walk(tree):
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                if not known.can_import(statement.module or "", alias.name, site_text):
                    yield f"imports {alias.name} from {statement.module}, which does not have it"
    for name in sorted(_unbound(tree)):
        yield f"uses the name {name}, which nothing defines"


def _unbound(tree: ast.Module) -> set[str]:
    bound: set[str] = set(_BUILTINS)
    read: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                read.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str() as name):
                bound.add(name)
            case ast.Import(names=found) | ast.ImportFrom(names=found):
                bound.update((alias.asname or alias.name).partition(".")[0] for alias in found)
    return read - bound


def binding(code: str, known: Names, own: CallableFacts) -> Iterator[str]:
    """Yield every call of a block that does not bind to the signature of what it calls.

    A name that a module defines twice (by platform, say) has the signature of `own` where that is the one.
    """
    tree = _parse(code)
    own_signature = {own.import_name: signature_of(own)} if own.import_name else {}
    imported = _imported(tree)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        instances = {
            arg.arg: imported[arg.annotation.id]
            for arg in function.args.args
            if isinstance(arg.annotation, ast.Name) and arg.annotation.id in imported
        }
        for call in ast.walk(function):
            if isinstance(call, ast.Call):
                yield from _call(call, {**imported, **instances}, {**known.signatures, **own_signature})


def _imported(tree: ast.Module) -> dict[str, str]:
    return {
        alias.asname or alias.name: f"{statement.module}.{alias.name}"
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def _call(
    call: ast.Call, named: Mapping[str, str], signatures: Mapping[str, inspect.Signature]
) -> Iterator[str]:
    path = ast.unparse(call.func)
    root, _, rest = path.partition(".")
    dotted = named.get(root)
    if dotted is None:
        return
    target = f"{dotted}.{rest}" if rest else dotted
    signature = signatures.get(target) or signatures.get(f"{target}.__init__")
    if signature is None or any(isinstance(arg, ast.Starred) for arg in call.args):
        return
    try:
        signature.bind(*call.args, **{keyword.arg: None for keyword in call.keywords if keyword.arg})
    except TypeError as error:
        yield f"calls {path}(): {error}"
