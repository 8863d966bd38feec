from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from annotation.coordination.core.forecast import Forecast, Pace, Undefined, forecast, pace_per_day


def forecast_of(*paces: Pace) -> Forecast:
    found = forecast(paces)
    assert isinstance(found, Forecast)
    return found


def in_days(found: Forecast | Undefined) -> tuple[float, float, float]:
    assert isinstance(found, Forecast)
    return found.low_days, found.median_days, found.high_days


def test_one_person_alone_follows_the_f_distribution() -> None:
    # 10 pieces in 20 days: at that pace 5 more take 10. The time over 10 is F with 2 × 5 and 2 × 10 degrees.
    law = stats.f(10, 20)
    found = forecast_of(Pace("J01", done=10, left=5, days=20.0))
    assert in_days(found) == pytest.approx([10 * law.ppf(chance) for chance in (0.1, 0.5, 0.9)], rel=2e-3)


def test_the_forecast_of_one_piece_left_of_one_person_is_that_worked_out_by_hand() -> None:
    # The compound gamma for m = 1 is P(T > x) = (t / (t + x))^n, here (20 / (20 + x))^10:
    # a half for x = 20 (2^(1/10) - 1) = 1.435, and 0.1 for x = 20 (10^(1/10) - 1) = 5.179.
    found = forecast_of(Pace("J01", done=10, left=1, days=20.0))
    assert found.median_days == pytest.approx(1.435, abs=0.005)
    assert found.high_days == pytest.approx(5.179, abs=0.01)


def test_the_last_of_several_is_waited_for() -> None:
    # 1,000 pieces in 1,000 days each: the rates are as good as known, 1 a day. With one piece left each, the last
    # of four comes within x with chance (1 - e^-x)^4, so x = -ln(1 - chance^(1/4)): 0.826, 1.838, 3.655 days.
    found = forecast_of(*(Pace(f"J{number}", done=1000, left=1, days=1000.0) for number in range(4)))
    assert in_days(found) == pytest.approx((0.826, 1.838, 3.655), rel=0.01)


def test_who_has_not_begun_is_taken_to_be_like_the_others() -> None:
    others = [Pace(f"J{number}", done=40, left=0, days=20.0) for number in range(8)]
    alone = forecast_of(*others, Pace("J09", done=0, left=20, days=0.0))
    # Everybody else does 2 a day.
    assert alone.low_days < 10 < alone.high_days
    assert alone.median_days == pytest.approx(10, rel=0.1)
    # Somebody who might have begun and has not is slower.
    idle = forecast_of(*others, Pace("J09", done=0, left=20, days=5.0))
    assert idle.median_days > 1.2 * alone.median_days


def test_work_that_is_all_done_takes_no_more_time() -> None:
    assert forecast([Pace("J01", done=3, left=0, days=2.0)]) == Forecast(0.0, 0.0, 0.0)
    assert forecast([]) == Forecast(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("paces", "reason"),
    [
        (
            [Pace("J01", done=3, left=7, days=9.0), Pace("J02", done=1, left=9, days=9.0)],
            "4 pieces of work done so far; a forecast needs 5.",
        ),
        ([Pace("J01", done=1, left=9, days=9.0)], "1 piece of work done so far; a forecast needs 5."),
        ([Pace("J01", done=5, left=5, days=0.0)], "No time has passed yet since the work was given out."),
        (
            # 200 days a piece, so 1,000 pieces need centuries.
            [Pace("J01", done=5, left=1000, days=1000.0)],
            "At this pace, the last piece may take more than ten years.",
        ),
    ],
)
def test_a_forecast_without_grounds_is_not_made(paces: list[Pace], reason: str) -> None:
    assert forecast(paces) == Undefined(reason)


def test_the_pace_is_that_of_a_person_on_a_day() -> None:
    # 6 pieces in 3 days and 2 in 5: 8 in 8.
    assert pace_per_day([Pace("J01", 6, 1, days=3.0), Pace("J02", 2, 1, days=5.0)]) == 1.0


def test_the_small_grid_is_within_two_points_of_a_fine_one() -> None:
    """The same model by scipy's own distributions, on 40 × 101 pairs of shape and mean."""
    done, left, days = np.array([9, 4, 12, 1]), np.array([11, 16, 8, 10]), np.array([7.0, 7.0, 7.0, 3.0])
    a, logarithm = (grid.reshape(-1, 1) for grid in np.meshgrid(np.geomspace(0.5, 64, 40), np.linspace(-3, 3, 101)))
    b = a / np.exp(logarithm)
    weights = stats.nbinom.pmf(done, a, b / (b + days)).prod(axis=1)

    def chance_within(longest: float) -> float:
        of_pairs = stats.betaprime.cdf(longest / (b + days), left, a + done).prod(axis=1)
        return float(weights @ of_pairs / weights.sum())

    found = forecast_of(*(Pace(f"J{n}", *pace) for n, pace in enumerate(zip(done, left, days, strict=True))))
    assert [chance_within(longest) for longest in in_days(found)] == pytest.approx([0.1, 0.5, 0.9], abs=0.02)


def test_eighty_of_a_hundred_studies_end_within_the_interval() -> None:
    chance = np.random.default_rng(20)
    hits: list[bool] = []
    while len(hits) < 500:
        people, items, shape, now = chance.integers(2, 21), chance.integers(5, 21), exp(chance.uniform(0, 4)), 7.0
        rates = chance.gamma(shape, 1 / shape, people)
        times = [np.cumsum(chance.exponential(1 / rate, items)) for rate in rates]
        found = forecast(
            [
                Pace(str(number), int((own <= now).sum()), int((own > now).sum()), min(now, own[-1]))
                for number, own in enumerate(times)
            ]
        )
        if isinstance(found, Forecast) and found.high_days:
            hits.append(found.low_days <= max(own[-1] for own in times) - now <= found.high_days)
    # The standard error of 500 is 1.8 points.
    assert 0.75 <= np.mean(hits) <= 0.85


counts = st.integers(0, 30)
paces = st.builds(Pace, st.just("J"), done=counts, left=counts, days=st.floats(0.5, 60))
studies = st.lists(paces, min_size=1, max_size=6)


@given(studies)
def test_the_median_lies_within_the_interval(study: list[Pace]) -> None:
    found = forecast(study)
    assume(isinstance(found, Forecast))
    low, median, high = in_days(found)
    assume(high > 0)
    assert 0 < low < median < high <= 3650


@given(studies, st.integers(1, 20))
def test_more_left_to_do_never_ends_earlier(study: list[Pace], more: int) -> None:
    now, later = forecast(study), forecast([replace(study[0], left=study[0].left + more), *study[1:]])
    assume(isinstance(now, Forecast) and isinstance(later, Forecast))
    assert all(first <= 1.003 * second for first, second in zip(in_days(now), in_days(later), strict=True))


@given(studies, st.floats(0.1, 10))
def test_who_takes_twice_as_long_for_everything_takes_twice_as_long_for_the_rest(
    study: list[Pace], slower: float
) -> None:
    now, later = forecast(study), forecast([replace(pace, days=pace.days * slower) for pace in study])
    assume(isinstance(now, Forecast) and isinstance(later, Forecast))
    assert in_days(later) == pytest.approx([slower * days for days in in_days(now)], rel=4e-3)


@given(studies)
def test_a_forecast_does_not_depend_on_who_is_listed_first(study: list[Pace]) -> None:
    now, turned = forecast(study), forecast(study[::-1])
    assume(isinstance(now, Forecast))
    assert isinstance(turned, Forecast)
    assert in_days(turned) == pytest.approx(in_days(now), rel=4e-3)
