import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.agreement.core.rank_correlation import mean_pairwise_tau_b, pair_sums, pairwise_tau_b, tau_sums
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import NAN, UNTIED, few_ranks, ranking, tables


class TestTau:
    def test_tau_averages_over_pairs_of_judges(self) -> None:
        # Six object pairs each; judges 1-2 and 1-3 differ on one: (5 − 1)/6; judges 2-3 on two: (4 − 2)/6.
        estimate = mean_pairwise_tau_b(UNTIED)
        assert estimate.value == pytest.approx((4 / 6 + 4 / 6 + 2 / 6) / 3, abs=1e-15)
        assert (estimate.n, estimate.left_out) == (3, 0)

    def test_tau_leaves_out_and_counts_pairs_with_a_constant_ranking(self) -> None:
        # Only the first two judges distinguish anything: concordant 2, discordant 1 of 3 pairs.
        estimate = mean_pairwise_tau_b(ranking([1, 2, 3], [1, 3, 2], [1, 1, 1]))
        assert estimate.value == pytest.approx(1 / 3)
        assert (estimate.n, estimate.left_out) == (1, 2)

    def test_tau_compares_two_judges_on_what_both_ranked(self) -> None:
        # Judges 1 and 2 share objects 2 and 3, in opposite order; judges 1 and 3 share only object 1.
        estimate = mean_pairwise_tau_b(ranking([1, 2, 3, NAN], [NAN, 2, 1, 3], [1, NAN, NAN, NAN]))
        assert (estimate.value, estimate.n, estimate.left_out) == (-1, 1, 2)

    @given(tables(7, st.one_of(st.just(NAN), few_ranks)))
    def test_tau_agrees_with_scipy(self, ranks: FloatArray) -> None:
        taus = []
        for one, other in itertools.combinations(ranks, 2):
            both = ~np.isnan(one) & ~np.isnan(other)
            taus.append(stats.kendalltau(one[both], other[both]).statistic if both.sum() > 1 else NAN)
        estimate = mean_pairwise_tau_b(ranks)
        assert estimate.left_out == np.isnan(taus).sum()
        if np.isnan(taus).all():
            assert estimate.value is None
        else:
            assert estimate.value == pytest.approx(np.nanmean(taus), abs=1e-12)

    @pytest.mark.parametrize(
        ("ranks", "left_out", "reason"),
        [
            (ranking([1, 2]), 0, "fewer than two judges"),
            (ranking([1], [1]), 0, "fewer than two objects"),
            (
                ranking([1, 1], [1, 2], [2, 2]),
                3,
                "no two judges both distinguish objects that they have in common",
            ),
        ],
    )
    def test_undefined_tau_says_why(self, ranks: FloatArray, left_out: int, reason: str) -> None:
        estimate = mean_pairwise_tau_b(ranks)
        assert (estimate.value, estimate.left_out, estimate.reason) == (None, left_out, reason)


class TestResamples:
    def test_every_judge_drawn_once_gives_tau_itself(self) -> None:
        sums, pairs = pair_sums(pairwise_tau_b(UNTIED), np.ones((1, 3)))
        assert (sums[0], pairs[0]) == pytest.approx((5 / 3, 3))

    def test_a_judge_counts_as_often_as_drawn_and_never_beside_itself(self) -> None:
        # Judge 1 twice, judge 2 once, judge 3 never: two pairs, each with τ_b 4/6.
        sums, pairs = pair_sums(pairwise_tau_b(UNTIED), np.array([[2.0, 1, 0]]))
        assert (sums[0], pairs[0]) == pytest.approx((2 * 4 / 6, 2))

    def test_undefined_pairs_of_judges_do_not_count_in_resamples(self) -> None:
        _, pairs = pair_sums(pairwise_tau_b(ranking([1, 2], [1, 1], [2, 1])), np.ones((1, 3)))
        assert pairs[0] == 1


@pytest.mark.parametrize("missing", [False, True])
def test_sums_over_judges_are_those_over_pairs_of_them(missing: bool) -> None:
    rng = np.random.default_rng(3)
    ranks = rng.integers(1, 4, (5, 4, 6)).astype(float)
    ranks[0, 1] = 2.0  # a judge who ties everything
    if missing:
        ranks[1, 2, 3] = NAN
    weights = rng.integers(0, 3, (7, 5, 4)).astype(float)
    for found, expected in zip(tau_sums(ranks, weights), pair_sums(pairwise_tau_b(ranks), weights), strict=True):
        assert found == pytest.approx(expected, abs=1e-12)
