"""Answers to the wild cases: hit@1, hit@5, confidently wrong, no-match right.

    python bench/wild.py [--cache FOLDER] [--cases FILE] [--show] [--rebuild]

Analyses the releases of `../shared/evals/wild-packages.txt` (fetched once into the cache), builds the search
index of their sites, and scores `answer` on the Python cases with `../shared/evals/score.py`'s own rules, in
this process: the command line adds start-up time only. The figures of issue 5, point 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from errdex.errors import ErrdexError
from errdex.model.answer import Answer, IndexEntry
from errdex.pipeline import analyze
from errdex.pipeline.cache import SqliteFactsCache
from errdex.search.answer import answer
from errdex.search.entries import entries_of
from errdex.search.index import Index
from errdex.sources import open_tree, parse_coordinate

SHARED = Path(__file__).resolve().parents[2] / "shared" / "evals"
sys.path.insert(0, str(SHARED))


def releases() -> list[str]:
    """Return the coordinates of the Python releases."""
    rows = (SHARED / "wild-packages.txt").read_text(encoding="utf-8").split()
    return [f"pypi:{row}" for row in rows if not row.startswith("npm:")]


def entries(cache: Path, jobs: int) -> Iterator[IndexEntry]:
    """Yield the entries of every release; what cannot be fetched is said and left out."""
    facts = SqliteFactsCache(cache / "facts.db")
    with ProcessPoolExecutor(jobs) as executor:
        for coordinate in releases():
            started = time.monotonic()
            try:
                tree = open_tree(parse_coordinate(coordinate), cache=cache)
                analysis = analyze(tree, executor=executor, cache=facts)
            except ErrdexError as error:
                print(f"{coordinate}: {error}", file=sys.stderr)
                continue
            print(
                f"{coordinate}: {len(analysis.sites)} sites, {time.monotonic() - started:.1f} s",
                file=sys.stderr,
            )
            yield from entries_of(tree, analysis.sites)
    facts.close()


def score(index: Index, cases: list[dict], *, show: bool) -> dict:
    """Return the figures of `score.py` for `cases`."""
    from paste import paste  # noqa: PLC0415 - lies in the shared folder
    from score import _hit  # noqa: PLC0415

    tally: Counter[str] = Counter()
    seconds: list[float] = []
    for case in cases:
        started = time.perf_counter()
        got = answer(paste(case), index)
        seconds.append(time.perf_counter() - started)
        _tally(tally, case, got, _hit, show=show)
    seconds.sort()
    answerable, without = tally["answerable"] or 1, tally["null"] or 1
    return {
        "cases": len(cases),
        "hit@1": round(tally["hit@1"] / answerable, 3),
        "exact@1": round(tally["exact@1"] / answerable, 3),
        "hit@5": round(tally["hit@5"] / answerable, 3),
        "confidently_wrong": round(tally["confidently wrong"] / answerable, 3),
        "null_right": round(tally["null right"] / without, 3),
        "median ms": round(1000 * seconds[len(seconds) // 2], 2),
        "max ms": round(1000 * seconds[-1], 2),
    }


def _tally(tally: Counter[str], case: dict, got: Answer, hit_of: object, *, show: bool) -> None:
    expected = case["expected"]
    if expected is None:
        right = got.verdict in {"no-match", "unindexed"}
        tally["null"] += 1
        tally["null right"] += right
        if show and not right:
            print(f"FALSE {case['id']}: {got.verdict} {_told(got)}")
        return
    tally["answerable"] += 1
    rows = [
        {"file": match.file, "function": match.function, "line": match.line, "end_line": match.end_line}
        for match in got.matches[:5]
    ]
    hits = [hit_of(row, expected) for row in rows]
    first = bool(hits) and hits[0][0]
    tally["hit@1"] += first
    tally["exact@1"] += bool(hits) and hits[0][1]
    tally["hit@5"] += any(hit for hit, _ in hits)
    tally["confidently wrong"] += got.verdict in {"exact", "likely"} and not first
    if show and not first:
        print(f"MISS {case['id']}: {got.verdict}: {got.reason} {_told(got)}")
        print(
            f"     want {case['version']} {expected['file']}:{expected['line']} {expected['function']} {expected['template'][:100]!r}"
        )


def _told(got: Answer) -> str:
    return "".join(
        f"\n     {match.score} {match.package} {match.version} {match.file}:{match.line} {match.function} {(match.template or '')[:80]!r}"
        for match in got.matches[:3]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "errdex-wild")
    parser.add_argument("--cases", type=Path, default=SHARED / "wild-dev.jsonl")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print each miss")
    parser.add_argument("--rebuild", action="store_true", help="analyse anew")
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    folder = args.cache / "index"
    if args.rebuild or not folder.exists():
        Index.build(entries(args.cache, args.jobs), folder)
    cases = [json.loads(row) for row in args.cases.read_text(encoding="utf-8").splitlines() if row]
    cases = [case for case in cases if case["lang"] == "python"]
    index = Index.open(folder)
    print(json.dumps({"sites": len(index)} | score(index, cases, show=args.show)))


if __name__ == "__main__":
    main()
