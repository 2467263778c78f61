"""The one renderer: records, evidence and rows in, HTML out. Reads no disk but the package's own templates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from errdex.catalog import FamilyRow, RepoRow, StoredRecord, Summary
from errdex.model.answer import Answer, Match
from errdex.model.record import CONTEXT_LINES, Evidence, Proof, Record
from errdex.publish import error_view as view
from errdex.publish.families import FamilyPage, family_page
from errdex.publish.files import asset_name
from errdex.publish.highlight import Line, file_lines, fitted, source_markup
from errdex.publish.lineage import Gone, Lineage, Stage, Step, release_of
from errdex.publish.links import PAGE_SIZE, SOURCE_LINES, Site, page_count
from errdex.publish.places import HasSource, Places
from errdex.publish.security import PAGE_POLICY
from errdex.publish.structured import json_ld
from errdex.publish.text import inline, plain, shorten, visible
from errdex.publish.trim import STEPS, trimmed
from errdex.publish.version_view import change_words, version_chart
from errdex.publish.wire import encode
from errdex.publish.wording import (
    ERROR_TYPES,
    GRADES,
    LEVELS,
    PROVENANCE,
    badge,
    checked_words,
    grade_words,
    ran_words,
)

if TYPE_CHECKING:
    from errdex.search.ask import Found

MAX_PAGE_BYTES = 60_000
"""HTML of one error's page, as the contract has it."""
MAX_EVIDENCE_BYTES = 5_000_000
"""Evidence larger than that is cut before anything is rendered."""
MAX_BARS = 12
"""Bars of one chart."""
MAX_STAGES = 12
"""Versions listed on an error's page."""
MAX_ROW_CHARACTERS = 240
"""Longest message in a list of errors."""


SOURCE_BYTES = 120_000
"""HTML of the lines of one source page, before their numbers and links."""
SHARED_LINES = 2 * CONTEXT_LINES
"""Lines that a source page shares with the next, so that the window around any line is on one page."""
EXCERPT_BYTES = 24_000
"""HTML of the window of source on an error's page."""


def source_pages(text: str) -> list[int]:
    """Return the first line of every page of a source file."""
    count = max(1, text.count("\n") + (not text.endswith("\n")))
    return list(range(1, count + 1, SOURCE_LINES))


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One error in a list."""

    href: str
    repo: str
    class_name: str
    message: Markup
    file: Markup
    line: int
    function: Markup
    level: str
    level_badge: str


class Bar(msgspec.Struct, frozen=True):
    """One bar of a chart."""

    name: str
    count: int
    percent: int
    href: str | None = None


class Renderer:
    """Pages of one site. Pure: the same values give the same bytes."""

    def __init__(self, site: Site) -> None:
        self.site = site
        environment = Environment(
            loader=PackageLoader("errdex.publish"),
            autoescape=True,  # everything scanned is hostile
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        environment.globals.update(
            site=site,
            policy=PAGE_POLICY,
            asset=lambda name: site.at("assets", asset_name(name)),
            visible=visible,
            shorten=shorten,
            inline=inline,
        )
        environment.filters["thousands"] = lambda number: f"{number:,}"
        self._environment = environment

    def error(
        self,
        stored: StoredRecord,
        *,
        has_source: HasSource = lambda _path: True,
        stages: Sequence[Stage] = (),
        gone: Gone | None = None,
    ) -> str:
        """Return the page of one error, at most `MAX_PAGE_BYTES`: what is too long for it is cut, and said so.

        Args:
            stored: The record and its evidence.
            has_source: Whether our own page of a path exists.
            stages: The analysed versions, newest first.
            gone: Why the page is a tombstone; None for an error of the newest version.
        """
        places = Places(stored.record, self.site, has_source)

        def render(shown: StoredRecord, *, is_cut: bool) -> str:
            return self._render(
                "error.html",
                self.site.error(shown.record.repo, shown.record.slug),
                record=shown.record,
                evidence=shown.evidence,
                page=_error_page(shown.record, shown.evidence, places, self.site),
                stages=stages[:MAX_STAGES],
                gone=gone,
                is_cut=is_cut,
            )

        is_huge = len(encode(stored.evidence)) > MAX_EVIDENCE_BYTES
        page = None if is_huge else render(stored, is_cut=False)
        for characters, items in STEPS:
            if page is not None and len(page.encode()) <= MAX_PAGE_BYTES:
                return page
            page = render(trimmed(stored, characters, items), is_cut=True)
        assert page is not None
        return page

    def home(self, repos: Sequence[RepoRow], families: Sequence[FamilyRow]) -> str:
        """Return the first page: the question box, the libraries, the largest families."""
        bars = _bars([(row.slug, row.error_count, self.site.family(row.slug)) for row in families[:MAX_BARS]])
        return self._render(
            "home.html",
            self.site.home(),
            repos=repos,
            bars=bars,
            family_count=len(families),
            error_count=sum(row.error_count for row in repos),
        )

    def repo(
        self,
        row: RepoRow,
        summaries: Sequence[Summary],
        *,
        total: int,
        page: int = 1,
        family: str | None = None,
        families: Sequence[tuple[str, int]] = (),
        modules: Sequence[tuple[str, int]] = (),
        release: str = "",
        steps: Sequence[Step] = (),
    ) -> str:
        """Return one page of a repository's errors: `summaries` are those of `page`, `total` counts all."""
        repo = row.repo
        return self._render(
            "repo.html",
            self.site.repo(repo, page, family),
            repo=row,
            files=self._by_file(summaries),
            shown=len(summaries),
            total=total,
            page=page,
            first=(page - 1) * PAGE_SIZE + 1,
            last_page=page_count(total),
            family=family,
            families=_bars(
                [(slug, count, self.site.repo(repo, 1, slug)) for slug, count in families[:MAX_BARS]]
            ),
            modules=_bars([(name, count, None) for name, count in modules[:MAX_BARS]]),
            link=lambda number: self.site.repo(repo, number, family),
            release=release,
            chart=version_chart(steps, repo, self.site),
        )

    def version(self, lineage: Lineage, step: Step, *, page: int = 1) -> str:
        """Return one page of what a version changed: new, reworded and removed errors."""
        repo = step.revision.repo
        shown = step.changes[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
        return self._render(
            "version.html",
            self.site.version(repo, step.label, page),
            repo=repo,
            step=step,
            release=release_of(step.revision),
            before=release_of(step.before) if step.before else "",
            words=change_words(step),
            total=len(step.changes),
            groups=self._change_groups(shown),
            chart=version_chart(lineage.steps, repo, self.site),
            page=page,
            last_page=page_count(len(step.changes)),
            link=lambda number: self.site.version(repo, step.label, number),
        )

    def moved(self, successor: Summary) -> str:
        """Return the page at the old address of an error: it leads to the new one."""
        return self._render(
            "moved.html",
            self.site.error(successor.repo, successor.slug),
            message=successor.error_message,
        )

    def families(self, rows: Sequence[FamilyRow]) -> str:
        """Return the list of all families that claim an error."""
        entries = [(row, family_page(row.slug)) for row in rows]
        return self._render("families.html", self.site.at("info", folder=True), entries=entries)

    def family(
        self,
        row: FamilyRow,
        members: Sequence[Summary],
        *,
        page: int = 1,
        repos: Sequence[tuple[str, int]] = (),
    ) -> str:
        """Return one page of a family: what its errors have in common, its members, and `repos` that have most of them."""
        text: FamilyPage = family_page(row.slug)
        return self._render(
            "family.html",
            self.site.family(row.slug, page),
            family=row,
            text=text,
            rows=[self._row(summary) for summary in members],
            bars=_bars(
                [(repo, count, self.site.repo(repo, 1, row.slug)) for repo, count in repos[:MAX_BARS]]
            ),
            page=page,
            last_page=page_count(row.error_count),
            link=lambda number: self.site.family(row.slug, number),
        )

    def source(
        self,
        repo: str,
        revision: str,
        path: str,
        text: str,
        raised: Sequence[Summary] = (),
        *,
        first: int = 1,
    ) -> str:
        """Return a page of a source file with an anchor on every line; at most 400 kB, for ordinary code 100 kB.

        Args:
            repo: Whose file it is.
            revision: Of the repository.
            path: Of the file.
            text: All of it.
            raised: The errors of this very revision's file.
            first: The page's first line, one of `source_pages`.
        """
        lines = file_lines(text, path)
        by_line = {summary.line_number: summary for summary in raised}
        shown = fitted(lines[first - 1 : first - 1 + SOURCE_LINES + SHARED_LINES], SOURCE_BYTES)
        pages = source_pages(text)
        return self._render(
            "source.html",
            self.site.source(repo, revision, path, first).partition("#")[0],
            repo=repo,
            revision=revision,
            path=path,
            source=source_markup(_anchored(self._linked(shown, by_line), by_line, len(lines))),
            first=first,
            last=first + len(shown) - 1,
            total=len(lines),
            page=pages.index(first) + 1,
            last_page=len(pages),
            link=lambda number: self.site.source(repo, revision, path, pages[number - 1]).partition("#")[0],
        )

    def _linked(self, lines: Sequence[Line], raised: Mapping[int, Summary]) -> list[Line]:
        """Return lines, those that raise an error marked and linked to its page."""
        return [
            msgspec.structs.replace(line, mark="throw", link=self._raised_here(raised[line.number]))
            if line.number in raised
            else line
            for line in lines
        ]

    def _change_groups(
        self, changes: Sequence[tuple[Summary | None, Summary | None]]
    ) -> list[tuple[str, list[tuple[Row, Row | None]]]]:
        """Return changes under their titles: each as it is (as it was, if it is gone), and what it was."""

        def title(change: tuple[Summary | None, Summary | None]) -> str:
            old, new = change
            return "New" if old is None else "Gone" if new is None else "Reworded or moved"

        def rows(old: Summary | None, new: Summary | None) -> tuple[Row, Row | None]:
            shown = new or old
            assert shown is not None
            return self._row(shown), self._row(old) if new is not None and old is not None else None

        return [(name, [rows(*change) for change in group]) for name, group in groupby(changes, key=title)]

    def _raised_here(self, summary: Summary) -> tuple[str, str]:
        """Return address and title of the error that a line raises."""
        return self.site.error(summary.repo, summary.slug), plain(summary.error_message, 60)

    def search(
        self,
        query: str,
        answer: Answer | None,
        summaries: Mapping[str, Summary],
        best: StoredRecord | None = None,
        near: Sequence[Found] = (),
    ) -> str:
        """Return the search page: the form, and the verdict with its matches once something was asked.

        Args:
            query: What was asked; stands in the form again.
            answer: The verdict; None before anything was asked.
            summaries: Rows of the matches, by id.
            best: The first match's record: its meaning and its solutions are shown at once.
            near: What comes near to a question in a user's own words, where nothing matches.
        """
        matches = (
            []
            if answer is None
            else [self._match(match, summaries.get(match.id)) for match in answer.matches]
        )
        return self._render(
            "search.html",
            self.site.at("search", folder=True),
            query=query,
            answer=answer,
            matches=matches,
            lead=None if best is None else self._lead(best),
            near=[self._row(found.summary) for found in near],
        )

    def about(self) -> str:
        """Return the page that says what levels, provenance and verdicts mean."""
        return self._render(
            "about.html",
            self.site.at("about", folder=True),
            levels=LEVELS,
            grades=GRADES,
            provenance=PROVENANCE,
        )

    def message(self, status: int, title: str, text: str) -> str:
        """Return a page that says why there is none: not found, gone, refused, our own failure."""
        return self._render("message.html", None, status=status, heading=title, text=text)

    def _by_file(self, summaries: Sequence[Summary]) -> list[tuple[Markup, list[Row]]]:
        """Return rows grouped by file, as they follow one another."""
        groups = groupby(summaries, key=lambda summary: summary.file_path)
        return [(visible(path), [self._row(summary) for summary in group]) for path, group in groups]

    def _row(self, summary: Summary) -> Row:
        name = (summary.error_class or "").rpartition(".")[2]
        return Row(
            href=self.site.error(summary.repo, summary.slug),
            repo=summary.repo,
            class_name=name if name and not summary.error_message.startswith(name) else "",
            message=visible(shorten(summary.error_message, MAX_ROW_CHARACTERS)),
            file=visible(summary.file_path),
            line=summary.line_number,
            function=visible(shorten(summary.function, 80)) if summary.function != "<module>" else Markup(),
            level=summary.level if summary.level in {"proved", "proved-slice", "tested"} else "",
            level_badge=LEVELS[summary.level].badge,
        )

    def _lead(self, stored: StoredRecord) -> dict[str, Any]:
        """Return what the search page shows of the best match."""
        record, evidence = stored.record, stored.evidence
        page = self.site.error(record.repo, record.slug)
        places = Places(record, self.site, lambda _path: False, page)
        return {
            "documentation": view.sentences("documentation", record.documentation, evidence, places),
            "solutions": view.sentences("solutions", record.solutions, evidence, places),
        }

    def _match(self, match: Match, summary: Summary | None) -> dict[str, Any]:
        return {"match": match, "row": None if summary is None else self._row(summary)}

    def _render(self, template: str, canonical: str | None, **values: Any) -> str:
        return self._environment.get_template(template).render(canonical=canonical, **values)


def _ran(proof: Proof | None) -> str:
    """Return where and when a proof ran, what its grade means and what else was held against it."""
    if proof is None:
        return ""
    return " ".join(filter(None, (ran_words(proof), grade_words(proof), checked_words(proof))))


def _error_page(record: Record, evidence: Evidence, places: Places, site: Site) -> dict[str, Any]:
    """Return what the error page's template reads beside record and evidence."""
    sites = evidence.sites
    first = sites[0] if sites else None
    template = view.template_of(record, sites)
    title = view.title_text(record)
    conditions = view.conditions(first, places) if first else []
    near = max(0, len(conditions) - view.NEAR_CONDITIONS)
    if near == 1:  # folding one line away saves nothing
        near = 0
    page_url = site.absolute(site.error(record.repo, record.slug))
    return {
        "head_title": f"{plain(title, 80)} · {record.repo} · {site.name}",
        "description": plain(record.documentation, 200),
        "api": site.api_error(record.id),
        "json_ld": json_ld(record, title, site),
        "file_href": places.line(record.file_path, record.line_number),
        "callable": plain(first.callable.name, 200) if first and first.callable.name != "<module>" else "",
        "class_name": view.title_class(record),
        "message": view.title_markup(record, evidence),
        "is_long": len(title) > 160,
        "badge": badge(evidence.level, evidence.proof),
        "level_meaning": LEVELS[evidence.level].meaning,
        "error_type": ERROR_TYPES[record.error_type],
        "release": f"{evidence.package} {evidence.version or record.analyzed_sha[:10]}",
        "documentation": view.sentences("documentation", record.documentation, evidence, places),
        "holes": view.holes(template, first),
        "solutions": view.sentences("solutions", record.solutions, evidence, places),
        "pair": view.pair(record, evidence),
        "ran": _ran(evidence.proof),
        "pair_origin": _pair_origin(record, evidence, places),
        "programs": view.programs(record, evidence, places),
        "source": source_markup(fitted(view.source_lines(record, sites), EXCERPT_BYTES)),
        "raise_href": places.line(record.file_path, record.line_number, first.end_line if first else None),
        "helper": first.helper.name if first and first.helper else "",
        "caught": first.caught if first and first.caught else "",
        "sites": view.site_places(sites, places),
        "trigger": view.sentences("triggerScenarios", record.trigger_scenarios, evidence, places),
        "far_conditions": conditions[:near],
        "conditions": conditions[near:],
        "parameters": view.parameters(first) if first else [],
        "reaches": view.reaches(first, places) if first else [],
        "situations": view.sentences("commonSituations", record.common_situations, evidence, places),
        "tests": view.tests(sites, places)[: view.MAX_LISTED],
        "guards": _guards(record, evidence, places),
        "prevention": view.sentences("preventionTips", record.prevention_tips, evidence, places),
        "family_meaning": inline(family_page(record.background_tag).means) if record.background_tag else "",
        "related": view.related_groups(evidence.related),
        "analysis": _analysis_words(evidence),
        "taken_from": plain(evidence.taken_from or "", 200),
        "is_bare": evidence.taken_from is not None and not evidence.sentences,
        "report": site.report(
            url=page_url,
            message=title,
            record_id=record.id,
            repo=record.repo,
            revision=record.analyzed_sha,
        ),
    }


def _pair_origin(record: Record, evidence: Evidence, places: Places) -> view.Said | None:
    block = view.block("exampleFix", record.example_fix, evidence, places)
    return block.said if block is not None and block.said.label else None


def _guards(record: Record, evidence: Evidence, places: Places) -> list[dict[str, Any]]:
    """Return the blocks of code that keep the error from happening, each with its title."""
    named = [
        ("Check before the call", "validationCode", record.validation_code),
        ("Test the value", "typeGuard", record.type_guard),
        ("Catch it", "tryCatchPattern", record.try_catch_pattern),
    ]
    blocks = [(title, view.block(key, code, evidence, places)) for title, key, code in named]
    return [{"title": title, "block": block} for title, block in blocks if block is not None]


def _analysis_words(evidence: Evidence) -> str:
    """Return how the page was made: by program alone, with a model's help, or by someone else."""
    kinds = {sentence.provenance.kind for group in evidence.sentences.values() for sentence in group}
    kinds |= {block.provenance.kind for block in evidence.code.values()}
    if not kinds:
        return "How it was made is not known here"
    is_helped = "model" in kinds or any(each.judgements for each in evidence.assistance)
    words = "Some of it was written by a model" if is_helped else "Nothing here was written by a model"
    return words if evidence.taken_from is None else f"{words}, says its publisher"


def _bars(rows: Sequence[tuple[str, int, str | None]]) -> list[Bar]:
    most = max((count for _, count, _ in rows), default=1)
    return [
        Bar(plain(name, 80), count, max(1, round(100 * count / most)), href) for name, count, href in rows
    ]


def _anchored(lines: Sequence[Line], raised: Iterable[int], last: int) -> list[Line]:
    """Return `lines` with the ids that records' source links name: the window around each raising line."""
    anchors: dict[int, list[str]] = defaultdict(list)
    for number in raised:
        start, end = max(1, number - CONTEXT_LINES), min(last, number + CONTEXT_LINES)
        anchors[start].append(f"L{start}-L{end}")
    return [
        msgspec.structs.replace(line, anchors=tuple(anchors[line.number])) if line.number in anchors else line
        for line in lines
    ]
