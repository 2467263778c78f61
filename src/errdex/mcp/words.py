"""Records and answers as an assistant reads them: lines of plain text, the verdict first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from errdex.catalog import RepoRow, StoredRecord, Summary
from errdex.link.errors_of import ErrorsOf
from errdex.model.answer import Answer, Match
from errdex.model.explanation import Sentence
from errdex.model.record import Evidence
from errdex.publish.links import Site
from errdex.publish.text import plain, shorten
from errdex.publish.wire import published
from errdex.publish.wording import LEVELS, checked_words, grade_words, ran_words

if TYPE_CHECKING:
    from errdex.search.ask import Found

MOST_ROWS = 200


def answer_lines(answer: Answer, best: StoredRecord | None, site: Site) -> Iterator[str]:
    """Yield a verdict: its reason, the best match with meaning, values and solutions, then the others."""
    yield f"{answer.verdict}: {plain(answer.reason)}"
    if not answer.matches:
        return
    first, *others = answer.matches
    yield from _match_lines(first, site, answer.reason)
    if best is not None:
        yield f"Means: {_spoken(best, 'documentation', best.record.documentation)}"
        for number, text in enumerate(best.record.solutions, 1):
            yield f"Do {number}: {plain(text)}"
        yield from _proof_lines(best.evidence)
        if best.record.example_fix:
            yield f"Fix:\n{best.record.example_fix}"
    for match in others:
        yield f"Or: {match.id} {plain(_name(match.error_class))} {shorten(plain(match.template or ''), 120)} ({match.package} {match.file}:{match.line}, {match.score:.2f})"


def record_lines(stored: StoredRecord, site: Site) -> Iterator[str]:
    """Yield one error, what its reader needs first: message, meaning, solutions, fix, circumstances, source."""
    record, evidence = stored.record, stored.evidence
    name = _name(record.error_class)
    yield f"{name + ': ' if name and not record.error_message.startswith(name) else ''}{plain(record.error_message)}"
    yield f"{evidence.package} {evidence.version or ''} {record.file_path}:{record.line_number} · {LEVELS[evidence.level].badge} · id {record.id}"
    yield f"Means: {_spoken(stored, 'documentation', record.documentation)}"
    for number, text in enumerate(record.solutions, 1):
        yield f"Do {number}: {plain(text)}"
    yield from (f"Or: {_marked(each)}" for each in evidence.told("solutions") if _is_added(each))
    yield from _proof_lines(evidence)
    if record.example_fix:
        yield f"Fix:\n{record.example_fix}"
    yield f"When: {_spoken(stored, 'triggerScenarios', record.trigger_scenarios)}"
    if record.validation_code:
        yield f"Check first:\n{record.validation_code}"
    if record.try_catch_pattern:
        yield f"Catch:\n{record.try_catch_pattern}"
    yield f"Page: {site.absolute(site.error(record.repo, record.slug))}"
    yield f"Source: {published(record, site).github_url}"
    for tip in record.prevention_tips:
        yield f"Prevent: {plain(tip)}"
    yield from (f"Prevent: {_marked(each)}" for each in evidence.told("preventionTips") if _is_added(each))
    yield f"Situations: {_spoken(stored, 'commonSituations', record.common_situations)}"


def search_lines(
    answer: Answer, summaries: Mapping[str, Summary], repo: str | None, site: Site
) -> Iterator[str]:
    """Yield ranked errors for a message, one to a line."""
    matches = [
        one for one in answer.matches if one.id in summaries and repo in {None, summaries[one.id].repo}
    ]
    if not matches:
        words = answer.reason if repo is None else f"No error of {repo} fits. {answer.reason}"
        yield (
            f"no-match: {plain(words)}"
            if not answer.matches or repo
            else f"{answer.verdict}: {plain(answer.reason)}"
        )
        return
    yield f"{answer.verdict}: {plain(answer.reason)}"
    for match in matches:
        yield _found_line(summaries[match.id], match.score, site)


def near_lines(near: Sequence[Found], site: Site) -> Iterator[str]:
    """Yield what comes near to a question in other words than any message's, one to a line."""
    if near:
        yield "Not worded so, but nearest to the question:"
    for found in near:
        yield _found_line(found.summary, found.score, site)


def _proof_lines(evidence: Evidence) -> Iterator[str]:
    """Yield the level, and where there is a proof how it was run, the call that fails and the one that does not."""
    yield f"Level: {LEVELS[evidence.level].badge}. {LEVELS[evidence.level].meaning}"
    proof = evidence.proof
    if proof is None:
        return
    yield " ".join(filter(None, (ran_words(proof), grade_words(proof), checked_words(proof))))
    yield f"Fails:\n{proof.witness.code.rstrip()}\n{proof.witness.output.rstrip().rpartition(chr(10))[2]}"
    if proof.fix is not None:
        yield f"Passes ({proof.fix.outcome}):\n{proof.fix.code.rstrip()}"


def _found_line(row: Summary, score: float, site: Site) -> str:
    name, message = _name(row.error_class), shorten(plain(row.error_message), 160)
    place = f"{row.file_path}:{row.line_number}, {LEVELS[row.level].badge}, score {score:.2f}"
    return f"{row.id} {row.repo} {name}: {message} ({place}) {site.absolute(site.error(row.repo, row.slug))}"


def repo_lines(rows: Sequence[RepoRow], dataset_version: str) -> Iterator[str]:
    """Yield the libraries, the largest first."""
    yield f"{len(rows)} libraries, {sum(row.error_count for row in rows)} errors, dataset {dataset_version}"
    for row in sorted(rows, key=lambda row: -row.error_count)[:MOST_ROWS]:
        yield f"{row.repo}: {row.error_count} errors, analysed {row.analyzed_at[:10]}"


def errors_of_lines(found: ErrorsOf, release: str) -> Iterator[str]:
    """Yield what a call can raise: sure ones first, each class once with its places."""
    sure = [one for one in found.errors if one.certain]
    yield (
        f"{found.entry} ({release}) can raise {len(found.errors)} errors, {len(sure)} of them by calls that are certain"
        + ("." if found.is_whole else "; the search stopped at its limits, there are more.")
    )
    for one in sorted(found.errors, key=lambda one: (not one.certain, len(one.chain))):
        site = one.site
        words = site.templates[0].written if site.templates else ""
        guard = (
            f" if {shorten(plain(site.guard.text), 80)}"
            if site.guard is not None and not site.guard.negated
            else ""
        )
        via = f" via {one.chain[-1].caller}" if one.chain else ""
        doubt = "" if one.certain else " (perhaps)"
        yield f"{_name(site.known_class) or 'an error kept from before'}: {shorten(plain(words), 100)}{guard} · {site.path}:{site.line}{via}{doubt}"
    if found.uncertain:
        yield f"Not followed: {len(found.uncertain)} calls whose target is not known, e.g. {found.uncertain[0].text}"


def _match_lines(match: Match, site: Site, reason: str) -> Iterator[str]:
    name = _name(match.error_class)
    why = "" if match.why == reason else f" · {plain(match.why)}"
    yield f"{name}: {shorten(plain(match.template or '(no words in the source)'), 300)}"
    yield f"At {match.package} {match.version or ''} {match.file}:{match.line} in {match.function} · id {match.id}{why}"
    for binding in match.bindings:
        yield f"{plain(binding.expression)} = {shorten(plain(binding.value), 120)}"
    if match.version_fact:
        yield plain(match.version_fact)
    yield f"Page: {site.absolute(site.prefix + match.url)}"


def _spoken(stored: StoredRecord, key: str, fallback: str) -> str:
    """Return sentences in one line; those that are concluded, not read, or a model's, say so."""
    own = [_marked(one) for one in stored.evidence.sentences.get(key, ())] or [plain(fallback)]
    added = [_marked(one) for one in stored.evidence.told(key) if _is_added(one)]
    return re.sub(r"\s+", " ", " ".join([*own, *added]))


def _marked(sentence: Sentence) -> str:
    """Return a sentence, and in brackets what makes it weaker than what the source says."""
    kind, detail = sentence.provenance.kind, sentence.provenance.detail
    mark = {"inferred": " (inferred)", "model": f" (written by {plain(detail or 'a model', 60)})"}.get(
        kind, ""
    )
    return plain(sentence.text) + mark


def _is_added(sentence: Sentence) -> bool:
    return sentence.provenance.kind == "model"


def _name(error_class: str | None) -> str:
    return (error_class or "").rpartition(".")[2]
