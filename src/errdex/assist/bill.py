"""What a model's help costs: tokens as the server counts them, money by price, and budgets that are never passed."""

from __future__ import annotations

from decimal import Decimal

import msgspec

_MILLION = Decimal(1_000_000)
_BYTES_PER_TOKEN = 3
"""English and code take about four bytes a token, other scripts about three: an estimate that errs upwards."""


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one request."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)

    @property
    def tokens(self) -> int:
        """Both kinds together."""
        return self.input_tokens + self.output_tokens


class Price(msgspec.Struct, frozen=True):
    """US dollars for a million tokens."""

    input_usd: Decimal
    output_usd: Decimal

    def of(self, usage: Usage) -> Decimal:
        """Return what `usage` costs, in US dollars."""
        return (self.input_usd * usage.input_tokens + self.output_usd * usage.output_tokens) / _MILLION


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a model makes of `text`, rather too many than too few."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)


class Budget:
    """Tokens and money that a run may spend. What is under way is set aside, so that no answer can pass the limit."""

    def __init__(
        self, *, tokens: int | None = None, money: Decimal | None = None, price: Price | None = None
    ) -> None:
        """Hold the limits; None is no limit. A limit in money needs a price."""
        assert money is None or price is not None
        self._tokens, self._money, self._price = tokens, money, price
        self.spent = Usage()
        self._reserved = Usage()

    @property
    def is_reserved(self) -> bool:
        """Whether anything is under way."""
        return self._reserved.tokens > 0

    def reserve(self, most: Usage) -> bool:
        """Set aside what a request may cost at most; False, and nothing set aside, where it does not fit."""
        if self.exceeded_by(self.spent + self._reserved + most):
            return False
        self._reserved += most
        return True

    def settle(self, most: Usage, spent: Usage) -> None:
        """Put what a request did cost in the place of what was set aside for it."""
        self._reserved = Usage(
            self._reserved.input_tokens - most.input_tokens, self._reserved.output_tokens - most.output_tokens
        )
        self.spent += spent

    def exceeded_by(self, usage: Usage) -> str:
        """Return which limit `usage` in all would pass, in words; empty if none."""
        if self._tokens is not None and usage.tokens > self._tokens:
            return f"the budget of {self._tokens:,} tokens"
        if self._money is not None and self._price is not None and self._price.of(usage) > self._money:
            return f"the budget of ${self._money}"
        return ""
