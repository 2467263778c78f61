"""Cases of a small package whose every function has one guard: what the gate's tests judge suggestions for."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from errdex.assist.interface import Case, Package
from errdex.assist.prompt import INSTRUCTIONS
from errdex.model.assistance import Trial
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

FOLDER = Path(__file__).parents[1] / "fixtures" / "prove" / "kinds"


class Kinds:
    """The package, analysed once."""

    def __init__(self) -> None:
        tree = open_tree(parse_coordinate(str(FOLDER)))
        self.sites = analyze(tree).sites
        lines = LineReader(tree.root)
        described = describe(tree, self.sites, lines, analyzed_at=datetime(2026, 12, 1, tzinfo=UTC))
        self.records = {evidence.sites[0].callable.name: (record, evidence) for record, evidence in described}
        self.package = Package("kinds", None, self.sites, lambda path: "\n".join(lines(path)) or None)

    def case(
        self, function: str, *, message: str = "", run: Callable[[str], Trial] | None = None, proof=None
    ) -> Case:
        """The record of the guard in `function`; without `run` nothing can be run."""
        record, evidence = self.records[function]
        return Case(
            record=msgspec.structs.replace(record, error_message=message) if message else record,
            evidence=msgspec.structs.replace(evidence, proof=proof),
            package=self.package,
            run=run or (lambda _: Trial(lost="nothing can be run here")),
            prompt=(INSTRUCTIONS,),
        )
