"""The gate of `assist` held against a corpus: what it lets through that is false, what it refuses that is true.

    python bench/assist.py [--half dev|held|late|blind2] [--package NAME] [--show] [--prove]

The corpus (`tests/assist/corpus.jsonl`) was written by hand from real records, and its parts share no
record: `dev` is what the checks were written on, `held` was written before them, `late` after them, and run once;
`blind2` (`blind2.jsonl`) is about records drawn by lot from ten
other packages, by a hand that had read no check. The proofs of those records stand beside it; `--prove` looks for them again and rewrites them. Packages
come from the configured index and are analysed once (`bench-assist.db` in the cache folder); code is run in the
sandbox that proofs run in.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from pathlib import Path

import msgspec

from errdex.assist.interface import checks
from errdex.catalog import Catalog
from errdex.catalog.build import build
from errdex.model.assistance import Suggestion
from errdex.model.record import Proof
from errdex.pipeline.assist import Judge
from errdex.pipeline.prove import plan, prove, wanted_of
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "assist" / "corpus.jsonl"
BLIND = CORPUS.with_name("blind2.jsonl")
HALVES = ("dev", "held", "late", "blind2")
PROOFS = CORPUS.with_name("proofs.jsonl")


def rows_by_package(half: str | None, package: str | None) -> dict[str, list[dict]]:
    """Return the corpus by `name==version`."""
    found = defaultdict(list)
    lines = [line for path in (CORPUS, BLIND) for line in path.read_text("utf-8").splitlines()]
    for row in map(json.loads, lines):
        if half in (None, row["half"]) and (package is None or row["package"].startswith(f"{package}==")):
            found[row["package"]].append(row)
    return found


def kept_proofs() -> dict[str, Proof]:
    """Return the proofs of the corpus's records by id."""
    lines = PROOFS.read_bytes().splitlines() if PROOFS.exists() else []
    return {row["record"]: msgspec.convert(row["proof"], Proof) for row in map(msgspec.json.decode, lines)}


def judged(coordinate: str, rows: list[dict], proofs: dict[str, Proof], *, again: bool) -> list[tuple]:
    """Return every row of one package with the gate's judgement."""
    tree = open_tree(parse_coordinate(coordinate))
    with Catalog.open(default_folder() / "bench-assist.db", create=True) as catalog:
        build(catalog, tree)
        stored = {each.record.id: each for each in catalog.records(tree.repo)}
    if again:
        proofs.update(found_proofs(tree, stored, {row["record"] for row in rows}))
    with Judge(tree, (each.evidence for each in stored.values()), default_folder()) as judge:
        return [judged_row(row, stored[row["record"]], proofs.get(row["record"]), judge) for row in rows]


def found_proofs(tree, stored, ids):
    """Return the proofs that are found now for the records."""
    sites = [site for each in stored.values() for site in each.evidence.sites]
    wanted = [wanted_of(each, stored[each].evidence, sites) for each in ids]
    place = plan(tree, wanted, default_folder(), seconds=20.0)
    return {key: outcome.proof for key, outcome in prove(place, wanted) if outcome.proof is not None}


def judged_row(row, stored, proof, judge):
    evidence = msgspec.structs.replace(stored.evidence, proof=proof)
    offered = Suggestion(place=row["place"], text=row.get("text", ""), code=row.get("code", ""))
    start = time.process_time()
    (judgement,) = judge.judge(stored.record, evidence, [offered])
    return row, judgement, time.process_time() - start


def show_rates(results: list[tuple]) -> None:
    """Print per half what was wrongly accepted and wrongly rejected."""
    print("| half | true | rejected | share | false | accepted | share |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for half in HALVES:
        true = [judgement for row, judgement, _ in results if row["half"] == half and row["true"]]
        false = [judgement for row, judgement, _ in results if row["half"] == half and not row["true"]]
        if true and false:
            rejected, accepted = sum(not j.kept for j in true), sum(j.kept for j in false)
            print(
                f"| {half} | {len(true)} | {rejected} | {rejected / len(true):.1%} "
                f"| {len(false)} | {accepted} | {accepted / len(false):.1%} |"
            )


def show_checks(results: list[tuple]) -> None:
    """Print per check how many falsehoods it objects to, how many it alone, and how many true texts."""
    caught, alone, wrong = Counter(), Counter(), Counter()
    for row, judgement, _ in results:
        slugs = {failure.check for failure in judgement.failed}
        (wrong if row["true"] else caught).update(slugs)
        if not row["true"] and len(slugs) == 1:
            alone.update(slugs)
    print("\n| check | falsehoods | it alone | true texts |\n| --- | ---: | ---: | ---: |")
    for slug in [*checks(), "unfounded"]:
        print(f"| {slug} | {caught[slug]} | {alone[slug]} | {wrong[slug]} |")


def show_kinds(results: list[tuple]) -> None:
    """Print per kind of falsehood how many were accepted."""
    every = Counter(row["kind"] for row, _, _ in results)
    wrong = Counter(row["kind"] for row, judgement, _ in results if judgement.kept != row["true"])
    print("\n| kind | rows | judged wrongly |\n| --- | ---: | ---: |")
    for kind, count in sorted(every.items()):
        print(f"| {kind} | {count} | {wrong[kind]} |")


def show_mistakes(results: list[tuple]) -> None:
    """Print each row that was judged wrongly."""
    for row, judgement, _ in results:
        if judgement.kept != row["true"]:
            why = "; ".join(f"{each.check}: {each.reason}" for each in judgement.failed) or str(
                judgement.grounds
            )
            print(
                f"\n{'T' if row['true'] else 'F'} {row['half']} {row['package']} {row['record']} {row['place']}"
            )
            print(f"  {row.get('text') or row.get('code')}\n  -> {why}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--package")
    parser.add_argument("--show", action="store_true", help="print what was judged wrongly")
    parser.add_argument("--prove", action="store_true", help="look for the records' proofs again")
    arguments = parser.parse_args()
    proofs, results = kept_proofs(), []
    for package, rows in rows_by_package(arguments.half, arguments.package).items():
        results += judged(f"pypi:{package}", rows, proofs, again=arguments.prove)
    if arguments.prove:
        lines = [msgspec.json.encode({"record": key, "proof": proofs[key]}) for key in sorted(proofs)]
        PROOFS.write_bytes(b"".join(line + b"\n" for line in lines))
    show_rates(results)
    show_checks(results)
    show_kinds(results)
    print(
        f"\n{1000 * sum(cpu for _, _, cpu in results) / len(results):.1f} ms of CPU a judgement, the sandbox's not counted"
    )
    if arguments.show:
        show_mistakes(results)


if __name__ == "__main__":
    main()
