"""Lookups on the shared corpus: hit@1, latency, memory. Figures of design.md section 7.

    python bench/search.py [--million] [--show] [--keep FOLDER]

Loads `../shared/bench/corpus.jsonl.gz` as a catalog of sites without sources, asks the 300 queries of
`queries.json`, then asks the tracebacks again with every line number shifted at random by up to 60 (another
release), and with `--million` all of it on the corpus grown to 1,000,000 templates by mutation. A hit is a
best match whose template is the target's. Each part runs in a process of its own, so that memory is its own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from errdex.model.answer import IndexEntry
from errdex.model.record import record_id, record_slug
from errdex.search.answer import answer
from errdex.search.index import Index

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
MILLION = 1_000_000
SHIFT = 60
SEED = 20261130


def entry_of(row: dict) -> IndexEntry:
    """Return the index entry of one line of the corpus (which knows no functions)."""
    repo = f"pypi/{row['package']}"
    return IndexEntry(
        id=record_id(repo, row["msg"], row["file"]),
        repo=repo,
        slug=record_slug(row["msg"]),
        package=row["package"],
        version=row["version"],
        path=row["file"],
        line=row["line"],
        end_line=row["line"],
        function="",
        error_class=row["class"],
        template=row["msg"],
    )


def corpus() -> list[dict]:
    """Return the rows of the corpus."""
    with gzip.open(SHARED / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def grown(rows: list[dict], size: int) -> Iterator[dict]:
    """Yield `rows`, then mutants of them, until there are `size`.

    A mutant has other words in a third of its places (taken from the corpus, so that no word is a give-away),
    another line, and a package and file of its own.
    """
    yield from rows
    rng = random.Random(SEED)
    words = [word for row in rows[::7] for word in re.findall(r"[A-Za-z]{3,}", row["msg"])]
    for number in range(size - len(rows)):
        row = rng.choice(rows)
        message = re.sub(
            r"(?<![{\w])[A-Za-z]{3,}(?![\w}])",
            lambda found: rng.choice(words) if rng.random() < 1 / 3 else found.group(),
            row["msg"],
        )
        package = f"{row['package']}-{number % 997}"
        yield row | {
            "msg": message,
            "line": max(1, row["line"] + rng.randint(-200, 200)),
            "package": package,
            "file": f"{package.replace('-', '_')}/{row['file'].partition('/')[2] or row['file']}",
        }


def shifted(text: str, rng: random.Random) -> str:
    """Return a traceback with every line number moved by up to 60."""
    return re.sub(
        r"line (\d+)", lambda found: f"line {max(1, int(found[1]) + rng.randint(-SHIFT, SHIFT))}", text
    )


def ask(folder: Path, *, show: bool) -> dict:
    """Return the figures of one index: rates per kind, latency in ms, opening in ms, resident memory in MB."""
    queries = json.loads((SHARED / "queries.json").read_text(encoding="utf-8"))
    before = _resident_mb()
    started = time.process_time()
    index = Index.open(folder)
    opened = time.process_time() - started
    rng = random.Random(SEED)
    works = {kind: [query for query in queries if query["kind"] == kind] for kind in ("traceback", "bare")}
    works["traceback shifted"] = [
        query | {"text": shifted(query["text"], rng)} for query in works["traceback"]
    ]
    rates, seconds, wrong = {}, [], Counter()
    for kind, asked in works.items():
        hits = 0
        for query in asked:
            started = time.perf_counter()
            got = answer(query["text"], index)
            seconds.append(time.perf_counter() - started)
            best = got.matches[0] if got.matches else None
            hit = best is not None and best.template == query["target_msg"]
            hits += hit
            wrong[kind] += not hit and got.verdict in {"exact", "likely"}
            if show and not hit:
                print(
                    f"{kind} {got.verdict}\n  {query['text'][-300:]!r}\n  want {query['package']} {query['class']} {query['target_msg']!r}"
                )
                for match in got.matches[:2]:
                    print(f"  got {match.score} {match.package} {match.error_class} {match.template!r}")
        rates[kind] = round(hits / len(asked), 4)
    seconds.sort()
    return {
        "templates": len(index),
        "hit@1": rates,
        "confidently wrong": dict(wrong),
        "p50 ms": round(1000 * seconds[len(seconds) // 2], 3),
        "p99 ms": round(1000 * seconds[len(seconds) * 99 // 100], 3),
        "max ms": round(1000 * seconds[-1], 3),
        "open ms": round(1000 * opened, 2),
        "resident MB": round(_resident_mb(), 1),
        "resident before MB": round(before, 1),
        "index MB": round(sum(path.stat().st_size for path in folder.iterdir()) / 1e6, 1),
    }


def _resident_mb() -> float:
    """Return the most this process ever held, file pages included (`ru_maxrss` would count the parent's too)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--million", action="store_true", help="also on the corpus grown to 1,000,000")
    parser.add_argument("--show", action="store_true", help="print each miss")
    parser.add_argument("--keep", type=Path, help="folder of the indexes; built when absent")
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.ask:
        print(json.dumps(ask(args.ask, show=args.show)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        for size in [0, MILLION] if args.million else [0]:
            folder = (args.keep or Path(scratch)) / (str(size) if size else "corpus")
            if not folder.exists():
                started = time.process_time()
                rows = corpus()
                Index.build((entry_of(row) for row in (grown(rows, size) if size else rows)), folder)
                print(f"built {folder.name} in {time.process_time() - started:.1f} CPU s", flush=True)
            asked = [sys.executable, __file__, "--ask", str(folder), *(["--show"] if args.show else [])]
            subprocess.run(asked, check=True)


if __name__ == "__main__":
    main()
