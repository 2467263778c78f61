"""Measure extraction: recall, precision, templates, cost, and that nothing crashes.

    python bench/extract.py                 # 42 packages and SGLang: recall, precision, the sample
    python bench/extract.py --packages click,flask
    python bench/extract.py --cost          # SGLang: CPU against ast.parse, again, next version, memory
    python bench/extract.py --crash         # the standard library and the wild releases
    python bench/extract.py --misses FILE   # append what the sample and the walk miss, by kind

Trees come from `errdex.sources` and its cache (`ERRDEX_CACHE`). The truth is in
`ground_truth.py`. Figures are printed as Markdown, for `RESULTS.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from errdex.model.site import Hole, ThrowSite
from errdex.model.source import SourceTree
from errdex.pipeline.analyze import Analysis, analyze
from errdex.pipeline.cache import SqliteFactsCache
from errdex.sources import open_tree, parse_coordinate
from ground_truth import (
    SAMPLE,
    SAMPLE_ELSEWHERE,
    RaiseStatement,
    SampleSite,
    Truth,
    expressions,
    parse_quietly,
    read_sample,
    read_template,
    read_truth,
    skeletons,
)

SHARED = Path(__file__).resolve().parents[2] / "shared"
SGLANG = "sglang==0.5.23"
SGLANG_BEFORE = "sglang==0.5.22"


@dataclass
class Score:
    """What one package, or all of them, came to."""

    package: str
    walked: int = 0
    """Raise statements outside test files, by the walk."""
    excluded: Counter[str] = field(default_factory=Counter)
    """Of those, in files that errdex leaves out: by its reason."""
    found: int = 0
    missed: list[RaiseStatement] = field(default_factory=list)
    reported: int = 0
    wrong: list[str] = field(default_factory=list)
    repeated: int = 0
    repeated_kept: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    without_words: Counter[str] = field(default_factory=Counter)
    """Raise sites without a template, by the reason given."""
    cpu_s: float = 0.0

    @property
    def recall(self) -> float:
        """Share of the walked statements, outside excluded files, that were found."""
        wanted = self.found + len(self.missed)
        return self.found / wanted if wanted else 1.0

    @property
    def precision(self) -> float:
        """Share of the reported raises that are raise statements at exactly these lines."""
        return 1 - len(self.wrong) / self.reported if self.reported else 1.0

    def add(self, other: Score) -> None:
        """Add another package's figures."""
        self.walked += other.walked
        self.found += other.found
        self.missed += other.missed
        self.reported += other.reported
        self.wrong += other.wrong
        self.repeated += other.repeated
        self.repeated_kept += other.repeated_kept
        self.cpu_s += other.cpu_s
        for mine, theirs in (
            (self.excluded, other.excluded),
            (self.kinds, other.kinds),
            (self.without_words, other.without_words),
        ):
            mine.update(theirs)


def tree_of(coordinate: str) -> SourceTree:
    """Return the tree of `name==version`."""
    return open_tree(parse_coordinate(f"pypi:{coordinate}"))


def score(package: str, truth: Truth, analysis: Analysis, cpu_s: float) -> Score:
    """Hold the analysis against the truth."""
    result = Score(package, cpu_s=cpu_s)
    reasons = {skipped.path: skipped.reason for skipped in analysis.skipped}
    raises = [site for site in analysis.sites if site.kind == "raise"]
    places = {(site.path, site.line, site.end_line) for site in analysis.sites}
    result.walked = len(truth.outside_tests)
    for statement in truth.outside_tests:
        if statement.path in reasons:
            result.excluded[_short(reasons[statement.path])] += 1
        elif statement.place in places:
            result.found += 1
        else:
            result.missed.append(statement)
    real = {statement.place for statement in truth.statements} | truth.bare
    result.reported = len(raises)
    result.wrong = [
        f"{site.path}:{site.line}" for site in raises if (site.path, site.line, site.end_line) not in real
    ]
    kept = {(site.path, site.line) for site in analysis.sites}
    repeated = [statement for statement in truth.repeated() if statement.path not in reasons]
    result.repeated = len(repeated)
    result.repeated_kept = sum((statement.path, statement.line) in kept for statement in repeated)
    result.kinds.update(site.kind for site in analysis.sites)
    result.without_words.update(site.unresolved or "no reason" for site in raises if not site.templates)
    return result


def _short(reason: str) -> str:
    return reason.partition(":")[0]


@dataclass
class SampleResult:
    """How the hand-checked sites came out."""

    right: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    holes_right: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[SampleSite, str]] = field(default_factory=list)

    def line(self, label: str, kinds: Iterable[str]) -> str:
        """Return one row of the table."""
        kinds = list(kinds)
        total = sum(self.total[kind] for kind in kinds)
        right = sum(self.right[kind] for kind in kinds)
        holes = sum(self.holes_right[kind] for kind in kinds)
        if not total:
            return f"| {label} | 0 | | |"
        return f"| {label} | {total} | {right / total:.3f} ({right}) | {holes / total:.3f} ({holes}) |"


def judge_sample(sites: dict[str, dict[tuple[str, int], list[ThrowSite]]], path: Path) -> SampleResult:
    """Compare a sample with the sites of the packages that were analysed."""
    result = SampleResult()
    for truth in read_sample(path):
        if truth.coordinate not in sites:
            continue
        result.total[truth.kind] += 1
        ours = sites[truth.coordinate].get((truth.file, truth.line), [])
        templates = [template for site in ours for template in site.templates]
        readings = [
            tuple(
                ("hole", part.expression) if isinstance(part, Hole) else ("literal", part)
                for part in template.parts
            )
            for template in templates
        ]
        skeleton = holes = False
        for wanted in (truth.templates, *truth.also):
            parts = [read_template(text) for text in wanted]
            if skeletons(parts, any_white_space=truth.any_white_space) == skeletons(
                readings, any_white_space=truth.any_white_space
            ):
                skeleton = True
                holes = holes or expressions(parts) == expressions(readings)
        result.right[truth.kind] += skeleton
        result.holes_right[truth.kind] += skeleton and holes
        if not skeleton or not holes:
            shown = " ¦ ".join(repr(template.text) for template in templates)
            why = ours[0].unresolved if ours else "no site"
            result.misses.append((truth, f"{'' if skeleton else 'words: '}got [{shown}] {why or ''}"))
    return result


def measure_packages(names: Iterable[str], misses: Path | None) -> None:
    """Analyse packages one by one in this process, print the tables."""
    total, sglang = Score("42 packages"), Score(SGLANG)
    rows: list[Score] = []
    sites: dict[str, dict[tuple[str, int], list[ThrowSite]]] = {}
    for name in names:
        tree = tree_of(name)
        start = time.process_time()
        analysis = analyze(tree)
        cpu_s = time.process_time() - start
        one = score(name, read_truth(tree.root), analysis, cpu_s)
        rows.append(one)
        (sglang if name == SGLANG else total).add(one)
        by_line: dict[tuple[str, int], list[ThrowSite]] = defaultdict(list)
        for site in analysis.sites:
            if site.kind in ("raise", "http", "helper", "exit"):
                by_line[site.path, site.line].append(site)
        sites[name] = by_line
        print(f"{name}: {one.walked} walked, recall {one.recall:.4f}, {cpu_s:.1f} s", file=sys.stderr)
    sample, hard = judge_sample(sites, SAMPLE), judge_sample(sites, SAMPLE_ELSEWHERE)
    print(_package_table([*rows, total]))
    print(_sample_table("of the sample", sample))
    print()
    print(_sample_table("of 100 more without a plain literal", hard))
    if misses is not None:
        _write_misses(misses, rows, [*sample.misses, *hard.misses])


def _package_table(rows: list[Score]) -> str:
    lines = [
        "| package | raises outside tests | in excluded files | recall | precision | repeated lines kept | raises without words | CPU s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        unresolved = sum(row.without_words.values()) / row.reported if row.reported else 0.0
        lines.append(
            f"| {row.package} | {row.walked} | {sum(row.excluded.values())} | {row.recall:.4f} | {row.precision:.4f} |"
            f" {row.repeated_kept}/{row.repeated} | {unresolved:.3f} | {row.cpu_s:.1f} |"
        )
    every = Score("all")
    for row in rows[:-1]:
        every.add(row)
    lines += ["", f"Excluded, by reason: {_counts(every.excluded)}."]
    lines += ["", f"Raises without words, by reason: {_counts(every.without_words)}."]
    lines += ["", f"Sites by kind: {_counts(every.kinds)}.", ""]
    return "\n".join(lines)


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())


def _sample_table(label: str, sample: SampleResult) -> str:
    worded = [kind for kind in sample.total if kind != "none"]
    return "\n".join(
        [
            f"| {label} | sites | words and holes' places right | and the holes' expressions |",
            "| --- | ---: | ---: | ---: |",
            sample.line("inline", ["inline"]),
            sample.line("elsewhere in the package", [kind for kind in worded if kind != "inline"]),
            sample.line("all whose words are in the package", worded),
            sample.line("no words there, and none invented", ["none"]),
        ]
    )


def _write_misses(path: Path, rows: list[Score], missed: list[tuple[SampleSite, str]]) -> None:
    with path.open("a", encoding="utf-8") as out:
        out.write(f"\n## bench/extract.py, {time.strftime('%H:%M', time.gmtime())} UTC\n")
        for row in rows:
            for statement in row.missed[:20]:
                out.write(
                    f"- MISSED {row.package} {statement.path}:{statement.line} `{statement.expression[:120]}`\n"
                )
            for wrong in row.wrong[:20]:
                out.write(f"- WRONG PLACE {row.package} {wrong}\n")
        for truth, got in missed:
            out.write(
                f"- {truth.kind} {truth.coordinate} {truth.file}:{truth.line} want {list(truth.templates)} {got}\n"
            )


def measure_cost() -> None:
    """Measure SGLang in child processes, each with a clean heap; print the table."""
    with tempfile.TemporaryDirectory(prefix="errdex-cost-") as folder:
        parse = _child("parse", SGLANG, folder)
        cold = _child("cold", SGLANG, folder)
        _child("cached", SGLANG_BEFORE, folder)
        following = _child("cached", SGLANG, folder)
        again = _child("cached", SGLANG, folder)
        pool = _child("pool", SGLANG, folder)
    changed, changed_bytes = _changed_share()
    print("| SGLang 0.5.23 | CPU s | against | peak MB, all processes |")
    print("| --- | ---: | ---: | ---: |")
    for label, row, base in (
        ("`ast.parse` of its files alone, collector as Python sets it", parse, parse),
        ("cold, one process, everything linked", cold, parse),
        ("0.5.23 after 0.5.22", following, cold),
        ("0.5.23 again", again, cold),
        ("cold, pool of two processes", pool, parse),
    ):
        print(f"| {label} | {row['cpu_s']:.2f} | {row['cpu_s'] / base['cpu_s']:.3f} | {row['peak_mb']:.0f} |")
    print(
        f"\nFiles of 0.5.23 that 0.5.22 does not have with the same content: {changed:.1%}, {changed_bytes:.1%} of its bytes."
    )


def _child(what: str, coordinate: str, folder: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", what, "--packages", coordinate, "--cache", folder]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    print(f"{what} {coordinate}: {done.stdout.strip()}", file=sys.stderr)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _changed_share() -> tuple[float, float]:
    before = {file.blob for file in tree_of(SGLANG_BEFORE).files}
    after = [file for file in tree_of(SGLANG).files if file.path.endswith(".py")]
    changed = [file.size_bytes for file in after if file.blob not in before]
    return len(changed) / len(after), sum(changed) / sum(file.size_bytes for file in after)


def run_child(what: str, coordinate: str, folder: Path) -> None:
    """Do one measured thing and print its CPU seconds and peak memory as JSON."""
    tree = tree_of(coordinate)
    if what == "parse":
        contents = [(tree.root / file.path).read_bytes() for file in tree.files if file.path.endswith(".py")]
        start = time.process_time()
        for content in contents:
            parse_quietly(content)
        print(json.dumps({"cpu_s": time.process_time() - start, "peak_mb": _peak_mb(os.getpid())}))
        return
    start_s = _cpu_s()
    with _Memory() as memory:
        if what == "pool":
            with ProcessPoolExecutor(2) as executor:
                analyze(tree, executor=executor)
        elif what == "cached":
            with SqliteFactsCache(folder / "facts.sqlite") as cache:
                analyze(tree, cache=cache)
        else:
            analyze(tree)
    print(json.dumps({"cpu_s": _cpu_s() - start_s, "peak_mb": memory.peak_mb}))


def _cpu_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class _Memory:
    """Samples the resident memory of this process and its children, their sum at its highest."""

    def __enter__(self) -> Self:
        self.peak_mb = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.peak_mb = max(self.peak_mb, _peak_mb(os.getpid()))

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            self.peak_mb = max(self.peak_mb, sum(map(_resident_mb, _family(os.getpid()))))


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _status_mb(pid: int, key: str) -> float:
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(key):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def _resident_mb(pid: int) -> float:
    return _status_mb(pid, "VmRSS")


def _peak_mb(pid: int) -> float:
    return _status_mb(pid, "VmHWM")


def measure_crash() -> int:
    """Analyse the standard library and the wild releases; return how many crashed."""
    wild = (SHARED / "evals" / "wild-packages.txt").read_text().split()
    crashed = 0
    reasons: Counter[str] = Counter()
    trees = sites = files = 0
    for coordinate in [
        "env:python",
        *(f"pypi:{name}" for name in wild if "==" in name),
    ]:
        name = coordinate
        try:
            analysis = analyze(open_tree(parse_coordinate(name)))
        except Exception:  # noqa: BLE001  # a crash is what is looked for
            crashed += 1
            print(f"- CRASH {coordinate}\n{traceback.format_exc()}")
            continue
        reasons.update(_short(skipped.reason) for skipped in analysis.skipped)
        trees += 1
        sites += len(analysis.sites)
        files += analysis.files_read
        print(f"{coordinate}: {len(analysis.sites)} sites", file=sys.stderr)
    print(f"{trees} trees, {files} files, {sites} sites, {crashed} crashes.")
    print(f"Skipped files, by reason: {_counts(reasons)}.")
    return crashed


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--packages", help="names or name==version, separated by commas")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--crash", action="store_true")
    parser.add_argument("--misses", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        run_child(options.child, options.packages, options.cache)
        return 0
    if options.crash:
        return min(measure_crash(), 1)
    if options.cost:
        measure_cost()
        return 0
    listed = [*(SHARED / "bench" / "packages-42.txt").read_text().split(), SGLANG]
    asked = options.packages.split(",") if options.packages else None
    chosen = [name for name in listed if asked is None or name in asked or name.split("==")[0] in asked]
    measure_packages(chosen, options.misses)
    return 0


if __name__ == "__main__":
    sys.exit(main())
