"""How many complete records a second: `python bench/explain.py [COORDINATE]` (SGLang 0.5.23 by default).

Analysis is done before the clock starts; reading the sources' lines is part of the work. Two measurements: records
per CPU second of one process (`time.process_time`), and records per second of the clock on the wall with two
processes that share the files between them. The load of the machine is printed beside: other work on its cores makes
both figures smaller. Then the share of guarded sites in each family, the levels and the code keys.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime

from errdex.model.record import Evidence, Record
from errdex.model.site import ThrowSite
from errdex.model.source import SourceTree
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

PROCESSES = 2


def described(tree: SourceTree, sites: list[ThrowSite]) -> list[tuple[Record, Evidence]]:
    """Make every record of these sites: all 31 keys and the evidence."""
    return list(describe(tree, sites, LineReader(tree.root), analyzed_at=datetime.now(UTC)))


def counted(tree: SourceTree, sites: list[ThrowSite]) -> tuple[int, float]:
    """Return how many records a worker made, and the CPU seconds it took."""
    start = time.process_time()
    records = described(tree, sites)
    return len(records), time.process_time() - start


def shared_out(sites: list[ThrowSite]) -> list[list[ThrowSite]]:
    """Return the sites in as many parts as there are processes, each file whole."""
    files = Counter(site.path for site in sites)
    part_of: dict[str, int] = {}
    sizes = [0] * PROCESSES
    for path, count in files.most_common():
        part_of[path] = sizes.index(min(sizes))
        sizes[part_of[path]] += count
    return [[site for site in sites if part_of[site.path] == part] for part in range(PROCESSES)]


def main(coordinate: str) -> None:
    """Measure and print."""
    tree = open_tree(parse_coordinate(coordinate))
    sites = list(analyze(tree).sites)
    start = time.process_time()
    records = described(tree, sites)
    spent = time.process_time() - start
    load = os.getloadavg()[0]
    print(
        f"{coordinate}: {len(records)} records, {spent:.1f} CPU s, "
        f"{len(records) / spent:.0f} records a CPU second (load {load:.1f})"
    )
    parts = shared_out(sites)
    with ProcessPoolExecutor(PROCESSES) as pool:
        list(
            pool.map(counted, [tree] * PROCESSES, [part[:20] for part in parts])
        )  # imports and families read
        start = time.perf_counter()
        done = list(pool.map(counted, [tree] * PROCESSES, parts))
        wall = time.perf_counter() - start
    made = sum(count for count, _ in done)
    print(
        f"{PROCESSES} processes: {made} records in {wall:.1f} s of the wall, {made / wall:.0f} a second; "
        f"{made / sum(cpu for _, cpu in done):.0f} a CPU second (load {os.getloadavg()[0]:.1f})"
    )
    report(records)


def report(records: list[tuple[Record, Evidence]]) -> None:
    """Print families, levels and code keys."""
    guarded = [record for record, evidence in records if evidence.sites[0].guard is not None]
    families = Counter(record.background_tag for record in guarded)
    claimed = 1 - families[None] / len(guarded)
    largest = [(name, f"{count / len(guarded):.1%}") for name, count in families.most_common() if name][:3]
    print(f"{len(guarded)} guarded, {claimed:.1%} in a family, largest {largest}")
    print("levels:", Counter(evidence.level for _, evidence in records))
    keys = ("example_fix", "validation_code", "type_guard", "try_catch_pattern")
    print("code keys:", {key: sum(getattr(record, key) is not None for record, _ in records) for key in keys})


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pypi:sglang==0.5.23")
