"""Who raises, and what its documentation says of the things a guard reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from errdex.explain.english import code, sentence, third_person, with_article
from errdex.explain.facts import Facts
from errdex.explain.verbs import IMPERATIVES, THIRD_PERSONS
from errdex.model.explanation import Provenance, Sentence
from errdex.model.site import CallableFacts, DocumentedRaise, Parameter

MAX_QUOTE = 220
"""Longest quotation from a docstring or comment, in characters."""


def callable_name(callable_: CallableFacts) -> str:
    """Return the callable as a reader knows it: `Session` for `Session.__init__`, without `<locals>`."""
    name = callable_.name.replace(".<locals>", "")
    if name == "<module>":
        return callable_.module
    owner, _, last = name.rpartition(".")
    return owner if owner and last in {"__init__", "__new__", "__post_init__", "__call__"} else name


def raiser(callable_: CallableFacts) -> str:
    """Return the noun phrase for what raises: "`Session.send`", "importing `pkg.mod`", "creating a `Session`"."""
    name = callable_name(callable_)
    if callable_.name == "<module>":
        return f"importing {code(name)}"
    last = callable_.name.rpartition(".")[2]
    if last in {"__init__", "__new__", "__post_init__"}:
        return f"creating {with_article(code(name))}"
    if last == "__call__":
        return f"calling {with_article(code(name))}"
    return code(name)


def source_of(facts: Facts, line: int | None = None, end_line: int | None = None) -> Provenance:
    """Return the provenance of a fact read from the site's own file."""
    at = line or facts.site.line
    end = end_line if end_line and end_line != at else None
    return Provenance(kind="source", path=facts.site.path, line=at, end_line=end)


def guard_source(facts: Facts) -> Provenance:
    """Return the provenance of what the guard says."""
    guard = facts.site.guard
    return (
        source_of(facts, guard.line, guard.end_line)
        if guard
        else source_of(facts, facts.site.line, facts.site.end_line)
    )


def purpose(facts: Facts) -> Sentence | None:
    """Say what the callable does, from its docstring's first sentence; None where there is none."""
    callable_ = facts.site.callable
    told = _told_summary(callable_name(callable_), callable_.summary or "")
    if told is None:
        return None
    return Sentence(text=told, provenance=docs_source(facts, callable_.summary or ""))


_DOCSTRING_LINES = 200
"""How far below its head a callable's docstring is looked through."""


def docs_source(facts: Facts, text: str) -> Provenance:
    """Return the provenance of a docstring's `text`: the line where it starts, the callable's head where it is not found."""
    callable_ = facts.site.callable
    start = " ".join(text.split()[:2])
    lines = facts.context.source_lines(callable_.path)
    for number in range(callable_.line, min(len(lines), callable_.line + _DOCSTRING_LINES)):
        if start and start in lines[number]:
            return Provenance(kind="docs", path=callable_.path, line=number + 1)
    return Provenance(kind="docs", path=callable_.path, line=callable_.line)


@lru_cache(maxsize=4_000)
def _told_summary(name: str, summary: str) -> str | None:
    text = plain(summary).rstrip(".:")
    if len(text) < 8 or _SAYS_NOTHING.match(text) or not (text[0].isalpha() or text[0] == "`"):
        return None
    text = cut(text)
    first, _, rest = text.partition(" ")
    if first.isalpha() and rest and "{" not in re.sub(r"`[^`]*`", "", text):
        verb = first.lower()
        if verb in IMPERATIVES:
            return sentence(f"{code(name)} {third_person(verb)} {_and_bent(rest)}")
        if verb in THIRD_PERSONS:
            return sentence(f"{code(name)} {verb} {rest}")
        if verb in {"a", "an", "the"} and not _HAS_VERB.search(text):
            return sentence(f"{code(name)} is {verb} {rest}")
    return f"{code(name)} is described as “{text}”."


_SAYS_NOTHING = re.compile(
    r"(?i)(constructor|initiali[sz]e(s|r)?( self| the (object|class|instance))?|see help.*|init|class constructor)[.]?$"
)
_SECOND_VERB = re.compile(
    r"(?:^|\b)(and|then|or) ([a-z]+)(?= (?:the|a|an|its|it|them|each|every|this|that|any|all|[a-z]{3,}s)\b)"
)


def _and_bent(rest: str) -> str:
    """Bend the second verb of "parse the file and return the tree"."""
    return _SECOND_VERB.sub(
        lambda found: f"{found[1]} {third_person(found[2])}" if found[2] in IMPERATIVES else found[0],
        rest,
        count=1,
    )


def plain(text: str) -> str:
    """Return docstring text on one line: ReST and Markdown marks become code spans."""
    text = re.sub(r":[a-z:+-]+:`~?\.?([^`<]*?)(?:\s*<[^>]*>)?`", r"`\1`", text)
    text = re.sub(r"\$([^$`]+)\$", r"`\1`", text.replace("``", "`"))
    text = re.sub(r"`([^`<]+?)\s*<[^`>]*>`_*", r"\1", text)
    text = re.sub(r"`([^`]+)`_+", r"`\1`", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"\1", text)
    if text.count("`") % 2:
        text = text.replace("`", "")
    return " ".join(text.split())


def cut(text: str) -> str:
    """Return `text` in at most `MAX_QUOTE` characters, cut at a sentence or a word."""
    if len(text) <= MAX_QUOTE:
        return text
    head = text[:MAX_QUOTE]
    at = head.rfind(". ")
    head = head[: at + 1] if at > MAX_QUOTE // 3 else head[: head.rfind(" ")].rstrip(",;:") + "…"
    if head.count("`") % 2:
        head = head[: head.rfind("`")].rstrip() + "…"
    return head


def documented_parameters(facts: Facts, limit: int = 3) -> Iterator[Sentence]:
    """Say what the parameters that the guard depends on mean, in the docstring's words."""
    callable_ = facts.site.callable
    told = 0
    for parameter in callable_.parameters:
        if parameter.name not in facts.site.parameters or told == limit or parameter.kind == "var-keyword":
            continue
        text = parameter_meaning(parameter)
        if text:
            told += 1
            yield Sentence(text=text, provenance=docs_source(facts, parameter.doc or f"{parameter.name} :"))


@lru_cache(maxsize=8_000)
def parameter_meaning(parameter: Parameter) -> str | None:
    """Return what the docstring says of a parameter as one sentence; None where it says nothing."""
    stated = first_sentence(plain(parameter.doc or ""))
    kind = cut(plain(parameter.doc_type or ""))
    name = code(parameter.name)
    if len(stated) < 4:
        return f"{name} is documented as {_quoted_type(kind)}." if kind else None
    stated = cut(stated).rstrip(".")
    shaped = re.fullmatch(r"(.+?),?\s*(\[[^\]]+\]|\([a-zA-Z_]\w*(?:,\s*\w+)*\))", stated)
    if shaped:
        stated = f"{shaped[1]} ({code(shaped[2])})"
    first = stated.partition(" ")[0].lower()
    if not _HAS_VERB.search(stated) and len(stated) <= 120 and "{" not in stated:
        if first in {"the", "a", "an"}:
            return sentence(f"{name} is {stated[0].lower()}{stated[1:]}")
        if _NOUN_START.match(stated):
            return sentence(f"{name} is the {stated[0].lower()}{stated[1:]}")
    return f"{name} is documented as “{stated}”."


_HAS_VERB = re.compile(
    r"\b(is|are|be|was|were|should|must|will|can|may|has|have|if|when|defaults?|not|use|used|see)\b|[.:;]"
)
"""A description with one of these is a sentence of its own, and is quoted."""
_NOUN_START = re.compile(
    r"(Existing|Number|Name|Path|List|Dict|Dictionary|Size|Maximum|Minimum|Width|Height|Length|Index|Type|Shape)\b"
)


def _quoted_type(kind: str) -> str:
    return f"“{kind}”"


def first_sentence(text: str) -> str:
    """Return the text up to its first full stop that ends a sentence."""
    found = re.match(r"(.+?(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?<!cf)\.)(?=\s+[A-Z`\"]|$)", text)
    return found[1] if found else text


def documented_raise(facts: Facts) -> DocumentedRaise | None:
    """Return the entry of the docstring's Raises section that speaks of this error, if exactly one can."""
    same = [
        entry for entry in facts.site.callable.raises if entry.error_class.rpartition(".")[2] in facts.classes
    ]
    same = [entry for entry in same if len(entry.text) >= 8]
    if not same:
        return None
    if (
        len(same) == 1
        and facts.class_name == same[0].error_class.rpartition(".")[2]
        and "." in (facts.site.error_class or "")
    ):
        return same[0]  # the library's own class, documented once
    wanted = {word for word in facts.words if len(word) > 3 and word not in _SMALL_WORDS}
    wanted |= {name.lower() for name in facts.site.parameters}
    scored = [(len(wanted & set(re.findall(r"\w+", entry.text.lower()))), entry) for entry in same]
    best = max(score for score, _ in scored)
    winners = [entry for score, entry in scored if score == best]
    return winners[0] if best >= 1 and len(winners) == 1 else None


_SMALL_WORDS = frozenset(
    ("must", "should", "cannot", "have", "with", "this", "that", "than", "from", "only", "given", "value", "values", "argument", "arguments",
     "invalid", "input", "data", "type", "been", "when", "could", "does", "error", "found", "expected", "supported", "valid", "same", "object",
     "parameter", "name", "none", "passed", "provided", "specified", "which", "number", "other", "contains", "contain")
)  # fmt: skip
