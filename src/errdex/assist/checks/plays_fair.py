"""A program uses the library, it does not change it, and hides no error.

Against: `requests.models.isinstance = lambda …`, `sys.modules[…] = …`, `unittest.mock.patch`, an empty `except`, a
bare `except:` around the call: code that runs and proves nothing.
"""

import ast

from errdex.assist.interface import Case, Finding, check
from errdex.model.assistance import Suggestion
from errdex.syntax import code_block

_REACHING = frozenset(
    {"setattr", "delattr", "exec", "eval", "compile", "__import__", "globals", "vars", "breakpoint"}
)
_REACHING_MODULES = frozenset(
    {
        "ctypes",
        "gc",
        "importlib",
        "inspect",
        "mock",
        "subprocess",
        "types",
        "sys",
        "builtins",
        "unittest",
        "warnings",
    }
)
_RAISING = frozenset({"validationCode", "tryCatchPattern"})
"""Places whose code raises, or raises again, as a matter of course."""
_BROAD = frozenset({"Exception", "BaseException"})


@check()
def look(suggestion: Suggestion, _: Case) -> Finding | None:
    """Object to code that reaches into the library, and to code that catches everything or nothing in particular."""
    if not suggestion.code or list(code_block.parsing(suggestion.code)):
        return None
    tree = ast.parse(suggestion.code)
    imported = _imported(tree)
    for node in ast.walk(tree):
        if problem := _reaches(node, imported):
            return Finding(objection=problem)
        if isinstance(node, ast.Raise) and suggestion.place not in _RAISING:
            return Finding(objection="it raises an error itself")
        if isinstance(node, ast.Try) and (problem := _hides(node, suggestion)):
            return Finding(objection=problem)
    return None


def _imported(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    )


def _reaches(node: ast.AST, imported: frozenset[str]) -> str:
    match node:
        case ast.Import(names=found) if any(a.name.partition(".")[0] in _REACHING_MODULES for a in found):
            return "it imports what can change the library or the interpreter"
        case ast.ImportFrom(module=str() as module) if module.partition(".")[0] in _REACHING_MODULES:
            return "it imports what can change the library or the interpreter"
        case ast.Call(func=ast.Name(id=name)) if name in _REACHING:
            return f"it calls {name}"
        case ast.Attribute(attr=name) if name.startswith("__") and name != "__init__":
            return f"it reaches for {name}"
        case ast.Attribute(ctx=ast.Store() | ast.Del()) if _root(node) in imported:
            return f"it changes {ast.unparse(node)}"
    return ""


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _hides(node: ast.Try, suggestion: Suggestion) -> str:
    if suggestion.place != "tryCatchPattern":
        return "it hides an error behind a `try`"
    for handler in node.handlers:
        if handler.type is None or ast.unparse(handler.type).rpartition(".")[2] in _BROAD:
            return "it catches every error"
    return ""
