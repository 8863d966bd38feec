import numpy as np
import pytest

from analysis.core import resampling
from analysis.core.resampling import Draws, pigeonhole, resampled, with_interval
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
    assert found["first"].both.shape == (50,)


def test_prompts_and_judges_are_also_drawn_alone():
    found = resampled(lambda weights: {"sum": weights.prompts[:, 0] + 10 * weights.judges[:, 0]}, **COUNTS)["sum"]
    (weights,) = pigeonhole(**COUNTS)
    assert (found.both == weights.prompts[:, 0] + 10 * weights.judges[:, 0]).all()
    assert (found.prompts == weights.prompts[:, 0] + 10).all()
    assert (found.judges == 1 + 10 * weights.judges[:, 0]).all()


class TestInterval:
    ESTIMATE = Estimate("w", 0.5, 10)

    def test_counts_every_part_of_the_variance_once(self):
        # Parts 1 of prompts, 1 of judges and ⅔ of the rest: drawn alone prompts have 1 + ⅔ and so have judges, both
        # have 1 + 1 + 3·⅔ = 4; 2(5/3 + 5/3) − 4 = 8/3 = 1 + 1 + ⅔.
        both = np.random.default_rng(1).normal(0, 2, 200_000)
        alone = both * (5 / 12) ** 0.5
        reach = 1.96 * (8 / 3) ** 0.5
        found = with_interval(self.ESTIMATE, Draws(both, alone, alone), level=0.95)
        assert ends(found) == pytest.approx((0.5 - reach, 0.5 + reach), abs=0.03)

    def test_is_never_narrower_than_prompts_or_judges_alone_would_have_it(self):
        both = np.arange(-50.0, 51)
        found = with_interval(self.ESTIMATE, Draws(both, both, both * 0), level=0.95)
        assert ends(found) == pytest.approx((0.5 - 47.5, 0.5 + 47.5))

    def test_counts_draws_in_which_it_is_undefined(self):
        values = np.array([*np.arange(101.0), *[NAN] * 9])
        found = with_interval(self.ESTIMATE, Draws(values, values, values), level=0.95)
        assert found.interval is not None
        assert (found.interval.left_out, found.interval.level) == (9, 0.95)

    def test_is_undefined_where_most_draws_are(self):
        values = ranking(1, NAN, NAN)
        found = with_interval(self.ESTIMATE, Draws(values, values, values), level=0.95)
        assert why_no_interval(found) == "undefined in 2 of 3 resamples"

    def test_of_what_never_changes_is_not_to_be_had(self):
        values = ranking(1, 1, 1)
        found = with_interval(self.ESTIMATE, Draws(values, values, values), level=0.95)
        assert why_no_interval(found) == "the same in every resample"

    def test_an_undefined_figure_has_none(self):
        undefined = Estimate("w", None, 0, reason="fewer than two judges")
        values = ranking(1, 2)
        assert with_interval(undefined, Draws(values, values, values), level=0.95) == undefined
