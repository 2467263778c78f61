"""Programs made of what a sentence shows: a call of the package, or the proof's call with another argument."""

from __future__ import annotations

import ast
import builtins

from errdex.assist.known import Known
from errdex.model.record import Proof


def called(call: ast.expr | None, known: Known) -> str | None:
    """Return a program that makes a call of the package; None where it is no call, or not of literals alone."""
    if not isinstance(call, ast.Call) or not (call.args or call.keywords):
        return None
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if any(keyword.arg is None for keyword in call.keywords) or not all(map(_is_plain, values)):
        return None
    found = known.find(ast.unparse(call.func))
    if found is None or found.kind not in {"function", "class"}:
        return None
    module, _, name = found.name.rpartition(".")
    owner = known.definitions.find(module)
    if owner is None or owner.kind != "module":
        return None  # a method: of which instance is not said
    arguments = ast.unparse(ast.Call(ast.Name(name), call.args, call.keywords))
    return f"from {module} import {name}\n\n{arguments}\n"


def with_argument(proof: Proof | None, known: Known, name: str | None, value: ast.expr) -> str | None:
    """Return the proof's program with one argument exchanged.

    `value` is a literal for the argument `name`; or, `name` None, an expression over one argument, which is
    what that argument then becomes. None where the program does not give such an argument.
    """
    if proof is None or proof.sliced:
        return None
    if name is None:
        used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} - set(dir(builtins))
        if len(used) != 1 or not _is_over_builtins(value):
            return None
        name = used.pop()
    elif not _is_plain(value):
        return None
    if name not in known.circle:
        return None
    tree = ast.parse(proof.witness.code)
    return ast.unparse(tree) if _exchange(tree, known, name, value) else None


def _exchange(tree: ast.Module, known: Known, name: str, value: ast.expr) -> bool:
    """Put a value in the place of an argument of the call that raises; whether there was one."""
    for call in reversed([node for node in ast.walk(tree) if isinstance(node, ast.Call)]):
        if not _is_of_site(call, known):
            continue
        parameters = [each.name for each in known.site.callable.parameters]
        for keyword in call.keywords:
            if keyword.arg == name:
                keyword.value = _over(value, name, keyword.value)
                return True
        index = parameters.index(name) if name in parameters else len(call.args)
        if index < len(call.args):
            call.args[index] = _over(value, name, call.args[index])
            return True
        if name in parameters and _is_plain(value):
            call.keywords.append(ast.keyword(name, value))
            return True
    return False


def _is_of_site(call: ast.Call, known: Known) -> bool:
    written = ast.unparse(call.func).rpartition(".")[2]
    parts = known.site.callable.name.split(".")
    return written == (parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1])


def _over(value: ast.expr, name: str, old: ast.expr) -> ast.expr:
    """Return `value` with the old argument bound to `name`, where it uses it."""
    if not any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value)):
        return value
    parameters = ast.arguments(
        posonlyargs=[], args=[ast.arg(name)], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    return ast.fix_missing_locations(ast.Call(ast.Lambda(parameters, value), [old], []))


def _is_plain(value: ast.expr) -> bool:
    """Whether an expression is made of literals alone."""
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_over_builtins(value: ast.expr) -> bool:
    """Whether an expression calls nothing but builtins and methods."""
    return all(
        isinstance(node.func, ast.Attribute)
        or (isinstance(node.func, ast.Name) and node.func.id in dir(builtins))
        for node in ast.walk(value)
        if isinstance(node, ast.Call)
    )
