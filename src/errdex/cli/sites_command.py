"""`errdex sites`: every throw site of a package, for programs."""

from __future__ import annotations

import sys

import click
import msgspec

from errdex.cli.analysis import open_analysis
from errdex.cli.options import engine_options, jobs_option, note, write_line
from errdex.model.site import Condition, ThrowSite


@click.command(epilog="Example: errdex sites pypi:click==8.1.7 --jsonl")
@click.argument("coordinate", metavar="COORD")
@click.option("--jsonl", is_flag=True, help="One JSON object a line.")
@click.option("--repo", help="owner/name, where the coordinate does not say it.")
@jobs_option
@engine_options
@click.pass_context
def command(
    context: click.Context,
    *,
    coordinate: str,
    jsonl: bool,
    repo: str | None,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
) -> None:
    """List every throw site of COORD (pypi:NAME==VERSION, env:NAME, git:URL@REV, a folder)."""
    analysis = open_analysis(coordinate, repo=repo, jobs=jobs, engine=engine, scheduler=scheduler)
    encode = msgspec.json.Encoder().encode
    for site in analysis.sites:
        if jsonl:
            sys.stdout.buffer.write(encode(site_row(site)) + b"\n")
        else:
            text = site.templates[0].written if site.templates else f"({site.unresolved or 'no words'})"
            name = site.known_class or site.kind
            write_line(f"{site.path}:{site.line}  {site.callable.name}  {name}: {text!r}")
    note(f"{len(analysis.sites)} throw sites, {len(analysis.skipped)} files skipped")
    if not analysis.sites:
        context.exit(1)


def site_row(site: ThrowSite) -> dict[str, object]:
    """Return the wire form of a site: stable keys, `null` where nothing is known."""
    first = site.templates[0] if site.templates else None
    return {
        "kind": site.kind,
        "file": site.path,
        "line": site.line,
        "end_line": site.end_line,
        "function": site.callable.name,
        "class": site.known_class,
        "class_written": site.class_written,
        "bases": site.bases,
        "template": first.text if first else None,
        "templates": [template.text for template in site.templates],
        "message": first.written if first else None,
        "form": first.form if first else None,
        "origin": first.origin if first else None,
        "unresolved": site.unresolved,
        "argument": site.argument,
        "holes": [hole.expression for hole in first.holes] if first else [],
        "guard": condition_text(site.guard) if site.guard else None,
        "path_condition": [condition_text(each) for each in site.path_conditions],
        "parameters": site.parameters,
        "entry_points": [point.name for point in site.entry_points],
        "public": site.callable.is_public,
        "error_code": site.error_code,
        "http_status": site.http_status,
        "caught": site.caught,
        "helper": site.helper.name if site.helper else None,
        "tests": [f"{test.path}::{test.name}" for test in site.tests],
    }


def condition_text(condition: Condition) -> str:
    """Return a condition in one line, as programs read it."""
    if condition.kind == "except":
        return f"except {condition.text}"
    if condition.kind == "for":
        return f"for … in {condition.text}"
    return f"not ({condition.text})" if condition.negated else condition.text
