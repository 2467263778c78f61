"""Records and rows as other programs read them: the one place that writes the contract's JSON.

Links leave as full URLs: a reader of JSON has no page to resolve a relative one against.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from errdex.catalog import RepoRow, StoredRecord, Summary
from errdex.model.answer import Answer, Match
from errdex.model.record import SCHEMA_VERSION, Record
from errdex.publish.lineage import Fate, Gone, Moved, removed_words
from errdex.publish.links import Site

if TYPE_CHECKING:
    from errdex.search.ask import Found

encode = msgspec.json.Encoder().encode


def published(record: Record, site: Site) -> Record:
    """Return the record with its source link absolute, whichever host that is on."""
    if not record.github_url.startswith("/"):
        return record
    start, end = record.source_code_start, record.source_code_end
    url = site.source(record.repo, record.analyzed_sha, record.file_path, start, end)
    return msgspec.structs.replace(record, github_url=site.absolute(url))


def error_body(stored: StoredRecord, dataset_version: str, site: Site) -> bytes:
    """Return the body of `/api/errors/{id}`."""
    return encode(
        {
            "record": published(stored.record, site),
            "datasetVersion": dataset_version,
            "evidence": stored.evidence,
        }
    )


def refusal_body(
    status: int, slug: str, problem: str, hint: str = "", more: Mapping[str, Any] | None = None
) -> bytes:
    """Return the one shape of a JSON error; `more` stands beside the error."""
    error = {"slug": slug, "problem": problem, "hint": hint}
    return encode({"ok": False, "status": status, "errors": [error], **(more or {})})


def gone_facts(record: Record, gone: Gone, site: Site) -> dict[str, Any]:
    """Return what the answer to a removed error holds beside its refusal."""
    return {"leftIn": gone.left_in, "lastSeen": gone.last_seen, "record": published(record, site)}


def gone_body(record: Record, gone: Gone, site: Site) -> bytes:
    """Return the body of `/api/errors/{id}` for a removed error."""
    return refusal_body(410, "removed", removed_words(record, gone), more=gone_facts(record, gone, site))


def lineage_row(summary: Summary, fate: Fate) -> dict[str, Any]:
    """Return what `/data/lineage/{owner}/{name}.json` says of a record that the newest revision lacks."""
    row: dict[str, Any] = {"id": summary.id, "slug": summary.slug}
    if isinstance(fate, Moved):
        return {**row, "successor": {"id": fate.successor.id, "slug": fate.successor.slug}}
    return {**row, "lastSeen": fate.last_seen, "leftIn": fate.left_in}


def repo_rows(rows: Iterable[RepoRow]) -> list[dict[str, Any]]:
    """Return the contract's rows of `/api/repos` and `/data/repos.json`."""
    return [
        {
            "repo": row.repo,
            "description": row.description,
            "language": row.language,
            "stars": row.stars,
            "sourceFiles": row.source_files,
            "defaultBranch": row.default_branch,
            "analyzedSha": row.analyzed_sha,
            "analyzedAt": row.analyzed_at,
            "errorCount": row.error_count,
        }
        for row in rows
    ]


def index_row(record: Record) -> dict[str, Any]:
    """Return the contract's row of `/data/index.json`."""
    return {
        "id": record.id,
        "repo": record.repo,
        "slug": record.slug,
        "code": record.error_code,
        "msg": record.error_message,
        "pattern": record.message_pattern,
        "type": record.error_type,
        "cls": record.error_class,
        "tags": record.tags,
        "sev": record.severity,
    }


def search_body(
    answer: Answer,
    summaries: Mapping[str, Summary],
    query: str,
    dataset_version: str,
    site: Site,
    *,
    repo: str | None,
    limit: int,
    near: Sequence[Found] = (),
) -> bytes:
    """Return the body of `/api/search`: each error once, of `repo` only if named; `near` where nothing matches."""
    found = [summaries[match.id] for match in answer.matches if match.id in summaries]
    scores = {match.id: match.score for match in reversed(answer.matches)}
    by_id = {match.id: match for match in answer.matches}
    kept = [row for row in found if repo is None or row.repo == repo]
    matches = [
        _match_row(row, scores[row.id], _match_type(row, by_id[row.id], query), site) for row in _once(kept)
    ]
    matches += (_match_row(found.summary, round(found.score, 4), "similar", site) for found in near)
    return encode({"matches": matches[:limit], "datasetVersion": dataset_version})


def _match_row(row: Summary, score: float, match_type: str, site: Site) -> dict[str, Any]:
    return {
        "id": row.id,
        "repo": row.repo,
        "code": row.error_code,
        "message": row.error_message,
        "score": score,
        "matchType": match_type,
        "url": site.absolute(site.error(row.repo, row.slug)),
    }


def answer_body(answer: Answer, site: Site) -> bytes:
    """Return the body of `POST /api/explain`: as `errdex explain --json`, its links absolute."""
    matches = tuple(
        msgspec.structs.replace(match, url=site.absolute(site.prefix + match.url)) for match in answer.matches
    )
    return encode(msgspec.structs.replace(answer, matches=matches))


def header(dataset_version: str) -> dict[str, Any]:
    """Return what every file of a dataset begins with."""
    return {"schemaVersion": SCHEMA_VERSION, "datasetVersion": dataset_version}


def _match_type(row: Summary, match: Match, query: str) -> str:
    """Return how an error was found: by its code, by its wording, or by where and what it is."""
    if row.error_code and row.error_code in query:
        return "exact-code"
    literals = _literals(match.template or "")
    return "pattern" if literals and all(piece in query for piece in literals) else "similar"


def _literals(template: str) -> Sequence[str]:
    """Return the literal pieces of a template whose holes stand in braces."""
    pieces: list[str] = []
    depth = 0
    current = ""
    for character in template.replace("{{", "\0").replace("}}", "\1"):
        if character == "{":
            depth += 1
            pieces.append(current)
            current = ""
        elif character == "}" and depth:
            depth -= 1
        elif not depth:
            current += {"\0": "{", "\1": "}"}.get(character, character)
    pieces.append(current)
    return [piece for piece in (one.strip() for one in pieces) if piece]


def _once(rows: Iterable[Summary]) -> list[Summary]:
    return list({row.id: row for row in rows}.values())
