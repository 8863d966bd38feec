import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from analysis.agreement.core.concordance import (
    concordance,
    friedman_test,
    full_agreement,
    kendall_w,
    mean_permutation_p,
    mid_ranks,
    permutation_p,
    top_1_agreement,
)
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import NAN, TIED, UNTIED, few_ranks, ranking, tables, value

# Three raters of twenty subjects: the data set `anxiety` of R's package irr.
ANXIETY = ranking(
    [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
    [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
    [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
)


class TestKendallW:
    @pytest.mark.parametrize("tie_corrected", [False, True])
    def test_w_of_untied_rankings_is_that_worked_out_by_hand(self, tie_corrected: bool) -> None:
        # S = 3.5² + 1.5² + 0.5² + 4.5² = 35; W = 12·35 / (9·(64 − 4)) = 420/540 = 7/9.
        estimate = kendall_w(UNTIED, tie_corrected=tie_corrected)
        assert estimate.value == pytest.approx(7 / 9, abs=1e-15)
        assert estimate.n == 3

    def test_plain_w_takes_competition_ranks_as_they_are(self) -> None:
        # Rank sums 3, 5, 8, 11, mean 6.75; S = 14.0625 + 3.0625 + 1.5625 + 18.0625 = 36.75;
        # W = 12·36.75 / 540 = 441/540 = 49/60.
        assert kendall_w(TIED, tie_corrected=False).value == pytest.approx(49 / 60, abs=1e-15)

    def test_tie_corrected_w_uses_mid_ranks(self) -> None:
        # Mid-ranks (1, 2.5, 2.5, 4), (1.5, 1.5, 3, 4), (1, 2, 3.5, 3.5): sums 3.5, 6, 9, 11.5, mean 7.5;
        # S = 16 + 2.25 + 2.25 + 16 = 36.5; ΣT = 3·(2³ − 2) = 18; W = 438 / (540 − 3·18) = 438/486 = 73/81.
        assert kendall_w(TIED, tie_corrected=True).value == pytest.approx(73 / 81, abs=1e-15)

    def test_plain_w_may_exceed_one_on_tied_competition_ranks(self) -> None:
        # Two judges 1, 1, 1, 4: sums 2, 2, 2, 8, mean 3.5; S = 3·2.25 + 20.25 = 27; W = 12·27/240 = 1.35.
        same = ranking([1, 1, 1, 4], [1, 1, 1, 4])
        assert kendall_w(same, tie_corrected=False).value == pytest.approx(1.35)
        assert kendall_w(same, tie_corrected=True).value == pytest.approx(1)

    def test_w_leaves_out_and_counts_judges_who_left_out_an_object(self) -> None:
        gap = ranking(*UNTIED, [4, 3, 2, NAN])
        estimate = kendall_w(gap, tie_corrected=False)
        assert estimate.value == pytest.approx(7 / 9)
        assert (estimate.n, estimate.left_out) == (3, 1)

    def test_w_takes_no_notice_of_an_object_that_nobody_ranked(self) -> None:
        nobody = ranking(*([*ranks, NAN] for ranks in UNTIED))
        assert kendall_w(nobody, tie_corrected=True) == kendall_w(UNTIED, tie_corrected=True)

    def test_w_of_opposite_rankings_is_zero(self) -> None:
        assert kendall_w(ranking([1, 2, 3], [3, 2, 1]), tie_corrected=True).value == 0

    @given(tables(7, few_ranks, min_columns=3))
    def test_tie_corrected_w_is_friedmans_statistic_rescaled(self, ranks: FloatArray) -> None:
        judges, objects = ranks.shape
        estimate = kendall_w(ranks, tie_corrected=True)
        assume(estimate.value is not None)
        chi_squared = stats.friedmanchisquare(*ranks.T).statistic
        assert estimate.value == pytest.approx(chi_squared / (judges * (objects - 1)), abs=1e-12)
        assert -1e-12 <= value(estimate) <= 1 + 1e-12

    @given(tables(6, few_ranks))
    def test_tie_corrected_w_depends_on_the_order_alone(self, ranks: FloatArray) -> None:
        assert kendall_w(ranks, tie_corrected=True) == kendall_w(ranks**3 - 7, tie_corrected=True)

    @given(st.lists(st.permutations(range(1, 6)), min_size=2, max_size=6))
    def test_plain_and_tie_corrected_w_are_equal_without_ties(self, rankings: list[list[int]]) -> None:
        ranks = ranking(*rankings)
        plain, corrected = (kendall_w(ranks, tie_corrected=choice).value for choice in (False, True))
        assert plain == pytest.approx(corrected, abs=1e-12)

    @pytest.mark.parametrize("tie_corrected", [False, True])
    @pytest.mark.parametrize(
        ("ranks", "reason"),
        [
            (ranking([1, 2, 3]), "fewer than two judges"),
            (ranking([1], [1]), "fewer than two objects"),
            (ranking([1, 2, NAN], [1, NAN, 2]), "the judges did not rank the same objects"),
            (ranking([1, 1, 1], [1, 1, 1]), "every judge ties all objects"),
            (ranking([1, 1, 1], [2, 2, 2]), "every judge ties all objects"),
        ],
    )
    def test_undefined_w_says_why(self, ranks: FloatArray, reason: str, tie_corrected: bool) -> None:
        estimate = kendall_w(ranks, tie_corrected=tie_corrected)
        assert (estimate.value, estimate.reason) == (None, reason)

    def test_w_of_the_anxiety_data_is_as_printed_by_irr(self) -> None:
        estimate = kendall_w(ANXIETY, tie_corrected=True)
        test = friedman_test(ANXIETY)
        assert round(value(estimate), 3) == 0.540
        # χ² = 3 judges · 19 · 0.5397 = 30.8
        assert (round(value(test.statistic), 1), test.degrees, round(value(test.p), 4)) == (30.8, 19, 0.0429)


class TestFriedman:
    @given(tables(7, few_ranks, min_columns=3, min_rows=3))
    def test_friedmans_test_agrees_with_scipy(self, ranks: FloatArray) -> None:
        test = friedman_test(ranks)
        assume(test.p.value is not None)
        oracle = stats.friedmanchisquare(*ranks.T)
        assert test.statistic.value == pytest.approx(oracle.statistic, abs=1e-9)
        assert test.p.value == pytest.approx(oracle.pvalue, abs=1e-9)

    def test_friedmans_test_is_undefined_where_w_is(self) -> None:
        test = friedman_test(ranking([1, 1], [1, 1]))
        assert (test.statistic.reason, test.p.reason) == ("every judge ties all objects",) * 2


class TestPermutation:
    def test_permutation_p_of_two_judges_in_agreement_is_one_order_in_six(self) -> None:
        # Of the 3! orders of the second judge one alone reaches W = 1, whatever the first does.
        estimate = permutation_p(ranking([1, 2, 3], [1, 2, 3]), draws=20_000, rng=np.random.default_rng(1))
        assert estimate.value == pytest.approx(1 / 6, abs=0.01)
        assert estimate.n == 20_000

    def test_permutation_p_counts_the_data_among_the_draws(self) -> None:
        ranks = ranking(*[range(8)] * 8)
        assert permutation_p(ranks, draws=99, rng=np.random.default_rng(1)).value == 1 / 100

    def test_permutation_p_of_judges_in_perfect_disagreement_is_one(self) -> None:
        estimate = permutation_p(ranking([1, 2], [2, 1]), draws=50, rng=np.random.default_rng(1))
        assert estimate.value == 1

    def test_permutation_p_does_not_depend_on_how_many_permutations_fit_in_memory(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = permutation_p(TIED, draws=100, rng=np.random.default_rng(4))
        monkeypatch.setattr("analysis.agreement.core.concordance.CHUNK", 30)
        assert permutation_p(TIED, draws=100, rng=np.random.default_rng(4)) == whole

    def test_permutation_p_without_permutations_is_undefined(self) -> None:
        rng = np.random.default_rng(1)
        found = [permutation_p(UNTIED, draws=0, rng=rng), mean_permutation_p([UNTIED], draws=0, rng=rng)]
        assert [(p.value, p.reason) for p in found] == [(None, "no permutation was drawn")] * 2

    def test_permutation_p_is_uniform_where_judges_rank_at_random(self) -> None:
        rng = np.random.default_rng(7)
        found = [
            permutation_p(rng.permuted(ranking(*[range(6)] * 5), axis=1), draws=99, rng=rng).value
            for _ in range(300)
        ]
        assert stats.kstest(found, stats.uniform(0, 1).cdf).pvalue > 0.01

    def test_permutation_p_is_undefined_where_w_is(self) -> None:
        assert permutation_p(ranking([1, 2]), draws=9, rng=np.random.default_rng(1)).value is None


class TestResamples:
    def test_every_judge_drawn_once_gives_concordance_itself(self) -> None:
        tables = np.stack([UNTIED, TIED])
        plain = concordance(tables, np.ones((1, 2, 3)), tie_corrected=False)
        corrected = concordance(mid_ranks(tables), np.ones((1, 2, 3)), tie_corrected=True)
        assert plain[0] == pytest.approx([7 / 9, 49 / 60])
        assert corrected[0] == pytest.approx([7 / 9, 73 / 81])

    def test_copies_of_a_judge_do_not_agree_with_themselves(self) -> None:
        # Judges 1, 2, 3, 4 and 1, 3, 2, 4 correlate by ρ = 0.8; W of m judges who all do is (1 + (m − 1)·0.8)/m.
        drawn = np.array([[1, 1, 0], [3, 1, 0], [2, 2, 0]], dtype=float)
        found = concordance(UNTIED, drawn, tie_corrected=True)
        assert found == pytest.approx([0.9, (1 + 3 * 0.8) / 4, (1 + 3 * 0.8) / 4])

    def test_concordance_of_one_judge_alone_is_undefined_however_often_drawn(self) -> None:
        for tied in (UNTIED, mid_ranks(TIED), UNTIED / 3):  # thirds leave a rounding error
            assert np.isnan(concordance(tied, np.array([[4.0, 0, 0]]), tie_corrected=True)).all()

    def test_objects_that_nobody_ranked_do_not_count_in_resamples(self) -> None:
        wider = np.hstack([UNTIED, np.full((3, 2), NAN)])
        for tie_corrected in (False, True):
            here = concordance(UNTIED, np.ones(3), tie_corrected=tie_corrected)
            assert concordance(wider, np.ones(3), tie_corrected=tie_corrected) == pytest.approx(float(here))


@given(tables(6, st.one_of(st.just(NAN), few_ranks), min_rows=1, min_columns=1))
def test_mid_ranks_agree_with_scipy(values: FloatArray) -> None:
    for row, places in zip(values, mid_ranks(values), strict=True):
        kept = ~np.isnan(row)
        assert places[kept] == pytest.approx(stats.rankdata(row[kept]))
        assert np.isnan(places[~kept]).all()


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
    def test_top_1_agreement_asks_for_the_same_first_place_from_every_judge(
        self, ranks: FloatArray, expected: int
    ) -> None:
        assert top_1_agreement(ranks).value == expected

    def test_top_1_agreement_is_over_the_judges_who_ranked_everything(self) -> None:
        estimate = top_1_agreement(ranking([1, 2, 3], [1, 3, 2], [NAN, 1, 2]))
        assert (estimate.value, estimate.n, estimate.left_out) == (1, 2, 1)

    def test_top_1_agreement_is_undefined_over_different_sets(self) -> None:
        estimate = top_1_agreement(ranking([1, 2, NAN], [NAN, 2, 1]))
        assert (estimate.value, estimate.reason) == (None, "the judges did not rank the same objects")


class TestFullAgreement:
    @pytest.mark.parametrize(
        ("ranks", "expected"),
        [
            (ranking([1, 2, 3], [1, 2, 3]), 1),
            (ranking([1, 2, 2], [1, 3, 3]), 1),  # the same order, written in two ways
            (ranking([1, 2, 3], [1, 3, 2]), 0),
            (ranking([1, 2, 2], [1, 2, 3]), 0),
        ],
    )
    def test_full_agreement_asks_for_the_same_ranking_from_every_judge(
        self, ranks: FloatArray, expected: int
    ) -> None:
        assert full_agreement(ranks).value == expected


class TestMeanPermutation:
    def test_mean_permutation_p_of_one_prompt_is_that_of_the_prompt(self) -> None:
        one = mean_permutation_p([UNTIED], draws=500, rng=np.random.default_rng(3))
        assert one.value == permutation_p(UNTIED, draws=500, rng=np.random.default_rng(3)).value

    def test_mean_permutation_p_of_several_prompts_is_smaller_where_all_agree_a_little(self) -> None:
        alone = mean_permutation_p([UNTIED], draws=500, rng=np.random.default_rng(3))
        together = mean_permutation_p([UNTIED] * 4, draws=500, rng=np.random.default_rng(3))
        assert value(together) < value(alone)

    def test_mean_permutation_p_leaves_out_and_counts_prompts_without_w(self) -> None:
        found = mean_permutation_p([UNTIED, ranking([1, 2])], draws=9, rng=np.random.default_rng(3))
        assert (found.n, found.left_out) == (9, 1)
        undefined = mean_permutation_p([ranking([1, 2])], draws=9, rng=np.random.default_rng(3))
        assert undefined.reason == "W is defined on no prompt"
