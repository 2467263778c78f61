"""`errdex prove`: the call that fails and the one that does not, found and run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import click
import msgspec

from errdex.catalog import Catalog, StoredRecord
from errdex.cli.analysis import progress_bar
from errdex.cli.options import catalog_option, jobs_option, note, write_line
from errdex.cli.targets import targeted
from errdex.pipeline.prove import PROVABLE, Plan, Wanted, plan, prove, recheck, wanted_of
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder

_SHOWN_REASONS = 10
_FIXES = {
    "returned": "with a fix that returns",
    "raised-later": "with a fix that passes this check and fails later",
    "needs-backend": "with a fix that passes this check, then needs what is not here",
}
"""What became of the fix, by the outcome of its run."""


@click.command(epilog="Example: errdex prove pypi:click==8.5.1 --jobs 2")
@click.argument("targets", metavar="COORD|ID...", nargs=-1, required=True)
@click.option(
    "--check", is_flag=True, help="Run the proofs that are kept once more; those that fail are dropped."
)
@click.option(
    "--seconds-per-site",
    type=click.FloatRange(min=0.1),
    default=20.0,
    help="Wall-clock seconds for one site.",
)
@click.option(
    "--sites", type=click.IntRange(min=1), default=None, help="At most so many sites of each package."
)
@click.option("--again", is_flag=True, help="Search even for records that have a proof.")
@click.option("--unsafe", is_flag=True, help="Run foreign code without a sandbox where none works. Do not.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@jobs_option
@catalog_option
@click.pass_context
def command(
    context: click.Context,
    *,
    targets: tuple[str, ...],
    check: bool,
    seconds_per_site: float,
    sites: int | None,
    again: bool,
    unsafe: bool,
    as_json: bool,
    jobs: int | None,
    catalog: str | None,
) -> None:
    """Find for errors a call that raises them and the least change that does not, run both, keep the proof.

    The code that a record shows is held against both; what fails there is shown no longer. Foreign code runs in a
    sandbox, in a throw-away environment. Exit 1: nothing was proved, or with --check a proof no longer holds.
    """
    results: list[dict[str, object]] = []
    is_proved = False
    with Catalog.open(catalog, create=True) as opened:
        for target in targets:
            records = _provable(targeted(opened, target))
            proved = [each for each in records if each.evidence.proof is not None]
            if check:
                records = proved
            elif not again:
                records = [each for each in records if each.evidence.proof is None]
            records = records[:sites]
            if not records:
                note(f"{target}: {_nothing(len(proved), check=check)}")
                is_proved |= not check and bool(proved)
                continue
            place, wanted = _placed(records, opened, seconds_per_site, unsafe=unsafe)
            if place.note:
                note(f"{target}: {place.note}")
            results.append(
                _check(opened, records, place, wanted)
                if check
                else _prove(opened, records, place, wanted, jobs or 1)
            )
            _tell(target, results[-1])
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode({"schema": 1, "results": results}) + b"\n")
    is_proved |= any(result["proved"] for result in results)
    if not is_proved or any(result.get("dropped") for result in results):
        context.exit(1)


def _nothing(proved: int, *, check: bool) -> str:
    if check:
        return "no proof is kept"
    return f"nothing left to prove, {proved} proofs are kept" if proved else "no error here can be proved"


def _provable(records: Sequence[StoredRecord]) -> list[StoredRecord]:
    """Return those whose error leaves in a way that a proof can show."""
    return [each for each in records if each.evidence.sites[0].kind in PROVABLE]


def _placed(
    records: Sequence[StoredRecord], catalog: Catalog, seconds: float, *, unsafe: bool
) -> tuple[Plan, list[Wanted]]:
    first = records[0]
    tree = open_tree(parse_coordinate(first.evidence.coordinate, repo=first.record.repo))
    everything = [
        site
        for stored in catalog.records(first.record.repo, first.record.analyzed_sha)
        for site in stored.evidence.sites
    ]
    wanted = [wanted_of(each.record.id, each.evidence, everything) for each in records]
    return plan(tree, wanted, default_folder(), seconds=seconds, unsafe=unsafe), wanted


def _prove(
    catalog: Catalog, records: Sequence[StoredRecord], place: Plan, wanted: Sequence[Wanted], jobs: int
) -> dict[str, object]:
    repo = records[0].record.repo
    reasons: Counter[str] = Counter()
    grades: Counter[str] = Counter()
    fixes: Counter[str] = Counter()
    rows: list[dict[str, object]] = []
    with progress_bar(repo) as progress:
        for done, (key, outcome) in enumerate(prove(place, wanted, jobs=jobs), 1):
            if outcome.proof is not None:
                catalog.add_proof(repo, key, outcome.proof)
                grades[outcome.proof.grade] += 1
                fixes[outcome.fix] += 1
            else:
                reasons[outcome.reason] += 1
            rows.append(
                {"id": key, "proved": outcome.proof is not None, "reason": outcome.reason, "fix": outcome.fix}
            )
            if progress:
                progress(done, len(wanted))
    return {
        "repo": repo,
        "sites": len(wanted),
        "proved": sum(grades.values()),
        "grades": dict(grades),
        "fixes": dict(fixes),
        "reasons": dict(reasons.most_common()),
        "records": rows,
    }


def _check(
    catalog: Catalog, records: Sequence[StoredRecord], place: Plan, wanted: Sequence[Wanted]
) -> dict[str, object]:
    repo = records[0].record.repo
    kept = [
        (each, stored.evidence.proof)
        for each, stored in zip(wanted, records, strict=True)
        if stored.evidence.proof is not None
    ]
    dropped = []
    for key, holds in recheck(place, kept):
        if not holds:
            catalog.drop_proof(repo, key)
            dropped.append(key)
    return {"repo": repo, "sites": len(kept), "proved": len(kept) - len(dropped), "dropped": dropped}


def _tell(target: str, result: dict[str, object]) -> None:
    dropped = result.get("dropped")
    if isinstance(dropped, list):
        write_line(f"{target}: {result['proved']} of {result['sites']} proofs hold")
        for key in dropped:
            write_line(f"  {key} does not: dropped")
        return
    grades, reasons = result["grades"], result["reasons"]
    assert isinstance(grades, dict)
    assert isinstance(reasons, dict)
    by_grade = ", ".join(f"{count} of grade {grade}" for grade, count in sorted(grades.items()))
    write_line(
        f"{target}: {result['proved']} of {result['sites']} errors proved"
        + (f" ({by_grade})" if by_grade else "")
    )
    fixes = result["fixes"]
    assert isinstance(fixes, dict)
    for fix, count in sorted(fixes.items(), key=lambda each: -each[1]):
        note(f"  {count:4}  {_FIXES.get(fix, f'without a fix: {fix}')}")
    if reasons:
        note(f"  {sum(reasons.values())} not proved:")
    for reason, count in list(reasons.items())[:_SHOWN_REASONS]:
        note(f"  {count:4}  {reason}")
    if len(reasons) > _SHOWN_REASONS:
        note(f"        and {len(reasons) - _SHOWN_REASONS} reasons more; --json has them all")
