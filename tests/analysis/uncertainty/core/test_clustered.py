"""Means of observations that come in clusters."""

import numpy as np
import pytest

from analysis.data.core.results import Summary
from analysis.uncertainty.core.clustered import clustered_summary

NAN = float("nan")


def summary(values: list[float], clusters: list[int]) -> Summary:
    return clustered_summary("score", np.array(values), np.array(clusters), level=0.95)


def test_answers_to_one_prompt_do_not_count_as_independent() -> None:
    found = summary([6, 8, 1, 3, 4, 2], [0, 0, 1, 1, 2, 2])
    # Mean 4; of the prompts 6, −4, −2 around it: √(3/2 · (36 + 16 + 4)) / 6 = √84 / 6.
    assert found.mean.value == 4
    assert found.se.value == pytest.approx(84**0.5 / 6)
    # t of two degrees of freedom at 97.5 % is 4.302653.
    assert found.mean.interval
    assert found.mean.interval.high == pytest.approx(4 + 4.302653 * 84**0.5 / 6, abs=1e-5)
    assert found.mean.interval.low == pytest.approx(4 - 4.302653 * 84**0.5 / 6, abs=1e-5)


def test_with_one_observation_a_prompt_the_error_is_the_ordinary_one() -> None:
    values = [5.0, 7.0, 9.0, 2.0]
    assert summary(values, [3, 1, 2, 0]).se.value == pytest.approx(np.std(values, ddof=1) / 2)


def test_what_has_no_value_is_left_out_and_its_prompt_counts_for_nothing() -> None:
    found = summary([5, NAN, 7, NAN], [0, 0, 1, 2])
    assert (found.mean.value, found.mean.n, found.mean.left_out) == (6, 2, 2)
    assert found.se.value == pytest.approx(1)  # √(2/1 · (1 + 1)) / 2


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([6, 8], [0, 0], "needs values of at least 2 prompts, has 1"),
        ([20 / 3, 20 / 3, 20 / 3], [0, 1, 2], "all observations are alike"),
    ],
    ids=["one prompt", "one value"],
)
def test_without_differences_between_prompts_there_is_no_interval_but_a_reason(
    values: list[float], clusters: list[int], reason: str
) -> None:
    found = summary(values, clusters)
    assert found.mean.value == pytest.approx(np.mean(values))
    assert found.mean.interval
    assert (found.mean.interval.low, found.mean.interval.reason) == (None, reason)


def test_of_nothing_everything_is_undefined() -> None:
    found = summary([NAN], [0])
    assert (found.mean.value, found.se.value, found.mean.interval) == (None, None, None)


def test_intervals_cover_at_their_rate() -> None:
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(12), 4)
    covered = 0
    for _ in range(400):
        values = rng.normal(0, 1, 12)[clusters] + rng.normal(0, 1, 48)
        interval = clustered_summary("score", values, clusters, level=0.9).mean.interval
        assert interval
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= 0 <= interval.high
    assert covered / 400 == pytest.approx(0.9, abs=0.04)
