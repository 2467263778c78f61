"""Questions in a user's words: MRR and hit@5 by words, by meaning and by both, on two halves of 60.

    python bench/meaning.py [--catalog FILE] [--show]

`meaning_questions.jsonl` holds the questions, each with the record it means (repository, file, message), and the
package with its version; they were written before anything was tuned. What is tuned was tuned on the half called
`development`; the other half is for this measurement. MRR / hit@1 / hit@5; milliseconds of CPU. All packages stand in one catalog: every question has the
records of all of them to be wrong about. Without `--catalog` the packages are analysed first (from the cache of
downloads, else from the index). A record that shares its place with others of equal score counts as theirs do.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from errdex.catalog import Catalog
from errdex.catalog.build import build
from errdex.search.ask import Asking, By
from errdex.search.beside import index_folder
from errdex.search.question_index import FILE
from errdex.sources import open_tree, parse_coordinate

QUESTIONS = Path(__file__).with_name("meaning_questions.jsonl")
HALVES = ("development", "held-out")
DEEP = 100
"""A record found later than here counts as not found."""


def questions() -> list[dict[str, str]]:
    """Return the questions, as they are checked in."""
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def rank_of(asking: Asking, question: dict[str, str]) -> int | None:
    """Return at which place the record that `question` means is found, from 1; None if it is not."""
    wanted = question["repo"], question["file"]  # and a message that begins as is written there
    for place, found in enumerate(asking.ask(question["question"], limit=DEEP), start=1):
        summary = found.summary
        is_there = (summary.repo, summary.file_path) == wanted
        if is_there and summary.error_message.startswith(question["message"]):
            return place
    return None


def figures(ranks: list[int | None]) -> tuple[float, float, float]:
    """Return mean reciprocal rank, hit@1 and hit@5."""
    known = [rank for rank in ranks if rank is not None]
    return (
        sum(1 / rank for rank in known) / len(ranks),
        sum(rank == 1 for rank in known) / len(ranks),
        sum(rank <= 5 for rank in known) / len(ranks),
    )


def measured(where: Path, by: By, *, show: bool) -> None:
    """Print the figures of one way to search."""
    with Catalog.open(where) as catalog:
        started = time.process_time()
        asking = Asking(catalog, by=by)
        asking.ask("ready")
        ready = time.process_time() - started
        ranks: dict[str, list[int | None]] = {half: [] for half in HALVES}
        seconds = []
        for question in questions():
            started = time.process_time()
            asking.ask(question["question"])
            seconds.append(time.process_time() - started)
            rank = rank_of(asking, question)
            ranks[question["half"]].append(rank)
            if show and question["half"] == HALVES[0]:
                print(f"  {rank}  {question['question']}  [{question['message'][:60]}]")
    cells = [f"{mrr:.3f} / {one:.2f} / {five:.2f}" for mrr, one, five in map(figures, ranks.values())]
    p50, p95 = statistics.median(seconds), sorted(seconds)[len(seconds) * 95 // 100]
    status = Path("/proc/self/status").read_text(encoding="ascii")
    resident = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
    print(
        f"| {by} | {' | '.join(cells)} | {1000 * p50:.1f} | {1000 * p95:.1f} | {ready:.2f} | {resident:.0f} |"
    )


def analysed(where: Path) -> None:
    """Make a catalog of every package that the questions are about, and its index; print how large they are."""
    with Catalog.open(where, create=True) as catalog:
        for package in dict.fromkeys(question["package"] for question in questions()):
            build(catalog, open_tree(parse_coordinate(f"pypi:{package}")))
        index = index_folder(catalog.where) / FILE
        index.unlink(missing_ok=True)
        sizes = []
        for by in ("words", "both"):
            started = time.process_time()
            Asking(catalog, by=by).ask("ready")
            sizes.append(
                f"{by} {index.stat().st_size / 1e6:.1f} MB in {time.process_time() - started:.1f} CPU s"
            )
        rows = catalog.repos()
        errors = sum(row.error_count for row in rows)
        print(f"{errors} records of {len(rows)} packages; index by {', then '.join(sizes)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--catalog", type=Path, help="made if it is not there, kept")
    parser.add_argument(
        "--show", action="store_true", help="print the place of each question for development"
    )
    parser.add_argument("--ask", choices=("words", "meaning", "both"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.ask:
        measured(args.catalog, args.ask, show=args.show)
        return
    with tempfile.TemporaryDirectory() as scratch:
        where = args.catalog or Path(scratch) / "catalog.db"
        analysed(where)
        print("| by | development | held out | p50 ms | p95 ms | ready CPU s | resident MB |")
        print("| --- " * 7 + "|", flush=True)
        for by in ("words", "meaning", "both"):
            asked = [sys.executable, __file__, "--ask", by, "--catalog", str(where)]
            subprocess.run([*asked, *(["--show"] if args.show else [])], check=True)


if __name__ == "__main__":
    main()
