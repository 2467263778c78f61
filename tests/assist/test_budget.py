"""A budget is a promise: whatever is asked in whatever order, it is kept."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from errdex.assist.bill import Budget, Price, Usage, estimated_tokens
from errdex.assist.prices import listed_price, read_price
from errdex.assist.server import Server

PRICE = Price(Decimal(3), Decimal(15))
usages = st.builds(Usage, st.integers(0, 500), st.integers(0, 500))


@given(
    st.integers(1, 3_000),
    st.integers(1, 20_000),
    st.lists(st.tuples(usages, st.floats(0, 1), st.booleans()), max_size=30),
)
def test_what_takes_no_more_than_was_set_aside_never_passes_the_budget(tokens, micros, requests):
    """Requests under way, some settled at once and some at the end: neither limit is ever passed."""
    money = Decimal(micros) / 1_000_000
    budget = Budget(tokens=tokens, money=money, price=PRICE)
    under_way = []
    for most, share, at_once in requests:
        if not budget.reserve(most):
            continue
        spent = Usage(int(most.input_tokens * share), int(most.output_tokens * share))
        if at_once:
            budget.settle(most, spent)
        else:
            under_way.append((most, spent))
    for most, spent in under_way:
        budget.settle(most, spent)
    assert budget.spent.tokens <= tokens
    assert PRICE.of(budget.spent) <= money
    assert not budget.is_reserved


@given(st.text())
def test_an_estimate_is_never_below_a_third_of_the_bytes(text):
    """English takes about four bytes a token, other scripts three: the estimate errs upwards."""
    assert estimated_tokens(text) * 3 >= len(text.encode("utf-8", "replace"))


def test_prices_are_read_and_looked_up():
    """Two amounts; for a model of a vendor the price list, for an unknown server nothing."""
    assert read_price("0.15, 0.60") == Price(Decimal("0.15"), Decimal("0.60"))
    assert [read_price(text) for text in ("", "1", "1,2,3", "-1,2", "inf,1", "a,b")] == [None] * 6
    known = listed_price(Server(model="gpt-4o-mini"))
    assert known is not None
    assert 0 < known.input_usd < known.output_usd
    assert listed_price(Server(model="gpt-4o-mini", base_url="http://127.0.0.1:1/v1")) is None
    assert listed_price(Server(model="no-such-model-at-all")) is None
