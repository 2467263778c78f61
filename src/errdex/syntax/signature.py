"""A function's header as facts: parameters, annotations, defaults, docstring; and the header's text."""

from __future__ import annotations

import ast

from errdex.model.facts import FunctionDetails
from errdex.model.site import Parameter
from errdex.syntax.local import FunctionNode
from errdex.syntax.spelling import expression_text
from errdex.syntax.text import SourceText


def details_of(node: FunctionNode, source: SourceText) -> FunctionDetails:
    """Return the signature and docstring of a function, `self` and `cls` left out."""
    arguments = node.args
    parameters: list[Parameter] = []

    def add(argument: ast.arg, kind: str, default: ast.expr | None = None) -> None:
        annotation = argument.annotation
        parameters.append(
            Parameter(
                name=argument.arg,
                kind=kind,  # type: ignore[arg-type]
                annotation=expression_text(annotation, source) if annotation is not None else None,
                default=expression_text(default, source) if default is not None else None,
            )
        )

    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    for index, argument in enumerate(positional):
        kind = "positional-only" if index < len(arguments.posonlyargs) else "positional-or-keyword"
        add(argument, kind, arguments.defaults[index - missing] if index >= missing else None)
    if arguments.vararg:
        add(arguments.vararg, "var-positional")
    for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        add(argument, "keyword-only", keyword_default)
    if arguments.kwarg:
        add(arguments.kwarg, "var-keyword")
    first = None
    if parameters and parameters[0].name in {"self", "cls", "mcs", "mcls"} and parameters[0].default is None:
        first = parameters.pop(0).name
    returns = expression_text(node.returns, source) if node.returns is not None else None
    return FunctionDetails(tuple(parameters), returns, ast.get_docstring(node), first)


def signature_text(parameters: tuple[Parameter, ...]) -> str:
    """Return `(url, params=None, *, timeout: float = 3, **kwargs)`."""
    shown: list[str] = []
    previous = ""
    star = False
    for parameter in parameters:
        if previous == "positional-only" and parameter.kind != "positional-only":
            shown.append("/")
        if parameter.kind == "keyword-only" and not star:
            shown.append("*")
            star = True
        star = star or parameter.kind == "var-positional"
        stars = {"var-positional": "*", "var-keyword": "**"}.get(parameter.kind, "")
        text = stars + parameter.name
        if parameter.annotation:
            text += f": {parameter.annotation}"
        if parameter.default is not None:
            text += f" = {parameter.default}" if parameter.annotation else f"={parameter.default}"
        shown.append(text)
        previous = parameter.kind
    if previous == "positional-only":
        shown.append("/")
    return f"({', '.join(shown)})"
