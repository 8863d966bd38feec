import numpy as np
import pytest

from analysis.core import resampling
from analysis.core.resampling import Weights, cells, pigeonhole, resampled, with_interval
from analysis.core.results import Estimate
from tests.core.rankings import NAN, ends, ranking, why_no_interval

COUNTS = {"prompts": 4, "judges": 3, "draws": 50, "seed": 7}


def test_every_draw_has_as_many_prompts_and_judges_as_the_study():
    (weights,) = pigeonhole(**COUNTS)
    assert weights.prompts.shape == (50, 4)
    assert (weights.prompts.sum(axis=1) == 4).all()
    assert (weights.judges.sum(axis=1) == 3).all()


def test_the_same_seed_gives_the_same_draws():
    (one,), (other,), (third,) = (pigeonhole(**COUNTS | {"seed": seed}) for seed in (7, 7, 8))
    assert (one.judges == other.judges).all()
    assert not (one.judges == third.judges).all()


def test_draws_come_some_at_a_time(monkeypatch):
    monkeypatch.setattr(resampling, "IN_MEMORY", 100)
    chunks = list(pigeonhole(**COUNTS, load=10))
    assert [len(chunk.prompts) for chunk in chunks] == [10] * 5
    found = resampled(lambda weights: {"first": weights.prompts[:, 0]}, **COUNTS, load=10)
    assert found["first"].shape == (50,)


def test_a_judgment_counts_as_often_as_its_prompt_times_as_often_as_its_judge():
    # Prompt 0 drawn twice, judge 1 three times: 10·(2·1) + 20·(2·3) + 40·(0·1) over 2 + 6 + 0.
    table = cells(np.array([0, 0, 1]), np.array([0, 1, 0]), ranking(10, 20, 40), shape=(2, 2))
    assert table.mean(Weights(ranking([2, 0]), ranking([1, 3])))[0] == pytest.approx((20 + 120) / 8)


def test_missing_values_are_no_observations():
    table = cells(np.array([0, 0]), np.array([0, 0]), ranking(10, NAN), shape=(1, 1))
    assert table.mean(Weights(ranking([1]), ranking([5])))[0] == 10


def test_a_mean_of_nothing_is_undefined():
    table = cells(np.array([0]), np.array([0]), ranking(10), shape=(2, 1))
    assert np.isnan(table.mean(Weights(ranking([0, 2]), ranking([1])))).all()


class TestInterval:
    ESTIMATE = Estimate("w", 0.5, 10)

    def test_leaves_as_much_out_on_either_side(self):
        # 0 to 100: 2.5 of them below 2.5, 2.5 above 97.5.
        found = with_interval(self.ESTIMATE, np.arange(101.0), level=0.95)
        assert ends(found) == pytest.approx((2.5, 97.5))

    def test_counts_draws_in_which_it_is_undefined(self):
        values = np.array([*np.arange(101.0), *[NAN] * 9])
        found = with_interval(self.ESTIMATE, values, level=0.95)
        assert found.interval is not None
        assert (found.interval.left_out, found.interval.level) == (9, 0.95)

    def test_is_undefined_where_most_draws_are(self):
        found = with_interval(self.ESTIMATE, ranking(1, NAN, NAN), level=0.95)
        assert why_no_interval(found) == "undefined in 2 of 3 resamples"

    def test_an_undefined_figure_has_none(self):
        undefined = Estimate("w", None, 0, reason="fewer than two judges")
        assert with_interval(undefined, ranking(1, 2), level=0.95) == undefined
