"""The functions that hold sites or lead to them, as facts a reader can use."""

from __future__ import annotations

import ast

from errdex.link.docstrings import docstring_facts
from errdex.link.names import NameTable
from errdex.model.facts import FunctionDetails, FunctionFact
from errdex.model.site import CallableFacts, Parameter
from errdex.syntax.signature import details_of
from errdex.syntax.text import SourceText


def is_public_name(name: str) -> bool:
    """Whether no part of a qualified name starts with an underscore; dunders count as public."""
    return all(
        not part.startswith("_") or (part.startswith("__") and part.endswith("__"))
        for part in name.split(".")
    )


class CallableTable:
    """Makes `CallableFacts`, each function's once."""

    def __init__(self, names: NameTable) -> None:
        self.names = names
        self._known: dict[tuple[str, int, str], CallableFacts] = {}

    def facts(self, path: str, index: int, class_name: str = "") -> CallableFacts:
        """Return the facts of a function by its index; of the module or the class around a site for -1."""
        key = (path, index, class_name if index < 0 else "")
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = (
                self._outside(path, class_name) if index < 0 else self._function(path, index)
            )
        return found

    def _outside(self, path: str, class_name: str) -> CallableFacts:
        package = self.names.package
        facts = package.names(path).classes.get(class_name)
        return CallableFacts(
            name=class_name or "<module>",
            module=package.module_of[path],
            path=path,
            line=facts.line if facts else 1,
            end_line=facts.end_line if facts else 1,
            kind="class" if class_name else "module",
            is_public=is_public_name(class_name) if class_name else True,
            import_name=self.names.import_name(path, class_name) if class_name else package.module_of[path],
        )

    def details(self, path: str, index: int) -> FunctionDetails:
        """Return a function's signature, read from its source where extraction left it out."""
        function = self.names.package.names(path).facts.functions[index]
        if function.details is not None:
            return function.details
        node, source = self.node(path, function)
        return (
            details_of(node, source)
            if node is not None and source is not None
            else FunctionDetails((), None, None, None)
        )

    def node(
        self, path: str, function: FunctionFact
    ) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, SourceText | None]:
        """Return a function's tree, with lines counted from its own first, and the source it points into."""
        text = self.names.package.text(path)
        if text is None:
            return None, None
        return parse_function(text.lines(function.line, function.end_line))

    def _function(self, path: str, index: int) -> CallableFacts:
        package = self.names.package
        function = package.names(path).facts.functions[index]
        details = self.details(path, index)
        said = docstring_facts(details.docstring) if details.docstring else None
        parameters = details.parameters
        if said is not None and said.params:
            parameters = tuple(_documented(one, said.params.get(one.name)) for one in parameters)
        public = not function.nested and is_public_name(function.name)
        return CallableFacts(
            name=function.name,
            module=package.module_of[path],
            path=path,
            line=function.line,
            end_line=function.end_line,
            kind=function.kind,
            is_async=function.is_async,
            is_public=public,
            parameters=parameters,
            returns=details.returns,
            decorators=function.decorators,
            summary=said.summary if said else None,
            raises=said.raises if said else (),
            import_name=self.names.import_name(path, function.name) if public else None,
        )


def parse_function(text: str) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, SourceText | None]:
    """Parse a function's own lines, however deep they are indented."""
    indent = len(text) - len(text.lstrip(" \t"))
    shifted = "if 1:\n" + text if indent else text
    try:
        tree = ast.parse(shifted)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None, None
    body = tree.body
    if indent and isinstance(body[0], ast.If):
        body = body[0].body
    node = body[0]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None, None
    return node, SourceText(shifted.encode("utf-8", "replace"))


def _documented(parameter: Parameter, said: tuple[str | None, str | None] | None) -> Parameter:
    if said is None:
        return parameter
    return Parameter(
        name=parameter.name,
        kind=parameter.kind,
        annotation=parameter.annotation,
        default=parameter.default,
        doc=said[0],
        doc_type=said[1],
    )
