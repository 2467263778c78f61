"""The exception that a sentence names is the one raised, one of its bases, or the one being handled.

Against: `a ValueError is raised` where it is a TypeError; `MissingSchema is a KeyError too`; `except
requests.exceptions.ConnectionError` around what raises InvalidSchema.
"""

import builtins
import re
from collections.abc import Iterator

from errdex.assist.interface import Case, Finding, check
from errdex.assist.known import Known
from errdex.assist.modes import NEED_GROUND
from errdex.assist.prose import Prose, read, with_spans
from errdex.model.assistance import Suggestion

_BUILTIN = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_EXCEPTION_NAME = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)")
_RAISES = re.compile(r"(?i)\b(?:rais\w+|throw\w*|fails? with|comes? as|get an?|ends? (?:with|in))\b")
_HANDLED = re.compile(
    r"(?i)\b(?:instead of|rather than|converted|wraps?|wrapped|turns? (?:it|that|an?)|from|cause of)\b"
)

_WHEN = frozenset(
    {"when", "while", "whenever", "if", "because", "after", "unless", "where", "so that", "before"}
)


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to a wrong class; a class that is right is a ground, but not for what the sentence says of the cause."""
    if not suggestion.text:
        return None
    prose, known = read(suggestion.text), case.known
    named = list(_exceptions(prose, known))
    if not named:
        return None
    own = known.site.error_class or known.site.class_written
    if own is None:
        return Finding(objection="which class is raised is not known")
    line = known.ancestors(own) | {base.rpartition(".")[2] for base in known.site.bases}
    handled = set(re.findall(r"\w+", known.site.caught or "")) | _guarded(known)
    for name in named:
        last = name.rpartition(".")[2]
        if last not in line and not (last in handled and _is_told_as_cause(name, prose)):
            return Finding(objection=f"{name} is not what is raised here ({own}), nor a base of it")
        if (
            "." in name
            and known.definitions.find(name) is None
            and name.partition(".")[0] in known.definitions.tops
        ):
            return Finding(objection=f"{name} is not there")
    if suggestion.place in NEED_GROUND:
        return None  # that the class is right does not bear out when it is raised
    return Finding(ground=f"what is raised is of the class {', '.join(named)}")


def _is_told_as_cause(name: str, prose: Prose) -> bool:
    """Whether a class is named as what came before: in a clause with `when`, or as what is converted."""
    for clause in prose.clauses:
        if name in with_spans(clause.text, prose) and clause.opener in _WHEN:
            return True
    return _HANDLED.search(prose.plain) is not None and not _RAISES.search(prose.plain)


def _exceptions(prose: Prose, known: Known) -> Iterator[str]:
    """Yield the exception classes that a sentence names."""
    own = (known.site.error_class or known.site.class_written or "").rpartition(".")[2]
    plain = re.findall(r"\b[A-Z]\w+\b", prose.plain)
    for name in dict.fromkeys((*prose.spans, *prose.names, *plain)):
        last = name.rpartition(".")[2]
        if not re.fullmatch(r"[\w.]+", name):
            continue
        if last in _BUILTIN or last == own or _EXCEPTION_NAME.fullmatch(last) or _is_exception(name, known):
            yield name


def _is_exception(name: str, known: Known) -> bool:
    if not name.rpartition(".")[2][:1].isupper():
        return False
    found = known.find(name)
    return found is not None and found.kind == "class" and "BaseException" in known.ancestors(found.name)


def _guarded(known: Known) -> set[str]:
    """Return the classes of `except` clauses on the way to the site."""
    return {
        name
        for each in known.site.path_conditions
        if each.kind == "except"
        for name in re.findall(r"\w+", each.text)
    }
