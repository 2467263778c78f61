"""Proofs on packages of the wild: the share of throw sites with a witness and a fix, what each costs, why the rest fails.

    python bench/prove.py --kind parameters --sites 400
    python bench/prove.py --kind any --sites 200
    python bench/prove.py --kind slices --sites 150
    python bench/prove.py --kind any --sites 200 --tests --again outcomes.jsonl

Sites are drawn with seed 11 from 40 installed packages, the same number from each as
far as it has them. CPU seconds are those of everything that was started, read from the
kernel's accounting (cpuacct or cgroup v2) where it may be used, else of this process.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import collections
import json
import os
import pickle
import random
import re
import sys
import time
from pathlib import Path

from errdex.pipeline import analyze
from errdex.pipeline.cache import SqliteFactsCache
from errdex.pipeline.prove import own_tests
from errdex.prove.environment import Environment, InstallError, install
from errdex.prove.prover import Prover
from errdex.prove.sandbox import find_sandbox
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.cache import default_folder

SEED = 11
SLICED = "sglang==0.5.23"
SIBLINGS: dict = {}
REPLAY = []
"""Not empty: calls of the library's own tests are tried too."""
PACKAGES = (
    "aiohttp==3.14.5 attrs==26.1.0 boto3==1.44.8 botocore==1.44.8 celery==5.7.0 click==8.5.1 cryptography==50.0.2 "
    "datasets==5.2.0 django==5.2.19 fastapi==0.165.0 flask==3.1.3 httpx==0.28.1 huggingface_hub==2.4.0 jinja2==3.1.6 "
    "jsonschema==4.26.0 marshmallow==4.4.0 matplotlib==3.11.2 networkx==3.6.1 numpy==2.4.6 pandas==3.1.1 paramiko==5.1.0 "
    "pillow==13.0.0 poetry==2.5.1 psycopg==3.3.9 pydantic==2.14.4 pymongo==4.20.1 pytest==9.2.0 redis==8.1.0 "
    "requests==2.34.2 rich==15.0.0 scikit-learn==1.9.1 scipy==1.17.1 sqlalchemy==2.1.9 starlette==1.10.0 sympy==1.14.0 "
    "tokenizers==0.23.3 transformers==5.24.0 typer==0.29.2 urllib3==2.8.0 werkzeug==3.1.9"
).split()


def cpu_counter():
    """Return a function that reads the CPU seconds of this process and all that it will start."""
    for root, name in (
        (Path("/sys/fs/cgroup/cpuacct"), "cpuacct.usage"),
        (Path("/sys/fs/cgroup"), "cpu.stat"),
    ):
        folder = root / f"errdex-bench-{os.getpid()}"
        try:
            folder.mkdir()
            (folder / "cgroup.procs").write_text(str(os.getpid()))
            text = (folder / name).read_text()
        except OSError:
            continue
        if text.strip().isdigit():
            return lambda: int((folder / name).read_text()) / 1e9
        return lambda: int(re.search(r"usage_usec (\d+)", (folder / name).read_text()).group(1)) / 1e6
    return time.process_time


def depends_on_parameters_only(site) -> bool:
    """Whether every condition on the way reads parameters of a plain function and nothing else."""
    facts = site.callable
    if (
        site.kind != "raise"
        or facts.kind not in {"function", "staticmethod"}
        or not site.guard
        or not site.path_conditions
    ):
        return False
    names = {each.name for each in facts.parameters}
    for condition in site.path_conditions:
        if condition.kind not in {"if", "while", "for", "match"} or not condition.parameters:
            return False
        try:
            tree = ast.parse((condition.inlined or condition.text).strip(), mode="eval")
        except SyntaxError:
            return False
        free = {
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        }
        bound = {
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        if not {
            each for each in free - names - bound if not hasattr(builtins, each) and not each[:1].isupper()
        } <= {"np", "numpy"}:
            return False
    return "<locals>" not in facts.name


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--kind", choices=("parameters", "any", "slices"), default="parameters")
    arguments.add_argument("--sites", type=int, default=400)
    arguments.add_argument("--packages", default="", help="only these, separated by commas")
    arguments.add_argument("--seed", type=int, default=SEED)
    arguments.add_argument("--show", action="store_true")
    arguments.add_argument("--out", help="write every outcome here, one JSON object a line")
    arguments.add_argument("--keep", type=Path, help="keep the draw in this file; use it if it is there")
    arguments.add_argument("--again", help="only the sites that have no witness in this file of outcomes")
    arguments.add_argument("--tests", action="store_true", help="try calls of the library's own tests too")
    given = arguments.parse_args()
    REPLAY.extend([True] * given.tests)
    sandbox = find_sandbox()
    wanted = [
        each for each in PACKAGES if not given.packages or each.split("==")[0] in given.packages.split(",")
    ]
    drawn = kept_draw(given.keep, wanted, given.kind, given.sites, given.seed)
    if given.again:
        drawn = without_witness(drawn, Path(given.again))
    counter = cpu_counter()
    counts, reasons, fixes, grades = (collections.Counter() for _ in range(4))
    out = Path(given.out).open("w") if given.out else None  # noqa: SIM115 - closed with the program
    before, own = counter(), time.process_time()
    for requirement, sites in drawn:
        prove_package(sandbox, requirement, sites, given.show, out, counts, reasons, fixes, grades)
    total = max(counts["sites"], 1)
    spent = counter() - before
    print(f"{given.kind}: {total} sites of {len(drawn)} packages, seed {given.seed}")
    print(
        f"witness {counts['witness'] / total:.3f}  guard flipped {counts['fix'] / total:.3f}  fix returns {counts['returned'] / total:.3f}"
    )
    print(
        f"CPU {spent / total:.3f} s a site ({spent:.0f} s in all, imports of the packages included); grades {dict(grades)}"
    )
    print(
        f"  searching {(time.process_time() - own) / total:.3f}, runs of the search {counts['behind the wall (ms)'] / 1000 / total:.3f}, the rest plain runs in new interpreters"
    )
    for title, table in (("no witness", reasons), ("no fix", fixes)):
        print(title)
        for reason, count in table.most_common(14):
            print(f"  {count:4d}  {reason}")


def place_of(requirement, site):
    return f"{requirement} {site.path}:{site.line} {site.callable.name}"


def without_witness(drawn, file):
    rows = [json.loads(line) for line in file.open()]
    open_ = {row["place"] for row in rows if not row["witness"]}
    left = [(r, [site for site in sites if place_of(r, site) in open_]) for r, sites in drawn]
    return [(requirement, sites) for requirement, sites in left if sites]


def kept_draw(file, *arguments):
    """Return the draw, from `file` where it was made before."""
    if file and file.is_file():
        drawn, siblings = pickle.loads(file.read_bytes())
        SIBLINGS.update(siblings)
        return drawn
    drawn = draw(*arguments) if arguments[1] != "slices" else []
    if arguments[1] == "slices":
        drawn = draw_slices(arguments[2], arguments[3])
    if file:
        needed = {(r, s.path, s.callable.name) for r, sites in drawn for s in sites}
        file.write_bytes(pickle.dumps((drawn, {key: SIBLINGS[key] for key in needed})))
    return drawn


def draw(packages, kind, count, seed):
    """Return (requirement, sites): installs what is missing, outside the measured time."""
    choice = random.Random(seed)
    pools = []
    cache = SqliteFactsCache(default_folder() / "facts.db")
    for requirement in packages:
        try:
            environment = install(requirement, default_folder())
        except InstallError as error:
            print(error, file=sys.stderr)
            continue
        tree = open_tree(parse_coordinate(f"pypi:{requirement}"))
        found = analyze(tree, cache=cache).sites
        sites = [
            site for site in found if site.kind == "raise" and (environment.folder / site.path).is_file()
        ]
        if kind == "parameters":
            sites = [site for site in sites if depends_on_parameters_only(site)]
        choice.shuffle(sites)
        pools.append((requirement, sites))
        for site in found:
            SIBLINGS.setdefault((requirement, site.path, site.callable.name), []).append(site)
    share = collections.Counter()
    while sum(share.values()) < count and any(share[r] < len(s) for r, s in pools):
        for requirement, sites in pools:
            if share[requirement] < len(sites) and sum(share.values()) < count:
                share[requirement] += 1
    return [(requirement, sites[: share[requirement]]) for requirement, sites in pools if share[requirement]]


def draw_slices(count, seed):
    """Return sites of SGLang: its kernels need what is not here, so that each runs as a slice."""
    tree = open_tree(parse_coordinate(f"pypi:{SLICED}"))
    cache = SqliteFactsCache(default_folder() / "facts.db")
    sites = [site for site in analyze(tree, cache=cache).sites if site.kind == "raise"]
    for site in sites:
        SIBLINGS.setdefault((SLICED, site.path, site.callable.name), []).append(site)
    return [(SLICED, random.Random(seed).sample(sites, count))]


def prove_package(sandbox, requirement, sites, show, out, counts, reasons, fixes, grades):
    name = requirement.split("==")[0]
    slices = open_tree(parse_coordinate(f"pypi:{requirement}")).root
    if requirement == SLICED:
        nothing = default_folder() / "prove" / "nothing"
        nothing.mkdir(parents=True, exist_ok=True)
        environment = Environment(nothing, ())
    else:
        environment = install(requirement, default_folder())
    tests = (
        own_tests(open_tree(parse_coordinate(f"pypi:{requirement}")))
        if REPLAY and requirement != SLICED
        else None
    )
    roots = collections.Counter(site.path.split("/")[0].removesuffix(".py") for site in sites)
    root = roots.most_common(1)[0][0]
    with Prover(
        sandbox,
        environment,
        root=None if requirement == SLICED else root,
        tests=tests,
        slices=slices,
        package=name,
    ) as prover:
        for site in sites:
            started = time.monotonic()
            outcome = prover.prove(site, siblings=SIBLINGS[requirement, site.path, site.callable.name])
            counts["sites"] += 1
            proof = outcome.proof
            if proof is None:
                reasons[kind_of(outcome.reason)] += 1
            else:
                counts["witness"] += 1
                grades[proof.grade] += 1
                counts["fix"] += proof.fix is not None
                counts["returned"] += outcome.fix == "returned"
                if proof.fix is None:
                    fixes[outcome.fix] += 1
            place = place_of(requirement, site)
            if show:
                print(
                    f"{'+' if proof else '-'} {place}: {outcome.reason or 'fix ' + outcome.fix} ({outcome.runs} runs, {time.monotonic() - started:.1f} s)",
                    flush=True,
                )
            if out:
                row = {
                    "place": place,
                    "statement": site.statement,
                    "conditions": [
                        ("not " if c.negated else "") + (c.inlined or c.text) for c in site.path_conditions
                    ],
                    "reason": outcome.reason,
                    "fix": outcome.fix,
                    "runs": outcome.runs,
                    "witness": proof and proof.witness.code,
                    "output": proof and proof.witness.output,
                    "fixed": proof and proof.fix and proof.fix.code,
                    "after": proof and proof.fix and proof.fix.output,
                    "grade": proof and proof.grade,
                }
                out.write(json.dumps(row) + "\n")
                out.flush()
        workers = [each for each in (prover.worker, prover.slice_worker) if each is not None]
        counts["behind the wall (ms)"] += round(
            1000 * sum(each.cpu_s + each.root_cpu_s() for each in workers)
        )


def kind_of(reason: str) -> str:
    """Return a reason without its particulars."""
    return re.sub(r"`.*`|: .*", "", reason).strip()


if __name__ == "__main__":
    main()
