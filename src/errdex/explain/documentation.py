"""What an error means: the callable, the condition, the things it reads, and why it is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from errdex.explain.conditions import MAX_TESTS, in_words
from errdex.explain.english import code, listed, sentence
from errdex.explain.facts import Facts
from errdex.explain.path import MAX_TOLD, Path, is_unconditional
from errdex.explain.subjects import (
    callable_name,
    cut,
    docs_source,
    documented_parameters,
    documented_raise,
    guard_source,
    plain,
    purpose,
    raiser,
    source_of,
)
from errdex.model.explanation import Provenance, Sentence
from errdex.model.site import Condition
from errdex.syntax.logic import join, simplified, tests


def documentation(facts: Facts, path: Path) -> tuple[Sentence, ...]:
    """Return the sentences of `documentation`; never empty."""
    return tuple(_sentences(facts, path))


def _sentences(facts: Facts, path: Path) -> Iterator[Sentence]:
    does = purpose(facts)
    if does is not None:
        yield does
    yield cause(facts, path, named=does is None or " is described as " in does.text)
    yield from documented_parameters(facts)
    yield from _reasons(facts)
    if facts.site.helper is not None:
        helper = facts.site.helper
        yield Sentence(
            text=f"The raising itself is done by {code(helper.name)}, which this place gives its words.",
            provenance=Provenance(kind="source", path=helper.path, line=helper.line),
        )


def cause(facts: Facts, path: Path, *, named: bool) -> Sentence:
    """Say in one sentence when the error leaves; not `named` after a sentence whose subject is the callable."""
    told = conditions_in_words(facts, path)
    who = raiser(facts.site.callable) if named or facts.site.callable.name.endswith("__") else "it"
    if facts.runs_as_program and facts.site.callable.kind == "module":
        who = f"running {code(facts.site.callable.module)} as a program"
    verb = leaving(facts)
    if told:
        text = f"{who} {verb} when {told}"
    elif path.earlier:
        text = f"{who} {verb} when none of the {len(path.earlier)} checks before it has left the function"
        if len(path.earlier) == 1:
            text = f"{who} {verb} unless the check before it has left the function"
    else:
        text = (
            f"{who} {verb} every time"
            if is_unconditional(facts)
            else f"{who} {verb} when it gets as far as line {facts.site.line}"
        )
    return Sentence(text=sentence(text), provenance=guard_source(facts))


def leaving(facts: Facts) -> str:
    """Return the verb phrase for how the error leaves."""
    site = facts.site
    name = code(facts.class_name)
    if site.http_status is not None:
        return f"answers with HTTP status {site.http_status}"
    return {
        "exit": "ends the program",
        "warn": f"gives a {name}" if facts.class_name.endswith("Warning") else "gives this warning",
        "log": "logs this message",
    }.get(site.kind, f"raises {name}")


def conditions_in_words(facts: Facts, path: Path) -> str:
    """Return the guard and what encloses it as one clause; empty where there is neither."""
    if facts.told_conditions is None:
        facts.told_conditions = _conditions_in_words(facts, path)
    return facts.told_conditions


def _conditions_in_words(facts: Facts, path: Path) -> str:
    told: list[str] = []
    claims = [condition for condition in path.enclosing if condition.kind != "for" or condition.negated][
        -MAX_TOLD:
    ]
    if all(condition.kind in _PLAIN_KINDS for condition in claims):
        tree = simplified(join("all", (facts.tree_of(one) for one in claims))) if claims else None
        if tree is not None and sum(1 for _ in tests(tree)) <= MAX_TESTS:
            return in_words(tree, facts.names) + _loop_in_words(facts, path)
    for condition in claims:
        words = condition_in_words(facts, condition)
        if words and words not in told:
            told.append(words)
    loop = _loop_in_words(facts, path)
    if any(" or " in words or " and " in words for words in told):
        return ", and ".join(told) + loop
    return listed(told, "and") + loop


_PLAIN_KINDS = frozenset(("if", "while", "except", "assert", "comprehension"))
_LOOP = re.compile(r"\s*(?:async\s+)?for\s+(.+?)\s+in\s")


def _loop_in_words(facts: Facts, path: Path) -> str:
    """Return " for some `x` of `xs`" for the innermost loop whose variable the conditions read."""
    lines = facts.context.source_lines(facts.site.path)
    for number in range(len(path.enclosing) - 1, -1, -1):
        loop = path.enclosing[number]
        if loop.kind != "for" or loop.negated or loop.line > len(lines):
            continue
        found = _LOOP.match(lines[loop.line - 1])
        names = re.findall(r"\w+", found[1]) if found else []
        within = set(
            re.findall(r"\w+", " ".join(condition.text for condition in path.enclosing[number + 1 :]))
        )
        read = [name for name in names if name in within]
        if read:
            return f", for some {listed([code(name) for name in read], 'and')} of {facts.names.subject(' '.join(loop.text.split()))}"
    return ""


def condition_in_words(facts: Facts, condition: Condition) -> str:
    """Return one condition as a clause; empty for those that say nothing to a reader."""
    text = " ".join(condition.text.split())
    if condition.kind == "for":
        return f"the loop over {code(text)} has run to its end" if condition.negated else ""
    if condition.kind == "with":
        return f"{code('with ' + text)} is entered"
    if condition.kind == "try-else":
        return "" if not text else f"{code(text)} did not raise"
    if condition.kind == "match":
        return f"{code(text)} {'does not match' if condition.negated else 'matches'}"
    tree = facts.tree if condition is facts.site.guard and facts.tree else facts.tree_of(condition)
    return in_words(tree, facts.names)


_NOT_A_REASON = re.compile(
    r"(?i)\s*(todo|fixme|xxx|hack|noqa|type:|pragma|pylint|pyright|mypy|fmt:|isort|nosec|ruff|flake8|-{3,}|={3,}|#)"
)


def _reasons(facts: Facts) -> Iterator[Sentence]:
    guard = facts.site.guard
    if guard is not None and guard.comment:
        comment = cut(" ".join(guard.comment.split()))
        if _is_reason(comment) and comment.lower() not in facts.message:
            quoted = comment.rstrip(".") if not comment.endswith("…") else comment
            yield Sentence(
                text=f"A comment above the check says: “{quoted}”.",
                provenance=source_of(facts, max(1, guard.line - 1)),
            )
    entry = documented_raise(facts)
    if entry is not None:
        text = cut(plain(entry.text)).rstrip(".")
        callable_ = facts.site.callable
        yield Sentence(
            text=f"The docstring of {code(callable_name(callable_))} says when it raises {code(entry.error_class)}: “{text}”.",
            provenance=docs_source(facts, entry.text),
        )


def _is_reason(comment: str) -> bool:
    if _NOT_A_REASON.match(comment) or len(comment) < 15 or comment.count(" ") < 3:
        return False
    return not re.search(r"(^|\s)(if .*:$|return |[\w.]+ = |[\w.]+\(.*\)$)", comment)
