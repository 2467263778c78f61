"""Every name that a sentence or a program takes from the package exists there.

Against: `Context.forward_callback`, `Session.register_adapter`, `click.flag`: what the library might well have, and has
not; a keyword that no callable takes (`safe_write=True`); `flask.current_app` in a sentence about click.
"""

import ast
import keyword
import re

from errdex.assist.calls import Program
from errdex.assist.interface import Case, Finding, check
from errdex.assist.known import Known
from errdex.assist.prose import Prose, read
from errdex.model.assistance import Suggestion
from errdex.syntax import code_block
from errdex.syntax.logic import parse

_KEYWORDS = frozenset(keyword.kwlist)
_OPERATOR = re.compile(r"[-+*/%@&|^=<>!]{1,3}")
_ARGUMENT = re.compile(r"(\w+)\s*=\s*(?!=)(.+)", re.DOTALL)


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the first name that nothing defines."""
    if suggestion.code:
        if list(code_block.parsing(suggestion.code)):
            return None
        for problem in Program(suggestion.code, case.known.definitions).missing():
            return Finding(objection=problem)
        return None
    prose = read(suggestion.text)
    for span in prose.spans:
        if problem := _span(span, case.known, prose):
            return Finding(objection=problem)
    for name in prose.names:
        if problem := _name(name, case.known, prose):
            return Finding(objection=problem)
    return None


def _span(span: str, known: Known, prose: Prose) -> str:
    """Return what is wrong with the names of a code span."""
    if span in _KEYWORDS or span in known.circle or span in known.literals or _OPERATOR.fullmatch(span):
        return ""
    argument = _ARGUMENT.fullmatch(span)
    if argument:
        return _argument(argument.group(1), known, prose)
    tree = parse(span.removeprefix("@"))
    if tree is None:
        return "" if span.lower() in known.text else f"`{span}` stands in no source"
    match tree:
        case ast.Constant(value=str() as text):
            return (
                "" if text in known.literals or text.lower() in known.text else f"{span} stands in no source"
            )
        case ast.Constant():
            return ""
        case ast.Name() | ast.Attribute():
            return _name(span.removeprefix("@"), known, prose)
    for name in _outermost(tree):
        if problem := _name(name, known, prose):
            return problem
    for given in (node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg):
        if problem := _argument(given, known, prose):
            return problem
    return ""


def _outermost(tree: ast.AST) -> list[str]:
    """Return the dotted names of an expression, each as long as it goes."""
    match tree:
        case ast.Name() | ast.Attribute():
            return [ast.unparse(tree)]
        case ast.Lambda() | ast.GeneratorExp() | ast.ListComp():
            return []
    return [name for child in ast.iter_child_nodes(tree) for name in _outermost(child)]


def _argument(name: str, known: Known, prose: Prose) -> str:
    """Return what is wrong with a keyword: nothing where the callable or one that the sentence names takes it."""
    if name in known.parameters or name in known.circle:
        return ""
    for each in (*prose.spans, *prose.names):
        dotted = re.match(r"@?([\w.]+)", each)
        found = known.find(dotted.group(1)) if dotted else None
        signature = known.definitions.signature(found) if found is not None else None
        if signature is not None and name in signature.parameters:
            return ""
    return f"no callable that is spoken of takes {name}"


def _name(name: str, known: Known, prose: Prose) -> str:
    """Return what is wrong with a dotted name or a single one."""
    if name in known.circle or (re.search(r"[._]", name) and known.speaks_of(name)):
        return ""
    if name in known.literals or name in known.parameters:
        return ""
    classes = [each for each in (*prose.spans, *prose.names) if each[:1].isupper() or "." in each]
    if known.find(name, classes) is not None or known.is_of_standard_library(name):
        return ""
    if "." not in name and (_is_imported(name, known) or name == known.site.callable.name.rpartition(".")[2]):
        return ""
    if "." in name and _is_of_open_class(name, known):
        return "" if name.lower() in known.text else f"whether {name} exists cannot be told"
    return f"{name} is not there"


def _is_imported(name: str, known: Known) -> bool:
    return name in code_block.imported_names(known.source) or known.imports(name)


def _is_of_open_class(name: str, known: Known) -> bool:
    owner = known.find(name.rpartition(".")[0])
    return owner is not None and owner.kind == "class" and known.definitions.is_open(owner)
