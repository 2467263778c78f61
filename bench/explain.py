"""How many complete records a second: `python bench/explain.py [COORDINATE]` (SGLang 0.5.23 by default).

Analysis is done before the clock starts. Prints the CPU seconds of one process for explaining every record (all 31
keys and the evidence), then the share of guarded sites in each family.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from datetime import UTC, datetime

from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate


def main(coordinate: str) -> None:
    """Measure and print."""
    tree = open_tree(parse_coordinate(coordinate))
    lines = LineReader(tree.root)
    sites = analyze(tree).sites
    for site in sites:
        lines(site.path)
    start = time.process_time()
    records = list(describe(tree, sites, lines, analyzed_at=datetime.now(UTC)))
    spent = time.process_time() - start
    print(
        f"{coordinate}: {len(records)} records, {spent:.1f} CPU s, {len(records) / spent:.0f} records a CPU second"
    )
    guarded = [record for record, evidence in records if evidence.sites[0].guard is not None]
    families = Counter(record.background_tag for record in guarded)
    claimed = 1 - families[None] / len(guarded)
    print(f"{len(guarded)} guarded, {claimed:.1%} in a family, largest {families.most_common(2)}")
    print("levels:", Counter(evidence.level for _, evidence in records))
    keys = ("example_fix", "validation_code", "type_guard", "try_catch_pattern")
    print("code keys:", {key: sum(getattr(record, key) is not None for record, _ in records) for key in keys})


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pypi:sglang==0.5.23")
