"""`errdex errors-of`: what can this call raise?"""

from __future__ import annotations

import sys
from collections import Counter

import click
import msgspec

from errdex.cli.options import write_line
from errdex.cli.sites_command import condition_text, site_row
from errdex.link.errors_of import ErrorsOf, ReachableError
from errdex.pipeline.reachable import errors_of_call

_SHOWN_UNCERTAIN = 10


@click.command(epilog="Example: errdex errors-of requests.Session.get")
@click.argument("name", metavar="NAME")
@click.option(
    "--in", "coordinate", metavar="COORD", help="Where NAME is defined (default: the package installed here)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(context: click.Context, *, name: str, coordinate: str | None, as_json: bool) -> None:
    """Say which errors a call of NAME (as you import it) can raise, and when.

    Only calls that are known to be real are followed; what is not known is listed, not guessed.
    Exit 1: none is known.
    """
    found, release = errors_of_call(name, coordinate)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(_row(found, release)) + b"\n")
    else:
        _tell(found, release)
    if not found.errors:
        context.exit(1)


def _row(found: ErrorsOf, release: str) -> dict[str, object]:
    return {
        "schema": 1,
        "entry": found.entry,
        "release": release,
        "file": found.path,
        "line": found.line,
        "whole": found.is_whole,
        "errors": [
            {**site_row(one.site), "certain": one.certain, "chain": one.chain} for one in found.errors
        ],
        "uncertain": found.uncertain,
    }


def _tell(found: ErrorsOf, release: str) -> None:
    ending = "" if found.is_whole else " (the walk stopped at its limits: there are more)"
    write_line(f"{found.entry} · {release} · {len(found.errors)} errors{ending}")
    for one in found.errors:
        for line in _lines(one):
            write_line(line)
    if found.uncertain:
        write_line("")
        write_line("Not followed, since the target is not known:")
        reasons = Counter((call.text, call.why) for call in found.uncertain)
        for (text, why), count in list(reasons.items())[:_SHOWN_UNCERTAIN]:
            times = f" ({count} times)" if count > 1 else ""
            write_line(f"  {' '.join(text.split())[:80]}: {why}{times}")
        if len(reasons) > _SHOWN_UNCERTAIN:
            write_line(f"  … and {len(reasons) - _SHOWN_UNCERTAIN} more; --json lists all")


def _lines(one: ReachableError) -> list[str]:
    site = one.site
    name = site.known_class or "an error"
    words = " ".join(site.templates[0].written.split()) if site.templates else "(no words in the source)"
    lines = ["", f"{name}: {words}" + ("" if one.certain else "   (perhaps)")]
    if site.guard is not None:
        lines.append(f"    when  {' '.join(condition_text(site.guard).split())}")
    way = " → ".join(step.caller for step in one.chain)
    lines.append(
        f"    at    {site.path}:{site.line} in {site.callable.name}" + (f", through {way}" if way else "")
    )
    return lines
