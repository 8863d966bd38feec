from collections.abc import Callable

import numpy as np
import pytest

from analysis.data.core.results import Estimate, FloatArray, summarise
from analysis.uncertainty.core import resampling
from analysis.uncertainty.core.resampling import (
    Draws,
    Figures,
    Weights,
    leaving_out,
    pigeonhole,
    resampled,
    resampled_in_steps,
    with_interval,
    with_mean_interval,
)
from tests.analysis.agreement.core.rankings import NAN, ends, ranking, value, why_no_interval

MANY = (10**9, 10**9)  # prompts and judges: so many that their number does not matter
COUNTS = {"prompts": 4, "judges": 3, "draws": 50, "seed": 7}


def test_every_draw_has_as_many_prompts_and_judges_as_the_study() -> None:
    (weights,) = pigeonhole(**COUNTS)
    assert weights.prompts.shape == (50, 4)
    assert (weights.prompts.sum(axis=1) == 4).all()
    assert (weights.judges.sum(axis=1) == 3).all()


def test_the_same_seed_gives_the_same_draws() -> None:
    (one,), (other,), (third,) = (pigeonhole(**COUNTS | {"seed": seed}) for seed in (7, 7, 8))
    assert (one.judges == other.judges).all()
    assert not (one.judges == third.judges).all()


def test_draws_come_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "IN_MEMORY", 100)
    chunks = list(pigeonhole(**COUNTS, load=10))
    assert [len(chunk.prompts) for chunk in chunks] == [10] * 5
    monkeypatch.setattr(resampling, "IN_MEMORY", 10_000)
    (weights,) = pigeonhole(**COUNTS)
    assert (np.concatenate([chunk.judges for chunk in chunks]) == weights.judges).all()
    assert (np.concatenate([chunk.prompts for chunk in chunks]) == weights.prompts).all()
    found = resampled(lambda weights: {"first": weights.prompts[:, 0]}, **COUNTS, load=10)
    assert found["first"].both.shape == (50,)


def test_prompts_and_judges_are_also_drawn_alone() -> None:
    found = resampled(lambda weights: {"sum": weights.prompts[:, 0] + 10 * weights.judges[:, 0]}, **COUNTS)["sum"]
    (weights,) = pigeonhole(**COUNTS)
    assert (found.both == weights.prompts[:, 0] + 10 * weights.judges[:, 0]).all()
    assert (found.prompts == weights.prompts[:, 0] + 10).all()
    assert (found.judges == 1 + 10 * weights.judges[:, 0]).all()


def test_what_rests_on_judges_alone_is_made_once_for_both_samples() -> None:
    made = []

    def steps(judges: FloatArray) -> Callable[[FloatArray], Figures]:
        made.append(len(judges))
        return lambda prompts: {"sum": prompts[:, 0] * judges[:, 0]}

    found = resampled_in_steps(steps, **COUNTS)["sum"]
    own = resampled(lambda weights: {"sum": weights.prompts[:, 0] * weights.judges[:, 0]}, **COUNTS)["sum"]
    assert all((getattr(found, name) == getattr(own, name)).all() for name in ("both", "prompts", "judges"))
    assert made == [1, 50]


class TestKnownError:
    """Of y = μ + prompt + judge + rest with variances 1, 4 and 9, 30 prompts by 20 judges: a mean varies by
    1/30 + 4/20 + 9/600.
    """

    SE = (1 / 30 + 4 / 20 + 9 / 600) ** 0.5

    def draws(self, seed: int) -> Draws:
        rng = np.random.default_rng(seed)
        table = rng.normal(0, 1, (30, 1)) + rng.normal(0, 2, 20) + rng.normal(0, 3, (30, 20))

        def mean(weights: Weights) -> dict[str, np.ndarray]:
            return {"mean": np.einsum("dp,pj,dj->d", weights.prompts, table, weights.judges) / 600}

        return resampled(mean, prompts=30, judges=20, draws=600, seed=seed)["mean"]

    def test_the_error_is_the_known_one_of_the_draws(self) -> None:
        # Of one study it is off by as much as the judges' variance is: by √(2/19)/2 = 16 %; of 40 by 3 %.
        errors = [self.draws(seed).error for seed in range(40)]
        assert np.mean(np.square(errors)) ** 0.5 == pytest.approx(self.SE, rel=0.1)

    def test_intervals_are_as_wide_as_the_error_says(self) -> None:
        draws = self.draws(1)
        low, high = ends(with_interval(Estimate("mean", 0.0, 600), draws, level=0.95))
        assert high - low == pytest.approx(2 * 1.96 * draws.error, rel=0.1)

    def test_the_error_of_the_draws_stands_in_the_summary(self) -> None:
        summary, draws = summarise("mean", ranking(1, 2, 4)), self.draws(1)
        found = with_mean_interval(summary, draws, level=0.95)
        assert value(found.se) == draws.error != summary.se.value
        assert found.mean == with_interval(summary.mean, draws, level=0.95)
        assert found.sd == summary.sd

    def test_the_error_is_undefined_where_the_draws_are_and_says_why(self) -> None:
        values = ranking(1, NAN, NAN)
        found = with_mean_interval(
            summarise("w", ranking(1, 2, 4)), Draws(values, values, values, MANY), level=0.95
        )
        assert (found.se.value, found.se.reason) == (None, "undefined in 2 of 3 resamples")


class TestInterval:
    ESTIMATE = Estimate("w", 0.5, 10)

    def test_an_interval_counts_every_part_of_the_variance_once(self) -> None:
        # Parts 1 of prompts, 1 of judges and ⅔ of the rest: drawn alone prompts have 1 + ⅔ and so have judges, both
        # have 1 + 1 + 3·⅔ = 4; 2(5/3 + 5/3) − 4 = 8/3 = 1 + 1 + ⅔.
        both = np.random.default_rng(1).normal(0, 2, 200_000)
        alone = both * (5 / 12) ** 0.5
        reach = 1.96 * (8 / 3) ** 0.5
        found = with_interval(self.ESTIMATE, Draws(both, alone, alone, MANY), level=0.95)
        assert ends(found) == pytest.approx((0.5 - reach, 0.5 + reach), abs=0.03)

    def test_an_interval_is_never_narrower_than_prompts_or_judges_alone_would_have_it(self) -> None:
        both = np.arange(-500.0, 501)
        found = with_interval(self.ESTIMATE, Draws(both, both, both * 0, MANY), level=0.95)
        reach = 1.959964 * both.std()
        assert ends(found) == pytest.approx((0.5 - reach, 0.5 + reach))

    def test_an_interval_of_few_judges_is_wider(self) -> None:
        # Draws from 5 vary by 4/5 of what the figure does, and t of 4 degrees of freedom is 2.776 where z is 1.960.
        both = np.arange(-500.0, 501)
        found = with_interval(self.ESTIMATE, Draws(both, both * 0, both, (30, 5)), level=0.95)
        reach = 2.7764 * both.std() * (5 / 4) ** 0.5
        assert ends(found) == pytest.approx((0.5 - reach, 0.5 + reach), rel=1e-4)

    def test_an_interval_stays_within_what_the_figure_can_be_and_holds_it(self) -> None:
        both = np.linspace(-1, 1, 101)
        for share in (0.001, 0.5, 0.999):
            estimate = Estimate("w", share, 10)
            low, high = ends(with_interval(estimate, Draws(both, both, both * 0, MANY), level=0.95, bounds=(0, 1)))
            assert 0 <= low < share < high <= 1

    def test_an_interval_counts_draws_in_which_the_figure_is_undefined(self) -> None:
        values = np.array([*np.arange(101.0), *[NAN] * 9])
        found = with_interval(self.ESTIMATE, Draws(values, values, values, MANY), level=0.95)
        assert found.interval is not None
        assert (found.interval.left_out, found.interval.level) == (9, 0.95)

    def test_an_interval_is_undefined_where_most_draws_are(self) -> None:
        values = ranking(1, NAN, NAN)
        found = with_interval(self.ESTIMATE, Draws(values, values, values, MANY), level=0.95)
        assert why_no_interval(found) == "undefined in 2 of 3 resamples"

    @pytest.mark.parametrize(
        ("numbers", "reason"), [((1, 5), "fewer than two prompts"), ((5, 1), "fewer than two judges")]
    )
    def test_an_interval_of_one_prompt_or_judge_is_not_to_be_had(
        self, numbers: tuple[int, int], reason: str
    ) -> None:
        both = np.arange(-500.0, 501)
        found = with_interval(self.ESTIMATE, Draws(both, both, both, numbers), level=0.95)
        assert why_no_interval(found) == reason

    def test_an_interval_of_one_draw_is_not_to_be_had(self) -> None:
        values = ranking(1)
        found = with_interval(self.ESTIMATE, Draws(values, values, values, MANY), level=0.95)
        assert why_no_interval(found) == "fewer than two resamples"

    def test_an_interval_of_what_never_changes_is_not_to_be_had(self) -> None:
        values = ranking(1, 1, 1)
        found = with_interval(self.ESTIMATE, Draws(values, values, values, MANY), level=0.95)
        assert why_no_interval(found) == "the same in every resample"

    def test_an_undefined_figure_has_no_interval(self) -> None:
        undefined = Estimate("w", None, 0, reason="fewer than two judges")
        values = ranking(1, 2)
        assert with_interval(undefined, Draws(values, values, values, MANY), level=0.95) == undefined


def test_the_bias_is_what_leaving_out_one_at_a_time_tells_of_it() -> None:
    # The mean of squared deviations is too small by s²/n, which the jackknife knows exactly.
    values = ranking(1, 4, 4, 9)
    without = np.array([np.delete(values, place).var() for place in range(4)])
    nothing = np.zeros(0)
    draws = Draws(nothing, nothing, nothing, (4, 4), without=(without, nothing))
    assert draws.bias(float(values.var())) == pytest.approx(-values.var(ddof=1) / 4)


def test_of_many_groups_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert leaving_out(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    monkeypatch.setattr(resampling, "GROUPS", 2)
    assert leaving_out(3).tolist() == [[0, 1, 0], [1, 0, 1]]


def test_judges_of_whom_one_brings_nearly_everything_leave_few_degrees_of_freedom() -> None:
    nothing, judges = np.zeros(0), 15
    alike = np.array([0.5 + 0.1 * (-1) ** place for place in range(judges)])
    one = np.where(np.arange(judges) == 0, 0.9, 0.5)
    drawn = np.random.default_rng(1).normal(size=200)
    by_alike, by_one = (
        Draws(drawn, drawn * 0, drawn, (10, judges), without=(nothing, each)).degrees for each in (alike, one)
    )
    assert by_alike == pytest.approx(judges - 1)
    # The kurtosis of n values, of which one alone differs, is n − 2 + 1/(n − 1).
    assert by_one == pytest.approx(2 * judges / (judges - 3 + 1 / (judges - 1)))


def test_figures_of_pairs_of_judges_have_no_more_degrees_of_freedom_than_others() -> None:
    rng = np.random.default_rng(2)
    of_prompts, of_judges, in_both = rng.normal(size=(3, 4000))
    # Drawn alone prompts and judges bring 0.7 of their own and 0.3 of both, and together three times as much of it.
    drawn = 0.7**0.5 * (of_prompts + of_judges) + 0.9**0.5 * in_both, of_prompts, of_judges
    draws, few = Draws(*drawn, (30, 6)), Draws(*drawn, (30, 5))
    assert 5 <= draws.degrees_by_judges < draws.degrees_by_pairs < draws.degrees
    assert few.degrees_by_judges < few.degrees_by_pairs == few.degrees
