"""A bounded fuzz of reader and answer: random and mutated pastes; none may fail, none may take over 50 ms.

    python bench/fuzz.py [--count 1000000] [--seed N] [--index FOLDER] [--jobs 2] [--read-only]

Pastes are grown from the traces of `tests/search/fixtures/traces` (and from words of many tools) by cutting,
joining, repeating, swapping and corrupting pieces of them. CPU time counts, not wall time. A failing or slow
paste is written to `fuzz-failure-N.txt` in the current folder, to be replayed with `errdex explain`.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from errdex.search.answer import answer
from errdex.search.index import Index

TRACES = Path(__file__).resolve().parents[1] / "tests" / "search" / "fixtures" / "traces"
LIMIT_S = 0.050
LONGEST = 20_000
SALT = (
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3/site-packages/requests/models.py", line 388, in prepare_url',
    "E   ",
    "> ",
    "│ ",
    "    | ",
    "+-+---------------- 1 ----------------",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
    "goroutine 1 [running]:",
    "    at Object.<anonymous> (/srv/app/index.js:1:1)",
    "\tat com.example.Main.main(Main.java:12)",
    "thread 'main' panicked at src/main.rs:5:10:",
    "Exception Type: FieldError at /x/",
    "Exception Value: ",
    "----> 12 raise ValueError",
    "Cell In[3], line 1",
    '{"message": "',
    "\\n",
    "\x1b[31m",
    "&lt;module&gt;",
    "^^^^^^^~~~~",
    "requests==2.31.0",
    "[2019-02-20 16:25:36,677] {models.py:1788} ERROR - ",
    "ValueError: ",
    "KeyError: 'x'",
    "(((((((((",
    "_ _ _ _ _ _",
    "================",
    "        ",
    "\u4e2d\u6587\u9519\u8bef",
    "\ud800",
    "\x00",
)


def mutations(rng: random.Random, seeds: list[str]) -> Callable[[], str]:
    """Return a function that makes one paste after the other."""

    def piece() -> str:
        text = rng.choice(seeds)
        start = rng.randrange(len(text))
        return text[start : start + rng.choice((5, 50, 500, 3000))]

    def paste() -> str:
        kind = rng.random()
        if kind < 0.15:
            return "".join(map(chr, rng.choices(range(0x2100), k=rng.randrange(400))))
        if kind < 0.25:
            return rng.choice(SALT) * rng.choice((1, 10, 200, 2000))
        text = rng.choice(seeds) if rng.random() < 0.3 else piece()
        for _ in range(rng.randrange(6)):
            at = rng.randrange(len(text) + 1)
            deed = rng.randrange(6)
            if deed == 0:
                text = text[:at] + rng.choice(SALT) + text[at:]
            elif deed == 1:
                text = text[:at] + text[at + rng.randrange(60) :]
            elif deed == 2:
                text = text[:at] + piece() + text[at:]
            elif deed == 3:
                text = text.replace(rng.choice(" \n\"':."), rng.choice(("", " ", "\n", "\n    ", "::", '"')))
            elif deed == 4:
                text = text[:at] + rng.choice(SALT)[:1] * rng.choice((3, 100, 3000)) + text[at:]
            else:
                text = json.dumps(text) if rng.random() < 0.5 else text[::-1]
        return text[:LONGEST]

    return paste


def fuzz(seed: int, count: int, index: str | None) -> tuple[int, float, float, list[str]]:
    """Return how many pastes were tried, the slowest's and all seconds, and the pastes that failed or were slow."""
    rng = random.Random(seed)
    seeds = [path.read_text(encoding="utf-8") for path in sorted(TRACES.glob("*.txt"))]
    make = mutations(rng, seeds)
    opened = Index.open(index) if index else None
    if index and not Path(index).is_dir():
        raise SystemExit(f"no index in {index}")
    slowest = total = 0.0
    bad: list[str] = []
    for _ in range(count):
        text = make()
        started = time.process_time()
        try:
            answer(text, opened)
        except Exception:  # noqa: BLE001 - finding any failure is the point
            bad.append(f"{traceback.format_exc()}\n{'=' * 40}\n{text}")
        taken = time.process_time() - started
        if taken > LIMIT_S:  # once more: a page fault or the collector is not the paste's fault
            started = time.process_time()
            answer(text, opened)
            taken = min(taken, time.process_time() - started)
        if taken > LIMIT_S:
            bad.append(f"{taken * 1000:.0f} ms\n{'=' * 40}\n{text}")
        slowest = max(slowest, taken)
        total += taken
        if len(bad) > 20:
            break
    return count, slowest, total, bad


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", help="folder of an index to answer from; reading only without it")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    share = max(1, args.count // (args.jobs * 10))
    with ProcessPoolExecutor(args.jobs) as pool:
        parts = [pool.submit(fuzz, args.seed + part, share, args.index) for part in range(args.jobs * 10)]
        results = [part.result() for part in parts]
    bad = [text for *_, texts in results for text in texts]
    for number, text in enumerate(bad):
        Path(f"fuzz-failure-{number}.txt").write_text(text, encoding="utf-8", errors="surrogatepass")
    print(
        json.dumps(
            {
                "pastes": sum(count for count, *_ in results),
                "failed or slow": len(bad),
                "slowest ms": round(1000 * max(slowest for _, slowest, *_ in results), 1),
                "mean ms": round(
                    1000 * sum(total for *_, total, _ in results) / sum(c for c, *_ in results), 3
                ),
            }
        )
    )


if __name__ == "__main__":
    main()
