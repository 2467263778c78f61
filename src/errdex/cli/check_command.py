"""`errdex check`: is every record of the catalog what it says?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click
import msgspec

from errdex.catalog import Catalog, StoredRecord
from errdex.catalog.check import check_records
from errdex.cli.options import catalog_option, note, write_line, write_ready


@click.command(epilog="Example: errdex check --repo pypi/requests")
@click.option("--repo", help="Only this repository.")
@click.option("--jsonl", is_flag=True, help="One problem a line, as a JSON object.")
@catalog_option
@click.pass_context
def command(context: click.Context, *, repo: str | None, jsonl: bool, catalog: str | None) -> None:
    """Check every record: schema, ids, lines, sentences, code, patterns, families, links. Exit 1: problems.

    Ends with the share of records per level of proof and per family. Addresses of other hosts are not visited.
    """
    encode = msgspec.json.Encoder().encode
    found: Counter[str] = Counter()
    seen = 0
    levels: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    with Catalog.open(catalog) as opened:

        def counted() -> Iterator[StoredRecord]:
            nonlocal seen
            for stored in opened.records(repo):
                seen += 1
                levels[stored.evidence.level] += 1
                kinds[stored.record.background_tag or "no family"] += 1
                yield stored

        for problem in check_records(counted(), opened.source):
            found[problem.check] += 1
            if jsonl:
                write_ready(encode(problem).decode())
            else:
                write_line(f"{problem.record_id}  {problem.repo}  {problem.check}: {problem.detail}")
    note(f"Levels: {_shares(levels, seen)}")
    note(f"Families: {_shares(kinds, seen)}")
    note(
        f"{seen} records: {', '.join(f'{count} {check}' for check, count in found.most_common()) or 'no problem'}"
    )
    if found:
        context.exit(1)


def _shares(counts: Counter[str], of: int) -> str:
    """Return each name with its count and share, the most frequent first."""
    return ", ".join(f"{name} {count} ({count / of:.1%})" for name, count in counts.most_common()) or "none"
