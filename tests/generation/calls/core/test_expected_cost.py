"""What a plan expects of replies: a first guess by effort, a spread where replies were seen."""

from dataclasses import replace
from decimal import Decimal
from math import exp, sqrt

import numpy as np
import pytest

from generation.calls.core.estimates import MIN_REPLIES, Expected, first_guess, margin
from generation.providers.core.prices import Price

PRICE = Price(input=Decimal(1), output=Decimal(10))


@pytest.mark.parametrize(
    ("effort", "tokens"),
    [
        (None, 200),
        *((told, 200) for told in ("none", "off", "disabled")),
        ("low", 600),
        ("medium", 1_700),
        *((told, 1_700) for told in ("on", "enabled", "")),
        ("High", 4_000),
        ("max", 4_000),
    ],
)
def test_a_first_guess_grows_with_effort_up_to_what_a_reply_may_take(effort: str | None, tokens: int) -> None:
    assert first_guess(200, most=4_000, effort=effort) == Expected(tokens)


def test_a_margin_is_of_the_spread_of_replies_and_of_how_few_were_seen() -> None:
    seen = Expected(1_000, deviation=300.0, log_deviation=0.4, replies=100)
    found = margin(PRICE, seen, calls=50, in_batch=False)
    error = sqrt(0.16 / 100 + 0.16**2 / 198 + (exp(0.16) - 1) / 50)
    assert float(found or 0) == pytest.approx(0.5 * (exp(1.645 * error) - 1), abs=1e-5)
    half = margin(PRICE, seen, calls=50, in_batch=True)
    assert float(half or 0) == pytest.approx(float(found or 0) / 2, abs=1e-5)
    assert margin(PRICE, Expected(1_000), calls=50, in_batch=False) is None
    assert margin(PRICE, replace(seen, replies=MIN_REPLIES - 1), calls=50, in_batch=False) is None
    assert margin(PRICE, Expected(1_000), calls=0, in_batch=False) == 0


@pytest.mark.parametrize("spread", [0.2, 0.6, 1.0])
def test_about_95_of_100_sums_stay_below_their_bound(spread: float) -> None:
    """Lengths are skewed as those of models that reason; each time 100 replies tell of the next 200."""
    drawn = np.random.default_rng(7)
    below = 0
    for _ in range(2_000):
        seen = drawn.lognormal(7, spread, 100)
        logs = float(np.log(seen).std(ddof=1))
        expected = Expected(round(seen.mean()), float(seen.std(ddof=1)), logs, 100)
        bound = 200 * expected.tokens * 10 / 1e6 + float(margin(PRICE, expected, calls=200, in_batch=False) or 0)
        below += drawn.lognormal(7, spread, 200).sum() * 10 / 1e6 <= bound
    assert 0.925 <= below / 2_000 <= 0.975
