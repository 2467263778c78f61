"""What to do: the guard turned round in the caller's terms, likeliest first, then the library's own advice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from errdex.explain.conditions import in_words
from errdex.explain.english import code, listed, sentence, with_article
from errdex.explain.facts import Facts
from errdex.explain.fixes import change_of
from errdex.explain.names import Names
from errdex.explain.path import Path, is_unconditional
from errdex.explain.reach import call_of, out_of_reach
from errdex.explain.subjects import guard_source, raiser, source_of
from errdex.model.explanation import Sentence
from errdex.model.site import Hole, MessageTemplate
from errdex.syntax.logic import Group, Test, Tree, join, negate, simplified, tests

MAX_SOLUTIONS = 5
"""More is a list to search, not advice."""


def solutions(facts: Facts, path: Path) -> Iterator[Sentence]:
    """Yield what removes the error at this site, likeliest first; nothing where the guard says nothing."""
    advice = advised(facts.template)
    if advice:
        yield Sentence(
            text=f"The message itself advises: {code(advice)}",
            provenance=source_of(facts, facts.site.line, facts.site.end_line),
        )
    around = list(_around(facts, path))
    if not facts.site.parameters:
        yield from around  # the guard is out of the caller's reach, what encloses it is not
    for way in turned_round(facts, path):
        yield way if isinstance(way, Sentence) else Sentence(text=way, provenance=guard_source(facts))
    change = change_of(facts)
    if change is not None and change.steps:
        steps = listed([code(step) for step in change.steps], "and")
        yield Sentence(
            text=f"What exists already can be cast, once: {steps}.", provenance=guard_source(facts)
        )
    if facts.site.parameters:
        yield from around


Way = Sentence | str
"""One way out: a sentence with a place of its own, or words that the guard bears out."""


def turned_round(facts: Facts, path: Path) -> tuple[Way, ...]:
    """Return what makes the guard let the call pass, one way a sentence."""
    tree = facts.tree
    if tree is None:
        return ()
    if isinstance(tree, Test):
        return tuple(filter(None, (_do(_with_branches(tree, _whole(facts, path)), facts),)))
    special = _exclusive(tree, facts)
    if special is not None:
        return special
    if tree.kind == "any":
        return tuple(filter(None, (_all_of(tree, facts),)))
    return _one_of(tree, facts)


def _whole(facts: Facts, path: Path) -> Tree | None:
    """Return the conditions that the site stands in and its guard, as one tree."""
    kept = [one for one in path.enclosing if one.kind in {"if", "while"}]
    if not kept:
        return facts.tree
    return simplified(join("all", (facts.tree_of(one) for one in kept)))


def _with_branches(guard: Test, whole: Tree | None) -> Test:
    """Return the guard together with the branches of its `elif` chain that ask the same of the same subject."""
    parts = whole.parts if isinstance(whole, Group) else (whole,)
    for part in parts:
        if (
            isinstance(part, Test)
            and part.subject == guard.subject
            and set(guard.objects) <= set(part.objects)
        ):
            return part
    return guard


def _exclusive(tree: Group, facts: Facts) -> tuple[str, ...] | None:
    """`a and b` given together, or none of them given: say it as a choice."""
    if tree.kind != "all" or not all(isinstance(part, Test) for part in tree.parts):
        return None
    parts = [part for part in tree.parts if isinstance(part, Test)]
    if not all(facts.is_parameter(part.subject) for part in parts):
        return None
    spans = [code(part.subject) for part in parts]
    if all(part.relation in {"not-none", "true"} for part in parts):
        return (f"Pass {listed(spans, 'or')}, not {'both' if len(spans) == 2 else 'all'}.",)
    if all(part.relation in {"is-none", "false"} for part in parts):
        return (f"Pass {listed(spans, 'or')}.",)
    return None


def _all_of(tree: Group, facts: Facts) -> Way | None:
    """An error when any claim holds: all of them must be turned."""
    alike = _given_alike(tree, facts.names)
    if alike:
        return alike
    told = in_words(negate(tree), facts.names)
    singles = [part for part in tree.parts if isinstance(part, Test)]
    ways = {
        way.text if isinstance(way, Sentence) else way: way
        for way in (_do(part, facts) for part in singles)
        if way
    }
    if len(singles) == len(tree.parts) and len(ways) == 1:
        return next(iter(ways.values()))
    if not any(_is_within_reach(part.subject, facts) for part in tests(tree)):
        return None
    return sentence(f"{call_of(facts)} so that {told}")


def _given_alike(tree: Group, names: Names) -> str | None:
    """Several things that must have the dtype, device or shape of one: said once."""
    pairs: list[tuple[str, str]] = []
    what = ""
    for part in tree.parts:
        left = _PART.fullmatch(part.subject) if isinstance(part, Test) and part.relation == "ne" else None
        right = _PART.fullmatch(part.objects[0]) if isinstance(part, Test) and part.objects else None
        if not (left and right and left[2] == right[2]):
            return None
        pairs.append((left[1], right[1]))
        what = left[2]
    if len({left for left, _ in pairs}) == 1:  # `q != k or q != v`: k and v follow q
        pairs = [(right, left) for left, right in pairs]
    if len({right for _, right in pairs}) != 1:
        return None
    return f"Give {listed([names.subject(left) for left, _ in pairs], 'and')} the {what} of {names.subject(pairs[0][1])}."


def _one_of(tree: Group, facts: Facts) -> tuple[Way, ...]:
    """An error when all claims hold: turning one is enough; the last is what the check is about."""
    singles = [part for part in tree.parts if isinstance(part, Test)]
    if len(singles) == len(tree.parts) and len(singles) <= 3:
        ways = [way for way in (_do(part, facts) for part in reversed(singles)) if way]
        return tuple(
            way if index == 0 or isinstance(way, Sentence) else f"Or: {way[0].lower()}{way[1:]}"
            for index, way in enumerate(ways)
        )
    if not any(_is_within_reach(part.subject, facts) for part in tests(tree)):
        return ()
    return (sentence(f"{call_of(facts)} so that {in_words(negate(tree), facts.names)}"),)


def _is_within_reach(subject: str, facts: Facts) -> bool:
    """Whether a caller can decide what `subject` is: an argument, or what an object shows of itself."""
    return facts.reads_parameter(subject) or re.match(r"(self|cls)(\.[A-Za-z]\w*)+$", subject) is not None


def _do(test: Test, facts: Facts) -> Way | None:
    """Return the sentence that turns one claim round; None where it reads what no caller can decide."""
    names = facts.names
    parameter = names.parameter(test.subject)
    if parameter is not None:
        told = _parameter(test, names, optional=parameter.default == "None", default=parameter.default)
        if told:
            return told
    told = _about(test, names)
    if told:
        return told
    if test.relation == "raises":
        return _not_raising(test)
    turned = in_words(negate(test), names)
    if names.root_parameter(test.subject) is not None:
        return sentence(f"{call_of(facts)} so that {turned}")
    known = out_of_reach(facts, test)
    if known is not None:
        return known
    if re.match(r"(self|cls)(\.[A-Za-z]\w*)+", test.subject):
        return sentence(f"Make sure before the call that {turned}")
    if _OF_THE_WORLD.match(test.subject):
        return sentence(f"The check passes when {turned}")
    return None


_OF_THE_WORLD = re.compile(
    r"(sys|os|platform|settings|[a-z_]*config|torch|np|torch\.\w+)\.|is_\w+\(\)|[A-Z][A-Z0-9_]+$"
)
"""What the program's surroundings decide, under names that readers know: settings, platform, constants."""


def _not_raising(test: Test) -> str:
    kinds = listed([code(kind) for kind in test.objects], "or") or "an exception"
    if test.subject:
        return f"Remove the cause of the {kinds} that {code(test.subject)} raises; the traceback shows it above this error."
    return f"Remove the cause of the {kinds} that is shown above this error in the traceback."


def _parameter(test: Test, names: Names, *, optional: bool, default: str | None) -> str | None:
    """Turn a claim about a parameter itself."""
    span = code(test.subject)
    bound = test.objects[0] if test.objects else ""
    match test.relation:
        case "is-none":
            return f"Pass {span}." if optional else f"Pass a value for {span}, not `None`."
        case "not-none":
            return f"Leave {span} out." if optional else f"Pass `None` as {span}."
        case "false" if default in {"True", "False"}:
            return f"Pass {code(test.subject + '=True')}."
        case "true" if default in {"True", "False"}:
            return f"Pass {code(test.subject + '=False')}."
        case "false":
            return f"Pass {span}, and not empty." if optional else f"Pass a non-empty {span}."
        case "true" if optional:
            return f"Leave {span} out."
        case "not-instance":
            return f"Pass {_instances(test, names)} as {span}."
        case "instance":
            return f"Do not pass {_instances(test, names)} as {span}."
        case "not-in" if test.objects[0] != "*":
            return f"Pass {listed([code(choice) for choice in test.objects], 'or')} as {span}."
        case "not-in":
            return f"Pass one of {names.subject(test.objects[1])} as {span}."
        case "ne" | "is-not":
            return f"Pass {names.subject(bound)} as {span}."
        case "eq" | "is" | "in" if bound != "*":
            return f"Pass something other than {listed([names.subject(item) for item in test.objects], 'or')} as {span}."
        case "lt" | "le" | "gt" | "ge":
            word = {"lt": "of at least", "le": "greater than", "gt": "of at most", "ge": "less than"}[
                test.relation
            ]
            shown = bound if re.fullmatch(r"-?[\d.]+", bound) else names.subject(bound)
            return f"Pass {with_article(span)} {word} {shown}."
        case "outside":
            low, first, second, high = test.objects
            if (first, second) == ("<=", "<="):
                return f"Pass {with_article(span)} from {_plain(low)} to {_plain(high)}, both included."
            return f"Pass {with_article(span)} for which {code(f'{low} {first} {test.subject} {second} {high}')}."
        case "lacks" if not bound.startswith("*"):
            return f"Pass an object with the attribute {code(bound)} as {span}."
        case "not-callable":
            return f"Pass a callable as {span}."
        case "missing" | "not-file":
            return f"Pass the path of an existing file as {span}."
        case "not-directory":
            return f"Pass the path of an existing directory as {span}."
    return None


def _instances(test: Test, names: Names) -> str:
    kinds = [kind for kind in test.objects if kind != "exact"]
    told = [
        f"an instance of {names.subject(kind)}" if kind.startswith("self.") else with_article(code(kind))
        for kind in kinds
    ]
    return listed(told, "or")


def _plain(text: str) -> str:
    return text if re.fullmatch(r"-?[\d.]+", text) else code(text)


_PART = re.compile(r"([A-Za-z_][\w.\[\]]*)\.(dtype|device|shape)")


def _about(test: Test, names: Names) -> str | None:
    """Turn a claim about a property of a parameter: dtype, device, shape, length, dimensions."""
    if names.root_parameter(test.subject) is None:
        return None
    part = _PART.fullmatch(test.subject)
    if part and test.relation in {"ne", "is-not"} and part[1] != "self":
        other = _PART.fullmatch(test.objects[0])
        if other and other[2] == part[2]:
            return f"Give {names.subject(part[1])} the {part[2]} of {names.subject(other[1])}."
        return f"Give {names.subject(part[1])} the {part[2]} {code(test.objects[0])}."
    if part and test.relation == "not-in" and test.objects[0] != "*":
        return f"Give {names.subject(part[1])} one of the {part[2]}s {listed([code(item) for item in test.objects], 'or')}."
    sized = re.fullmatch(r"len\(([A-Za-z_]\w*)\)", test.subject)
    if sized and test.relation == "eq" and test.objects[0] == "0":
        return f"Pass {code(sized[1])} with at least one element."
    if sized and test.relation in {"ne", "lt", "gt"}:
        word = {"ne": "exactly", "lt": "at least", "gt": "at most"}[test.relation]
        other_sized = re.fullmatch(r"len\((.+)\)", test.objects[0])
        if other_sized:
            return (
                f"Pass {code(sized[1])} with {word} as many elements as {names.subject(other_sized[1])} has."
            )
        return f"Pass {code(sized[1])} with {word} {_plain(test.objects[0])} elements."
    return None


def _around(facts: Facts, path: Path) -> Iterator[Sentence]:
    """Yield the ways that do not lead to the check: the opposites of the conditions it stands in."""
    for condition in path.enclosing[:-1][-1:]:
        if condition.kind != "if" or not condition.parameters:
            continue
        tree = facts.tree_of(condition)
        if isinstance(tree, Test) and any(test.subject == tree.subject for test in facts.tests):
            continue  # a branch of the same question, told together with the guard
        turned = in_words(negate(tree), facts.names)
        if len(turned) <= _SHORT_WAY:
            yield Sentence(
                text=f"This check is not reached when {turned}; other checks may apply then.",
                provenance=source_of(facts, condition.line, condition.end_line),
            )


_SHORT_WAY = 90
"""A way around that takes more words is no advice."""
_ADVICE = re.compile(
    r"(?:^|(?<=[.!?;:\n] )|(?<=[.!?;:]\n)|(?<=\n))\s*((?:please |perhaps |maybe |you (?:can|should|must|may|need to) |"
    r"try |use |set |pass |install |run |consider |call |add |remove |upgrade |did you |make sure |ensure |provide |specify |"
    r"check |to (?:fix|avoid|resolve|use|enable|install|disable|suppress|silence)|if you |instead,? |see |either |"
    r"do not |don't |convert |cast |increase |reduce |reinstall |update )[^\n]*)",
    re.IGNORECASE,
)
_CLAUSE_ADVICE = re.compile(
    r"(?:^|[.;,:(] )((?:please|use|try|consider using|did you mean)\b[^\n;]*|\bplease\b[^\n;]*)",
    re.IGNORECASE,
)


def advised(template: MessageTemplate | None) -> str | None:
    """Return the part of a message that tells the reader what to do, as it is written; None for most."""
    if template is None or not template.is_matchable:
        return None
    text = "".join(part if isinstance(part, str) else _shown(part) for part in template.parts)
    found = _ADVICE.search(text) or _CLAUSE_ADVICE.search(text)
    if not found:
        return None
    advice = found[1].strip()
    if advice[0] == "(" or advice.count(" ") < 1:
        return None
    return advice.rstrip(") ").rstrip() if advice.count("(") < advice.count(")") else advice


def _shown(hole: Hole) -> str:
    return "{" + hole.expression + "}"


def fallback(facts: Facts, path: Path) -> Sequence[Sentence]:
    """Return the one thing to say where neither guard nor family tells what to do."""
    known = next(filter(None, (out_of_reach(facts, test) for test in facts.tests)), None)
    if known is not None:
        return (known,)
    who = raiser(facts.site.callable)
    if path.enclosing or path.earlier:
        where = path.enclosing[-1] if path.enclosing else path.earlier[-1]
        text = f"Follow the condition at line {where.line} back to where its values come from: {who} only reports it."
    else:
        text = f"No condition stands right before it: what {who} did until this line decides."
        if is_unconditional(facts):
            text = f"{who} always ends in it: catch {code(facts.class_name)} where that is meant, or leave the call out."
        if facts.site.kind in {"warn", "log"}:
            text = "It is only told: the program goes on. Silence it where it is expected."
    return (Sentence(text=sentence(text), provenance=guard_source(facts)),)


__all__ = ["MAX_SOLUTIONS", "Tree", "advised", "fallback", "solutions", "turned_round"]
