"""`errdex assist`: a model is asked about records, and what it says is checked before any of it is kept."""

from __future__ import annotations

import os
from decimal import Decimal
from typing import Any

import click

from errdex.assist.bill import Price
from errdex.assist.faults import KeyMissingError, PriceUnknownError, ServerRefusedError
from errdex.assist.pace import Backoff
from errdex.assist.prices import listed_price, read_price
from errdex.assist.prompt import CHARACTERS
from errdex.assist.run import Policy, Question
from errdex.assist.server import Protocol, Server
from errdex.catalog import Catalog, StoredRecord
from errdex.catalog.ask import Terms, ask, judge_answers, open_questions
from errdex.cli.analysis import progress_bar
from errdex.cli.assist_text import Audit, DryRun, Summary, write
from errdex.cli.options import catalog_option, note
from errdex.cli.targets import targeted
from errdex.sources.cache import default_folder

_OWN_KEY = "ERRDEX_ASSIST_KEY"
_VENDOR_KEYS: dict[Protocol, str] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


class _PriceType(click.ParamType[Price]):
    name = "IN,OUT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Price:
        price = value if isinstance(value, Price) else read_price(str(value))
        if price is None:
            self.fail(f"{value!r} is not two amounts, as in 0.15,0.60", param, ctx)
        return price


class _MoneyType(click.ParamType[Decimal]):
    name = "USD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        price = read_price(f"{value},0")
        if price is None:
            self.fail(f"{value!r} is not an amount, as in 2.50", param, ctx)
        return price.input_usd


@click.command(
    epilog="Example: errdex assist pypi:click==8.5.1 --model gpt-4o-mini --max-cost 0.50 --dry-run"
)
@click.argument("targets", metavar="[COORD|ID]...", nargs=-1)
@click.option(
    "--model",
    envvar="ERRDEX_ASSIST_MODEL",
    metavar="[anthropic:]NAME",
    help="The model ($ERRDEX_ASSIST_MODEL); it is asked as OpenAI's are unless `anthropic:` stands before it.",
)
@click.option(
    "--base-url",
    envvar="ERRDEX_ASSIST_URL",
    metavar="URL",
    help="The server ($ERRDEX_ASSIST_URL), as in http://127.0.0.1:8000/v1; default: the vendor's own. Its key is "
    "read from $ERRDEX_ASSIST_KEY; for the vendor's own server $OPENAI_API_KEY or $ANTHROPIC_API_KEY will do.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be sent, word for word, and what it may cost.")
@click.option("--audit", is_flag=True, help="Show how much each check refused of what was answered.")
@click.option("--again", is_flag=True, help="Ask even where this model has answered to the same facts.")
@click.option("--records", "most", type=click.IntRange(min=1), help="At most so many records of each target.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Tokens that the run may take.")
@click.option("--max-cost", type=_MoneyType(), help="US dollars that the run may take.")
@click.option(
    "--price", type=_PriceType(), help="US dollars for a million tokens sent, and for a million received."
)
@click.option(
    "--concurrency", type=click.IntRange(1, 64), default=4, show_default=True, help="Requests at once."
)
@click.option("--per-minute", type=click.FloatRange(min=0, min_open=True), help="Requests a minute, at most.")
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    help="How often a request that failed is sent again.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    help="Seconds for one request.",
)
@click.option(
    "--facts",
    type=click.IntRange(min=500),
    default=CHARACTERS,
    show_default=True,
    help="Characters of facts in one request, at most.",
)
@click.option(
    "--answer",
    type=click.IntRange(min=50),
    default=1500,
    show_default=True,
    help="Tokens of one answer, at most.",
)
@click.option(
    "--allow-private/--forbid-private",
    "private",
    default=None,
    help="Whether code of folders, repositories and installed packages may be sent; the catalog remembers it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@catalog_option
@click.pass_context
def command(
    context: click.Context,
    *,
    targets: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    dry_run: bool,
    audit: bool,
    again: bool,
    most: int | None,
    max_tokens: int | None,
    max_cost: Decimal | None,
    price: Price | None,
    concurrency: int,
    per_minute: float | None,
    retries: int,
    timeout: float,
    facts: int,
    answer: int,
    private: bool | None,
    as_json: bool,
    catalog: str | None,
) -> None:
    """Let a model add to records; each sentence and program that it offers is checked before it is kept.

    What is kept carries the model's name and replaces nothing. Every answer is kept as it came: a run may be
    stopped at any moment, and the next one goes on. Exit 1: some of the records have no answer.
    """
    with Catalog.open(catalog, create=True) as opened:
        if private is not None:
            opened.assists.allow_private(allowed=private)
        records = [each for target in targets for each in targeted(opened, target)[:most]]
        if audit:
            write(Audit.of(opened.assists, records if targets else None), as_json=as_json)
            return
        if not targets:
            if private is not None:
                return
            raise click.UsageError("Nothing is named to ask about: a coordinate or the id of a record.")
        policy = Policy(
            output_tokens=answer,
            concurrency=concurrency,
            per_minute=per_minute,
            backoff=Backoff(retries=retries),
        )
        server = _server(model, base_url, timeout, answer, needs_key=not dry_run)
        price = price or listed_price(server)
        if max_cost is not None and price is None:
            raise PriceUnknownError(server.model)
        terms = Terms(
            server=server,
            policy=policy,
            characters=facts,
            price=price,
            max_tokens=max_tokens,
            max_cost=max_cost,
        )
        questions = open_questions(opened, records, terms, again=again)
        if dry_run:
            write(DryRun.of(questions, terms), as_json=as_json)
            return
        summary = _assist(opened, records, questions, terms)
        write(summary, as_json=as_json)
        if summary.refusal:
            raise ServerRefusedError(server.model, summary.refusal)
        if summary.unanswered:
            context.exit(1)


def _server(
    model: str | None, base_url: str | None, timeout_s: float, output_tokens: int, *, needs_key: bool
) -> Server:
    """Return the server that the options and the environment name."""
    if not model:
        raise click.UsageError("No model is named: --model NAME, or $ERRDEX_ASSIST_MODEL.")
    protocol: Protocol = "anthropic" if model.startswith("anthropic:") else "openai"
    name = model.removeprefix(f"{protocol}:")
    key = os.environ.get(_OWN_KEY)
    if not key and base_url is None:  # a vendor's key goes to that vendor and to nobody else
        key = os.environ.get(_VENDOR_KEYS[protocol])
        if not key and needs_key:
            raise KeyMissingError(name, (_OWN_KEY, _VENDOR_KEYS[protocol]))
    return Server(
        model=name,
        protocol=protocol,
        base_url=base_url,
        key=key,
        timeout_s=timeout_s,
        output_tokens=output_tokens,
    )


def _assist(
    catalog: Catalog, records: list[StoredRecord], questions: list[Question], terms: Terms
) -> Summary:
    """Ask what is open, judge what is not judged, and say what came of it."""
    with progress_bar(f"asking {terms.server.model}") as progress:
        report, bill = ask(catalog, questions, terms, progress)
    with progress_bar("checking the answers") as progress:
        notes = judge_answers(catalog, records, default_folder(), progress)
    for each in notes:
        note(each)
    return Summary.of(catalog.assists, records, questions, report, bill, model=terms.server.model)
