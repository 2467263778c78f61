"""Fetch the trees that the other measurements work on, and list them.

    python bench/packages.py [--cache FOLDER] [--list FILE] [COORDINATE…]

Without coordinates: the 42 packages of ../shared/bench/packages-42.txt, two versions of sglang and the
PyPI releases of ../shared/evals/wild-packages.txt. Prints one row per coordinate, then what failed and
why; writes `trees.json` (coordinate -> root, package, version) into the cache folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from errdex.errors import ErrdexError
from errdex.model.source import SourceTree
from errdex.sources import open_tree, parse_coordinate

SHARED = Path(__file__).resolve().parents[2] / "shared"


def wanted() -> list[str]:
    """Return the coordinates of every list, each once, in order."""
    names = ["sglang==0.5.23", "sglang==0.5.22"]
    for part in ("bench/packages-42.txt", "evals/wild-packages.txt"):
        names += (SHARED / part).read_text("utf-8").split()
    return list(dict.fromkeys(f"pypi:{name}" for name in names if not name.startswith("npm:")))


def opened(text: str, cache: Path) -> tuple[str, SourceTree | ErrdexError, float]:
    """Open one coordinate; an error is a result too."""
    start = time.perf_counter()
    try:
        result: SourceTree | ErrdexError = open_tree(parse_coordinate(text), cache=cache)
    except ErrdexError as error:
        result = error
    return text, result, time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("coordinates", nargs="*")
    parser.add_argument(
        "--cache", type=Path, default=Path(os.environ.get("ERRDEX_CACHE", "/tmp/errdex-cache"))
    )
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    texts = args.coordinates or wanted()
    trees: dict[str, dict[str, object]] = {}
    failures: list[str] = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for text, result, seconds in pool.map(lambda text: opened(text, args.cache), texts):
            if isinstance(result, ErrdexError):
                failures.append(f"{text}: {type(result).__name__}: {result}")
                print(f"{text:40} failed", flush=True)
                continue
            size = sum(file.size_bytes for file in result.files)
            python = sum(file.path.endswith(".py") for file in result.files)
            print(
                f"{text:40} {len(result.files):6} files {python:6} .py {size / 1e6:7.1f} MB "
                f"{len(result.skipped):4} skipped {seconds:6.1f} s  {result.root}",
                flush=True,
            )
            trees[text] = {
                "root": str(result.root),
                "package": result.package,
                "version": result.version,
                "revision": result.revision,
                "files": len(result.files),
                "bytes": size,
            }
    listing = args.cache / "trees.json"
    known = json.loads(listing.read_text("utf-8")) if listing.exists() else {}
    draft = listing.with_suffix(".draft")
    draft.write_text(json.dumps({**known, **trees}, indent=1, sort_keys=True) + "\n", "utf-8")
    draft.replace(listing)
    print(f"{len(trees)} of {len(texts)} opened, listed in {listing}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
