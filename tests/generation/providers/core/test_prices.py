"""What tokens cost, checked by hand; and that nothing ever costs more than was set aside for it."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.providers.core.prices import Price, Usage, cost, price_at, price_from, price_row, worst_cost

D = Decimal
PRICE = Price(input=D(2), output=D(10), cached=D("0.2"), cache_write=D("2.5"))
STEPPED = Price(input=D(2), output=D(10), step_tokens=272_000, step_input_factor=D(2), step_output_factor=D("1.5"))

rates = st.decimals(min_value=0, max_value=100, places=4)
prices = st.builds(
    Price,
    input=rates,
    output=rates,
    cached=st.none() | rates,
    cache_write=st.none() | rates,
    since=st.none() | st.dates(max_value=date(2026, 6, 30)),
    until=st.none() | st.dates(min_value=date(2026, 7, 1)),
    step_tokens=st.none() | st.integers(0, 500_000),
    step_input_factor=st.sampled_from([D(1), D(2), D(5)]),
    step_output_factor=st.sampled_from([D(1), D("1.5"), D(5)]),
    batch_factor=st.sampled_from([D(1), D("0.5")]),
)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    parts = draw(st.tuples(*[st.integers(0, 300_000)] * 3))
    return Usage(sum(parts), draw(st.integers(0, 128_000)), cached_tokens=parts[0], cache_write_tokens=parts[1])


def test_each_kind_of_token_has_its_rate() -> None:
    usage = Usage(1000, 500, cached_tokens=300, cache_write_tokens=200, reasoning_tokens=99)
    # 500 × 2 + 300 × 0.2 + 200 × 2.5 + 500 × 10 = 1000 + 60 + 500 + 5000 = 6560 millionths.
    assert cost(PRICE, usage) == D("0.006560")


def test_rates_that_are_not_named_are_those_of_input() -> None:
    usage = Usage(input_tokens=1000, cached_tokens=300, cache_write_tokens=200)
    assert cost(Price(input=D(2), output=D(10)), usage) == D("0.002")


def test_a_batch_costs_half_where_nothing_else_is_said() -> None:
    usage = Usage(input_tokens=1000, output_tokens=500)
    # (1000 × 2 + 500 × 10) / 2 = 3500 millionths.
    assert cost(PRICE, usage, in_batch=True) == D("0.003500")
    assert cost(Price(D(2), D(10), batch_factor=D(1)), usage, in_batch=True) == D("0.007")


def test_above_the_step_the_whole_request_is_dearer() -> None:
    # At the step: 272,000 × 2 + 10 × 10 = 544,100 millionths; one more token: 272,001 × 4 + 10 × 15 = 1,088,154.
    assert cost(STEPPED, Usage(272_000, 10)) == D("0.544100")
    assert cost(STEPPED, Usage(272_001, 10)) == D("1.088154")


def test_the_worst_case_counts_every_byte_at_the_dearest_rate_and_all_output() -> None:
    # (3000 bytes + 1024 around them) × 2.5 + 4000 × 10 = 10,060 + 40,000 = 50,060 millionths.
    assert worst_cost(PRICE, input_bytes=3000, max_output_tokens=4000) == D("0.050060")
    assert worst_cost(PRICE, input_bytes=3000, max_output_tokens=4000, in_batch=True) == D("0.025030")


@given(prices, usages(), st.booleans())
def test_nothing_costs_more_than_its_worst_case(price: Price, usage: Usage, in_batch: bool) -> None:
    worst = worst_cost(
        price, input_bytes=usage.input_tokens, max_output_tokens=usage.output_tokens, in_batch=in_batch
    )
    assert 0 <= cost(price, usage, in_batch=in_batch) <= worst


@given(prices)
def test_a_price_survives_being_stored_as_json(price: Price) -> None:
    row = price_row(price)
    assert price_from(row) == price
    assert all(isinstance(value, str | int) for value in row.values())


OLD, NEW, INTRO = (
    Price(D(1), D(1), until=date(2026, 5, 31)),
    Price(D(2), D(2), since=date(2026, 6, 1)),
    Price(D(3), D(3), since=date(2026, 11, 1), until=date(2026, 12, 31)),
)


@pytest.mark.parametrize(
    ("day", "price"),
    [
        (date(2026, 5, 31), OLD),
        (date(2026, 6, 1), NEW),
        (date(2026, 10, 31), NEW),
        (date(2026, 11, 1), INTRO),
        (date(2026, 12, 31), INTRO),
        (date(2027, 1, 1), NEW),
    ],
    ids=str,
)
def test_the_price_that_began_last_is_in_force_on_both_of_its_days(day: date, price: Price) -> None:
    assert price_at([OLD, NEW, INTRO], day) is price
    assert price_at([INTRO, NEW, OLD], day) is price


def test_on_a_day_without_a_price_there_is_none_and_of_equals_the_last_counts() -> None:
    assert price_at([NEW], date(2026, 5, 31)) is None
    assert price_at([], date(2026, 5, 31)) is None
    first, second = Price(D(1), D(1)), Price(D(2), D(2))
    assert price_at([first, second], date(2026, 5, 31)) is second


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"input": 1}, "output is missing"),
        ({"input": 1, "output": 2, "ouput": 2}, "ouput is not known here"),
        ({"input": -1, "output": 2}, "input should be greater than or equal to 0"),
        ({"input": "much", "output": 2}, "input should be a valid decimal"),
        ({"input": "NaN", "output": 2}, "input should be a finite number"),
        ({"input": True, "output": 2}, "input should be"),
        ({"input": 1, "output": 2, "since": "soon"}, "since should be a valid date"),
        ({"input": 1, "output": 2, "since": "2026-02-01", "until": "2026-01-01"}, "until lies before since"),
    ],
    ids=str,
)
def test_what_is_not_a_price_is_refused_in_words(row: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}"):
        price_from(row)
