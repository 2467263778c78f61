"""Renders 60 records for reading: 20 of the bench's packages, 3 records each, chosen by seed 9.

`python bench/sample.py PACKAGES docs/sample.md` analyses the packages named in PACKAGES (`name==version` lines) and
writes the page. Judgements (the lines that start `> `) are kept by record id; a record without one says so.
Hosts in quoted addresses are left out: a library's message may name a package registry, and no file here may.
"""

from __future__ import annotations

import random
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from errdex.model.record import Evidence, Record
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

SEED, PACKAGES, EACH = 9, 20, 3
HOST = re.compile(r"(https?://)[\w.:-]+")
TEXTS = (
    ("Means", "documentation"),
    ("When", "triggerScenarios"),
    ("Situations", "commonSituations"),
    ("Do", "solutions"),
    ("Prevent", "preventionTips"),
)
CODE = (
    ("Fix", "exampleFix"),
    ("Validation", "validationCode"),
    ("Type guard", "typeGuard"),
    ("Handler", "tryCatchPattern"),
)


def chosen(coordinates: list[str]) -> list[tuple[Record, Evidence]]:
    """The sample: packages, then records of each, drawn by one generator."""
    draw = random.Random(SEED)
    found = []
    for coordinate in draw.sample(coordinates, PACKAGES):
        tree = open_tree(parse_coordinate(f"pypi:{coordinate}"))
        lines = LineReader(tree.root)
        records = list(
            describe(tree, analyze(tree).sites, lines, analyzed_at=datetime(2026, 11, 30, tzinfo=UTC))
        )
        found += draw.sample(records, EACH)
    return found


def page(record: Record, evidence: Evidence, judgement: str) -> str:
    """One record as its readers meet it."""
    site = evidence.sites[0]
    guards = "; ".join(
        ("not " if c.negated else "") + f"{c.kind} {c.text}" for c in site.path_conditions[-3:]
    ).replace("\n", " ")
    head = [
        f"## {evidence.package} {evidence.version}: `{record.error_class}` in `{site.callable.name}`",
        "",
        f"<!-- {record.id} -->",
        "```text",
        record.error_message,
        "```",
        "",
        " · ".join(
            (
                f"`{record.file_path}:{record.line_number}`",
                record.error_type,
                record.background_tag or "no family",
                record.handling_strategy or "no strategy",
                evidence.level,
                ", ".join(record.tags),
            )
        ),
        "",
        f"Path in the source: `` {guards or 'no condition'} ``",
        "",
    ]
    for title, key in TEXTS:
        sentences = evidence.sentences.get(key, ())
        head += (
            [f"- **{title}**: " + " ".join(f"{s.text} ({s.provenance.kind})" for s in sentences)]
            if sentences
            else []
        )
    for title, key in CODE:
        if key in evidence.code:
            head += ["", f"{title}:", "", "```python", evidence.code[key].code, "```"]
    return "\n".join([*head, "", judgement, ""])


def main(packages: Path, target: Path) -> None:
    """Write the page, judgements kept."""
    old = target.read_text("utf-8") if target.exists() else ""
    judged = dict(re.findall(r"<!-- ([0-9a-f]{16}) -->.*?\n(> [^\n]+)", old, re.DOTALL))
    intro = old.partition("\n## ")[0] if old else "# A sample of 60 records\n"
    records = chosen(packages.read_text("utf-8").split())
    pages = [
        page(record, evidence, judged.get(record.id, "> not judged yet")) for record, evidence in records
    ]
    text = intro.rstrip() + "\n\n" + "\n".join(pages)
    target.write_text(HOST.sub(r"\1…", text), "utf-8")
    print(len(pages), "records,", sum("not judged yet" in text for text in pages), "not judged")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
