"""Intervals on a scale without ends: the arithmetic, and that none reaches beyond what its figure can be."""

from math import inf, log

import pytest

from analysis.data.core.results import Estimate, Interval
from analysis.uncertainty.core.intervals import (
    AT_THE_END,
    NEAR_LEAST,
    SHARE,
    TOO_FEW,
    UNBOUNDED,
    degrees_of_crossed,
    of_differences,
    of_reliability,
    of_scores,
    with_t_interval,
)
from annotation.platform.core.interval_ends import ends_about
from tests.analysis.agreement.core.rankings import NAN, ends, ranking, why_no_interval


def found(value: float, se: float, bounds: tuple[float, float], degrees: float = 9) -> Estimate:
    return with_t_interval(
        Estimate("figure", value, 10), Estimate("se", se, 10), degrees, level=0.95, method="t", bounds=bounds
    )


class TestEnds:
    def test_a_figure_without_bounds_has_ends_as_far_away_on_either_side(self) -> None:
        # t of 9 degrees of freedom is 2.262.
        assert ends(found(3, 2, UNBOUNDED)) == pytest.approx((3 - 4.524, 3 + 4.524), abs=0.001)

    def test_a_share_has_its_ends_from_its_logit(self) -> None:
        # logit 0.8 = log 4; the slope there is 1 / (0.8 · 0.2) = 6.25, so that a reach of 0.16 is one of 1.
        low, high = ends_about(0.8, 0.16, SHARE)
        assert (log(low / (1 - low)), log(high / (1 - high))) == pytest.approx((log(4) - 1, log(4) + 1))

    def test_what_can_be_at_most_1_has_its_ends_from_the_logarithm_of_how_far_it_is_from_1(self) -> None:
        low, high = ends_about(0.5, 0.5 * log(2), (-inf, 1))
        assert (low, high) == pytest.approx((0, 0.75))

    def test_what_can_be_no_less_than_0_has_its_ends_from_its_logarithm(self) -> None:
        assert ends_about(10, 10 * log(2), (0, inf)) == pytest.approx((5, 20))

    @pytest.mark.parametrize("bounds", [SHARE, (-1.0, 1.0), (-inf, 1.0), (0.0, inf), (-9.0, 9.0)])
    @pytest.mark.parametrize("value", [0.0001, 0.3, 0.9999])
    @pytest.mark.parametrize("se", [1e-6, 0.01, 0.3, 40.0])
    def test_no_interval_is_crossed_or_reaches_beyond_what_the_figure_can_be(
        self, bounds: tuple[float, float], value: float, se: float
    ) -> None:
        estimate = found(value, se, bounds, degrees=1)
        if why_no_interval(estimate) is None:
            low, high = ends(estimate)
            assert bounds[0] <= low < value < high <= bounds[1]
        else:
            assert why_no_interval(estimate) == TOO_FEW
            assert inf in {abs(end) for end in bounds}

    def test_a_known_bias_is_taken_off_on_the_scale_without_ends(self) -> None:
        # As above; a bias of −0.08 is one of −0.5 there.
        low, high = ends_about(0.8, 0.16, SHARE, bias=-0.08)
        assert (log(low / (1 - low)), log(high / (1 - high))) == pytest.approx((log(4) - 0.5, log(4) + 1.5))

    @pytest.mark.parametrize("bounds", [UNBOUNDED, SHARE, (0.0, inf), (-inf, 1.0)])
    def test_a_bias_beyond_the_reach_leaves_the_value_in_its_interval(self, bounds: tuple[float, float]) -> None:
        assert ends_about(0.5, 0.1, bounds, bias=-0.3)[0] == pytest.approx(0.5)
        assert ends_about(0.5, 0.1, bounds, bias=0.3)[1] == pytest.approx(0.5)

    def test_a_figure_at_the_end_of_what_it_can_be_has_no_interval_of_an_error(self) -> None:
        assert why_no_interval(found(1, 0.1, SHARE)) == AT_THE_END


class TestBounds:
    def test_means_of_scores_keep_to_the_scale_if_the_scores_do(self) -> None:
        assert of_scores((1, 10), ranking(1, NAN, 10)) == (1, 10)
        assert of_scores((1, 10), ranking(1, 11)) == UNBOUNDED
        assert of_scores(None, ranking(1, 2)) == UNBOUNDED

    def test_differences_are_at_most_as_large_as_the_scale(self) -> None:
        assert of_differences((1, 10)) == (-9, 9)
        assert of_differences(UNBOUNDED) == UNBOUNDED

    def test_agreement_much_nearer_to_its_least_than_an_interval_reaches_has_none(self) -> None:
        # Five agree by −¼ at the least. t of 9 degrees of freedom is 2.262, so that 0.015 reaches 0.034.
        assert why_no_interval(found(-0.24, 0.015, of_reliability(5, -0.24))) == NEAR_LEAST
        assert ends(found(-0.21, 0.015, of_reliability(5, -0.21)))[1] < -0.1

    def test_raters_can_disagree_the_less_the_more_they_are(self) -> None:
        # Three can correlate by −½ at the least, two by −1.
        assert of_reliability(3, 0.2) == (-0.5, 1)
        assert of_reliability(2, 0.2) == (-1, 1)
        assert of_reliability(3, -0.6) == (-1, 1)


class TestInterval:
    @pytest.mark.parametrize(
        ("least", "low", "high", "most"),
        [(None, 1.002, 1.0, None), (0.0, -0.1, 0.5, 1.0), (0.0, 0.5, 1.1, 1.0), (None, 0.2, 9.59, 9.0)],
    )
    def test_an_interval_that_is_crossed_or_beyond_the_possible_cannot_be_made(
        self, least: float | None, low: float, high: float, most: float | None
    ) -> None:
        with pytest.raises(ValueError, match="not in order"):
            Interval(low, high, 0.95, "t", least=least, most=most)

    def test_an_estimate_cannot_lie_beside_its_interval(self) -> None:
        with pytest.raises(ValueError, match="does not lie in its interval"):
            Estimate("share", 0.6, 10, interval=Interval(0.1, 0.5, 0.95, "t"))
        assert Estimate("share", 0.5 + 1e-12, 10, interval=Interval(0.1, 0.5, 0.95, "t")).value


def test_what_prompts_and_judges_both_bring_has_the_degrees_of_freedom_of_the_larger_number() -> None:
    # All of it in both: each alone brings 2, together they bring 2, of 10 prompts and 5 judges.
    assert degrees_of_crossed(2, 2, 2, (9, 4)) == pytest.approx(9)
    # Nothing in both: 1 of prompts and 1 of judges, 2² / (1/9 + 1/4).
    assert degrees_of_crossed(1, 1, 2, (9, 4)) == pytest.approx(4 / (1 / 9 + 1 / 4))
