import dataclasses
import itertools
import math

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from analysis.core.agreement import (
    agreement_by_prompt,
    agreement_summary,
    kendall_w,
    krippendorff_alpha,
    mean_pairwise_tau_b,
    top_1_agreement,
)
from analysis.core.judgment_frame import split_by_domain
from analysis.core.results import Estimate, summarise
from tests.core.judgments import judgments

NAN = math.nan


def ranking(*rows):
    return np.array(rows, dtype=float)


# Three judges without ties: rank sums 4, 6, 8, 12 with mean 7.5.
UNTIED = ranking([1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4])
# The same number of judges, one pair tied by each, as competition ranks.
TIED = ranking([1, 2, 2, 4], [1, 1, 3, 4], [1, 2, 3, 3])

# Four observers and twelve units, the worked example that Krippendorff uses for alpha with missing ratings.
FOUR_OBSERVERS = ranking(
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
)


def tables(max_side, values, min_rows=2, min_columns=2):
    sides = st.tuples(st.integers(min_rows, max_side), st.integers(min_columns, max_side))
    return sides.flatmap(lambda shape: arrays(float, shape, elements=values))


few_ranks = st.integers(1, 4).map(float)
few_values_or_missing = st.one_of(st.just(NAN), st.integers(-2, 4).map(float))


class TestEstimate:
    @pytest.mark.parametrize(
        ("value", "reason"), [(None, None), (None, ""), (0.5, "but why"), (NAN, None), (math.inf, None)]
    )
    def test_holds_a_finite_value_or_a_reason_and_never_both(self, value, reason):
        with pytest.raises(ValueError, match="kendall_w"):
            Estimate("kendall_w", value, n=3, reason=reason)

    def test_summary_leaves_missing_values_out_and_counts_them(self):
        # 1, 2, 6: mean 3, median 2, squared deviations 4 + 1 + 9 = 14, sd √(14/2) = √7, se √7/√3.
        summary = summarise("rank", ranking(1, NAN, 2, 6))
        assert (summary.mean.value, summary.median.value) == (3, 2)
        assert summary.sd.value == pytest.approx(math.sqrt(7))
        assert summary.se.value == pytest.approx(math.sqrt(7 / 3))
        assert {(e.n, e.left_out) for e in (summary.mean, summary.median, summary.sd, summary.se)} == {(3, 1)}

    def test_summary_of_one_value_has_no_spread_and_says_why(self):
        summary = summarise("rank", ranking(4))
        assert summary.mean == Estimate("rank_mean", 4, n=1)
        assert summary.se == Estimate("rank_se", None, n=1, reason="needs at least 2 values, has 1")

    def test_summary_of_nothing_has_no_mean(self):
        assert summarise("rank", ranking(NAN)).mean.reason == "needs at least 1 value, has 0"


class TestKendallW:
    @pytest.mark.parametrize("tie_corrected", [False, True])
    def test_of_untied_rankings(self, tie_corrected):
        # S = 3.5² + 1.5² + 0.5² + 4.5² = 35; W = 12·35 / (9·(64 − 4)) = 420/540 = 7/9.
        estimate = kendall_w(UNTIED, tie_corrected=tie_corrected)
        assert estimate.value == pytest.approx(7 / 9, abs=1e-15)
        assert estimate.n == 3

    def test_plain_takes_competition_ranks_as_they_are(self):
        # Rank sums 3, 5, 8, 11, mean 6.75; S = 14.0625 + 3.0625 + 1.5625 + 18.0625 = 36.75;
        # W = 12·36.75 / 540 = 441/540 = 49/60.
        assert kendall_w(TIED, tie_corrected=False).value == pytest.approx(49 / 60, abs=1e-15)

    def test_tie_corrected_uses_mid_ranks(self):
        # Mid-ranks (1, 2.5, 2.5, 4), (1.5, 1.5, 3, 4), (1, 2, 3.5, 3.5): sums 3.5, 6, 9, 11.5, mean 7.5;
        # S = 16 + 2.25 + 2.25 + 16 = 36.5; ΣT = 3·(2³ − 2) = 18; W = 438 / (540 − 3·18) = 438/486 = 73/81.
        assert kendall_w(TIED, tie_corrected=True).value == pytest.approx(73 / 81, abs=1e-15)

    def test_plain_may_exceed_one_on_tied_competition_ranks(self):
        # Two judges 1, 1, 1, 4: sums 2, 2, 2, 8, mean 3.5; S = 3·2.25 + 20.25 = 27; W = 12·27/240 = 1.35.
        same = ranking([1, 1, 1, 4], [1, 1, 1, 4])
        assert kendall_w(same, tie_corrected=False).value == pytest.approx(1.35)
        assert kendall_w(same, tie_corrected=True).value == pytest.approx(1)

    def test_of_opposite_rankings_is_zero(self):
        assert kendall_w(ranking([1, 2, 3], [3, 2, 1]), tie_corrected=True).value == 0

    @given(tables(7, few_ranks, min_columns=3))
    def test_tie_corrected_is_friedmans_statistic_rescaled(self, ranks):
        judges, objects = ranks.shape
        estimate = kendall_w(ranks, tie_corrected=True)
        value = estimate.value
        assume(value is not None)
        assert value is not None
        chi_squared = stats.friedmanchisquare(*ranks.T).statistic
        assert value == pytest.approx(chi_squared / (judges * (objects - 1)), abs=1e-12)
        assert -1e-12 <= value <= 1 + 1e-12

    @given(tables(6, few_ranks))
    def test_tie_corrected_depends_on_the_order_alone(self, ranks):
        assert kendall_w(ranks, tie_corrected=True) == kendall_w(ranks**3 - 7, tie_corrected=True)

    @given(st.lists(st.permutations(range(1, 6)), min_size=2, max_size=6))
    def test_plain_and_tie_corrected_are_equal_without_ties(self, rankings):
        ranks = ranking(*rankings)
        plain, corrected = (kendall_w(ranks, tie_corrected=choice).value for choice in (False, True))
        assert plain == pytest.approx(corrected, abs=1e-12)

    @pytest.mark.parametrize("tie_corrected", [False, True])
    @pytest.mark.parametrize(
        ("ranks", "reason"),
        [
            (ranking([1, 2, 3]), "fewer than two judges"),
            (ranking([1], [1]), "fewer than two objects"),
            (ranking([1, 2, NAN], [1, 2, NAN]), "ranks are missing"),
            (ranking([1, 2, NAN], [1, NAN, 2]), "the judges did not rank the same objects"),
            (ranking([1, 1, 1], [1, 1, 1]), "every judge ties all objects"),
            (ranking([1, 1, 1], [2, 2, 2]), "every judge ties all objects"),
        ],
    )
    def test_undefined_says_why(self, ranks, reason, tie_corrected):
        estimate = kendall_w(ranks, tie_corrected=tie_corrected)
        assert (estimate.value, estimate.reason) == (None, reason)


class TestTop1:
    @pytest.mark.parametrize(
        ("ranks", "expected"),
        [
            (ranking([1, 2, 3], [1, 3, 2]), 1),
            (ranking([1, 2, 3], [2, 1, 3]), 0),
            (ranking([1, 1, 3], [1, 1, 3]), 1),
            (ranking([1, 1, 3], [1, 2, 3]), 0),
        ],
    )
    def test_asks_for_the_same_first_place_from_every_judge(self, ranks, expected):
        assert top_1_agreement(ranks).value == expected

    def test_is_undefined_over_different_sets(self):
        estimate = top_1_agreement(ranking([1, 2, NAN], [NAN, 2, 1]))
        assert (estimate.value, estimate.reason) == (None, "the judges did not rank the same objects")


class TestTau:
    def test_averages_over_pairs_of_judges(self):
        # Six object pairs each; judges 1-2 and 1-3 differ on one: (5 − 1)/6; judges 2-3 on two: (4 − 2)/6.
        estimate = mean_pairwise_tau_b(UNTIED)
        assert estimate.value == pytest.approx((4 / 6 + 4 / 6 + 2 / 6) / 3, abs=1e-15)
        assert (estimate.n, estimate.left_out) == (3, 0)

    def test_leaves_out_and_counts_pairs_with_a_constant_ranking(self):
        # Only the first two judges distinguish anything: concordant 2, discordant 1 of 3 pairs.
        estimate = mean_pairwise_tau_b(ranking([1, 2, 3], [1, 3, 2], [1, 1, 1]))
        assert estimate.value == pytest.approx(1 / 3)
        assert (estimate.n, estimate.left_out) == (1, 2)

    def test_compares_two_judges_on_what_both_ranked(self):
        # Judges 1 and 2 share objects 2 and 3, in opposite order; judges 1 and 3 share only object 1.
        estimate = mean_pairwise_tau_b(ranking([1, 2, 3, NAN], [NAN, 2, 1, 3], [1, NAN, NAN, NAN]))
        assert (estimate.value, estimate.n, estimate.left_out) == (-1, 1, 2)

    @given(tables(7, st.one_of(st.just(NAN), few_ranks)))
    def test_agrees_with_scipy(self, ranks):
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
    def test_undefined_says_why(self, ranks, left_out, reason):
        estimate = mean_pairwise_tau_b(ranks)
        assert (estimate.value, estimate.left_out, estimate.reason) == (None, left_out, reason)


class TestAlpha:
    # The last unit has one rating, so 40 ratings remain: 9 ones, 13 twos, 10 threes, 5 fours, 3 fives.
    # Coincidences above the diagonal: 4/3 for (1,2) and (2,3); 1/3 for (1,3), (1,4), (2,4) and (3,4).
    @pytest.mark.parametrize(
        ("level", "expected"),
        [
            # Observed 2·4 = 8, expected (40² − 9² − 13² − 10² − 5² − 3²)/39 = 1216/39.
            ("nominal", 1 - 39 * 8 / 1216),
            # Sums over the upper half: observed (4·1 + 4 + 9 + 4·1 + 4 + 1)/3 = 26/3;
            # expected·39 = 117 + 360 + 405 + 432 + 130 + 260 + 351 + 50 + 120 + 15 = 2240.
            ("interval", 1 - 39 * (26 / 3) / 2240),
            # Middles of the cumulated counts 4.5, 15.5, 27, 34.5, 38.5 give squared distances
            # 121, 506.25, 900, 1156 | 132.25, 361, 529 | 56.25, 132.25 | 16;
            # observed (4·121 + 506.25 + 900 + 4·132.25 + 361 + 56.25)/3 = 945.5; expected·39 = 199740.
            ("ordinal", 1 - 39 * 945.5 / 199740),
        ],
    )
    def test_of_the_worked_example(self, level, expected):
        estimate = krippendorff_alpha(FOUR_OBSERVERS, level=level)
        assert estimate.value == pytest.approx(expected, abs=1e-14)
        assert round(expected, 3) == {"nominal": 0.743, "interval": 0.849, "ordinal": 0.815}[level]
        assert (estimate.n, estimate.left_out) == (11, 1)

    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    @given(tables(8, few_values_or_missing, min_rows=1, min_columns=1))
    def test_agrees_with_the_krippendorff_package(self, level, values):
        estimate = krippendorff_alpha(values, level=level)
        assume(estimate.value is not None)
        oracle = krippendorff.alpha(reliability_data=values, level_of_measurement=level)
        assert estimate.value == pytest.approx(oracle, abs=1e-12)

    @given(arrays(float, (3, 9), elements=st.integers(-(10**6), 10**6).map(lambda number: number / 1000)))
    def test_takes_any_number_of_distinct_values(self, values):
        estimate = krippendorff_alpha(values, level="interval")
        assume(estimate.value is not None)
        oracle = krippendorff.alpha(reliability_data=values, level_of_measurement="interval")
        assert estimate.value == pytest.approx(oracle, abs=1e-12)

    @given(tables(6, few_values_or_missing))
    def test_does_not_know_the_order_of_raters_or_units(self, values):
        here = krippendorff_alpha(values, level="ordinal")
        there = krippendorff_alpha(values[::-1, ::-1], level="ordinal")
        assert (here.n, here.left_out, here.reason) == (there.n, there.left_out, there.reason)
        assert here.value == pytest.approx(there.value, abs=1e-12)

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            (ranking([1, 2, 3]), "no unit has two ratings"),
            (ranking([1, NAN], [NAN, 2]), "no unit has two ratings"),
            (np.empty((0, 0)), "no unit has two ratings"),
            (ranking([2, 2, 5], [2, 2, NAN]), "all ratings are equal"),
        ],
    )
    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    def test_undefined_says_why(self, values, reason, level):
        estimate = krippendorff_alpha(values, level=level)
        assert (estimate.value, estimate.reason) == (None, reason)


def same_sets():
    """The two worked examples as prompts, in two domains."""
    answers = ("human-1", "human-2", "claude-1", "gpt-1")
    return judgments(
        {
            (prompt, f"j{number}"): dict(zip(answers, map(int, row), strict=True))
            for prompt, ranks in (("BBQ_01", UNTIED), ("HLE_01", TIED))
            for number, row in enumerate(ranks)
        }
    )


def rotated_sets():
    """Three judges with a human answer each and two model answers in common; the third orders these in reverse."""
    return judgments(
        {
            ("BBQ_01", "j1"): {"claude-1": 1, "gpt-1": 2, "human-1": 3},
            ("BBQ_01", "j2"): {"claude-1": 1, "human-2": 2, "gpt-1": 3},
            ("BBQ_01", "j3"): {"human-3": 1, "gpt-1": 2, "claude-1": 3},
        }
    )


class TestStudy:
    def test_has_one_row_per_prompt(self):
        first, second = agreement_by_prompt(same_sets())
        assert (first.prompt_id, second.prompt_id) == ("BBQ_01", "HLE_01")
        assert (first.n_judges, first.n_objects, first.n_common, first.same_set) == (3, 4, 4, True)
        assert first.w == kendall_w(UNTIED, tie_corrected=False)
        assert second.w.value == pytest.approx(49 / 60)
        assert second.w_tie_corrected.value == pytest.approx(73 / 81)
        assert second.w_common.value == second.w_tie_corrected.value
        assert first.tau_b.value == pytest.approx(5 / 9)

    def test_offers_only_the_common_answers_when_sets_rotate(self):
        (prompt,) = agreement_by_prompt(rotated_sets())
        assert (prompt.n_objects, prompt.n_common, prompt.same_set) == (5, 2, False)
        assert prompt.w.reason == prompt.w_tie_corrected.reason == "the judges did not rank the same objects"
        # Re-ranked (1,2), (1,2), (2,1): sums 4 and 5, S = 0.5, W = 12·0.5 / (9·(8 − 2)) = 1/9.
        assert prompt.w_common.value == pytest.approx(1 / 9)
        assert prompt.w_common.name == "kendall_w_common"
        # One pair of judges agrees on the two common answers, two pairs disagree: (1 − 1 − 1)/3.
        assert prompt.tau_b.value == pytest.approx(-1 / 3)
        assert prompt.top_1.value is None

    def test_summarises_over_prompts(self):
        summary = agreement_summary(same_sets())
        assert (summary.n_prompts, summary.n_judges, summary.n_answers) == (2, 3, 8)
        # W 7/9 = 140/180 and 49/60 = 147/180: mean 143.5/180, sd 7/180/√2.
        assert summary.w.mean.value == summary.w.median.value == pytest.approx(143.5 / 180)
        assert summary.w.sd.value == pytest.approx(7 / 180 / math.sqrt(2))
        # Each tied pair of judges differs in no order and shares 4 of 6 untied pairs: τ_b = 4/√(5·5).
        assert summary.tau_b.mean.value == pytest.approx((5 / 9 + 4 / 5) / 2)
        # All judges share the first place on neither: j3 prefers human-2 in one, j2 ties two in the other.
        assert summary.top_1 == Estimate("top_1_agreement", 0, n=2)
        units = np.hstack([UNTIED, TIED])
        assert summary.alpha_ordinal == krippendorff_alpha(units, level="ordinal")

    def test_counts_prompts_without_a_figure(self):
        frame = pd.concat([same_sets(), rotated_sets().assign(prompt_id="MSC_01")])
        summary = agreement_summary(frame)
        assert (summary.w.mean.n, summary.w.mean.left_out) == (2, 1)
        assert (summary.w_common.mean.n, summary.w_common.mean.left_out) == (3, 0)

    def test_runs_by_domain_on_the_domains_rows(self):
        by_domain = {domain: agreement_summary(part) for domain, part in split_by_domain(same_sets()).items()}
        assert list(by_domain) == ["BBQ", "HLE"]
        assert by_domain["HLE"].w.mean.value == pytest.approx(49 / 60)
        assert by_domain["HLE"].w.sd.reason == "needs at least 2 values, has 1"

    def test_ignores_calibration_items(self):
        calibration = same_sets().assign(item_type="cal_quality_floor", prompt_id="CAL_01")
        calibration = calibration.drop_duplicates(["judge_id", "true_id"])
        assert agreement_summary(pd.concat([same_sets(), calibration])) == agreement_summary(same_sets())

    def test_without_any_judgment_is_undefined_throughout(self):
        summary = agreement_summary(same_sets().iloc[:0])
        assert (summary.n_prompts, summary.n_judges, summary.n_answers) == (0, 0, 0)
        assert summary.w.mean.value is None
        assert summary.alpha_ordinal.reason == "no unit has two ratings"

    def test_rows_are_frozen(self):
        (prompt,) = agreement_by_prompt(rotated_sets())
        with pytest.raises(dataclasses.FrozenInstanceError):
            prompt.n_judges = 9  # type: ignore[misc]
