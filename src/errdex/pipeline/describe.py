"""Sites of one package to records of the wire contract, with their evidence.

Sites that share an id (same repository, same file, same code or message) become
one record; the first in the file is primary and all are in the evidence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import quote

import msgspec

from errdex.explain import Context, explain_site
from errdex.model.explanation import CodeBlock, Explanation, Level, Sentence
from errdex.model.record import (
    CONTEXT_LINES,
    Evidence,
    Record,
    Related,
    record_id,
    record_key,
    record_message,
    record_slug,
    wire_text,
)
from errdex.model.site import MAX_PATTERN_CHARACTERS, MessageTemplate, ThrowSite, escape_pattern
from errdex.model.source import SourceTree

MAX_RELATED = 8
"""Related errors named in one record's evidence; a page shows them all."""


class _Group(msgspec.Struct, kw_only=True):
    """The sites and the wording behind one record."""

    id: str
    slug: str
    message: str
    template: MessageTemplate | None
    sites: list[ThrowSite]


def describe(
    tree: SourceTree,
    sites: Iterable[ThrowSite],
    source_lines: Callable[[str], Sequence[str]],
    *,
    analyzed_at: datetime,
    slugs: Mapping[str, str] | None = None,
) -> Iterator[tuple[Record, Evidence]]:
    """Yield every record of `sites` with its evidence, ordered by file and line.

    Args:
        tree: What the sites were found in.
        sites: Linked sites, in any order.
        source_lines: The lines of a file of the tree, without line ends.
        analyzed_at: When the analysis was made; written as UTC.
        slugs: Slugs that this repository has given before, each with the id that holds it:
            an id keeps its slug for ever.
    """
    ordered = sorted(sites, key=lambda site: (site.path, site.line, site.column))
    groups = _grouped(tree.repo, ordered, dict(slugs or {}))
    related = _Related(groups)
    moment = analyzed_at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    by_path: dict[str, list[ThrowSite]] = defaultdict(list)
    for site in ordered:
        by_path[site.path].append(site)
    for group in groups:
        primary = group.sites[0]
        context = Context(
            package=tree.package,
            version=tree.version,
            repo=tree.repo,
            source_lines=source_lines,
            file_sites=by_path[primary.path],
        )
        explanation = explain_site(primary, group.template, context)
        record = _record(tree, group, explanation, source_lines(primary.path), moment)
        yield record, _evidence(tree, group, explanation, related.of(group))


def _grouped(repo: str, ordered: Iterable[ThrowSite], slugs: dict[str, str]) -> list[_Group]:
    groups: dict[str, _Group] = {}
    taken = dict(slugs)
    known = {identity: slug for slug, identity in slugs.items()}
    for site in ordered:
        for template in site.templates or (None,):
            key = record_key(site, template)
            identity = record_id(repo, key, site.path)
            group = groups.get(identity)
            if group is None:
                slug = known.get(identity) or _free_slug(record_slug(key), identity, taken)
                taken[slug] = identity
                groups[identity] = _Group(
                    id=identity,
                    slug=slug,
                    message=record_message(site, template),
                    template=template,
                    sites=[site],
                )
            elif group.sites[-1] is not site:
                group.sites.append(site)
    return list(groups.values())


def _free_slug(slug: str, identity: str, taken: Mapping[str, str]) -> str:
    for candidate in (slug, f"{slug}-{identity[:6]}", f"{slug}-{identity}"):
        if taken.get(candidate, identity) == identity:
            return candidate
    return identity


def _record(
    tree: SourceTree, group: _Group, explanation: Explanation, lines: Sequence[str], moment: str
) -> Record:
    site = group.sites[0]
    start = max(1, site.line - CONTEXT_LINES)
    end = min(len(lines), site.line + CONTEXT_LINES)
    pattern = (
        group.template.pattern if group.template else escape_pattern(group.message)[:MAX_PATTERN_CHARACTERS]
    )
    return Record(
        id=group.id,
        repo=tree.repo,
        slug=group.slug,
        error_code=site.error_code,
        error_message=group.message,
        message_pattern=wire_text(pattern),
        error_type=explanation.error_type,
        error_class=_class_name(site),
        http_status=site.http_status,
        severity=explanation.severity,
        file_path=site.path,
        line_number=site.line,
        source_code=wire_text("\n".join(lines[start - 1 : end])),
        source_code_start=start,
        source_code_end=end,
        github_url=source_url(tree, site.path, start, end),
        documentation=_joined(explanation.documentation),
        trigger_scenarios=_joined(explanation.trigger_scenarios),
        common_situations=_joined(explanation.common_situations),
        solutions=_texts(explanation.solutions),
        example_fix=_code(explanation.example_fix),
        handling_strategy=explanation.handling_strategy,
        validation_code=_code(explanation.validation_code),
        type_guard=_code(explanation.type_guard),
        try_catch_pattern=_code(explanation.try_catch_pattern),
        prevention_tips=_texts(explanation.prevention_tips),
        tags=list(explanation.tags),
        background_tag=explanation.family,
        analyzed_sha=tree.revision,
        analyzed_at=moment,
    )


def _class_name(site: ThrowSite) -> str | None:
    """Return the class as a traceback's last line names it, without its module."""
    name = site.known_class
    return name.rsplit(".", 1)[-1] if name else None


def source_url(tree: SourceTree, path: str, start: int, end: int) -> str:
    """Return the permalink of lines `start` to `end`; our own source page, relative, where there is no host."""
    quoted = quote(path)
    if tree.permalink is None:
        return f"/source/{tree.repo}/{tree.revision}/{quoted}#L{start}-L{end}"
    return tree.permalink.replace("{path}", quoted).replace("{start}", str(start)).replace("{end}", str(end))


def _texts(sentences: Iterable[Sentence]) -> list[str]:
    return [wire_text(sentence.text) for sentence in sentences]


def _joined(sentences: Iterable[Sentence]) -> str:
    return " ".join(_texts(sentences))


def _code(block: CodeBlock | None) -> str | None:
    return wire_text(block.code) if block else None


_SPOKEN = ("documentation", "trigger_scenarios", "common_situations", "solutions", "prevention_tips")
_CODED = ("example_fix", "validation_code", "type_guard", "try_catch_pattern")


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)


def _evidence(
    tree: SourceTree, group: _Group, explanation: Explanation, related: tuple[Related, ...]
) -> Evidence:
    level: Level = "tested" if any(site.tests for site in group.sites) else explanation.level
    code = {_camel(name): getattr(explanation, name) for name in _CODED}
    return Evidence(
        coordinate=str(tree.coordinate),
        package=tree.package,
        version=tree.version,
        level=level,
        template=wire_text(group.template.text) if group.template else None,
        sites=tuple(group.sites),
        sentences={_camel(name): getattr(explanation, name) for name in _SPOKEN},
        code={name: block for name, block in code.items() if block},
        related=related,
    )


class _Related:
    """Which other records of the package stand near one: same function first, then parameters, then class."""

    def __init__(self, groups: Sequence[_Group]) -> None:
        self._by_function: dict[tuple[str, str], list[_Group]] = defaultdict(list)
        self._by_class: dict[str, list[_Group]] = defaultdict(list)
        self._by_parameter: dict[tuple[str, str], list[_Group]] = defaultdict(list)
        for group in groups:
            site = group.sites[0]
            self._by_function[site.path, site.callable.name].append(group)
            if site.error_class and "." in site.error_class:  # a builtin class relates nothing
                self._by_class[site.error_class].append(group)
            for name in site.parameters:
                self._by_parameter[site.path, name].append(group)

    def of(self, group: _Group) -> tuple[Related, ...]:
        site = group.sites[0]
        near: list[tuple[str, Sequence[_Group]]] = [
            ("same function", self._by_function[site.path, site.callable.name])
        ]
        near += [("same parameter", self._by_parameter[site.path, name]) for name in site.parameters]
        near.append(("same class", self._by_class.get(site.error_class or "", ())))
        found: dict[str, Related] = {}
        for why, others in near:
            for other in _nearest(group, others):
                if len(found) == MAX_RELATED:
                    return tuple(found.values())
                if other.id not in found:
                    found[other.id] = Related(id=other.id, slug=other.slug, message=other.message, why=why)
        return tuple(found.values())


def _nearest(group: _Group, others: Sequence[_Group]) -> list[_Group]:
    """Return at most `MAX_RELATED` of `others` without `group`, those that stand around it in the source."""
    if len(others) > MAX_RELATED + 1:
        place = next((index for index, other in enumerate(others) if other is group), 0)
        low = min(max(0, place - MAX_RELATED // 2), len(others) - MAX_RELATED - 1)
        others = others[low : low + MAX_RELATED + 1]
    return [other for other in others if other is not group]
