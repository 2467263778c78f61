"""What a model's tokens cost: as the user says, else as the price list of the extra knows it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from importlib import import_module

from errdex.assist.bill import Price
from errdex.assist.server import Server

_SAMPLE_TOKENS = 1_000
"""Priced to learn the price of a million: below every threshold at which long requests cost more."""


def read_price(text: str) -> Price | None:
    """Return the price that `IN,OUT` states, in US dollars for a million tokens; None where it states none."""
    try:
        sent, made = (Decimal(part.strip()) for part in text.split(","))
    except (ValueError, InvalidOperation):
        return None
    return Price(sent, made) if sent.is_finite() and made.is_finite() and min(sent, made) >= 0 else None


def listed_price(server: Server) -> Price | None:
    """Return the price that the price list has for a model at its address; None where it has none, or is not here."""
    try:
        prices = import_module("genai_prices")
    except ModuleNotFoundError:
        return None
    where = {"provider_api_url": server.base_url} if server.base_url else {"provider_id": server.protocol}

    def million(**tokens: int) -> Decimal:
        found = prices.calc_price(prices.Usage(**tokens), model_ref=server.model, **where)
        return Decimal(found.total_price) * 1_000_000 / _SAMPLE_TOKENS

    try:
        return Price(million(input_tokens=_SAMPLE_TOKENS), million(output_tokens=_SAMPLE_TOKENS))
    except LookupError:
        return None
